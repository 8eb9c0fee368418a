// Unary and binary operators (language.md section 5).

#include <utility>

#include "codegen/sema/body.hpp"

namespace linnet::sema {
namespace {

using syntax::BinaryOp;

ir::OpKind op_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::bit_or:
      return ir::OpKind::bitor_;
    case BinaryOp::bit_xor:
      return ir::OpKind::bitxor;
    case BinaryOp::bit_and:
      return ir::OpKind::bitand_;
    case BinaryOp::add:
      return ir::OpKind::add;
    case BinaryOp::sub:
      return ir::OpKind::sub;
    case BinaryOp::mul:
      return ir::OpKind::mul;
    case BinaryOp::div:
      return ir::OpKind::div;
    case BinaryOp::rem:
      return ir::OpKind::rem;
    default:
      return ir::OpKind::compare;
  }
}

ir::Relation relation_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::ne:
      return ir::Relation::ne;
    case BinaryOp::lt:
      return ir::Relation::lt;
    case BinaryOp::le:
      return ir::Relation::le;
    case BinaryOp::gt:
      return ir::Relation::gt;
    case BinaryOp::ge:
      return ir::Relation::ge;
    default:
      return ir::Relation::eq;
  }
}

bool is_comparison(BinaryOp op) {
  return op >= BinaryOp::eq && op <= BinaryOp::ge;
}
bool is_bitwise(BinaryOp op) {
  return op >= BinaryOp::bit_or && op <= BinaryOp::bit_and;
}

}  // namespace

ExprPtr Body::elementwise(Span span, ir::Type type, ir::OpKind op, std::vector<ExprPtr> operands,
                          ir::Relation relation) const {
  Elementwise node;
  node.op = op;
  node.relation = relation;
  node.operands = std::move(operands);
  return make(span, std::move(type), std::move(node));
}

ExprPtr Body::unary_op(Span span, ir::Type type, ir::OpKind op, ExprPtr operand) const {
  std::vector<ExprPtr> operands;
  operands.push_back(std::move(operand));
  return elementwise(span, std::move(type), op, std::move(operands));
}

ExprPtr Body::binary_op(Span span, ir::Type type, ir::OpKind op, ExprPtr lhs, ExprPtr rhs,
                        ir::Relation relation) const {
  std::vector<ExprPtr> operands;
  operands.push_back(std::move(lhs));
  operands.push_back(std::move(rhs));
  return elementwise(span, std::move(type), op, std::move(operands), relation);
}

bool Body::check_operand(const Expr& expr, const std::string& op) {
  if (is_number_like(expr.type) || is_pending_number(expr.type)) return true;
  const bool optional = expr.type->kind == ir::TypeKind::optional;
  error("E2104", expr.span,
        "`" + op + "` does not take a value of type `" + render(expr.type) + "`")
      .with_label("this is `" + render(expr.type) + "`")
      .with_help(optional ? "read the optional by `match` first"
                 : expr.type->kind == ir::TypeKind::enumeration
                     ? "values of one enum are compared by `==` and `!=`, or read by `match`"
                     : "operators combine scalars and tensors");
  return false;
}

