// Any bytes through lexer, parser, tree dump, formatter and rendering.
// A text that parses must come out of the formatter with the same tree, and formatting
// that again must change nothing.

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/syntax/dump.hpp"
#include "codegen/syntax/format.hpp"
#include "codegen/syntax/lexer.hpp"
#include "codegen/syntax/parser.hpp"
#include "codegen/syntax/render.hpp"
#include "fuzz_target.hpp"

namespace {

using namespace linnet::syntax;

struct Read {
  bool parsed = false;
  std::string tree;
  std::string formatted;
};

Read read(const std::string& text) {
  SourceManager sources;
  DiagnosticSink sink;
  NodeIds ids;
  const SourceFile& file = sources.add("fuzz.linnet", text);
  Read made;
  if (const auto module = parse(file, ids, sink)) {
    made.parsed = true;
    made.tree = dump(*module, file, false);
    DiagnosticSink format_sink;
    made.formatted = format(file, format_sink).value();
  } else {
    LINNET_FUZZ_REQUIRE(sink.has_errors());
  }
  for (const Diagnostic& diagnostic : sink.diagnostics()) {
    LINNET_FUZZ_REQUIRE(!render_text(diagnostic, sources, true).empty());
  }
  LINNET_FUZZ_REQUIRE(!render_json(sink.diagnostics(), sources).empty());
  return made;
}

}  // namespace

std::vector<std::string> fuzz_seeds() {
  return {
      "module m use a.b::{c as d} pub op f<*S: Shape, T: Float = f32>(x: Tensor[*S, 2; T]? = none) "
      "-> (f32, T) kernel k<S> where N > 0 { let y[*s] = sum<f32>[i] x[*s, i] * 2 // c\n"
      "let (a, b) = for i in 0..N { yield (i, x[..., 0::2]) } "
      "return if c { -a.b<4>(some(x)) } else { match x { some(z) => [1, 2] none => true } } } "
      "grad(y, dy) { return dy }",
      "module m /* a */ block B { param w: [L<4>; N] sub q: P<f32>= none } "
      "struct S { a: f32 b: i8, } enum E { A, B } const C = f(x, y = 1e-5,) + \"\\u{e9}\\n\"",
      "module m pub kernel k<R: Dim>(x: Tensor[R; f32]) -> y: Tensor[R; f32] grid(R) warps(4) "
      "{ static for l in a { while c { v = 1 } } store(y[0], 1, m) }",
  };
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Read first = read(std::string(data, data + size));
  if (!first.parsed) return 0;
  const Read second = read(first.formatted);
  LINNET_FUZZ_REQUIRE(second.parsed);
  LINNET_FUZZ_REQUIRE(second.tree == first.tree);
  LINNET_FUZZ_REQUIRE(second.formatted == first.formatted);
  return 0;
}
