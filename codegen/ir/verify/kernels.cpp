// Tile kernels: their declarations, the ops that bind them, and access to memory.

#include <algorithm>

#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/ir/verify/verifier.hpp"

namespace linnet::ir::detail {
namespace {

bool is_atomic_dtype(OpKind kind, const Dtype& dtype) {
  if (dtype.is_variable) return false;
  switch (dtype.scalar) {
    case Scalar::f32:
    case Scalar::i32:
    case Scalar::u32:
    case Scalar::i64:
    case Scalar::u64:
      return true;
    case Scalar::f16:
      return kind == OpKind::kernel_atomic_add;
    default:
      return false;
  }
}

}  // namespace

void Verifier::check_kernel(const Function& function) {
  const At at(*this, "kernel");
  const KernelBinding& kernel = *function.kernel;
  if (function.kind != FunctionKind::kernel) {
    if (function.kind != FunctionKind::op) problem("only an op binds a kernel");
    if (!kernel.callee.empty()) check_bound_kernel(function, kernel);
    return;
  }
  if (kernel.grid.empty() || kernel.grid.size() > 3) problem("a grid has one to three sizes");
  for (const Dim& extent : kernel.grid) check_dim(extent);
  if (kernel.results.size() != function.results.size()) {
    problem("names " + std::to_string(kernel.results.size()) + " results of " +
            std::to_string(function.results.size()));
  }
  for (std::size_t i = 0; i < kernel.results.size(); ++i) {
    const At result(*this, element("results", i));
    define(kernel.results[i]);
    const bool is_known = i < function.results.size();
    if (is_known && !agree(kernel.results[i].type, function.results[i])) {
      problem("is a `" + to_text(kernel.results[i].type) + "`, not a `" +
              to_text(function.results[i]) + "`");
    }
  }
}

/// The kernel takes what the op takes and writes what the op returns.
void Verifier::check_bound_kernel(const Function& op, const KernelBinding& binding) {
  const Function* kernel = lookup_.function(binding.callee);
  if (kernel == nullptr || kernel->kind != FunctionKind::kernel) {
    problem("there is no kernel `" + binding.callee + "`");
    return;
  }
  check_arguments(kernel->generics, binding.generics);
  if (kernel->generics.size() != binding.generics.size()) return;
  const auto compare = [&](const std::string& what, const Types& of_kernel, const Types& of_op) {
    if (of_kernel.size() != of_op.size()) {
      problem("kernel `" + kernel->name + "` has " + std::to_string(of_kernel.size()) + " " + what +
              "s, and the op " + std::to_string(of_op.size()));
      return;
    }
    const Substitution map = bind(kernel->generics, binding.generics);
    for (std::size_t i = 0; i < of_op.size(); ++i) {
      const Type wanted = substitute(of_kernel[i], map);
      if (agree(wanted, of_op[i])) continue;
      problem(what + " " + std::to_string(i) + " of kernel `" + kernel->name + "` is a `" +
              to_text(wanted) + "`, and that of the op a `" + to_text(of_op[i]) + "`");
    }
  };
  const auto parameters = [](const Function& function) {
    Types types;
    for (const Value& value : function.body.args) types.push_back(value.type);
    return types;
  };
  compare("parameter", parameters(*kernel), parameters(op));
  // An op returns several results as one tuple.
  const bool is_tuple = op.results.size() == 1 && op.results[0]->kind == TypeKind::tuple;
  compare("result", kernel->results, is_tuple ? Types(op.results[0]->elements) : op.results);
}

void Verifier::check_kernel_op(const Op& op, const Types& types) {
  if (function_ == nullptr || function_->kind != FunctionKind::kernel) {
    problem(spelled(op) + " outside a kernel");
    return;
  }
  if (!function_->kernel) return;  // which is reported
  if (op.kind != OpKind::kernel_program_id) return check_kernel_access(op, types);
  if (!counts(op, 0, 1, 0)) return;
  check_result(op, make_scalar(Scalar::i32));
  const std::size_t axes = function_->kernel->grid.size();
  if (axes > 0 && static_cast<std::size_t>(op.attrs.axis) >= axes) {
    problem("axis " + std::to_string(op.attrs.axis) + " of a grid with " + std::to_string(axes));
  }
}

/// Loads, stores and atomics: `tensor, indices..., [mask, other]` or
/// `tensor, indices..., value, [mask]`. The tile has the axes of the indices in order; all else
/// broadcasts to it.
void Verifier::check_kernel_access(const Op& op, const Types& types) {
  const bool is_load = op.kind == OpKind::kernel_load;
  const auto indices = static_cast<std::size_t>(op.attrs.index_count);
  const std::size_t least = 1 + indices + (is_load ? 0 : 1);
  const std::size_t most = least + (is_load ? 2 : 1);
  if (types.size() < least || types.size() > most) {
    problem(spelled(op) + " with " + std::to_string(indices) + " indices takes " +
            std::to_string(least) + " to " + std::to_string(most) + " operands, not " +
            std::to_string(types.size()));
    return;
  }
  if (!counts(op, types.size(), is_load ? 1 : 0, 0)) return;
  if (types[0]->kind != TypeKind::tensor || rank(types[0]) != indices) {
    problem(spelled(op) + " with " + std::to_string(indices) + " indices of a `" +
            to_text(types[0]) + "`");
    return;
  }
  ShapeUnits tile;
  for (std::size_t i = 1; i <= indices; ++i) {
    if (!is_data(types[i]) || !traits(types[i]->dtype, dtypes_).integer) {
      problem("an index of " + spelled(op) + " is no integer");
    }
    tile.insert(tile.end(), shape_of(types[i]).begin(), shape_of(types[i]).end());
  }
  const Dtype& dtype = types[0]->dtype;
  const auto check_part = [&](const std::string& part, const Type& type) {
    if (!broadcasts(shape_of(type), tile)) {
      problem("the " + part + " of " + spelled(op) + " is a `" + to_text(type) +
              "`, which does not broadcast to the tile `[" + to_text(tile) + "]`");
    }
  };
  const auto check_value = [&](const std::string& part, const Type& type) {
    if (is_data(type) && equal(type->dtype, dtype)) return check_part(part, type);
    problem(spelled(op) + " of a `" + to_text(type) + "` and `" + to_text(types[0]) + "`");
  };
  const std::size_t mask = least;
  if (types.size() > mask) {
    if (is_data(types[mask]) && traits(types[mask]->dtype, dtypes_).boolean) {
      check_part("mask", types[mask]);
    } else {
      problem("the mask of " + spelled(op) + " is no `bool`");
    }
  }
  if (is_load) {
    if (types.size() > mask + 1) check_value("other value", types[mask + 1]);
    check_result(op, make_data(std::move(tile), dtype));
    return;
  }
  const auto& results = function_->kernel->results;
  const bool is_result = std::any_of(results.begin(), results.end(), [&](const Value& result) {
    return result.id == op.operands[0];
  });
  if (!is_result) problem(spelled(op) + " to what is no result of the kernel");
  check_value("value", types[1 + indices]);
  if (op.kind != OpKind::kernel_store && !is_atomic_dtype(op.kind, dtype)) {
    problem(spelled(op) + " of `" + to_text(dtype) + "`");
  }
}

}  // namespace linnet::ir::detail
