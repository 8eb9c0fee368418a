// Bodies and statements (language.md section 7).

#include <optional>
#include <utility>

#include "codegen/syntax/parser_impl.hpp"

namespace linnet::syntax {

using enum TokenKind;

namespace {

std::optional<WriteOp> write_op(std::string_view name) {
  for (const WriteOp op :
       {WriteOp::store, WriteOp::atomic_add, WriteOp::atomic_max, WriteOp::atomic_min}) {
    if (name == spelling(op)) return op;
  }
  return std::nullopt;
}

/// What to do with an expression that stands alone.
std::string_view expression_advice(const Expr& expression) {
  if (expression.kind == ExprKind::string) {
    return "what a function does is said before it: `/// ...`";
  }
  if (expression.kind == ExprKind::if_else || expression.kind == ExprKind::match) {
    return "it is a value: name it with `let`, or hand it back with `return`";
  }
  return "name its value with `let`, or hand it back with `return`";
}

}  // namespace

Body Parser::body() {
  const Level level(*this);
  const std::size_t start = pos_;
  Body made;
  expect(left_brace, "a body stands in braces: `{ ... }`");
  const Enclosure enclosure(*this, start);
  while (!accept(right_brace)) {
    if (at(end_of_file) || ((starts_item() || starts_member()) && brace_is_missing(start, false))) {
      missing_closing_brace(start);
      break;
    }
    const std::size_t first = pos_;
    if (at(semicolon)) {
      report(pos_, span_of(token()), "E1101", "expected a statement, found `;`",
             "there are no semicolons: a statement ends where its grammar ends");
      advance();
    } else if (starts_item()) {
      report(pos_, span_of(token()), "E1101", "expected a statement, found " + describe(token()),
             "items stand outside of functions");
      try {
        item();
      } catch (const SyntaxError&) {
        skip_to_statement(first);
      }
    } else {
      try {
        if (StatementPtr one = statement()) made.statements.push_back(std::move(one));
      } catch (const SyntaxError&) {
        skip_to_statement(first);
      }
    }
  }
  made.span = since(start);
  return made;
}

StatementPtr Parser::statement() {
  switch (kind()) {
    case kw_let:
      return let_statement();
    case kw_var:
      return var_statement();
    case kw_return:
      return return_statement();
    case kw_static:
      return static_for();
    case kw_for:
      return for_loop();
    case kw_while:
      return while_loop();
    case kw_yield:
      return yield_statement();
    default:
      break;
  }
  if ((at(identifier) || is_word(kind())) && kind(1) == assign) return assignment();
  if (at(identifier) && kind(1) == left_paren) {
    if (const auto op = write_op(text(token()))) return write_statement(*op);
  }
  expression_statement();
  return nullptr;
}

StatementPtr Parser::let_statement() {
  const std::size_t start = pos_;
  if (kind(1) == identifier && kind(2) == left_bracket) {
    auto made = make<IndexedLet>();
    advance();
    made->name = take_word();
    advance();
    do {
      const std::size_t first = pos_;
      OutputIndex& output = made->outputs.emplace_back();
      output.is_pack = accept(star);
      output.name = declared_name("the name of an index");
      output.span = since(first);
    } while (accept(comma));
    close(start + 2, "`,` or ");
    expect(assign, "an indexed `let` is written `let c[m, n] = ...`");
    made->value = expression();
    made->span = since(start);
    return made;
  }
  auto made = make<Let>();
  advance();
  made->pattern = pattern();
  if (accept(colon)) made->type = type();
  if (at(identifier) && made->type == nullptr && made->pattern->kind == PatternKind::name) {
    unexpected("`=`", "a type follows a `:`: `let " + as<NamePattern>(*made->pattern).name + ": " +
                          std::string(text(token())) + " = ...`");
  }
  if (at(comma)) unexpected("`=`", "a tuple is taken apart in parentheses: `let (a, b) = ...`");
  expect(assign, "a `let` gives a name to a value: `let x = ...`");
  made->value = expression();
  made->span = since(start);
  return made;
}

StatementPtr Parser::var_statement() {
  const std::size_t start = pos_;
  auto made = make<Var>();
  advance();
  made->name = declared_name("the name of a variable");
  if (accept(colon)) made->type = type();
  expect(assign, "a `var` begins with a value: `var x = ...`");
  made->value = expression();
  made->span = since(start);
  return made;
}

StatementPtr Parser::return_statement() {
  const std::size_t start = pos_;
  auto made = make<Return>();
  advance();
  const bool assignment_follows =
      (at(identifier) || is_word(kind())) && kind(1) == assign && token().first_on_line;
  const bool bare = at(right_brace) || at(semicolon) || assignment_follows ||
                    (starts_statement() && !at(kw_for)) || starts_item();
  if (!bare) made->value = expression();
  made->span = since(start);
  return made;
}

template <class Header>
void Parser::loop_header(Header header) {
  const std::size_t start = pos_;
  try {
    header();
  } catch (const SyntaxError&) {
    if (!skip_to_body(start)) throw;
  }
}

StatementPtr Parser::static_for() {
  const std::size_t start = pos_;
  auto made = make<StaticFor>();
  advance();
  loop_header([&] {
    expect(kw_for, "only a loop is `static`: `static for layer in layers`");
    made->pattern = pattern();
    expect(kw_in);
    made->from = expression();
    if (accept(dot_dot)) made->to = expression();
  });
  made->body = body();
  made->span = since(start);
  return made;
}

StatementPtr Parser::for_loop() {
  const std::size_t start = pos_;
  auto made = make<For>();
  advance();
  constexpr std::string_view form =
      "a loop runs over a range: `for i in 0..N`; over an array it is `static for`";
  loop_header([&] {
    if (at(left_paren)) unexpected("the name of the loop variable", form);
    made->variable = declared_name("the name of the loop variable");
    expect(kw_in, form);
    made->from = expression();
    if (!accept(dot_dot)) unexpected("`..`", form);
    made->to = expression();
  });
  made->body = body();
  made->span = since(start);
  return made;
}

StatementPtr Parser::while_loop() {
  const std::size_t start = pos_;
  auto made = make<While>();
  advance();
  loop_header([&] {
    made->condition = expression();
    if (at(assign)) unexpected("`{`", "equality is written `==`");
  });
  made->body = body();
  made->span = since(start);
  return made;
}

StatementPtr Parser::yield_statement() {
  const std::size_t start = pos_;
  auto made = make<Yield>();
  advance();
  made->value = expression();
  made->span = since(start);
  return made;
}

StatementPtr Parser::write_statement(WriteOp op) {
  const std::size_t start = pos_;
  auto made = make<Write>();
  made->op = op;
  made->op_span = advance();
  if (kind(1) == right_paren) {
    advance();
    unexpected("an argument");
  }
  made->args = call_args();
  made->span = since(start);
  return made;
}

StatementPtr Parser::assignment() {
  const std::size_t start = pos_;
  auto made = make<Assign>();
  made->name = used_name("the name of a variable");
  advance();
  made->value = expression();
  made->span = since(start);
  return made;
}

/// What begins like an expression is none of the statements: say which mistake it is. When
/// it ends with its line, the next line is a statement of its own.
void Parser::expression_statement() {
  const std::size_t start = pos_;
  const bool begins_expression = at(identifier) || at(left_paren) || at(integer) || at(floating) ||
                                 at(string) || at(kw_if) || at(kw_match) || at(kw_some) ||
                                 at(minus) || at(bang) ||
                                 (is_word(kind()) && reported_words_.contains(kind()));
  if (!begins_expression) unexpected("a statement", statement_habit());
  const std::string meant = statement_habit();
  if (at_compound_assignment()) {
    pos_ += 2;
    unexpected("an expression");
  }
  const ExprPtr found = expression();
  if (at(assign)) {
    report(start, found->span, "E1101", "only a name can be assigned",
           "build a new tensor, or assign the whole variable: `x = ...`");
    advance();
    expression();
  } else if (found->kind == ExprKind::name) {
    report(start, found->span, "E1101", "expected a statement, found " + describe(tokens_[start]),
           meant);
  } else {
    report(start, found->span, "E1101", "an expression alone is not a statement",
           meant.empty() ? expression_advice(*found) : meant);
  }
  if (found->kind == ExprKind::name || !(token().first_on_line || at(right_brace))) {
    throw SyntaxError{};
  }
}

}  // namespace linnet::syntax