bool Body::match_operands(ExprPtr& lhs, ExprPtr& rhs, const std::string& op, Span span) {
  const bool left_open = is_pending_number(lhs->type);
  const bool right_open = is_pending_number(rhs->type);
  if (left_open && right_open) {
    settle(lhs);
    settle(rhs);
    if (is_poison(lhs->type) || is_poison(rhs->type)) return false;
    if (dims::dtypes_equal(lhs->type->dtype, rhs->type->dtype)) return true;
    // An integer literal beside a float one is a float.
    ExprPtr& integer = lhs->type->dtype.scalar == ir::Scalar::i64 ? lhs : rhs;
    const ir::Dtype f64 = dtype_of(ir::Scalar::f64);
    if (auto* value = std::get_if<IntValue>(&integer->node)) {
      integer->node = FloatValue{static_cast<double>(value->value)};
      integer->type = scalar_type(f64);
      return true;
    }
    integer = unary_op(integer->span, scalar_type(f64), ir::OpKind::cast, std::move(integer));
    return true;
  }
  if (left_open || right_open) {
    ExprPtr& literal = left_open ? lhs : rhs;
    const ir::Dtype dtype = (left_open ? rhs : lhs)->type->dtype;
    if (literal_fits(literal->type, dtype)) {
      return accept_number(*literal, dtype, Place{Place::Kind::operand, "an operand", {}, {}});
    }
    error("E2104", literal->span,
          "`" + op + "` cannot combine `" + render(dtype) + "` with " + render(literal->type))
        .with_label("this is " + render(literal->type))
        .with_help(context_.classes.is_integer(dtype)
                       ? "write an integer literal, or `cast` the other operand to a float"
                       : "use operands of one dtype");
    return false;
  }
  const ir::Dtype& a = lhs->type->dtype;
  const ir::Dtype& b = rhs->type->dtype;
  if (dims::dtypes_equal(a, b)) return true;
  error("E2103", span, "`" + op + "` of `" + render(a) + "` and `" + render(b) + "`")
      .with_label("the dtypes differ")
      .with_related("this is `" + render(lhs->type) + "`", lhs->span)
      .with_related("this is `" + render(rhs->type) + "`", rhs->span)
      .with_help("there is no implicit promotion: write `" +
                 cast_text(a, context_.short_text(rhs->span)) + "` or `" +
                 cast_text(b, context_.short_text(lhs->span)) + "`");
  return false;
}

ir::Type Body::broadcast(std::initializer_list<const Expr*> operands, const ir::Dtype& dtype,
                         Span span) {
  ir::ShapeUnits shape;
  bool tensor = false;
  const Expr* widest = nullptr;
  for (const Expr* operand : operands) {
    if (!is_tensor(operand->type)) continue;
    if (!tensor) {
      shape = operand->type->shape;
      tensor = true;
      widest = operand;
      continue;
    }
    dims::Broadcast result = dims::broadcast(facts_, shape, operand->type->shape);
    if (!result.shape) {
      error("E2207", span,
            "shapes `[" + dims::render(shape) + "]` and `[" + dims::render(operand->type->shape) +
                "]` do not broadcast")
          .with_label(result.from_back == 0 ? "the last axes differ"
                                            : "the axes " + std::to_string(result.from_back + 1) +
                                                  " from the back differ")
          .with_related("`" + render(widest->type) + "`", widest->span)
          .with_related("`" + render(operand->type) + "`", operand->span)
          .with_help(
              "axes align from the right; each pair must be provably equal, or one of them "
              "exactly 1");
      return poison_type();
    }
    shape = std::move(*result.shape);
  }
  return tensor ? tensor_type(std::move(shape), dtype) : scalar_type(dtype);
}

ExprPtr Body::check_unary(const syntax::Unary& expr) {
  // `-9223372036854775808` is a value though its digits alone are none.
  if (const auto* number = syntax::try_as<syntax::IntegerLiteral>(expr.operand.get())) {
    if (expr.op == syntax::UnaryOp::minus && number->parentheses == 0) {
      const auto dim = resolver().literal(*number, true);
      return dim ? dim_value(expr.span, *dim) : failed(expr.span);
    }
  }
  ExprPtr operand = check(*expr.operand);
  if (mentions_poison(operand->type)) return failed(expr.span);
  if (expr.op == syntax::UnaryOp::logical_not) {
    settle(operand);
    if (is_poison(operand->type)) return operand;
    if (!is_scalar_bool(operand->type)) {
      error("E2116", expr.operand->span, "`!` takes a scalar `bool`")
          .with_label("this is `" + render(operand->type) + "`")
          .with_help(is_tensor(operand->type) ? "compare elementwise: `mask == false`"
                                              : "write a comparison, such as `n == 0`");
      return failed(expr.span);
    }
    return unary_op(expr.span, bool_type(), ir::OpKind::not_, std::move(operand));
  }
  const std::string op(syntax::spelling(expr.op));
  if (!check_operand(*operand, op)) return failed(expr.span);
  const bool minus = expr.op == syntax::UnaryOp::minus;
  if (is_pending_number(operand->type)) {
    if (!minus) return operand;
    if (const ir::Dim dim = compile_time(*operand)) {
      const auto negated =
          resolver().combine(BinaryOp::sub, dims::constant(0), dim, expr.span, expr.span);
      return negated ? dim_value(expr.span, *negated) : failed(expr.span);
    }
    if (auto* number = std::get_if<FloatValue>(&operand->node)) {
      number->value = -number->value;
      operand->span = expr.span;
      return operand;
    }
    const ir::Type type = operand->type;
    return unary_op(expr.span, type, ir::OpKind::neg, std::move(operand));
  }
  if (!context_.classes.is_numeric(operand->type->dtype)) {
    error("E2104", expr.span, "`" + op + "` of `" + render(operand->type->dtype) + "`")
        .with_label("this is `" + render(operand->type) + "`")
        .with_help(is_bool(operand->type->dtype)
                       ? "negate a truth value by `!`"
                       : "declare the dtype generic `Numeric`, `Integer` or `Float`");
    return failed(expr.span);
  }
  if (!minus) return operand;
  const ir::Type type = operand->type;
  return unary_op(expr.span, type, ir::OpKind::neg, std::move(operand));
}

