// libFuzzer target: any bytes through lexer, parser, tree dump, formatter and rendering.
// A text that parses must come out of the formatter with the same tree, and formatting
// that again must change nothing.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "codegen/syntax/dump.hpp"
#include "codegen/syntax/format.hpp"
#include "codegen/syntax/lexer.hpp"
#include "codegen/syntax/parser.hpp"
#include "codegen/syntax/render.hpp"

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
  } else if (sink.error_count() == 0) {
    std::fputs("no tree and no error\n", stderr);
    std::abort();
  }
  for (const Diagnostic& diagnostic : sink.diagnostics()) {
    if (render_text(diagnostic, sources, true).empty()) std::abort();
  }
  if (render_json(sink.diagnostics(), sources).empty()) std::abort();
  return made;
}

void require(bool holds, const char* what, const std::string& text) {
  if (holds) return;
  std::fprintf(stderr, "%s:\n%s\n", what, text.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Read first = read(std::string(data, data + size));
  if (!first.parsed) return 0;
  const Read second = read(first.formatted);
  require(second.parsed, "the formatted text does not parse", first.formatted);
  require(second.tree == first.tree, "formatting changed the tree", first.formatted);
  require(second.formatted == first.formatted, "formatting twice differs",
          first.formatted + "----\n" + second.formatted);
  return 0;
}
