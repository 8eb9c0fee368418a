// Ops that give elements another place: reshape, broadcast, fill, iota, permute, concat, cumsum.

#include <algorithm>
#include <numeric>

#include "codegen/ir/build.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/ir/verify/verifier.hpp"

namespace linnet::ir::detail {

void Verifier::check_view(const Op& op, const Types& types) {
  const std::size_t operands = op.kind == OpKind::concat ? std::max<std::size_t>(types.size(), 1)
                               : op.kind == OpKind::iota ? 0
                                                         : 1;
  if (!counts(op, operands, 1, 0)) return;
  const Type& result = op.results[0].type;
  if (!types.empty() && !same_dtype(op, types, 0)) return;
  if (!is_data(result) || (!types.empty() && !equal(result->dtype, types[0]->dtype))) {
    problem(spelled(op) + " cannot give a `" + to_text(result) + "`");
    return;
  }
  switch (op.kind) {
    case OpKind::permute:
      return check_permute(op, types);
    case OpKind::concat:
    case OpKind::cumsum:
      return check_joined(op, types);
    default:
      return check_shaped(op, types);
  }
}

/// Ops whose attribute `shape` is that of their result.
void Verifier::check_shaped(const Op& op, const Types& types) {
  const ShapeUnits& shape = op.attrs.shape;
  check_shape(shape);
  const auto refuse = [&](const std::string& why) {
    problem(spelled(op) + " of `" + to_text(types[0]) + "` to `[" + to_text(shape) + "]`, which " +
            why);
  };
  switch (op.kind) {
    case OpKind::fill:
      if (types[0]->kind != TypeKind::scalar) problem("`fill` takes a scalar");
      break;
    case OpKind::iota:
      if (shape.size() != 1 || shape[0].is_pack()) problem("`iota` has one axis");
      if (equal(op.results[0].type->dtype, make_dtype(Scalar::boolean))) {
        problem("`iota` of `bool`");
      }
      break;
    case OpKind::broadcast:
      if (rank(types[0]) > shape.size()) {
        problem("`broadcast` to fewer axes");
      } else if (!broadcasts(shape_of(types[0]), shape)) {
        refuse("does not broadcast");
      }
      break;
    default:
      if (!witnesses_.may_equal(element_count(shape_of(types[0])), element_count(shape))) {
        refuse("has another number of elements");
      }
      break;
  }
  check_result(op, make_data(shape, op.results[0].type->dtype));
}

void Verifier::check_permute(const Op& op, const Types& types) {
  std::vector<int> sorted = op.attrs.permutation;
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> axes(rank(types[0]));
  std::iota(axes.begin(), axes.end(), 0);
  if (sorted != axes) {
    problem("the axes of `permute` are no permutation of those of `" + to_text(types[0]) + "`");
    return;
  }
  ShapeUnits shape;
  for (const int axis : op.attrs.permutation) {
    shape.push_back(types[0]->shape[static_cast<std::size_t>(axis)]);
  }
  check_result(op, make_data(std::move(shape), types[0]->dtype));
}

/// Ops along one axis: `concat` adds it up, `cumsum` keeps it.
void Verifier::check_joined(const Op& op, const Types& types) {
  const auto axis = static_cast<std::size_t>(op.attrs.axis);
  for (const Type& type : types) {
    if (rank(type) != rank(types[0])) {
      problem(spelled(op) + " of different ranks: `" + to_text(types[0]) + "` and `" +
              to_text(type) + "`");
      return;
    }
    if (axis >= rank(type) || type->shape[axis].is_pack()) {
      problem("axis " + std::to_string(axis) + " is not one of `" + to_text(type) + "`");
      return;
    }
  }
  ShapeUnits shape = types[0]->shape;
  for (std::size_t i = 1; i < types.size(); ++i) {
    const ShapeUnits& next = types[i]->shape;
    for (std::size_t k = 0; k < shape.size(); ++k) {
      if (k == axis || agree(shape[k], next[k])) continue;
      problem(spelled(op) + " along axis " + std::to_string(axis) + " of `" + to_text(types[0]) +
              "` and `" + to_text(types[i]) + "`");
      return;
    }
    shape[axis].dim = make_dim(DimKind::add, {shape[axis].dim, next[axis].dim});
  }
  check_result(op, make_tensor(std::move(shape), types[0]->dtype));
}

}  // namespace linnet::ir::detail