ExprPtr Body::check_binary(const syntax::Binary& expr) {
  std::vector<const syntax::Binary*> chain{&expr};
  while (const auto* left = syntax::try_as<syntax::Binary>(chain.back()->lhs.get())) {
    chain.push_back(left);
  }
  ExprPtr value = check(*chain.back()->lhs);
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    value = check_operator(**link, std::move(value));
    if (*link != &expr && in_kernel()) check_tile(value);
  }
  return value;
}

ExprPtr Body::check_operator(const syntax::Binary& expr, ExprPtr lhs) {
  ExprPtr rhs = check(*expr.rhs);
  const bool left_failed = mentions_poison(lhs->type);
  const bool right_failed = mentions_poison(rhs->type);
  if (expr.op == BinaryOp::logical_and || expr.op == BinaryOp::logical_or) {
    return short_circuit(expr, std::move(lhs), std::move(rhs));
  }
  if (left_failed || right_failed) return failed(expr.span);
  return is_comparison(expr.op) ? comparison(expr, std::move(lhs), std::move(rhs))
                                : arithmetic(expr, std::move(lhs), std::move(rhs));
}

ExprPtr Body::short_circuit(const syntax::Binary& expr, ExprPtr lhs, ExprPtr rhs) {
  const std::string op(syntax::spelling(expr.op));
  bool ok = true;
  for (ExprPtr* side : {&lhs, &rhs}) {
    settle(*side);
    const ir::Type& type = (*side)->type;
    if (mentions_poison(type)) {
      ok = false;
      continue;
    }
    if (is_scalar_bool(type)) continue;
    ok = false;
    const bool tensor = is_tensor(type);
    error("E2116", (*side)->span, "`" + op + "` takes scalar `bool`")
        .with_label("this is `" + render(type) + "`")
        .with_help(tensor ? std::string("for `bool` tensors the operator is `") + op[0] + "`"
                          : "write a comparison");
  }
  if (!ok) return failed(expr.span);
  ShortCircuit node;
  node.is_and = expr.op == BinaryOp::logical_and;
  node.left = std::move(lhs);
  node.right = std::move(rhs);
  return make(expr.span, bool_type(), std::move(node));
}

