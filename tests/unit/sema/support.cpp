#include "tests/unit/sema/support.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace linnet::sema::testing {
namespace {

namespace fs = std::filesystem;

/// `$` in a rule.
constexpr const char* usual_parameters =
    "x: Tensor[4; f32], y: Tensor[4; f16], i: i64, j: i32, b: bool, m: Tensor[4; bool], "
    "n: Tensor[4; i64], a: Tensor[4, 8; f32], o: Tensor[4; f32]?, e: E, p: P";

}  // namespace

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "linnet-sema-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string Folder::write(const std::string& name, const std::string& text) const {
  const fs::path path = path_ / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

std::string Checked::summary() const {
  std::string text;
  for (const syntax::Diagnostic& diagnostic : sink.diagnostics()) {
    if (!text.empty()) text += ", ";
    text += diagnostic.code;
    if (!diagnostic.span.valid()) continue;
    const auto position = sources->file(diagnostic.span.file).position(diagnostic.span.begin);
    text += " line " + std::to_string(position.line);
  }
  return text.empty() ? "ok" : text;
}

std::string Checked::codes() const {
  std::string text;
  for (const syntax::Diagnostic& diagnostic : sink.diagnostics()) {
    text += (text.empty() ? "" : ", ") + diagnostic.code;
  }
  return text.empty() ? "ok" : text;
}

const Function& Checked::function(const std::string& name) const {
  for (const Function& function : program.functions) {
    if (function.name == name) return function;
  }
  FAIL("no function ", name);
  return program.functions.front();
}

const Expr& Checked::value(const std::string& in, const std::string& name) const {
  const Function& found = function(in);
  for (const Statement& statement : found.body) {
    const auto* let = std::get_if<Let>(&statement.node);
    if (let == nullptr || let->pattern.kind != Pattern::Kind::bind) continue;
    if (found.frame.locals[static_cast<std::size_t>(let->pattern.local)].name == name) {
      return *let->value;
    }
  }
  FAIL("no local ", name);
  return *std::get<Let>(found.body.front().node).value;
}

Checked check_files(const std::vector<std::string>& roots) {
  Checked checked;
  checked.sources = std::make_unique<syntax::SourceManager>();
  checked.program =
      check(*checked.sources, roots, {std::string(LINNET_SOURCE_DIR) + "/stdlib"}, checked.sink);
  return checked;
}

Checked check_text(const std::string& text) {
  const Folder folder;
  return check_files({folder.write("test.linnet", text)});
}

std::string common_items() {
  return R"linnet(module t
use std.nn.linear::{Linear}
use std.random
enum E { A, B }
enum G { X, Y }
struct P { x: f32, y: Tensor[4; f32] }
struct Q<T: Float, N: Dim> { v: Tensor[N; T] }
const K = 3
const TYPED: i64 = 3
fn id4(x: Tensor[4; f32]) -> Tensor[4; f32] { return x }
fn any_t<T: DType>(x: Tensor[4; T]) -> Tensor[4; T] { return x }
fn two<N: Dim, M: Dim>(x: Tensor[N; f32], y: Tensor[M; f32]) -> Tensor[N; f32] where N == M { return x + y }
fn pk<*S: Shape>(x: Tensor[*S; f32]) -> Tensor[*S; f32] { return x }
fn opt(x: Tensor[4; f32]? = none) -> f32 { return match x { some(v) => v[0]  none => 0.0 } }
fn noresult(x: f32) { }
block BB<H: Dim> where H > 0 { param w: Tensor[H; f32]  state s: Tensor[H; f32]  sub l: Linear<H, H, f32>  sub o: Linear<H, H, f32>?  sub arr: [Linear<H, H, f32>; 3]
 pub fn forward(x: Tensor[H; f32]) -> Tensor[H; f32] { return x * w } }
)linnet";
}

void check_rules(std::span<const Rule> rules) {
  for (const Rule& rule : rules) {
    std::string item = rule.item;
    const std::size_t parameters = item.find('$');
    if (parameters != std::string::npos) item.replace(parameters, 1, usual_parameters);
    CAPTURE(item);
    const Checked checked = check_text(common_items() + item + "\n");
    CHECK(checked.codes() == rule.code);
    for (const syntax::Diagnostic& diagnostic : checked.sink.diagnostics()) {
      CHECK_FALSE(diagnostic.help.empty());
    }
    CHECK_FALSE(checked.program.ok);
  }
}

}  // namespace linnet::sema::testing
