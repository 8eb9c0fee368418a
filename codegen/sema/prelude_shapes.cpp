// Functions of the prelude that make or change shapes (language.md section 2).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "codegen/sema/body.hpp"

namespace linnet::sema {
namespace {

constexpr std::size_t any_count = std::numeric_limits<std::size_t>::max();

/// Rank 0 is the scalar.
ir::Type shaped(ir::ShapeUnits units, const ir::Dtype& dtype) {
  return units.empty() ? scalar_type(dtype) : tensor_type(std::move(units), dtype);
}

bool has_pack(const ir::ShapeUnits& units) {
  return std::any_of(units.begin(), units.end(), [](const ir::Unit& u) { return u.is_pack(); });
}

}  // namespace

std::optional<ir::ShapeUnits> Body::shape_literal(const std::string& name,
                                                  const syntax::Expr& expr) {
  if (const auto* shape = syntax::try_as<syntax::ShapeExpr>(&expr)) {
    return resolver().shape(shape->elements);
  }
  const ExprPtr value = check(expr);
  if (mentions_poison(value->type)) return std::nullopt;
  error("E2101", expr.span, "`" + name + "` wants a shape literal")
      .with_label("this is `" + render(value->type) + "`")
      .with_help("write the extents in brackets: `[B, S, H]`");
  return std::nullopt;
}

bool Body::tensor_operand(const Expr& expr, const std::string& name) {
  if (mentions_poison(expr.type)) return false;
  if (is_tensor(expr.type)) return true;
  error("E2104", expr.span, "`" + name + "` takes a tensor")
      .with_label("this is `" + render(expr.type) + "`")
      .with_help(is_scalar(expr.type) ? "make a tensor of it: `fill([1], ...)`"
                                      : "give it a tensor");
  return false;
}

ExprPtr Body::prelude_reshape(const syntax::Call& expr) {
  if (refuse_generics("reshape", expr) || !check_arguments("reshape", expr, 2, 2)) {
    return fail_call(expr);
  }
  ExprPtr value = check(*expr.args[0].value);
  settle(value);
  const auto target = shape_literal("reshape", *expr.args[1].value);
  if (!target || !number_operand(*value, "reshape")) return failed(expr.span);
  const ir::ShapeUnits from = is_tensor(value->type) ? value->type->shape : ir::ShapeUnits{};
  if (!dims::element_counts_equal(facts_, from, *target)) {
    const std::string have = dims::render(dims::element_count(from));
    const std::string want = dims::render(dims::element_count(*target));
    error("E2203", expr.span,
          "`reshape` from `[" + dims::render(from) + "]` to `[" + dims::render(*target) +
              "]`: the element counts are not provably equal")
        .with_label("`" + have + "` elements, and `" + want + "` wanted")
        .with_related("this is `" + render(value->type) + "`", value->span)
        .with_help("where a division must leave no rest, say so: `where H % N == 0, N > 0`");
    return failed(expr.span);
  }
  const ir::Type type = shaped(*target, value->type->dtype);
  return make(expr.span, type, Reshape{std::move(value)});
}

ExprPtr Body::prelude_broadcast_to(const syntax::Call& expr) {
  if (refuse_generics("broadcast_to", expr) || !check_arguments("broadcast_to", expr, 2, 2)) {
    return fail_call(expr);
  }
  ExprPtr value = check(*expr.args[0].value);
  settle(value);
  const auto target = shape_literal("broadcast_to", *expr.args[1].value);
  if (!target || !number_operand(*value, "broadcast_to")) return failed(expr.span);
  const ir::ShapeUnits from = is_tensor(value->type) ? value->type->shape : ir::ShapeUnits{};
  const dims::Broadcast result = dims::broadcast_to(facts_, from, *target);
  if (!result.shape) {
    error("E2207", expr.span,
          "`[" + dims::render(from) + "]` does not broadcast to `[" + dims::render(*target) + "]`")
        .with_label(from.size() > target->size() && !has_pack(*target)
                        ? "the target has fewer axes"
                        : "the axes " + std::to_string(result.from_back + 1) +
                              " from the back differ")
        .with_related("this is `" + render(value->type) + "`", value->span)
        .with_help("each trailing axis must be provably equal, or exactly 1; no axis is dropped");
    return failed(expr.span);
  }
  const ir::Type type = shaped(*target, value->type->dtype);
  return make(expr.span, type, BroadcastTo{std::move(value)});
}

ExprPtr Body::prelude_permute(const syntax::Call& expr) {
  if (refuse_generics("permute", expr) || !check_arguments("permute", expr, 2, 2)) {
    return fail_call(expr);
  }
  ExprPtr value = check(*expr.args[0].value);
  const syntax::Expr& written = *expr.args[1].value;
  const auto* list = syntax::try_as<syntax::ShapeExpr>(&written);
  if (list == nullptr) {
    (void)shape_literal("permute", written);
    return failed(expr.span);
  }
  if (!tensor_operand(*value, "permute")) return failed(expr.span);
  const ir::ShapeUnits& shape = value->type->shape;
  if (has_pack(shape)) {
    error("E2210", expr.span, "`permute` of a tensor whose rank is not known")
        .with_label("this is `" + render(value->type) + "`")
        .with_help("write the result in index notation: `let y[c, *s] = x[*s, c]`");
    return failed(expr.span);
  }
  Permute node;
  std::vector<bool> taken(shape.size(), false);
  ir::ShapeUnits target;
  for (const syntax::ShapeElement& element : list->elements) {
    std::optional<ir::Dim> axis;
    if (!element.is_pack()) axis = resolver().dimension(*element.dim);
    if (!element.is_pack() && !axis) return failed(expr.span);
    const auto at = axis ? dims::as_constant(*axis) : std::nullopt;
    const bool inside = at && *at >= 0 && *at < static_cast<std::int64_t>(shape.size());
    if (!inside || taken[static_cast<std::size_t>(*at)]) {
      error("E2210", element.span,
            inside ? "axis " + std::to_string(*at) + " is listed twice"
                   : "no axis of `" + render(value->type) + "`")
          .with_label(inside ? "listed again"
                             : "the axes are 0 to " +
                                   std::to_string(shape.empty() ? 0 : shape.size() - 1))
          .with_help("list every axis once, counted from the front");
      return failed(expr.span);
    }
    taken[static_cast<std::size_t>(*at)] = true;
    node.axes.push_back(static_cast<int>(*at));
    target.push_back(shape[static_cast<std::size_t>(*at)]);
  }
  if (node.axes.size() != shape.size()) {
    error("E2210", written.span,
          "`permute` lists " + std::to_string(node.axes.size()) + " of " +
              std::to_string(shape.size()) + " axes")
        .with_label("some axes are missing")
        .with_related("this is `" + render(value->type) + "`", value->span)
        .with_help("list every axis once, counted from the front");
    return failed(expr.span);
  }
  const ir::Type type = tensor_type(std::move(target), value->type->dtype);
  node.value = std::move(value);
  return make(expr.span, type, std::move(node));
}

std::optional<Body::Axis> Body::axis_argument(const std::string& name, const syntax::Call& expr,
                                              const ir::ShapeUnits& shape) {
  const syntax::CallArg* written = nullptr;
  for (const syntax::CallArg& arg : expr.args) {
    if (arg.name) written = &arg;
  }
  const ExprPtr value = check(*written->value);
  if (mentions_poison(value->type)) return std::nullopt;
  const ir::Dim dim = compile_time(*value);
  const auto number = dim ? dims::as_constant(dim) : std::nullopt;
  if (!number) {
    error("E2209", written->value->span, "the `axis` of `" + name + "` must be a constant")
        .with_label("not known at compile time")
        .with_help("write a number, or a constant without a type");
    return std::nullopt;
  }
  const auto rank = static_cast<std::int64_t>(shape.size());
  const bool from_back = *number < 0;
  const std::int64_t at = from_back ? rank + *number : *number;
  bool reachable = at >= 0 && at < rank;
  bool across_pack = false;
  if (has_pack(shape)) {
    // Only the axes between the counted end and the first pack have known numbers.
    const std::int64_t step = from_back ? -1 : 1;
    for (std::int64_t i = from_back ? rank - 1 : 0; i >= 0 && i < rank; i += step) {
      across_pack = across_pack || shape[static_cast<std::size_t>(i)].is_pack();
      if (i == at) break;
    }
  }
  if (!reachable || across_pack) {
    error("E2210", written->value->span,
          across_pack ? "axis " + std::to_string(*number) + " is counted across a shape pack"
                      : "`[" + dims::render(shape) + "]` has no axis " + std::to_string(*number))
        .with_label(across_pack ? "its place is not known" : "off the rank")
        .with_help(across_pack ? (from_back ? "count from the front"
                                            : "count from the back: `axis = -1` is the last")
                               : "axes are counted from 0, or from -1 at the back");
    return std::nullopt;
  }
  Axis axis;
  axis.unit = static_cast<std::size_t>(at);
  axis.front = static_cast<int>(at);
  axis.back = static_cast<int>(at - rank);
  return axis;
}

ExprPtr Body::prelude_concat(const syntax::Call& expr) {
  if (refuse_generics("concat", expr) || !check_arguments("concat", expr, 2, any_count, true)) {
    return fail_call(expr);
  }
  Concat node;
  bool ok = true;
  for (const syntax::CallArg& arg : expr.args) {
    if (arg.name) continue;
    ExprPtr value = check(*arg.value);
    settle(value);
    ok = tensor_operand(*value, "concat") && ok;
    node.values.push_back(std::move(value));
  }
  if (!ok) return failed(expr.span);
  const ir::Type first = node.values.front()->type;
  const auto axis = axis_argument("concat", expr, first->shape);
  if (!axis) return failed(expr.span);
  ir::Dim extent = first->shape[axis->unit].dim;
  for (std::size_t i = 1; i < node.values.size(); ++i) {
    const Expr& value = *node.values[i];
    if (!dims::dtypes_equal(value.type->dtype, first->dtype)) {
      error("E2103", value.span,
            "`concat` of `" + render(first->dtype) + "` and `" + render(value.type->dtype) + "`")
          .with_label("this is `" + render(value.type) + "`")
          .with_related("this is `" + render(first) + "`", node.values.front()->span)
          .with_help("write `cast<" + render(first->dtype) + ">(...)`");
      return failed(expr.span);
    }
    ir::ShapeUnits expected = first->shape;
    const bool same_rank = value.type->shape.size() == expected.size();
    if (same_rank) expected[axis->unit] = value.type->shape[axis->unit];
    if (!same_rank || expected[axis->unit].is_pack() ||
        !dims::shapes_equal(facts_, expected, value.type->shape)) {
      error("E2202", value.span, "the tensors of a `concat` must be equal but for its axis")
          .with_label("this is `" + render(value.type) + "`")
          .with_related("this is `" + render(first) + "`", node.values.front()->span)
          .with_help("all other extents must be provably equal");
      return failed(expr.span);
    }
    extent = dims::add(extent, value.type->shape[axis->unit].dim);
  }
  if (!resolver().limited(extent, expr.span)) return failed(expr.span);
  ir::ShapeUnits shape = first->shape;
  shape[axis->unit] = dims::unit_of(facts_.simplify(extent));
  node.axis = axis->front;
  node.axis_from_back = axis->back;
  return make(expr.span, tensor_type(std::move(shape), first->dtype), std::move(node));
}

ExprPtr Body::prelude_cumsum(const syntax::Call& expr) {
  if (refuse_generics("cumsum", expr) || !check_arguments("cumsum", expr, 1, 1, true)) {
    return fail_call(expr);
  }
  const syntax::CallArg& operand = expr.args[0].name ? expr.args[1] : expr.args[0];
  ExprPtr value = check(*operand.value);
  settle(value);
  if (!tensor_operand(*value, "cumsum")) return failed(expr.span);
  if (!context_.classes.is_numeric(value->type->dtype)) {
    error("E2112", operand.span, "`cumsum` of `" + render(value->type->dtype) + "`")
        .with_label("this is `" + render(value->type) + "`")
        .with_help("running sums are for numbers: write `cast<i64>(...)`");
    return failed(expr.span);
  }
  const auto axis = axis_argument("cumsum", expr, value->type->shape);
  if (!axis) return failed(expr.span);
  const ir::Type type = value->type;
  Cumsum node;
  node.value = std::move(value);
  node.axis = axis->front;
  node.axis_from_back = axis->back;
  return make(expr.span, type, std::move(node));
}

ExprPtr Body::prelude_iota(const syntax::Call& expr) {
  if (!check_arguments("iota", expr, 1, 1)) return fail_call(expr);
  bool ok = true;
  const auto written = written_dtype("iota", expr, ok);
  const ir::Dtype dtype = written ? *written : dtype_of(ir::Scalar::i64);
  if (ok && !context_.classes.is_numeric(dtype)) {
    error("E2112", expr.generics->args.front().span, "`iota` of `" + render(dtype) + "`")
        .with_label("no numeric dtype")
        .with_help("use an integer or float dtype");
    ok = false;
  }
  const auto length = resolver().extent(*expr.args[0].value);
  if (!ok || !length) return failed(expr.span);
  ir::ShapeUnits shape{dims::unit_of(*length)};
  return make(expr.span, tensor_type(std::move(shape), dtype), Iota{});
}

ExprPtr Body::prelude_fill(const syntax::Call& expr) {
  if (!check_arguments("fill", expr, 2, 2)) return fail_call(expr);
  bool ok = true;
  const auto written = written_dtype("fill", expr, ok);
  auto shape = shape_literal("fill", *expr.args[0].value);
  ExprPtr value = check(*expr.args[1].value);
  if (!ok || !shape || mentions_poison(value->type)) return failed(expr.span);
  if (!written && is_pending_number(value->type)) {
    error("E2110", expr.span, "`fill` has no dtype to go by")
        .with_label("a literal has none of its own")
        .with_help("write `fill<f32>([...], ...)`");
    return failed(expr.span);
  }
  const ir::Type element = written ? scalar_type(*written) : value->type;
  if (!is_scalar(element)) {
    error("E2101", value->span, "`fill` wants a scalar")
        .with_label("this is `" + render(value->type) + "`")
        .with_help("repeat a tensor by `broadcast_to`");
    return failed(expr.span);
  }
  if (!accept(value, element, Place{Place::Kind::expected, "the value of `fill`", {}, {}})) {
    return failed(expr.span);
  }
  return make(expr.span, shaped(std::move(*shape), element->dtype), Fill{std::move(value)});
}

}  // namespace linnet::sema
