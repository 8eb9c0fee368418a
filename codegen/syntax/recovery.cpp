// Where parsing goes on after an error.

#include "codegen/syntax/foreign.hpp"
#include "codegen/syntax/parser_impl.hpp"

namespace linnet::syntax {

using enum TokenKind;

namespace {

/// A word that a declaration begins with, its name coming next.
bool declares(TokenKind kind) {
  switch (kind) {
    case kw_const:
    case kw_type:
    case kw_struct:
    case kw_enum:
    case kw_fn:
    case kw_op:
    case kw_entry:
    case kw_kernel:
    case kw_block:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool Parser::starts_item(std::size_t ahead) const {
  const TokenKind first = kind(ahead);
  const TokenKind next = kind(ahead + 1);
  if (first == kw_pub || first == kw_extern) return true;
  const bool is_named = next == identifier || is_word(next);
  if (first == kw_use) return next == kw_crate || is_named;
  return declares(first) && is_named;
}

/// Also where the name that must follow is missing.
bool Parser::at_item_keyword() const {
  return kind() == kw_pub || kind() == kw_use || declares(kind());
}

bool Parser::starts_member(std::size_t ahead) const {
  switch (kind(ahead)) {
    case kw_param:
    case kw_buffer:
    case kw_state:
    case kw_sub:
      return (kind(ahead + 1) == identifier || is_word(kind(ahead + 1))) &&
             kind(ahead + 2) == colon;
    default:
      return false;
  }
}

bool Parser::starts_statement() const {
  switch (kind()) {
    case kw_let:
    case kw_var:
    case kw_return:
    case kw_static:
    case kw_for:
    case kw_while:
    case kw_yield:
      return true;
    case identifier:
      return token().first_on_line && kind(1) == assign;
    default:
      return false;
  }
}

/// Leaves the outermost bracket that was opened since token `start` and is closed later.
void Parser::leave_brackets(std::size_t start) {
  for (std::size_t i = start; i < pos_; ++i) {
    const TokenKind open = tokens_[i].kind;
    if (open != left_paren && open != left_bracket && open != left_brace) continue;
    const std::size_t close = brackets_.partner(i);
    if (close >= pos_) {
      pos_ = close + 1;
      return;
    }
  }
}

/// One token, or a bracket with all that it holds.
void Parser::skip_over_group() {
  const bool opens = at(left_paren) || at(left_bracket) || at(left_brace);
  const std::size_t close = opens ? brackets_.partner(pos_) : 0;
  if (close != 0) {
    pos_ = close + 1;
  } else {
    advance();
  }
}

/// Does an identifier (or `if`, `match`) begin its line where the statement at `start` began?
/// Then it is likelier a new statement than the rest of the one that went wrong.
bool Parser::starts_line_like(std::size_t start) const {
  const bool may_begin = at(identifier) || at(kw_if) || at(kw_match);
  return may_begin && pos_ > start && token().first_on_line && tokens_[start].first_on_line &&
         indent_of(pos_) <= indent_of(start);
}

void Parser::skip_to_statement(std::size_t start) {
  leave_brackets(start);
  // A statement's keyword amid a line is where this one went wrong: `if let some(x) = y`.
  const bool amid_line = pos_ == last_error_ && !token().first_on_line && starts_statement();
  if ((pos_ == start || amid_line) && !at(right_brace)) skip_over_group();
  while (!at(end_of_file) && !at(right_brace) && !starts_statement() && !starts_item() &&
         !starts_line_like(start)) {
    skip_over_group();
  }
}

void Parser::skip_to_item(std::size_t start, bool in_block) {
  leave_brackets(start);
  const auto stop = [&] {
    if (starts_item()) return true;
    const bool new_line = pos_ > start && token().first_on_line && !word(pos_).empty() &&
                          indent_of(pos_) <= indent_of(start);
    if (in_block) return starts_member() || at(right_brace) || new_line;
    return new_line && (at_item_keyword() || !item_advice(text(token())).empty());
  };
  if (pos_ == start) skip_over_group();
  while (!at(end_of_file) && !stop()) skip_over_group();
}

/// After an error in an element of a list: to the comma, bracket or `name:` from where the
/// list goes on; false when that cannot be found.
bool Parser::skip_to_element(std::size_t start, TokenKind close) {
  leave_brackets(start);
  const auto stop = [&] {
    return at(comma) || at(close) || (at(identifier) && kind(1) == colon && pos_ > last_error_);
  };
  while (!at(end_of_file) && !at(left_brace) && !at(right_brace) && !starts_item() && !stop()) {
    skip_over_group();
  }
  return stop();
}

/// After an error in a header: to the `{` of its body, when that can be found.
bool Parser::skip_to_body(std::size_t start) {
  leave_brackets(start);
  while (!at(end_of_file) && !at(left_brace) && !at(right_brace) && !starts_item() &&
         !starts_statement()) {
    skip_over_group();
  }
  return at(left_brace);
}

/// Columns of white space before the first token of a token's line; a tab counts as one.
int Parser::indent_of(std::size_t place) const {
  const std::string_view all = file_.text();
  const std::size_t at = tokens_[place].begin;
  const std::size_t line = at == 0 ? std::string_view::npos : all.rfind('\n', at - 1);
  const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
  return static_cast<int>(all.find_first_not_of(" \t", begin) - begin);
}

/// Is it likelier that the `}` of the brace at `open` is missing than that the item or member
/// here belongs inside? Only where some enclosing brace is never closed. Then the item that
/// begins its line no deeper than the line of the brace tells where; code that is not indented
/// tells nothing, and what holds no items ends at the first.
bool Parser::brace_is_missing(std::size_t open, bool holds_items) const {
  if (unclosed_ == 0 || !token().first_on_line) return false;
  const int outside = indent_of(open);
  if (indent_of(pos_) > outside) return false;
  const bool indented = tokens_[open + 1].first_on_line && indent_of(open + 1) > outside;
  return indented || !holds_items;
}

void Parser::missing_closing_brace(std::size_t open) {
  const int before = sink_.error_count();
  report(pos_, span_of(token()), "E1101", "expected `}`, found " + describe(token()),
         "close the body with `}`");
  if (sink_.error_count() != before) {
    sink_.latest().with_related("for this `{`", span_of(tokens_[open]));
  }
}

}  // namespace linnet::syntax
