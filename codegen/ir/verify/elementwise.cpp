// Constants and elementwise ops: classes of dtypes, and broadcasting.

#include <algorithm>

#include "codegen/ir/build.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/ir/verify/verifier.hpp"

namespace linnet::ir::detail {

void Verifier::check_constant_op(const Op& op) {
  if (!counts(op, 0, 1, 0)) return;
  const Type& type = op.results[0].type;
  if (type->kind != TypeKind::scalar) {
    problem(spelled(op) + " gives a scalar");
    return;
  }
  const DtypeTraits dtype = traits(type->dtype, dtypes_);
  const bool fits = op.kind == OpKind::const_bool    ? dtype.boolean
                    : op.kind == OpKind::const_float ? dtype.floating
                    : op.kind == OpKind::const_int   ? dtype.integer || dtype.floating
                                                     : dtype.integer;
  if (!fits) problem(spelled(op) + " cannot be a `" + to_text(type) + "`");
  if (const auto* dim = std::get_if<Dim>(&op.attrs.value)) {
    check_dim(*dim);
    numbers_[op.results[0].id] = *dim;
  } else if (const auto* number = std::get_if<std::int64_t>(&op.attrs.value)) {
    if (op.kind == OpKind::const_int) numbers_[op.results[0].id] = make_constant(*number);
  }
}

void Verifier::check_elementwise(const Op& op, const Types& types) {
  const bool is_select = op.kind == OpKind::select;
  const bool is_unary = op.kind == OpKind::not_ || op.kind == OpKind::neg ||
                        op.kind == OpKind::cast || op.kind == OpKind::abs ||
                        (op.kind >= OpKind::exp && op.kind <= OpKind::tanh);
  if (!counts(op, is_select ? 3 : is_unary ? 1 : 2, 1, 0)) return;
  const Type& result = op.results[0].type;
  if (op.kind == OpKind::compare && types[0]->kind == TypeKind::enumeration) {
    if (!agree(types[0], types[1])) problem("compares values of different enums");
    check_result(op, make_scalar(Scalar::boolean));
    return;
  }
  if (is_select && (!is_data(types[0]) || !traits(types[0]->dtype, dtypes_).boolean)) {
    problem("the condition of `select` is no `bool`");
    return;
  }
  if (!same_dtype(op, types, is_select ? 1 : 0)) return;
  if (!is_data(result)) {
    problem(spelled(op) + " cannot give a `" + to_text(result) + "`");
    return;
  }
  check_elementwise_dtypes(op, types);
  check_broadcasting(op, types);
}

void Verifier::check_elementwise_dtypes(const Op& op, const Types& types) {
  const Dtype& dtype = types[op.kind == OpKind::select ? 1 : 0]->dtype;
  const Dtype& result = op.results[0].type->dtype;
  const DtypeTraits kind = traits(dtype, dtypes_);
  bool fits = true;
  switch (op.kind) {
    case OpKind::exp:
    case OpKind::log:
    case OpKind::sqrt:
    case OpKind::rsqrt:
    case OpKind::sin:
    case OpKind::cos:
    case OpKind::tanh:
      fits = kind.floating;
      break;
    case OpKind::and_:
    case OpKind::or_:
    case OpKind::not_:
      fits = kind.boolean;
      break;
    case OpKind::bitand_:
    case OpKind::bitor_:
    case OpKind::bitxor:
      fits = kind.boolean || kind.integer;
      break;
    case OpKind::shl:
    case OpKind::shr:
      fits = kind.integer;
      break;
    case OpKind::compare:
    case OpKind::cast:
    case OpKind::select:
      break;
    default:
      fits = kind.integer || kind.floating;
      break;
  }
  if (!fits) problem(spelled(op) + " of `" + to_text(dtype) + "`");
  if (op.kind == OpKind::compare) {
    if (!traits(result, dtypes_).boolean) problem("`compare` gives `bool`");
  } else if (op.kind != OpKind::cast && !equal(result, dtype)) {
    problem(spelled(op) + " of `" + to_text(dtype) + "` cannot give `" + to_text(result) + "`");
  }
}

/// Aligned from the right, each axis of an operand is that of the result or 1, and each axis of
/// the result is that of some operand.
void Verifier::check_broadcasting(const Op& op, const Types& types) {
  const Type& result = op.results[0].type;
  std::size_t widest = 0;
  for (const Type& type : types) widest = std::max(widest, rank(type));
  if (rank(result) != widest) {
    problem(spelled(op) + " gives rank " + std::to_string(widest) + ", not `" + to_text(result) +
            "`");
    return;
  }
  const auto axis_fits = [&](std::size_t from_back) {
    const auto axis_of = [&](const Type& type) -> const Unit& {
      return shape_of(type)[rank(type) - 1 - from_back];
    };
    bool any_agrees = false;
    for (const Type& type : types) {
      if (from_back >= rank(type)) continue;
      const bool agrees = agree(axis_of(type), axis_of(result));
      if (!agrees && !may_be_one(axis_of(type))) return false;
      any_agrees = any_agrees || agrees;
    }
    return any_agrees;
  };
  for (std::size_t from_back = 0; from_back < widest; ++from_back) {
    if (axis_fits(from_back)) continue;
    problem(spelled(op) + " of " + listed(types) + " cannot give `" + to_text(result) + "`");
    return;
  }
}

}  // namespace linnet::ir::detail
