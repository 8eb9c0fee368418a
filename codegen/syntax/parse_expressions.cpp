// Expressions, by precedence climbing (language.md sections 5 and 15).

#include <charconv>
#include <cstdlib>
#include <optional>
#include <utility>

#include "codegen/syntax/lexer.hpp"
#include "codegen/syntax/parser_impl.hpp"

namespace linnet::syntax {

using enum TokenKind;

namespace {

constexpr int additive_level = 7;

struct BinaryToken {
  BinaryOp op;
  int level;  ///< higher binds tighter
};

std::optional<BinaryToken> binary_token(TokenKind kind) {
  switch (kind) {
    case double_pipe:
      return BinaryToken{BinaryOp::logical_or, 0};
    case double_ampersand:
      return BinaryToken{BinaryOp::logical_and, 1};
    case equal:
      return BinaryToken{BinaryOp::eq, 2};
    case not_equal:
      return BinaryToken{BinaryOp::ne, 2};
    case less:
      return BinaryToken{BinaryOp::lt, 3};
    case less_equal:
      return BinaryToken{BinaryOp::le, 3};
    case greater:
      return BinaryToken{BinaryOp::gt, 3};
    case greater_equal:
      return BinaryToken{BinaryOp::ge, 3};
    case pipe:
      return BinaryToken{BinaryOp::bit_or, 4};
    case caret:
      return BinaryToken{BinaryOp::bit_xor, 5};
    case ampersand:
      return BinaryToken{BinaryOp::bit_and, 6};
    case plus:
      return BinaryToken{BinaryOp::add, additive_level};
    case minus:
      return BinaryToken{BinaryOp::sub, additive_level};
    case star:
      return BinaryToken{BinaryOp::mul, 8};
    case slash:
      return BinaryToken{BinaryOp::div, 8};
    case percent:
      return BinaryToken{BinaryOp::rem, 8};
    default:
      return std::nullopt;
  }
}

std::string without_underscores(std::string_view text) {
  std::string digits(text);
  std::erase(digits, '_');
  return digits;
}

/// A keyword that people take for a name, so that it is one wherever it cannot be
/// anything else.
bool often_meant_as_name(TokenKind kind) {
  switch (kind) {
    case kw_module:
    case kw_type:
    case kw_op:
    case kw_block:
    case kw_entry:
    case kw_param:
    case kw_buffer:
    case kw_state:
    case kw_sub:
      return true;
    default:
      return is_reserved(kind);
  }
}

}  // namespace

ExprPtr Parser::expression() {
  if (at(kw_if)) return if_else();
  if (at(kw_match)) return match();
  return binary(0);
}

ExprPtr Parser::additive() {
  return binary(additive_level);
}

ExprPtr Parser::binary(int loosest) {
  const Level level(*this);
  const std::size_t start = pos_;
  ExprPtr lhs = unary();
  int operators = 0;
  while (const auto found = binary_token(kind())) {
    if (found->level < loosest) break;
    if (++operators > max_operators) too_many_operators();
    auto made = make<Binary>();
    made->op = found->op;
    made->op_span = advance();
    made->lhs = std::move(lhs);
    // All levels associate to the left: the right side binds strictly tighter.
    made->rhs = binary(found->level + 1);
    made->span = since(start);
    lhs = std::move(made);
  }
  return lhs;
}

ExprPtr Parser::unary() {
  if (!at(bang) && !at(minus) && !at(plus)) return postfix();
  const Level level(*this);
  const std::size_t start = pos_;
  auto made = make<Unary>();
  made->op = at(bang) ? UnaryOp::logical_not : at(minus) ? UnaryOp::minus : UnaryOp::plus;
  made->op_span = advance();
  made->operand = unary();
  made->span = since(start);
  return made;
}

ExprPtr Parser::postfix() {
  Chain chain(*this);
  const std::size_t start = pos_;
  ExprPtr made = primary();
  // What reaches as far right as it can has taken all that follows.
  if (made->parentheses == 0 && (made->kind == ExprKind::reduction || made->kind == ExprKind::scan))
    return made;
  for (;;) {
    if (at(left_paren) || (at(less) && follows(identifier) && at_generic_call())) {
      chain.push_down();
      made = call(std::move(made), start);
    } else if (at(left_bracket)) {
      chain.push_down();
      made = index(std::move(made), start);
    } else if (at(dot)) {
      if (made->kind == ExprKind::integer && touches_previous() && kind(1) != identifier) {
        advance();
        unexpected("the digits of a fraction",
                   "write `" + std::string(text(tokens_[pos_ - 2])) + ".0`");
      }
      chain.push_down();
      auto member = make<Member>();
      advance();
      member->base = std::move(made);
      member->name = used_name("the name of a field or method");
      member->span = since(start);
      made = std::move(member);
    } else {
      return made;
    }
  }
}

/// `name<` starts generic arguments only when the matching `>` is directly followed
/// by `(`.
bool Parser::at_generic_call() const {
  const std::size_t close = brackets_.partner(pos_);
  return close != 0 && tokens_[close + 1].kind == left_paren;
}

ExprPtr Parser::call(ExprPtr callee, std::size_t start) {
  auto made = make<Call>();
  made->callee = std::move(callee);
  if (at(less)) made->generics = generic_args();
  const std::size_t open = pos_;
  made->args = call_args();
  made->args_span = since(open);
  made->span = since(start);
  return made;
}

std::vector<CallArg> Parser::call_args() {
  std::vector<CallArg> made;
  const std::size_t open = pos_;
  expect(left_paren);
  while (!at(right_paren)) {
    const std::size_t start = pos_;
    CallArg& arg = made.emplace_back();
    if ((at(identifier) || is_word(kind())) && kind(1) == assign) {
      arg.name = used_name("the name of a parameter");
      advance();
    }
    arg.value = expression();
    arg.span = since(start);
    if (!arg.name && at(colon)) {
      unexpected("`,` or `)`", "a named argument is written `name = value`");
    }
    if (!accept(comma)) break;
  }
  close(open, "`,` or ");
  return made;
}

ExprPtr Parser::index(ExprPtr base, std::size_t start) {
  auto made = make<Index>();
  made->base = std::move(base);
  const std::size_t open = pos_;
  expect(left_bracket);
  do {
    made->components.push_back(component());
  } while (accept(comma));
  close(open, "`,` or ");
  made->span = since(start);
  return made;
}

IndexComponent Parser::component() {
  const std::size_t start = pos_;
  IndexComponent made;
  const auto at_end = [&] { return at(comma) || at(right_bracket); };
  const auto at_colon = [&] { return at(colon) || at(double_colon); };
  if (accept(ellipsis)) {
    made.kind = IndexComponentKind::ellipsis;
  } else if (accept(star)) {
    made.kind = IndexComponentKind::pack;
    made.pack = used_name("the name of a pack index");
  } else {
    ExprPtr first;
    if (!at_colon()) first = expression();
    if (at_colon()) {
      made.kind = IndexComponentKind::slice;
      made.start = std::move(first);
      // `::` is two colons here
      bool step = accept(double_colon);
      if (!step) {
        advance();
        if (!at_end() && !at_colon()) made.stop = expression();
        step = accept(colon);
      }
      if (step && !at_end()) made.step = expression();
    } else {
      made.position = std::move(first);
    }
  }
  made.span = since(start);
  return made;
}

ExprPtr Parser::primary() {
  const std::size_t start = pos_;
  ReductionOp op{};
  switch (kind()) {
    case integer:
      return integer_literal();
    case floating:
      return float_literal();
    case string: {
      auto made = make<StringLiteral>();
      made->text = std::string(text(token()));
      made->value = string_value(made->text);
      advance();
      return made;
    }
    case kw_true:
    case kw_false: {
      auto made = make<BoolLiteral>();
      made->value = at(kw_true);
      advance();
      return made;
    }
    case kw_none: {
      auto made = make<NoneExpr>();
      advance();
      return made;
    }
    case kw_some: {
      const Level level(*this);
      auto made = make<SomeExpr>();
      advance();
      expect(left_paren, "it is written `some(x)`");
      made->operand = expression();
      expect(right_paren);
      made->span = since(start);
      return made;
    }
    case left_paren:
      return parenthesised();
    case left_bracket:
      return shape_literal();
    case kw_for:
      return scan();
    case kw_if:
    case kw_match:
      unexpected("an operand", "put the whole `" + std::string(text(token())) +
                                   "` in parentheses to use it as an operand");
    case kw_self:
    case kw_super: {
      report(pos_, span_of(token()), "E1103",
             "`" + std::string(text(token())) + "` cannot be used in a path",
             kind(1) == dot && kind(2) == identifier
                 ? "members and methods are bare names: write `" + std::string(word(pos_ + 2)) + "`"
                 : "inside a block, members and methods are bare names");
      auto made = make<NameExpr>();
      made->name = take_word();
      return made;
    }
    case identifier:
      if (at_reduction(op)) return reduction(op);
      break;
    default: {
      const bool reported = reported_words_.contains(kind()) && !starts_statement();
      const bool mistaken = often_meant_as_name(kind()) && !starts_item() && !starts_member() &&
                            (!token().first_on_line || kind(1) == dot);
      if (!is_word(kind()) || !(reported || mistaken)) {
        unexpected("an expression",
                   at(left_brace) && follows(assign)
                       ? "there are no maps; a struct is built by name: `Pair(key = k, value = v)`"
                       : "");
      }
      break;
    }
  }
  auto made = make<NameExpr>();
  made->name = used_name("an expression");
  return made;
}

ExprPtr Parser::integer_literal() {
  auto made = make<IntegerLiteral>();
  made->text = std::string(text(token()));
  std::string digits = without_underscores(made->text);
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0b")) {
    base = digits[1] == 'x' ? 16 : 2;
    digits.erase(0, 2);
  }
  const auto parsed =
      std::from_chars(digits.data(), digits.data() + digits.size(), made->magnitude, base);
  made->beyond_u64 = parsed.ec == std::errc::result_out_of_range;
  if (made->beyond_u64) made->magnitude = 0;
  made->beyond_i64 = made->beyond_u64 || made->magnitude > 0x7FFF'FFFF'FFFF'FFFFU;
  advance();
  return made;
}

