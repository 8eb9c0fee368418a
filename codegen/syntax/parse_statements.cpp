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

}  // namespace

Body Parser::body() {
  const Level level(*this);
  const std::size_t start = pos_;
  Body made;
  const Span open = expect(left_brace);
  while (!accept(right_brace)) {
    if (at(end_of_file) || ((starts_item() || starts_member()) && outdented_from(open))) {
      missing_closing_brace(open);
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
      item();
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
    if (!at(right_bracket)) unexpected("`,` or `]`");
    advance();
    expect(assign, "an indexed `let` is written `let c[m, n] = ...`");
    made->value = expression();
    made->span = since(start);
    return made;
  }
  auto made = make<Let>();
  advance();
  made->pattern = pattern();
  if (accept(colon)) made->type = type();
  expect(assign);
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

StatementPtr Parser::static_for() {
  const std::size_t start = pos_;
  auto made = make<StaticFor>();
  advance();
  expect(kw_for, "only a loop is `static`: `static for layer in layers`");
  made->pattern = pattern();
  expect(kw_in);
  made->from = expression();
  if (accept(dot_dot)) made->to = expression();
  made->body = body();
  made->span = since(start);
  return made;
}

StatementPtr Parser::for_loop() {
  const std::size_t start = pos_;
  auto made = make<For>();
  advance();
  made->variable = declared_name("the name of the loop variable");
  expect(kw_in);
  made->from = expression();
  expect(dot_dot, "a loop runs over a range: `for i in 0..N`; over an array it is `static for`");
  made->to = expression();
  made->body = body();
  made->span = since(start);
  return made;
}

StatementPtr Parser::while_loop() {
  const std::size_t start = pos_;
  auto made = make<While>();
  advance();
  made->condition = expression();
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
  if (!begins_expression) unexpected("a statement");
  const ExprPtr found = expression();
  if (at(assign)) {
    report(start, found->span, "E1101", "only a name can be assigned",
           "build a new tensor, or assign the whole variable: `x = ...`");
    advance();
    expression();
  } else if (found->kind == ExprKind::name) {
    report(start, found->span, "E1101", "expected a statement, found " + describe(tokens_[start]));
  } else {
    report(start, found->span, "E1101", "an expression alone is not a statement",
           "name its value with `let`, or hand it back with `return`");
  }
  if (found->kind == ExprKind::name || !(token().first_on_line || at(right_brace))) {
    throw SyntaxError{};
  }
}

}  // namespace linnet::syntax
