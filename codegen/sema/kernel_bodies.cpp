// Inside tile kernels: `program_id`, `load`, `store` and the atomics (language.md section 10).

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "codegen/sema/body.hpp"

namespace linnet::sema {
namespace {

ir::OpKind op_of(syntax::WriteOp op) {
  switch (op) {
    case syntax::WriteOp::atomic_add:
      return ir::OpKind::kernel_atomic_add;
    case syntax::WriteOp::atomic_max:
      return ir::OpKind::kernel_atomic_max;
    case syntax::WriteOp::atomic_min:
      return ir::OpKind::kernel_atomic_min;
    case syntax::WriteOp::store:
      break;
  }
  return ir::OpKind::kernel_store;
}

bool is_write(std::string_view name) {
  constexpr std::array writes{syntax::WriteOp::store, syntax::WriteOp::atomic_add,
                              syntax::WriteOp::atomic_max, syntax::WriteOp::atomic_min};
  return std::any_of(writes.begin(), writes.end(),
                     [&](syntax::WriteOp op) { return syntax::spelling(op) == name; });
}

/// `f32 i32 u32 i64 u64`, and `f16` for add.
bool is_atomic(syntax::WriteOp op, const ir::Dtype& dtype) {
  if (op == syntax::WriteOp::store) return true;
  if (dtype.is_variable) return false;
  switch (dtype.scalar) {
    case ir::Scalar::f32:
    case ir::Scalar::i32:
    case ir::Scalar::u32:
    case ir::Scalar::i64:
    case ir::Scalar::u64:
      return true;
    case ir::Scalar::f16:
      return op == syntax::WriteOp::atomic_add;
    default:
      return false;
  }
}

}  // namespace

bool Body::is_kernel_memory(LocalId id) const {
  if (!in_kernel()) return false;
  const Function& function = context_.function(function_);
  const auto count = function.parameters.size() + function.kernel_results.size();
  const auto at = static_cast<std::size_t>(id);
  return at < count && is_tensor(frame_.locals[at].type);
}

/// E2127 for a value of a kernel with an extent that is no power of two; it fails then.
void Body::check_tile(ExprPtr& value) {
  if (!is_tensor(value->type)) return;
  for (const ir::Unit& unit : value->type->shape) {
    if (unit.is_pack()) continue;
    const auto extent = facts_.constant_value(unit.dim);
    if (!extent) {
      context_.function_info(function_).tiles.push_back(unit.dim);
      continue;
    }
    if (*extent > 0 && (*extent & (*extent - 1)) == 0) continue;
    error("E2127", value->span, "a tile of " + std::to_string(*extent) + " elements")
        .with_label("no power of two")
        .with_help("tile sizes are powers of two: pad the tile and mask its end");
    value = failed(value->span);
    return;
  }
}

ExprPtr Body::check_program_id(const syntax::Call& expr) {
  if (refuse_generics("program_id", expr) || !check_arguments("program_id", expr, 1, 1)) {
    return fail_call(expr);
  }
  const ExprPtr axis = check(*expr.args[0].value);
  if (mentions_poison(axis->type)) return failed(expr.span);
  const ir::Dim dim = compile_time(*axis);
  const auto value = dim ? dims::as_constant(dim) : std::nullopt;
  const auto grid =
      static_cast<std::int64_t>(context_.function_info(function_).kernel->grid.size());
  if (!value || *value < 0 || *value > 2 || *value >= grid) {
    error("E2127", expr.args[0].span, "the axis of `program_id` is a constant from 0 to 2")
        .with_label(value ? "the grid has " + std::to_string(grid) + (grid == 1 ? " axis" : " axes")
                          : "not a constant")
        .with_help("name an axis of the kernel's `grid`");
    return failed(expr.span);
  }
  return make(expr.span, scalar_type(ir::Scalar::i32), ProgramId{static_cast<int>(*value)});
}

/// `store(...)` where a value is due; null when the name is no write.
ExprPtr Body::refuse_write(const std::string& name, const syntax::Call& expr) {
  if (!is_write(name)) return nullptr;
  error("E2127", expr.span, "`" + name + "` writes memory, and is no value")
      .with_label("a statement of its own")
      .with_help(in_kernel() ? "write it as a statement, and give the value written a name first"
                             : "only kernels write memory: return the value, or assign a `state` "
                               "member");
  return failed(expr.span);
}

/// `x[i, j]` as the place of a load or store; `shape` is that of the tile.
bool Body::memory_access(const syntax::Expr& target, bool is_result, LocalId& id,
                         std::vector<ExprPtr>& indices, ir::ShapeUnits& shape) {
  const auto* access = syntax::try_as<syntax::Index>(&target);
  const auto* base =
      access != nullptr ? syntax::try_as<syntax::NameExpr>(access->base.get()) : nullptr;
  Binding* binding = base != nullptr ? find_binding(base->name.text) : nullptr;
  if (base != nullptr && binding == nullptr) {
    context_.report_undeclared(base->name, scope_, is_result ? "result" : "parameter", names());
    return false;
  }
  const Function& function = context_.function(function_);
  const bool is_memory =
      binding != nullptr && binding->kind == Binding::Kind::local && is_kernel_memory(binding->id);
  const bool result_local =
      is_memory && static_cast<std::size_t>(binding->id) >= function.parameters.size();
  if (is_memory) binding->used = true;
  if (binding != nullptr && binding->kind == Binding::Kind::failed) return false;
  if (binding != nullptr && binding->kind == Binding::Kind::local &&
      mentions_poison(local(binding->id).type)) {
    return false;
  }
  if (!is_memory || result_local != is_result) {
    error("E2127", target.span,
          is_result ? "a write goes to a result of the kernel"
                    : "`load` reads a tensor parameter of the kernel")
        .with_label(is_memory ? (is_result ? "this is a parameter" : "this is a result")
                              : "no such access")
        .with_help(is_result ? "write `store(y[row, cols], value)`" : "write `load(x[row, cols])`");
    return false;
  }
  id = binding->id;
  const ir::Type type = local(id).type;
  bool ok = true;
  for (const syntax::IndexComponent& component : access->components) {
    if (component.kind != syntax::IndexComponentKind::position) {
      error("E2127", component.span, "a memory index is an integer or a tile of integers")
          .with_label("a slice")
          .with_help("make a tile of positions: `iota<i32>(B)`");
      ok = false;
      continue;
    }
    ExprPtr position = check(*component.position);
    settle(position);
    if (mentions_poison(position->type)) {
      ok = false;
      continue;
    }
    if (!is_number_like(position->type) || !context_.classes.is_integer(position->type->dtype)) {
      error("E2101", component.span, "a memory index must be an integer or a tile of integers")
          .with_label("this is `" + render(position->type) + "`")
          .with_help("make a tile of positions: `iota<i32>(B)`");
      ok = false;
      continue;
    }
    if (is_tensor(position->type)) {
      shape.insert(shape.end(), position->type->shape.begin(), position->type->shape.end());
    }
    indices.push_back(std::move(position));
  }
  if (!ok) return false;
  if (indices.size() != type->shape.size()) {
    error("E2204", target.span,
          "`" + render(type) + "` has " + counted(type->shape.size(), "axis", "axes") + ", not " +
              std::to_string(indices.size()))
        .with_label("wrong number of indices")
        .with_help("a memory access indexes every axis");
    return false;
  }
  return true;
}

ExprPtr Body::check_mask(const syntax::Expr& expr, const ir::ShapeUnits& shape) {
  ExprPtr mask = check(expr);
  settle(mask);
  const ir::Type& type = mask->type;
  if (mentions_poison(type)) return nullptr;
  if (!is_number_like(type) || !is_bool(type->dtype)) {
    error("E2101", expr.span, "a mask must be `bool`")
        .with_label("this is `" + render(type) + "`")
        .with_help("write a comparison, such as `cols < C`");
    return nullptr;
  }
  const ir::ShapeUnits own = is_tensor(type) ? type->shape : ir::ShapeUnits{};
  if (dims::broadcast_to(facts_, own, shape).shape) return mask;
  error("E2101", expr.span, "the mask does not broadcast to the tile")
      .with_label("this is `" + render(type) + "`, and the tile `[" + dims::render(shape) + "]`")
      .with_help("a mask has the axes of the tile, or 1");
  return nullptr;
}

ExprPtr Body::check_load(const syntax::Call& expr) {
  if (refuse_generics("load", expr) || !check_arguments("load", expr, 1, 3)) {
    return failed(expr.span);
  }
  KernelLoad node;
  ir::ShapeUnits shape;
  const bool ok = memory_access(*expr.args[0].value, false, node.tensor, node.indices, shape);
  if (!ok) {
    for (std::size_t i = 1; i < expr.args.size(); ++i) (void)check(*expr.args[i].value);
    return failed(expr.span);
  }
  const ir::Dtype dtype = local(node.tensor).type->dtype;
  if (expr.args.size() > 1) {
    node.mask = check_mask(*expr.args[1].value, shape);
    if (node.mask == nullptr) return failed(expr.span);
  }
  if (expr.args.size() > 2) {
    Place place{Place::Kind::expected, "the `other` of `load`", {}, {}};
    ExprPtr other = check(*expr.args[2].value);
    if (mentions_poison(other->type)) return failed(expr.span);
    if (is_tensor(other->type)) {
      const ir::Type wanted = tensor_type(shape, dtype);
      if (!dims::dtypes_equal(other->type->dtype, dtype) ||
          !dims::broadcast_to(facts_, other->type->shape, shape).shape) {
        (void)report_mismatch(*other, wanted, place);
        return failed(expr.span);
      }
    } else if (!accept(other, scalar_type(dtype), place)) {
      return failed(expr.span);
    }
    node.other = std::move(other);
  }
  const ir::Type type = shape.empty() ? scalar_type(dtype) : tensor_type(std::move(shape), dtype);
  return make(expr.span, type, std::move(node));
}

void Body::check_write(const syntax::Write& statement, Statements& out) {
  const std::string name(syntax::spelling(statement.op));
  if (!in_kernel()) {
    error("E2127", statement.op_span, "`" + name + "` stands only in a kernel")
        .with_label("not in a kernel")
        .with_help("return the value, or assign a `state` member");
    return;
  }
  for (const syntax::CallArg& arg : statement.args) {
    if (!arg.name) continue;
    error("E2102", arg.name->span, "`" + name + "` has no keyword `" + arg.name->text + "`")
        .with_help("give the arguments by position");
    return;
  }
  if (statement.args.size() < 2 || statement.args.size() > 3) {
    error("E2102", statement.span,
          "`" + name + "` takes 2 or 3 arguments, not " + std::to_string(statement.args.size()))
        .with_label("wrong number of arguments")
        .with_help("write `" + name + "(y[i], value, mask)`; the mask is optional");
    return;
  }
  KernelWrite node;
  node.op = op_of(statement.op);
  LocalId target = -1;
  ir::ShapeUnits shape;
  const bool ok = memory_access(*statement.args[0].value, true, target, node.indices, shape);
  ExprPtr value = check(*statement.args[1].value);
  if (!ok) return;
  const Function& function = context_.function(function_);
  node.result = target - static_cast<int>(function.parameters.size());
  const ir::Dtype dtype = local(target).type->dtype;
  const std::string result = "`" + local(target).name + "`";
  int& kind = result_writes_[static_cast<std::size_t>(node.result)];
  if (kind >= 0 && kind != static_cast<int>(node.op)) {
    error("E2127", statement.span, "result " + result + " takes one kind of write")
        .with_label("`" + name + "` here")
        .with_help("use one of `store` and the atomics for each result");
    return;
  }
  kind = static_cast<int>(node.op);
  if (!is_atomic(statement.op, dtype)) {
    error("E2127", statement.span, "no `" + name + "` of `" + render(dtype) + "`")
        .with_label("result " + result + " is `" + render(local(target).type) + "`")
        .with_help("atomics are for `f32 i32 u32 i64 u64`, and `f16` for `atomic_add`");
    return;
  }
  if (mentions_poison(value->type)) return;
  Place place{Place::Kind::expected, "the value written", local(target).span, "the result"};
  if (is_tensor(value->type)) {
    if (!dims::dtypes_equal(value->type->dtype, dtype) ||
        !dims::broadcast_to(facts_, value->type->shape, shape).shape) {
      (void)report_mismatch(*value, shape.empty() ? scalar_type(dtype) : tensor_type(shape, dtype),
                            place);
      return;
    }
  } else if (!accept(value, scalar_type(dtype), place)) {
    return;
  }
  node.value = std::move(value);
  if (statement.args.size() > 2) {
    node.mask = check_mask(*statement.args[2].value, shape);
    if (node.mask == nullptr) return;
  }
  out.push_back({statement.span, std::move(node)});
}

}  // namespace linnet::sema
