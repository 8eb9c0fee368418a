// The program `linnet` as its users run it: exit codes, streams, files (language.md section 16).

#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace fs = std::filesystem;

namespace {

struct Result {
  int status = -1;
  std::string out;  ///< both streams unless the command says otherwise
};

Result run(const std::string& arguments) {
  const std::string command = "'" LINNET_PROGRAM "' " + arguments;
  Result made;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) {
    made.out.append(buffer, count);
  }
  const int status = ::pclose(pipe);
  made.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return made;
}

/// A folder that goes with the test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "linnet_cli_XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    const fs::path path = path_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

const std::string good = "module m\n\npub fn f(x: f32) -> f32 {\n    return x\n}\n";
const std::string bad = "module m\n\npub fn f(x: f32) -> f32 {\n    return y\n}\n";
const std::string warned = "module m\n\nuse std.nn.linear::{linear}\n\nconst A = 1\n";

}  // namespace

TEST_CASE("help and version") {
  CHECK(run("--version").out.starts_with("linnet "));
  CHECK(run("--help").status == 0);
  CHECK(run("check --help").out.find("--strict") != std::string::npos);
}

TEST_CASE("exit status 2: a wrong command line, with the thing named") {
  const Folder folder;
  CHECK(run("2>&1").status == 2);
  CHECK(run("frobnicate 2>&1").status == 2);
  CHECK(run("check 2>&1").status == 2);
  const Result missing = run("check " + folder.path() + "/none.linnet 2>&1");
  CHECK(missing.status == 2);
  CHECK(missing.out.find("none.linnet` does not exist") != std::string::npos);
  CHECK(run("check " + folder.path() + " 2>&1").out.find("no .linnet file") != std::string::npos);
  CHECK(run("inspect --ast " + folder.path() + " 2>&1").out.find("is a directory") !=
        std::string::npos);
  const std::string file = folder.write("a.linnet", good);
  CHECK(run("check --std " + folder.path() + "/none " + file + " 2>&1").status == 2);
  CHECK(run("fmt - " + file + " 2>&1").status == 2);
  for (const std::string command : {"check ", "plan ", "cpp "}) {
    const Result nothing = run(command + "'' 2>&1");
    CHECK(nothing.status == 2);
    CHECK(nothing.out == "linnet: `` does not exist\n");
    const Result device = run(command + "/dev/null 2>&1");
    CHECK(device.status == 2);
    CHECK(device.out.find("`/dev/null` is no regular file") != std::string::npos);
  }
  fs::create_symlink("loop", folder.path() + "/loop");
  const Result loop = run("check " + folder.path() + "/loop 2>&1");
  CHECK(loop.status == 2);
  CHECK(loop.out.find("loop`: Too many levels") != std::string::npos);
  // In a folder: a pipe is named and not waited for, an editor's lock file is none of ours.
  folder.write("sub/a.linnet", good);
  fs::create_symlink("nobody@nowhere", folder.path() + "/sub/.#a.linnet");
  CHECK(run("check " + folder.path() + "/sub 2>&1").status == 0);
  REQUIRE(std::system(("mkfifo " + folder.path() + "/sub/b.linnet").c_str()) == 0);
  for (const std::string command : {"check ", "fmt "}) {
    const Result pipe = run(command + folder.path() + "/sub 2>&1");
    CHECK(pipe.status == 2);
    CHECK(pipe.out.find("b.linnet` is no regular file") != std::string::npos);
  }
  CHECK(run("init '' 2>&1").out == "linnet: `` names no folder\n");
  CHECK(run("inspect --ast --tokens " + file + " 2>&1").status == 2);
  CHECK(run("inspect --ast --json " + file + " 2>&1").status == 2);
}

TEST_CASE("check: errors fail, warnings only when strict") {
  const Folder folder;
  const std::string fine = folder.write("good.linnet", good);
  const std::string wrong = folder.write("bad.linnet", bad);
  const std::string unused = folder.write("warned.linnet", warned);
  CHECK(run("check " + fine + " 2>/dev/null").status == 0);
  const Result failed = run("check " + wrong + " 2>&1");
  CHECK(failed.status == 1);
  CHECK(failed.out.find("error E1201") != std::string::npos);
  CHECK(failed.out.find("bad.linnet:4:12") != std::string::npos);
  CHECK(failed.out.find("\x1b[") == std::string::npos);
  CHECK(run("check " + unused + " 2>/dev/null").status == 0);
  CHECK(run("check --strict " + unused + " 2>/dev/null").status == 1);
  CHECK(run("lint " + unused + " 2>/dev/null").status == 1);
  CHECK(run("check " + folder.path() + " 2>/dev/null").status == 1);
  const Result json = run("check --json " + wrong);
  CHECK(json.status == 1);
  CHECK(json.out.starts_with("{\n  \"version\": 1,"));
}

TEST_CASE("fmt changes files in place, only lists them with --check, and filters") {
  const Folder folder;
  const std::string file = folder.write("a.linnet", "module m const A=1 // c\n");
  CHECK(run("fmt --check " + file).out == file + "\n");
  CHECK(run("fmt --check " + file).status == 1);
  CHECK(folder.read("a.linnet") == "module m const A=1 // c\n");
  CHECK(run("fmt " + file).status == 0);
  CHECK(folder.read("a.linnet") == "module m\n\nconst A = 1 // c\n");
  CHECK(run("fmt --check " + file).status == 0);
  CHECK(run("fmt - < " + file).out == "module m\n\nconst A = 1 // c\n");

  const std::string broken = folder.write("b.linnet", "module m const =\n");
  CHECK(run("fmt " + broken + " 2>/dev/null").status == 1);
  CHECK(folder.read("b.linnet") == "module m const =\n");
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder.path())) ++entries;
  CHECK(entries == 2);
}