ExprPtr Body::arithmetic(const syntax::Binary& expr, ExprPtr lhs, ExprPtr rhs) {
  const std::string op(syntax::spelling(expr.op));
  if (!check_operand(*lhs, op) || !check_operand(*rhs, op)) return failed(expr.span);
  const bool bitwise = is_bitwise(expr.op);
  const bool both_open = is_pending_number(lhs->type) && is_pending_number(rhs->type);
  if (both_open && !bitwise) {
    const ir::Dim a = compile_time(*lhs);
    const ir::Dim b = compile_time(*rhs);
    if (a && b) {
      const auto folded = resolver().combine(expr.op, a, b, expr.rhs->span, expr.span);
      return folded ? dim_value(expr.span, *folded) : failed(expr.span);
    }
    const bool is_float = lhs->type == pending_float() || rhs->type == pending_float();
    return binary_op(expr.span, is_float ? pending_float() : pending_integer(), op_of(expr.op),
                     std::move(lhs), std::move(rhs));
  }
  if (both_open && bitwise) {
    // Bits of literals: of integers only, with no dtype but the default one.
    for (const ExprPtr* side : {&lhs, &rhs}) {
      if ((*side)->type != pending_float()) continue;
      error("E2104", (*side)->span, "`" + op + "` of a float literal")
          .with_label("this is a float literal")
          .with_help("bitwise operators take integers or `bool`");
      return failed(expr.span);
    }
  }
  // An operand that the operator does not take is reported before two that do not fit together.
  for (const ExprPtr* side : {&lhs, &rhs}) {
    const Expr& operand = **side;
    if (is_pending_number(operand.type)) continue;
    const ir::Dtype& dtype = operand.type->dtype;
    const bool fits = bitwise ? context_.classes.is_integer(dtype) || is_bool(dtype)
                              : context_.classes.is_numeric(dtype);
    if (fits) continue;
    error("E2104", operand.span, "`" + op + "` of `" + render(dtype) + "`")
        .with_label("this is `" + render(operand.type) + "`")
        .with_help(is_bool(dtype) ? "combine truth values by `&`, `|` and `^`"
                   : bitwise      ? "bitwise operators take integers or `bool`"
                                  : "declare the dtype generic `Numeric`, `Integer` or `Float`");
    return failed(expr.span);
  }
  if (!match_operands(lhs, rhs, op, expr.span)) return failed(expr.span);
  const ir::Type type = broadcast({lhs.get(), rhs.get()}, lhs->type->dtype, expr.span);
  if (is_poison(type)) return failed(expr.span);
  return binary_op(expr.span, type, op_of(expr.op), std::move(lhs), std::move(rhs));
}

ExprPtr Body::comparison(const syntax::Binary& expr, ExprPtr lhs, ExprPtr rhs) {
  const std::string op(syntax::spelling(expr.op));
  const bool equality = expr.op == BinaryOp::eq || expr.op == BinaryOp::ne;
  const bool enums =
      lhs->type->kind == ir::TypeKind::enumeration && rhs->type->kind == ir::TypeKind::enumeration;
  if (enums && equality) {
    const Place place{Place::Kind::expected, "an operand", {}, {}};
    if (is_pending_enum(lhs->type) && is_pending_enum(rhs->type)) settle(lhs);
    if (is_poison(lhs->type)) return failed(expr.span);
    if (is_pending_enum(lhs->type) && !accept(lhs, rhs->type, place)) return failed(expr.span);
    if (is_pending_enum(rhs->type) && !accept(rhs, lhs->type, place)) return failed(expr.span);
    if (!same_type(lhs->type, rhs->type)) {
      error("E2101", rhs->span, "`" + op + "` of two enums")
          .with_label("this is `" + render(rhs->type) + "`")
          .with_related("this is `" + render(lhs->type) + "`", lhs->span)
          .with_help("compare values of one enum");
      return failed(expr.span);
    }
    return binary_op(expr.span, bool_type(), ir::OpKind::compare, std::move(lhs), std::move(rhs),
                     relation_of(expr.op));
  }
  if (!check_operand(*lhs, op) || !check_operand(*rhs, op)) return failed(expr.span);
  if (!equality) {
    for (const ExprPtr* side : {&lhs, &rhs}) {
      const ir::Type& type = (*side)->type;
      if (is_pending_number(type) || context_.classes.is_numeric(type->dtype)) continue;
      error("E2104", (*side)->span, "`" + op + "` of `" + render(type->dtype) + "`")
          .with_label("this is `" + render(type) + "`")
          .with_help("order is for numbers; `==` and `!=` compare everything");
      return failed(expr.span);
    }
  }
  if (!match_operands(lhs, rhs, op, expr.span)) return failed(expr.span);
  const ir::Type type = broadcast({lhs.get(), rhs.get()}, dtype_of(ir::Scalar::boolean), expr.span);
  if (is_poison(type)) return failed(expr.span);
  return binary_op(expr.span, type, ir::OpKind::compare, std::move(lhs), std::move(rhs),
                   relation_of(expr.op));
}

}  // namespace linnet::sema
