// Any text through the whole checker: it ends, every diagnostic names a place of a file, and a
// program without errors keeps the promises of checked.hpp, lowers to Core IR that verifies
// before and after the optimiser, and gives a plan that reads back as itself.

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/ir/lower/lower.hpp"
#include "codegen/optimize/optimize.hpp"
#include "codegen/plan/plan.hpp"
#include "codegen/sema/check.hpp"
#include "codegen/sema/verify.hpp"
#include "fuzz_target.hpp"
#include "sound.hpp"

using namespace linnet;

namespace {

void lower_and_write(const sema::CheckedProgram& checked) {
  std::vector<ir::Problem> problems;
  std::optional<ir::Program> program = ir::lower(checked, {}, problems);
  LINNET_FUZZ_REQUIRE(program.has_value() == problems.empty());
  if (!program) return;
  require_sound(*program);
  optimize::run(*program);
  require_sound(*program);
  const std::string written = plan::write(*program);
  const auto again = plan::read(written, problems);
  LINNET_FUZZ_REQUIRE(again.has_value());
  LINNET_FUZZ_REQUIRE(plan::write(*again) == written);
}

}  // namespace

std::vector<std::string> fuzz_seeds() {
  return {
      "module t\nuse std.nn.linear::{Linear}\nconst K = 3\nenum E { A, B }\n"
      "struct P<T: Float, N: Dim> { l: T r: Tensor[N; T] }\n"
      "fn g<*S: Shape, T: Float = f32>(x: Tensor[*S; T], by: T? = none) -> Tensor[*S; T] "
      "where K > 2 { return match by { some(b) => x * b none => x } }\n"
      "pub block B<H: Dim> where H > 0, H % 2 == 0 { param w: Tensor[H; f32]? state s: Tensor[2, "
      "H; f32] sub l: [Linear<H, H, f32>; 2] pub entry run(x: Tensor[2, H; f32], at: i32) -> "
      "Tensor[2, H / 2; f32] { var h = x static for c in l { h = c.forward(h) } s = s + h "
      "let y = s[:, 0:H / 2] return match w { some(v) => y * v[at] none => g(y) } } }\n",
      "module t\npub fn f<N: Dim, M: Dim>(a: Tensor[N, M; f32], ids: Tensor[N; i32], on: bool) -> "
      "(Tensor[N; f32], f32) where N >= 1 {\n let y[i] = sum[j] a[ids[i], j] * a[i, j]\n"
      " let z = for t in 0..N { yield y[t] * 0.5 }\n var c = 0 while c < 4 && on { c = c + 1 }\n"
      " let n = N * 2\n return (z, (max[i] y[i]) / n + cast<f32>(c))\n}\n",
      "module t\nkernel k<R: Dim, B: Dim>(x: Tensor[R, 8; f32]) -> y: Tensor[R, 8; f32] grid(R) "
      "where B >= 8 {\n let r = program_id(0) let c = iota<i32>(B)\n store(y[r, c], load(x[r, c], "
      "c < 8, 0.0) * 2.0, c < 8)\n}\npub op o<R: Dim>(x: Tensor[R, 8; f32]) -> Tensor[R, 8; f32] "
      "kernel k<R, 8> { return x * 2.0 } grad(_y, dy) { return reshape(concat(dy, dy, axis = "
      "0)[0:R], [R, 8]) * 2 }\n",
  };
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  syntax::SourceManager sources;
  syntax::DiagnosticSink sink;
  const std::string path = "/nowhere/fuzz.linnet";
  sema::CheckOptions options;
  options.std_root = std::string(LINNET_SOURCE_DIR) + "/stdlib";
  options.texts[path] = std::string(reinterpret_cast<const char*>(data), size);
  const sema::CheckedProgram program = sema::check(sources, {path}, options, sink);
  LINNET_FUZZ_REQUIRE(program.ok == !sink.has_errors());
  for (const syntax::Diagnostic& diagnostic : sink.diagnostics()) {
    LINNET_FUZZ_REQUIRE(!diagnostic.message.empty());
    if (!diagnostic.span.valid()) continue;
    LINNET_FUZZ_REQUIRE(diagnostic.span.file < sources.file_count());
    LINNET_FUZZ_REQUIRE(diagnostic.span.begin <= diagnostic.span.end);
    LINNET_FUZZ_REQUIRE(diagnostic.span.end <= sources.file(diagnostic.span.file).text().size());
  }
  if (program.ok) {
    const std::string flaw = sema::find_flaw(program);
    if (!flaw.empty()) std::fprintf(stderr, "%s\n", flaw.c_str());
    LINNET_FUZZ_REQUIRE(flaw.empty());
    lower_and_write(program);
  }
  return 0;
}
