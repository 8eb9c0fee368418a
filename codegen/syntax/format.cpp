#include "codegen/syntax/format.hpp"

#include <limits>
#include <utility>
#include <vector>

#include "codegen/syntax/formatter.hpp"
#include "codegen/syntax/lexer.hpp"
#include "codegen/syntax/parser.hpp"
#include "codegen/syntax/unicode.hpp"

namespace linnet::syntax {

namespace {

constexpr int line_width = 100;

/// Without comments, and without the last commas of lists, which would break lines.
TokenStream quoted(TokenStream stream) {
  using enum TokenKind;
  stream.comments.clear();
  std::vector<Token> kept;
  for (Token& token : stream.tokens) {
    token.comments = 0;
    const bool closes =
        token.kind == right_paren || token.kind == right_bracket || token.kind == greater;
    if (closes && !kept.empty() && kept.back().kind == comma) kept.pop_back();
    kept.push_back(token);
  }
  stream.tokens = std::move(kept);
  return stream;
}

}  // namespace

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

std::string format(const WhereRelation& relation, std::string_view text) {
  const SourceFile file(Span::no_file, {}, std::string(text));
  DiagnosticSink nothing_new;
  const TokenStream stream = quoted(tokenize(file, nothing_new));
  Layout layout;
  FormatTokens tokens(file, stream, layout);
  Formatter(tokens, layout).relation(relation);
  std::string line = layout.print(std::numeric_limits<int>::max());
  line.pop_back();  // the line break
  return line;
}

}  // namespace linnet::syntax
