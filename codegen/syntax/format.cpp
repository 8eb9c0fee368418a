#include "codegen/syntax/format.hpp"

#include "codegen/syntax/formatter.hpp"
#include "codegen/syntax/lexer.hpp"
#include "codegen/syntax/parser.hpp"
#include "codegen/syntax/unicode.hpp"

namespace linnet::syntax {

constexpr int line_width = 100;

std::optional<std::string> format(const SourceFile& file, DiagnosticSink& sink) {
  NodeIds ids;
  const auto module = parse(file, ids, sink);
  if (!module) return std::nullopt;
  DiagnosticSink nothing_new;
  const TokenStream stream = tokenize(file, nothing_new);
  Layout layout;
  FormatTokens tokens(file, stream, layout);
  Formatter(tokens, layout).module(*module);
  // A byte-order mark stays, it is the editor's.
  return std::string(file.text().substr(0, byte_order_mark_size(file.text()))) +
         layout.print(line_width);
}

}  // namespace linnet::syntax
