#include "codegen/syntax/brackets.hpp"

namespace linnet::syntax {
namespace {

/// May stand directly inside generic arguments (between the angles, outside of any
/// other bracket): types and dimensions without comparisons.
bool fits_generic_args(TokenKind kind) {
  using enum TokenKind;
  switch (kind) {
    case identifier:
    case integer:
    case floating:
    case comma:
    case dot:
    case question:
    case plus:
    case minus:
    case star:
    case slash:
    case percent:
      return true;
    default:
      return false;
  }
}

/// Words that never stand inside `(` or `[` without a `{` between: a bracket still
/// open there was never closed.
bool begins_anew(TokenKind kind) {
  using enum TokenKind;
  switch (kind) {
    case kw_let:
    case kw_var:
    case kw_return:
    case kw_static:
    case kw_while:
    case kw_yield:
    case kw_pub:
    case kw_fn:
    case kw_struct:
    case kw_enum:
      return true;
    default:
      return false;
  }
}

/// The brackets that are open, innermost last. Every operation is amortised constant.
class OpenBrackets {
 public:
  explicit OpenBrackets(const std::vector<Token>& tokens) : tokens_(tokens) {}

  [[nodiscard]] bool empty() const { return open_.empty(); }
  [[nodiscard]] std::uint32_t top() const { return open_.back(); }
  [[nodiscard]] bool top_is(TokenKind kind) const {
    return !open_.empty() && tokens_[open_.back()].kind == kind;
  }

  void push(std::uint32_t token) {
    levels_of(tokens_[token].kind).push_back(open_.size());
    open_.push_back(token);
  }
  void pop() { shrink(open_.size() - 1); }
  void drop_angles() {
    while (top_is(TokenKind::less)) pop();
  }
  void drop_to_brace() { shrink(braces_.empty() ? 0 : braces_.back() + 1); }

  /// Removes the innermost `opening` and all inside it; its token, or -1 when there is
  /// none that could be meant: `)` may end an unclosed `[` too, but neither ends a `{`.
  std::int64_t close(TokenKind opening) {
    const std::vector<std::size_t>& levels = levels_of(opening);
    if (levels.empty()) return -1;
    const std::size_t level = levels.back();
    if (opening != TokenKind::left_brace && !braces_.empty() && level < braces_.back()) return -1;
    const std::uint32_t token = open_[level];
    shrink(level);
    return token;
  }

 private:
  std::vector<std::size_t>& levels_of(TokenKind kind) {
    switch (kind) {
      case TokenKind::left_paren:
        return parens_;
      case TokenKind::left_bracket:
        return squares_;
      case TokenKind::left_brace:
        return braces_;
      default:
        return angles_;
    }
  }
  void shrink(std::size_t size) {
    open_.resize(size);
    for (auto* levels : {&parens_, &squares_, &braces_, &angles_}) {
      while (!levels->empty() && levels->back() >= size) levels->pop_back();
    }
  }

  const std::vector<Token>& tokens_;
  std::vector<std::uint32_t> open_;
  std::vector<std::size_t> parens_, squares_, braces_, angles_;  ///< their places in `open_`
};

}  // namespace

Brackets::Brackets(const std::vector<Token>& tokens)
    : partner_(tokens.size(), 0), marks_(tokens.size(), 0) {
  using enum TokenKind;
  OpenBrackets open(tokens);
  const auto close = [&](TokenKind opening, std::uint32_t at) {
    if (const std::int64_t token = open.close(opening); token >= 0) {
      partner_[static_cast<std::size_t>(token)] = at;
    }
  };
  for (std::uint32_t i = 0; i < tokens.size(); ++i) {
    const TokenKind kind = tokens[i].kind;
    switch (kind) {
      case left_paren:
      case left_bracket:
        open.push(i);
        break;
      case left_brace:
        open.drop_angles();
        open.push(i);
        break;
      case less:
        open.push(i);
        break;
      case right_paren:
        close(left_paren, i);
        break;
      case right_bracket:
        close(left_bracket, i);
        break;
      case right_brace:
        close(left_brace, i);
        break;
      case greater:
        if (open.top_is(less)) {
          partner_[open.top()] = i;
          open.pop();
        }
        break;
      case semicolon:
        open.drop_angles();
        if (!open.empty()) marks_[open.top()] |= semicolon_mark;
        break;
      default:
        if (begins_anew(kind)) open.drop_to_brace();
        if (!fits_generic_args(kind)) open.drop_angles();
        if (kind == comma && !open.empty()) marks_[open.top()] |= comma_mark;
        break;
    }
  }
}

}  // namespace linnet::syntax