TEST_CASE("fmt keeps links and permissions") {
  const Folder folder;
  const std::string file = folder.write("a.linnet", "module m const A=1");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("a.linnet", folder.path() + "/link.linnet");
  CHECK(run("fmt " + folder.path() + "/link.linnet").status == 0);
  CHECK(fs::is_symlink(folder.path() + "/link.linnet"));
  CHECK(folder.read("a.linnet") == "module m\n\nconst A = 1\n");
  CHECK(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("init makes a package that checks, is formatted, and is not made twice") {
  const Folder folder;
  const std::string package = folder.path() + "/my-model";
  CHECK(run("init " + package + " 2>/dev/null").status == 0);
  CHECK(folder.read("my-model/linnet.toml").find("name = \"my_model\"") != std::string::npos);
  CHECK(run("lint " + package + " 2>/dev/null").status == 0);
  CHECK(run("fmt --check " + package).status == 0);
  CHECK(run("init " + package + " 2>&1").status == 2);
}

TEST_CASE("inspect shows the stages") {
  const Folder folder;
  const std::string file = folder.write("a.linnet", good);
  CHECK(run("inspect --tokens " + file).out.starts_with("1:1\tkeyword\tmodule\n"));
  CHECK(run("inspect --ast - < " + file).out.starts_with("module m"));
  CHECK(run("inspect --core-ir " + file).out.starts_with("module m"));
  CHECK(run("inspect --emit " + file).status == 0);
  const std::string model = folder.write(
      "b.linnet",
      "module b\npub block B<N: Dim> {\n    param w: Tensor[N; f32]\n"
      "    pub entry f(x: Tensor[N; f32]) -> Tensor[N; f32] {\n        return x * w\n    }\n}\n");
  CHECK(run("inspect --parameters " + model).out == "B<N: Dim>\nparam   w  [N; f32]\n");
  CHECK(run("inspect --parameters --json " + model).out.find("\"path\": \"w\"") !=
        std::string::npos);
  CHECK(run("inspect --core-ir " + folder.write("c.linnet", bad) + " 2>/dev/null").status == 1);
}

TEST_CASE("both ways to a header give the same bytes") {
  const Folder folder;
  const std::string model = folder.write(
      "b.linnet",
      "module b\npub block B<N: Dim> {\n    param w: Tensor[N; f32]\n"
      "    pub entry f(x: Tensor[N; f32]) -> Tensor[N; f32] {\n        return x * w\n    }\n}\n");
  const Result direct = run("cpp " + model);
  CHECK(direct.status == 0);
  CHECK(direct.out.size() > 100);
  CHECK(run("plan " + model + " | '" LINNET_PROGRAM "' cpp -").out == direct.out);
}

TEST_CASE("outputs: no input is replaced, devices and pipes stay what they are") {
  const Folder folder;
  const std::string text =
      "module m\n\npub block B {\n    pub entry f(x: f32) -> f32 {\n        return x\n    }\n}\n";
  const std::string file = folder.write("a.linnet", text);
  for (const std::string command : {"plan ", "cpp "}) {
    const Result refused = run(command + file + " -o " + folder.path() + "/./a.linnet 2>&1");
    CHECK(refused.status == 2);
    CHECK(refused.out.find("would replace the input") != std::string::npos);
    CHECK(folder.read("a.linnet") == text);
    CHECK(run(command + file + " -o /dev/stdout").out == run(command + file).out);
    const std::string pipe = folder.path() + "/pipe";
    REQUIRE(std::system(("mkfifo " + pipe).c_str()) == 0);
    const Result sent = run(command + file + " -o " + pipe + " & cat " + pipe + "; wait");
    CHECK(sent.out == run(command + file).out);
    CHECK(fs::is_fifo(pipe));
    fs::remove(pipe);
    const Result full = run(command + file + " 2>&1 >/dev/full");
    CHECK(full.status == 2);
    CHECK(full.out.find("cannot write standard output") != std::string::npos);
  }
  CHECK(run("explain " + file + " 2>/dev/null >/dev/full").status == 2);
  CHECK(run("cpp " + file + " -o " + folder.path() + "/no/x.hpp 2>&1").status == 2);
}

TEST_CASE("plan notes the kernels that a policy chooses") {
  const Folder folder;
  const std::string file = folder.write("m.linnet", R"(module m
use std.nn.linear::{linear}
pub entry narrow(x: Tensor[2, 4; f32], w: Tensor[3, 4; f32]) -> Tensor[2, 3; f32] {
    return linear(x, w)
}
pub entry wide(x: Tensor[2, 4; f64], w: Tensor[3, 4; f64]) -> Tensor[2, 3; f64] {
    return linear(x, w)
}
)");
  const std::string chosen = "\"selected\": \"linnet::kernels::linear\"";
  const std::string fast = run("plan --functions --numerics fast " + file).out;
  const std::size_t narrow = fast.find("\"m::narrow\"");
  const std::size_t wide = fast.find("\"m::wide\"");
  REQUIRE(narrow < wide);
  CHECK(fast.substr(narrow, wide - narrow).find(chosen) != std::string::npos);
  CHECK(fast.substr(wide).find(chosen) == std::string::npos);  // kernels do not compute in f64
  CHECK(run("plan --functions " + file).out.find("selected") == std::string::npos);
}

TEST_CASE("cpp: a plan's errors name the file, and a root goes with source") {
  const Folder folder;
  const std::string plan = folder.write("p.json", "{\"version\": 9}");
  const Result wrong = run("cpp " + plan + " 2>&1");
  CHECK(wrong.status == 1);
  CHECK(wrong.out.find("p.json: version:") != std::string::npos);
  CHECK(run("cpp --root B " + plan + " 2>&1").status == 2);
}
