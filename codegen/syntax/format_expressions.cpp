// Layout of types and expressions.

#include <vector>

#include "codegen/syntax/formatter.hpp"

namespace linnet::syntax {

using enum TokenKind;

namespace {

/// Binary operators that are laid out as one chain: those of one level of precedence.
int chain_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::logical_or:
      return 0;
    case BinaryOp::logical_and:
      return 1;
    case BinaryOp::eq:
    case BinaryOp::ne:
      return 2;
    case BinaryOp::lt:
    case BinaryOp::le:
    case BinaryOp::gt:
    case BinaryOp::ge:
      return 3;
    case BinaryOp::bit_or:
      return 4;
    case BinaryOp::bit_xor:
      return 5;
    case BinaryOp::bit_and:
      return 6;
    case BinaryOp::add:
    case BinaryOp::sub:
      return 7;
    case BinaryOp::mul:
    case BinaryOp::div:
    case BinaryOp::rem:
      return 8;
  }
  return 0;
}

}  // namespace

void Formatter::path(const Path& made) {
  for (std::size_t i = 0; i < made.segments.size(); ++i) {
    if (i > 0) take(dot);
    tokens_.take();
  }
}

void Formatter::type(const Type& made) {
  switch (made.kind) {
    case TypeKind::path: {
      const auto& named = as<PathType>(made);
      path(named.path);
      if (named.args) generic_args(*named.args);
      break;
    }
    case TypeKind::tensor: {
      // Never broken: it reads as one word.
      const auto& tensor = as<TensorType>(made);
      take(identifier);
      take(left_bracket);
      bool first = true;
      for (const ShapeElement& element : tensor.shape) {
        if (!first) {
          take(comma);
          space();
        }
        first = false;
        shape_element(element);
      }
      take(semicolon);
      space();
      type(*tensor.dtype);
      take(right_bracket);
      break;
    }
    case TypeKind::tuple: {
      const auto& elements = as<TupleType>(made).elements;
      list(
          left_paren, right_paren, elements, [&](const TypePtr& element) { type(*element); },
          elements.size() > 1);
      break;
    }
    case TypeKind::array:
      take(left_bracket);
      type(*as<ArrayType>(made).element);
      take(semicolon);
      space();
      expr(*as<ArrayType>(made).length);
      take(right_bracket);
      break;
    case TypeKind::optional:
      type(*as<OptionalType>(made).element);
      take(question);
      break;
  }
}

void Formatter::generic_args(const GenericArgs& made) {
  list(less, greater, made.args, [&](const GenericArg& one) { generic_arg(one); });
}

void Formatter::generic_arg(const GenericArg& made) {
  switch (made.kind) {
    case GenericArgKind::name:
      path(made.name);
      break;
    case GenericArgKind::dimension:
      expr(*made.dimension);
      break;
    case GenericArgKind::type:
      type(*made.type);
      break;
    case GenericArgKind::shape:
      list(left_bracket, right_bracket, made.shape,
           [&](const ShapeElement& element) { shape_element(element); });
      break;
  }
}

void Formatter::shape_element(const ShapeElement& made) {
  if (made.is_pack()) {
    take(star);
    take(identifier);
  } else {
    expr(*made.dim);
  }
}

void Formatter::expr(const Expr& made) {
  for (int i = 0; i < made.parentheses; ++i) take(left_paren);
  bare_expr(made);
  for (int i = 0; i < made.parentheses; ++i) take(right_paren);
}

