// Modules, packages and manifests.

#include <doctest/doctest.h>

#include "tests/unit/sema/support.hpp"

using linnet::sema::testing::check_files;
using linnet::sema::testing::Checked;
using linnet::sema::testing::Folder;

namespace {

const std::string manifest = "[package]\nname = \"m\"\nversion = \"0.1.0\"\nlanguage = \"0.1\"\n";
const std::string item = "pub fn twice(x: f32) -> f32 { return x + x }\n";

}  // namespace

TEST_CASE("modules come after what they import") {
  const Folder folder;
  folder.write("linnet.toml", manifest + "[dependencies]\nshared = { path = \"../" +
                                  folder.path().filename().string() + "/dep\" }\n");
  folder.write("dep/linnet.toml", manifest);
  folder.write("dep/src/ops.linnet", "module shared.ops\n" + item);
  folder.write("src/a/b.linnet",
               "module m.a.b\nuse shared.ops::{twice}\npub fn four(x: f32) -> "
               "f32 { return twice(twice(x)) }\n");
  const std::string root = folder.write(
      "src/lib.linnet",
      "module m\nuse crate.a.b\nuse shared.ops::{twice as double}\npub fn six(x: f32) -> f32 { "
      "return b.four(x) + double(x) }\n");
  const Checked checked = check_files({root});
  CHECK(checked.summary() == "ok");
  REQUIRE(checked.program.modules.size() == 3);
  CHECK(checked.program.modules[0].name == "shared.ops");
  CHECK(checked.program.modules[1].name == "m.a.b");
  CHECK(checked.program.modules[2].name == "m");
  CHECK(checked.program.roots == std::vector<int>{2});
  CHECK(checked.program.dependencies.size() == 5);
}

TEST_CASE("two files of one module name have two full names") {
  const Folder folder;
  folder.write("linnet.toml", manifest);
  folder.write("src/a.linnet", "module same\n" + item);
  const std::string root =
      folder.write("src/lib.linnet", "module same\nuse crate.a::{twice as two}\n" + item +
                                         "pub fn f(x: f32) -> f32 { return two(x) + twice(x) }\n");
  const Checked checked = check_files({root});
  CHECK(checked.summary() == "ok");
  CHECK(checked.program.functions[0].full_name != checked.program.functions[1].full_name);
}

TEST_CASE("several roots share what they import") {
  const Folder folder;
  folder.write("linnet.toml", manifest);
  const std::string a = folder.write("src/a.linnet", "module a\n" + item);
  const std::string b = folder.write("src/b.linnet",
                                     "module b\nuse crate.a::{twice}\npub fn f(x: "
                                     "f32) -> f32 { return twice(x) }\n");
  const Checked checked = check_files({b, a});
  CHECK(checked.summary() == "ok");
  CHECK(checked.program.modules.size() == 2);
  CHECK(checked.program.roots == std::vector<int>{1, 0});
}

TEST_CASE("imports that fail are reported once, and their uses not at all") {
  const Folder folder;
  folder.write("linnet.toml", manifest);
  folder.write("src/a.linnet", "module a\nfn hidden(x: f32) -> f32 { return x }\n" + item);
  const auto check = [&](const std::string& text) {
    return check_files({folder.write("src/lib.linnet", "module m\n" + text)}).summary();
  };
  const std::string use = "pub fn f(x: f32) -> f32 { return g(g(x)) }\n";
  CHECK(check("use crate.a::{hidden as g}\n" + use) == "E1203 line 2");
  CHECK(check("use crate.a::{twic as g}\n" + use) == "E1201 line 2");
  CHECK(check("use crate.b::{g}\n" + use) == "E1202 line 2");
  CHECK(check("use nothing.b::{g}\n" + use) == "E1202 line 2");
  CHECK(check("use crate.b::{g}\nuse nothing.b::{g}\n" + use) == "E1202 line 2, E1202 line 3");
  CHECK(check("use crate.b as_is\n") == "E1101 line 2");
  CHECK(check("use crate.b\npub fn f(x: f32) -> f32 { return b.g(x) + b.h(x) }\n") ==
        "E1202 line 2");
  CHECK(check("use crate.a\npub fn f(x: f32) -> f32 { return a.hidden(x) }\n") == "E1203 line 3");
  CHECK(check("use crate::{f}\npub fn f(x: f32) -> f32 { return x }\n") == "E1206 line 2");
}

