// Layout of bodies, statements and patterns.

#include "codegen/syntax/formatter.hpp"

namespace linnet::syntax {

using enum TokenKind;

void Formatter::body(const Body& made) {
  braces(made.statements.empty(), [&] {
    bool first = true;
    for (const StatementPtr& one : made.statements) {
      out_.hard_line(!first && tokens_.newlines_before() > 1);
      first = false;
      statement(*one);
    }
  });
}

void Formatter::statement(const Statement& made) {
  switch (made.kind) {
    case StatementKind::let: {
      const auto& let = as<Let>(made);
      take(kw_let);
      space();
      pattern(*let.pattern);
      annotation(let.type);
      assigned(let.value);
      break;
    }
    case StatementKind::indexed_let:
      indexed_let(as<IndexedLet>(made));
      break;
    case StatementKind::var: {
      const auto& var = as<Var>(made);
      take(kw_var);
      space();
      take(identifier);
      annotation(var.type);
      assigned(var.value);
      break;
    }
    case StatementKind::assign:
      take(identifier);
      assigned(as<Assign>(made).value);
      break;
    case StatementKind::give_back: {
      const auto& back = as<Return>(made);
      take(kw_return);
      if (back.value) {
        space();
        expr(*back.value);
      }
      break;
    }
    case StatementKind::static_for: {
      const auto& loop = as<StaticFor>(made);
      take(kw_static);
      space();
      take(kw_for);
      space();
      pattern(*loop.pattern);
      range(loop.from, loop.to);
      body(loop.body);
      break;
    }
    case StatementKind::for_loop: {
      const auto& loop = as<For>(made);
      take(kw_for);
      space();
      take(identifier);
      range(loop.from, loop.to);
      body(loop.body);
      break;
    }
    case StatementKind::while_loop: {
      const auto& loop = as<While>(made);
      take(kw_while);
      space();
      expr(*loop.condition);
      space();
      body(loop.body);
      break;
    }
    case StatementKind::yield:
      take(kw_yield);
      space();
      expr(*as<Yield>(made).value);
      break;
    case StatementKind::write:
      take(identifier);
      call_args(as<Write>(made).args);
      break;
  }
}

void Formatter::indexed_let(const IndexedLet& made) {
  take(kw_let);
  space();
  take(identifier);
  list(
      left_bracket, right_bracket, made.outputs,
      [&](const OutputIndex& output) {
        if (output.is_pack) take(star);
        take(identifier);
      },
      false);
  assigned(made.value);
}

/// ` in a..b `, without the second bound ` in a `.
void Formatter::range(const ExprPtr& from, const ExprPtr& to) {
  space();
  take(kw_in);
  space();
  expr(*from);
  if (to) {
    take(dot_dot);
    expr(*to);
  }
  space();
}

void Formatter::pattern(const Pattern& made) {
  switch (made.kind) {
    case PatternKind::name:
      take(identifier);
      break;
    case PatternKind::none:
      take(kw_none);
      break;
    case PatternKind::some:
      take(kw_some);
      take(left_paren);
      pattern(*as<SomePattern>(made).inner);
      take(right_paren);
      break;
    case PatternKind::tuple: {
      const auto& elements = as<TuplePattern>(made).elements;
      list(
          left_paren, right_paren, elements, [&](const PatternPtr& one) { pattern(*one); },
          elements.size() > 1);
      break;
    }
  }
}

}  // namespace linnet::syntax
