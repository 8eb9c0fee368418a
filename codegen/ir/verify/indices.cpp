// Index notation: comprehensions, reductions and the elements that they read.

#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/ir/verify/verifier.hpp"

namespace linnet::ir::detail {

void Verifier::check_element(const Op& op, const Types& types) {
  if (types.empty() || types[0]->kind != TypeKind::tensor || op.results.size() != 1) {
    problem("`tensor.element` takes a tensor and gives a scalar");
    return;
  }
  const ShapeUnits& shape = types[0]->shape;
  std::size_t covered = 0;
  for (std::size_t i = 1; i < types.size(); ++i) {
    const At at(*this, element("operands", i));
    const auto index = domains_.find(op.operands[i]);
    if (index == domains_.end()) {
      if (!is_integer_scalar(types[i])) {
        problem("a position of `tensor.element` is no integer");
        return;
      }
      if (covered < shape.size() && shape[covered].is_pack()) {
        problem("a position in the pack `*" + shape[covered].pack_name + "`");
      }
      ++covered;
      continue;
    }
    const ShapeUnits& domain = index->second;
    for (std::size_t k = 0; k < domain.size() && covered + k < shape.size(); ++k) {
      if (agree(domain[k], shape[covered + k])) continue;
      problem("an index over `" + to_text(domain) + "`, but axis " + std::to_string(covered + k) +
              " of `" + to_text(types[0]) + "` is `" + to_text(shape[covered + k]) + "`");
      break;
    }
    covered += domain.size();
  }
  if (covered != shape.size()) {
    problem("`tensor.element` has " + std::to_string(covered) + " positions for `" +
            to_text(types[0]) + "`");
  }
  check_result(op, make_scalar(types[0]->dtype));
}

void Verifier::check_index_notation(const Op& op, const Types&) {
  if (!counts(op, 0, 1, 1)) return;
  const Region& region = op.regions[0];
  ShapeUnits domain;
  if (region.args.size() != op.attrs.indices.size()) {
    problem("the region has " + std::to_string(region.args.size()) + " arguments for " +
            std::to_string(op.attrs.indices.size()) + " indices");
    return;
  }
  for (std::size_t i = 0; i < region.args.size(); ++i) {
    const IndexDomain& index = op.attrs.indices[i];
    check_shape(index.domain);
    domain.insert(domain.end(), index.domain.begin(), index.domain.end());
    const Type& type = region.args[i].type;
    const bool fits =
        type->kind == TypeKind::shape ? agree(type->shape, index.domain) : is_integer_scalar(type);
    if (!fits) {
      problem("index `" + index.name + "` over `" + to_text(index.domain) + "` is a `" +
              to_text(type) + "`");
    }
    domains_[region.args[i].id] = index.domain;
  }
  const Type& result = op.results[0].type;
  if (!is_data(result)) {
    problem(spelled(op) + " cannot give a `" + to_text(result) + "`");
    return;
  }
  if (op.kind == OpKind::comprehension) {
    if (!domain.empty()) check_result(op, make_tensor(domain, result->dtype));
  } else {
    const bool logical = op.attrs.reduce == ReduceKind::any || op.attrs.reduce == ReduceKind::all;
    const DtypeTraits dtype = traits(result->dtype, dtypes_);
    if (result->kind != TypeKind::scalar) problem("`reduce` gives a scalar");
    if (logical ? !dtype.boolean : !dtype.integer && !dtype.floating) {
      problem("`" + std::string(reduce_name(op.attrs.reduce)) + "` of `" + to_text(result->dtype) +
              "`");
    }
  }
  const At at(*this, "regions[0]");
  check_region(region, Terminator::yield, Types{make_scalar(result->dtype)});
}

}  // namespace linnet::ir::detail