void Formatter::bare_expr(const Expr& made) {
  switch (made.kind) {
    case ExprKind::integer:
    case ExprKind::floating:
    case ExprKind::boolean:
    case ExprKind::string:
    case ExprKind::name:
    case ExprKind::none:
      tokens_.take();
      break;
    case ExprKind::some:
      take(kw_some);
      out_.begin_group();
      take(left_paren);
      out_.begin_indent();
      out_.line("");
      expr(*as<SomeExpr>(made).operand);
      tokens_.take_leading_comments();
      out_.end_indent();
      out_.line("");
      take(right_paren);
      out_.end_group();
      break;
    case ExprKind::tuple: {
      const auto& elements = as<TupleExpr>(made).elements;
      list(
          left_paren, right_paren, elements, [&](const ExprPtr& element) { expr(*element); },
          elements.size() > 1);
      break;
    }
    case ExprKind::shape:
      list(left_bracket, right_bracket, as<ShapeExpr>(made).elements,
           [&](const ShapeElement& element) { shape_element(element); });
      break;
    case ExprKind::unary:
      tokens_.take();
      expr(*as<Unary>(made).operand);
      break;
    case ExprKind::binary:
      binary(as<Binary>(made));
      break;
    case ExprKind::call: {
      const auto& call = as<Call>(made);
      expr(*call.callee);
      if (call.generics) generic_args(*call.generics);
      call_args(call.args);
      break;
    }
    case ExprKind::index: {
      const auto& index = as<Index>(made);
      expr(*index.base);
      list(
          left_bracket, right_bracket, index.components,
          [&](const IndexComponent& one) { component(one); }, false);
      break;
    }
    case ExprKind::member:
      expr(*as<Member>(made).base);
      take(dot);
      tokens_.take();
      break;
    case ExprKind::if_else:
      if_else(as<IfElse>(made));
      break;
    case ExprKind::match:
      match(as<Match>(made));
      break;
    case ExprKind::reduction:
      reduction(as<Reduction>(made));
      break;
    case ExprKind::scan: {
      const auto& scan = as<Scan>(made);
      take(kw_for);
      space();
      take(identifier);
      range(scan.from, scan.to);
      body(scan.body);
      break;
    }
  }
}

/// A chain of one level breaks before each of its operators, or before none.
void Formatter::binary(const Binary& made) {
  std::vector<const Binary*> chain{&made};
  for (;;) {
    const auto* left = try_as<Binary>(chain.back()->lhs.get());
    if (left == nullptr || left->parentheses > 0 || chain_of(left->op) != chain_of(made.op)) break;
    chain.push_back(left);
  }
  out_.begin_group();
  expr(*chain.back()->lhs);
  out_.begin_indent();
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    out_.line();
    tokens_.take();
    space();
    expr(*(*link)->rhs);
  }
  out_.end_indent();
  out_.end_group();
}

void Formatter::if_else(const IfElse& made) {
  take(kw_if);
  space();
  expr(*made.condition);
  space();
  out_.begin_group(tokens_.breaks_after());
  if_branches(made);
  out_.end_group();
}

/// From the first `{`; an `else if` belongs to the same group.
void Formatter::if_branches(const IfElse& made) {
  const auto branch = [&](const ExprPtr& value) {
    take(left_brace);
    out_.begin_indent();
    out_.line();
    expr(*value);
    tokens_.take_leading_comments();
    out_.end_indent();
    out_.line();
    take(right_brace);
  };
  branch(made.then_value);
  space();
  take(kw_else);
  space();
  const auto* chained = try_as<IfElse>(made.else_value.get());
  if (tokens_.kind() == left_brace) {
    branch(made.else_value);
  } else if (chained != nullptr && chained->parentheses == 0) {
    take(kw_if);
    space();
    expr(*chained->condition);
    space();
    if_branches(*chained);
  } else {
    expr(*made.else_value);
  }
}

void Formatter::match(const Match& made) {
  take(kw_match);
  space();
  expr(*made.scrutinee);
  space();
  brace_list(Comma::optional, one_a_line(made.arms), made.arms, [&](const MatchArm& arm) {
    pattern(*arm.pattern);
    space();
    take(fat_arrow);
    space();
    expr(*arm.value);
  });
}

void Formatter::reduction(const Reduction& made) {
  take(identifier);
  if (made.accumulator) {
    take(less);
    tokens_.take();
    tokens_.take_closing_angle();
  }
  list(left_bracket, right_bracket, made.indices, [&](const Name&) { take(identifier); }, false);
  space();
  expr(*made.body);
}

void Formatter::component(const IndexComponent& made) {
  switch (made.kind) {
    case IndexComponentKind::position:
      expr(*made.position);
      break;
    case IndexComponentKind::ellipsis:
      take(ellipsis);
      break;
    case IndexComponentKind::pack:
      take(star);
      take(identifier);
      break;
    case IndexComponentKind::slice:
      if (made.start) expr(*made.start);
      if (tokens_.take_if(double_colon)) {
        if (made.step) expr(*made.step);
        break;
      }
      take(colon);
      if (made.stop) expr(*made.stop);
      if (tokens_.take_if(colon) && made.step) expr(*made.step);
      break;
  }
}

void Formatter::call_args(const std::vector<CallArg>& made) {
  list(left_paren, right_paren, made, [&](const CallArg& arg) {
    if (arg.name) {
      take(identifier);
      space();
      take(assign);
      space();
    }
    expr(*arg.value);
  });
}

}  // namespace linnet::syntax