ExprPtr Parser::float_literal() {
  auto made = make<FloatLiteral>();
  made->text = std::string(text(token()));
  // strtod, unlike from_chars, rounds to zero or infinity what is beyond the range; the
  // program stays in the "C" locale.
  made->value = std::strtod(without_underscores(made->text).c_str(), nullptr);
  advance();
  return made;
}

ExprPtr Parser::parenthesised() {
  const Level level(*this);
  const std::size_t start = pos_;
  expect(left_paren);
  if (at(right_paren)) unexpected("an expression", "a tuple has at least one element: `(a,)`");
  ExprPtr first = expression();
  if (!at(comma)) {
    close(start, "`,` or ");
    ++first->parentheses;
    first->span = since(start);
    return first;
  }
  auto made = make<TupleExpr>();
  made->elements.push_back(std::move(first));
  while (accept(comma) && !at(right_paren)) made->elements.push_back(expression());
  close(start, "`,` or ");
  made->span = since(start);
  return made;
}

ExprPtr Parser::shape_literal() {
  const Level level(*this);
  const std::size_t start = pos_;
  auto made = make<ShapeExpr>();
  expect(left_bracket);
  while (!at(right_bracket)) {
    const std::size_t first = pos_;
    ShapeElement& element = made->elements.emplace_back();
    if (accept(star)) {
      element.pack = used_name("the name of a shape pack");
    } else {
      element.dim = expression();
    }
    element.span = since(first);
    if (!accept(comma)) break;
  }
  close(start, "`,` or ", at(semicolon) ? "a tensor of one value is `fill<f32>([N], v)`" : "");
  made->span = since(start);
  return made;
}