TEST_CASE("an item of the standard library that is not imported is named with its module") {
  const Checked checked = linnet::sema::testing::check_text(
      "module m\npub fn f(x: Tensor[4; f32]) -> Tensor[4; f32] { return linear(x, x) }\n");
  REQUIRE(checked.codes() == "E1201");
  CHECK(checked.sink.diagnostics().front().help.front() ==
        "import it: `use std.nn.linear::{linear}`");
}

TEST_CASE("an import with syntax errors says only that") {
  const Folder folder;
  folder.write("linnet.toml", manifest);
  folder.write("src/a.linnet", "module a\npub fn twice(x: f32) -> f32 { return }}\n");
  const std::string root = folder.write("src/lib.linnet",
                                        "module m\nuse crate.a::{twice}\nuse crate.a\npub fn f(x: "
                                        "f32) -> f32 { return twice(x) + a.twice(x) }\n");
  CHECK(check_files({root}).codes() == "E1101");
}

TEST_CASE("manifests") {
  const auto check = [](const std::string& text) {
    const Folder folder;
    folder.write("linnet.toml", text);
    return check_files({folder.write("src/lib.linnet", "module m\n" + item)}).codes();
  };
  CHECK(check(manifest) == "ok");
  CHECK(check("") == "E5001");
  CHECK(check("[package]\nname = 3\nversion = \"1\"\nlanguage = \"0.1\"\n") == "E5001");
  CHECK(check("[package]\nname = \"m\"\n") == "E5001");
  CHECK(check("package = 1\n") == "E5001");
  CHECK(check("[package]\nname = \"m\"\nversion = \"1\"\nlanguage = \"0.3\"\n") == "E5001");
  CHECK(check(manifest + "[dependencies]\na = \"1.0\"\n") == "E5001");
  // One mistake, one error: a misspelt key is not missing too.
  CHECK(check(manifest + "nmae = \"m\"\n") == "E5001");
  CHECK(check("[package]\nnmae = \"m\"\nversion = \"1\"\nlanguage = \"0.1\"\n") == "E5001");
  CHECK(check("[package]\nname = \"m\"\nlanguage = \"0.1\"\n") == "E5001");
  CHECK(check("[package]\nname = \"my-model\"\nversion = \"1\"\nlanguage = \"0.1\"\n") == "E5001");
  CHECK(check("[package]\nname = \"m\"\nversion = 1\nlanguage = \"0.1\"\n") == "E5001");
  CHECK(check(manifest + "[dependencis]\n") == "E5001");
  CHECK(check("[pakage]\nname = \"m\"\nversion = \"1\"\nlanguage = \"0.1\"\n") == "E5001");
  CHECK(check("title = \"m\"\n" + manifest) == "E5001");
  CHECK(check(manifest + "[dependencies]\na = { path = \".\", branch = \"main\" }\n") == "E5001");
  // What people and other tools write for themselves is none of ours.
  CHECK(check(manifest + "authors = [\"a\"]\ndescription = \"d\"\n[tool.other]\nx = 1\n") == "ok");
  CHECK(check(manifest + "[dependencies]\na = { path = \"../nowhere\" }\n") == "E5001");
  CHECK(check(manifest + "[dependencies]\nstd = { path = \".\" }\n") == "E5001");
  CHECK(check("\xff\xfe") == "E5001");
}

TEST_CASE("a root that cannot be read") {
  const Folder folder;
  CHECK(check_files({(folder.path() / "none.linnet").string()}).codes() == "E1202");
  CHECK(check_files({folder.path().string()}).codes() == "E1202");
}
