#pragma once
// The walk over the tree that lays a file out; its public face is format.hpp.
// It writes every token of the file exactly once and in order, so it can move
// white space only.

#include <string_view>

#include "codegen/syntax/ast.hpp"
#include "codegen/syntax/format_tokens.hpp"
#include "codegen/syntax/layout.hpp"

namespace linnet::syntax {

class Formatter {
 public:
  Formatter(FormatTokens& tokens, Layout& out) : tokens_(tokens), out_(out) {}

  void module(const Module& made);
  void relation(const WhereRelation& made);

 private:
  // --- declarations (format_items.cpp)
  void use(const Use& made);
  void item(const Item& made);
  void item_keyword(const Item& made, TokenKind keyword);
  void constant(const Const& made);
  void alias(const Alias& made);
  void structure(const Struct& made);
  void enumeration(const Enum& made);
  void function(const Function& made);
  void kernel(const Kernel& made);
  void block(const Block& made);
  void member(const BlockMember& made);
  void generics(const Generics& made);
  void params(const std::vector<Param>& made);
  void where(const std::vector<WhereRelation>& made);

  // --- statements (format_statements.cpp)
  void body(const Body& made);
  void statement(const Statement& made);
  void indexed_let(const IndexedLet& made);
  void range(const ExprPtr& from, const ExprPtr& to);
  void pattern(const Pattern& made);

  // --- types and expressions (format_expressions.cpp)
  void type(const Type& made);
  void path(const Path& made);
  void generic_args(const GenericArgs& made);
  void generic_arg(const GenericArg& made);
  void shape_element(const ShapeElement& made);
  void expr(const Expr& made);
  void bare_expr(const Expr& made);
  void binary(const Binary& made);
  void if_else(const IfElse& made);
  void match(const Match& made);
  void reduction(const Reduction& made);
  void component(const IndexComponent& made);
  void call_args(const std::vector<CallArg>& made);

  // --- pieces
  void space() { out_.text(" "); }
  void take(TokenKind kind) { tokens_.take(kind); }
  void annotation(const TypePtr& type);
  void assigned(const ExprPtr& value);
  void if_branches(const IfElse& made);
  /// `{`, what `fill` writes, `}` on a line of its own unless nothing was written.
  template <class Fill>
  void braces(bool empty, Fill fill);

  enum class Comma { required, optional };  ///< between two elements
  /// An opening bracket, elements, a closing one: on one line when that fits, one element a
  /// line when not, or when the source keeps a comma after the last (and `keep_comma`).
  template <class Elements, class One>
  void list(TokenKind open, TokenKind close, const Elements& elements, One one,
            bool keep_comma = true);
  /// The same between braces, with a space inside.
  template <class Elements, class One>
  void brace_list(Comma comma, bool broken, const Elements& elements, One one);
  /// One element a line, at the `{` of a list that needs no commas? The comma after the last
  /// says so; where not all have commas, any line break between elements does.
  template <class Elements>
  [[nodiscard]] bool one_a_line(const Elements& elements) const;
  template <class Elements, class One>
  void elements_with_commas(Comma comma, const Elements& elements, One one);

  FormatTokens& tokens_;
  Layout& out_;
};

template <class Fill>
void Formatter::braces(bool empty, Fill fill) {
  take(TokenKind::left_brace);
  out_.begin_indent();
  fill();
  if (!empty) out_.hard_line(tokens_.newlines_before() > 1);
  tokens_.take_leading_comments();
  out_.end_indent();
  out_.no_blank();
  take(TokenKind::right_brace);
}

template <class Elements, class One>
void Formatter::elements_with_commas(Comma comma, const Elements& elements, One one) {
  std::size_t left = elements.size();
  for (const auto& element : elements) {
    one(element);
    --left;
    if (left > 0 && comma == Comma::required) take(TokenKind::comma);
    const bool separated =
        (left > 0 && comma == Comma::required) || tokens_.take_if(TokenKind::comma);
    if (left > 0) out_.line(separated ? " " : "  ");
  }
}

template <class Elements, class One>
void Formatter::list(TokenKind open, TokenKind close, const Elements& elements, One one,
                     bool keep_comma) {
  out_.begin_group(keep_comma && tokens_.keeps_last_comma());
  take(open);
  out_.begin_indent();
  if (!elements.empty()) out_.line("");
  elements_with_commas(Comma::required, elements, one);
  tokens_.take_leading_comments();
  out_.end_indent();
  out_.no_blank();
  if (!elements.empty()) out_.line("");
  if (close == TokenKind::greater) {
    tokens_.take_closing_angle();
  } else {
    take(close);
  }
  out_.end_group();
}

template <class Elements>
bool Formatter::one_a_line(const Elements& elements) const {
  if (tokens_.keeps_last_comma()) return true;
  bool breaks = tokens_.breaks_after();
  bool all_commas = elements.size() > 1;
  for (std::size_t i = 1; i < elements.size(); ++i) {
    const std::uint32_t end = elements[i - 1].span.end;
    all_commas = all_commas && tokens_.kind_from(end) == TokenKind::comma;
    breaks = breaks || tokens_.breaks_between(end, elements[i].span.begin);
  }
  return breaks && !all_commas;
}

template <class Elements, class One>
void Formatter::brace_list(Comma comma, bool broken, const Elements& elements, One one) {
  out_.begin_group(broken);
  take(TokenKind::left_brace);
  out_.begin_indent();
  if (!elements.empty()) out_.line();
  elements_with_commas(comma, elements, one);
  tokens_.take_leading_comments();
  out_.end_indent();
  out_.no_blank();
  if (!elements.empty()) out_.line();
  take(TokenKind::right_brace);
  out_.end_group();
}

}  // namespace linnet::syntax