ExprPtr Parser::if_else() {
  const Level level(*this);
  const std::size_t start = pos_;
  auto made = make<IfElse>();
  advance();
  made->condition = expression();
  if (at(assign)) unexpected("`{`", "equality is written `==`");
  expect(left_brace, "an `if` is written `if c { a } else { b }`");
  made->then_value = expression();
  expect(right_brace, "a branch of an `if` is one expression");
  expect(kw_else, "an `if` is a value, so it needs an `else`");
  if (accept(left_brace)) {
    made->else_value = expression();
    expect(right_brace, "a branch of an `if` is one expression");
  } else {
    made->else_value = expression();
  }
  made->span = since(start);
  return made;
}

ExprPtr Parser::match() {
  const Level level(*this);
  const std::size_t start = pos_;
  auto made = make<Match>();
  advance();
  made->scrutinee = expression();
  expect(left_brace, "a `match` is written `match v { some(x) => a  none => b }`");
  arms(*made);
  made->span = since(start);
  return made;
}

void Parser::arms(Match& made) {
  const auto starts_arm = [&] {
    std::size_t after = 1;
    if (at(kw_some) && kind(1) == left_paren) {
      const std::size_t close = brackets_.partner(pos_ + 1);
      if (close != 0) after = close + 1 - pos_;
    }
    return (at(identifier) || at(kw_none) || at(kw_some)) && kind(after) == fat_arrow;
  };
  do {
    const std::size_t start = pos_;
    try {
      made.arms.push_back(arm());
    } catch (const SyntaxError&) {
      leave_brackets(start);
      while (!at(end_of_file) && !at(right_brace) && !starts_arm() && !starts_statement()) {
        skip_over_group();
      }
      if (at(end_of_file) || starts_statement()) throw;
    }
  } while (!at(right_brace));
  advance();
}

MatchArm Parser::arm() {
  const std::size_t start = pos_;
  MatchArm made;
  if (at(left_paren)) {
    report(pos_, span_of(token()), "E1101", "expected the pattern of an arm, found `(`",
           "a pattern is a name, `none` or `some(...)`, without parentheses around it");
    skip_over_group();
    made.pattern = make<NonePattern>();
  } else {
    made.pattern = pattern();
  }
  expect(fat_arrow, "an arm is written `pattern => value`");
  made.value = expression();
  made.span = since(start);
  accept(comma);
  return made;
}

/// Reduction names are ordinary identifiers unless followed by `[` or `<dtype>[`.
bool Parser::at_reduction(ReductionOp& op) const {
  const bool plain = kind(1) == left_bracket;
  const bool typed =
      kind(1) == less && kind(2) == identifier && kind(3) == greater && kind(4) == left_bracket;
  if (!plain && !typed) return false;
  using enum ReductionOp;
  for (const ReductionOp candidate : {sum, prod, max, min, any, all}) {
    if (at_identifier(spelling(candidate))) {
      op = candidate;
      return true;
    }
  }
  return false;
}

ExprPtr Parser::reduction(ReductionOp op) {
  const Level level(*this);
  const std::size_t start = pos_;
  auto made = make<Reduction>();
  made->op = op;
  made->op_span = advance();
  if (accept(less)) {
    made->accumulator = take_word();
    expect_closing_angle();
  }
  expect(left_bracket);
  do {
    made->indices.push_back(declared_name("the name of an index"));
  } while (accept(comma));
  expect(right_bracket, "a reduction is written `sum[i, j] e`");
  made->body = expression();
  made->span = since(start);
  return made;
}

ExprPtr Parser::scan() {
  const Level level(*this);
  const std::size_t start = pos_;
  auto made = make<Scan>();
  made->keyword = advance();
  made->variable = declared_name("the name of the loop variable");
  expect(kw_in);
  made->from = expression();
  expect(dot_dot, "a loop runs over a range: `for i in 0..N`");
  made->to = expression();
  made->body = body();
  made->span = since(start);
  return made;
}

}  // namespace linnet::syntax
