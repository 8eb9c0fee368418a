// Ops with regions that run or not, or again: branches and loops.

#include <algorithm>

#include "codegen/ir/build.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/ir/verify/verifier.hpp"

namespace linnet::ir::detail {
namespace {

/// What a loop of `count` rounds stacks of a value; null where the value does not stack.
Type stacked(const Type& type, const Dim& count) {
  if (type->kind == TypeKind::tuple) {
    std::vector<Type> elements;
    for (const Type& element : type->elements) {
      elements.push_back(stacked(element, count));
      if (!elements.back()) return nullptr;
    }
    return make_tuple(std::move(elements));
  }
  if (!is_data(type)) return nullptr;
  ShapeUnits shape{make_unit(count)};
  shape.insert(shape.end(), shape_of(type).begin(), shape_of(type).end());
  return make_tensor(std::move(shape), type->dtype);
}

}  // namespace

void Verifier::check_variants(const Op& op, const Type& type) {
  std::vector<std::string> variants = op.attrs.variants;
  std::sort(variants.begin(), variants.end());
  if (std::adjacent_find(variants.begin(), variants.end()) != variants.end()) {
    problem("two arms for one variant");
  }
  const Enumeration* enumeration = lookup_.enumeration(*type);
  if (enumeration == nullptr) return;
  std::vector<std::string> all = enumeration->variants;
  std::sort(all.begin(), all.end());
  if (variants != all) problem("the arms are not the variants of `" + enumeration->name + "`");
}

void Verifier::check_branch(const Op& op, const Types& types) {
  const bool is_enum = op.kind == OpKind::enum_match;
  if (!counts(op, 1, op.results.size(), is_enum ? op.attrs.variants.size() : 2)) return;
  Types first_args;
  if (op.kind == OpKind::if_) {
    if (!is_scalar_of(types[0], Scalar::boolean)) problem("the condition of `if` is no `bool`");
  } else if (types[0]->kind != (is_enum ? TypeKind::enumeration : TypeKind::optional)) {
    problem(spelled(op) + " of a `" + to_text(types[0]) + "`");
    return;
  } else if (is_enum) {
    check_variants(op, types[0]);
  } else {
    first_args.push_back(types[0]->elements[0]);
  }
  Types results;
  for (const Value& value : op.results) results.push_back(value.type);
  for (std::size_t i = 0; i < op.regions.size(); ++i) {
    const At at(*this, element("regions", i));
    check_region_args(op.regions[i], i == 0 ? first_args : Types{});
    check_region(op.regions[i], Terminator::yield, results);
  }
}

void Verifier::check_loop(const Op& op, const Types& types) {
  // The operands before the carried values, and what the body is given for them.
  std::size_t fixed = 0;
  Types body_args;
  if (op.kind == OpKind::static_for) {
    if (types.empty() || types[0]->kind != TypeKind::array) {
      problem("`static_for` runs over an array");
      return;
    }
    fixed = 1;
    body_args.push_back(types[0]->elements[0]);
  } else if (op.kind != OpKind::while_) {
    if (types.size() < 2 || !is_integer_scalar(types[0]) || !is_integer_scalar(types[1])) {
      problem(spelled(op) + " runs from an integer to an integer");
      return;
    }
    fixed = 2;
    body_args.push_back(make_scalar(Scalar::i64));
  }
  const Types carried(types.begin() + static_cast<std::ptrdiff_t>(fixed), types.end());
  body_args.insert(body_args.end(), carried.begin(), carried.end());
  const bool is_while = op.kind == OpKind::while_;
  const bool is_scan = op.kind == OpKind::for_ && op.results.size() == carried.size() + 1;
  if (!counts(op, types.size(), carried.size() + (is_scan ? 1 : 0), is_while ? 2 : 1)) return;
  for (std::size_t i = 0; i < carried.size(); ++i) {
    if (!agree(carried[i], op.results[i].type)) {
      problem("result " + std::to_string(i) + " is a `" + to_text(op.results[i].type) +
              "`, but carries a `" + to_text(carried[i]) + "`");
    }
  }
  if (is_while) {
    const At at(*this, "regions[0]");
    check_region_args(op.regions[0], carried);
    check_region(op.regions[0], Terminator::yield, Types{make_scalar(Scalar::boolean)});
  }
  const std::size_t body = is_while ? 1 : 0;
  Types yields = carried;
  if (is_scan) yields.push_back(nullptr);
  {
    const At at(*this, element("regions", body));
    check_region_args(op.regions[body], body_args);
    yields = check_region(op.regions[body], Terminator::yield, yields);
  }
  if (is_scan) check_stacked(op, yields);
}

/// A scan stacks what its body yields last, one element a round.
void Verifier::check_stacked(const Op& op, const Types& yielded) {
  if (yielded.size() != op.results.size()) return;
  const auto start = numbers_.find(op.operands[0]);
  const auto stop = numbers_.find(op.operands[1]);
  const Type& result = op.results.back().type;
  Dim count;
  if (start != numbers_.end() && stop != numbers_.end()) {
    count = sema::dims::sub(stop->second, start->second);
    witnesses_.assume_at_least(count, make_constant(0));
  } else if (!shape_of(result).empty() && !result->shape[0].is_pack()) {
    count = result->shape[0].dim;
  } else {
    return;
  }
  const Type expected = stacked(yielded.back(), count);
  if (!expected) {
    problem("a `" + to_text(yielded.back()) + "` is not stacked");
  } else if (!agree(expected, result)) {
    problem(spelled(op) + " stacks `" + to_text(expected) + "`, not `" + to_text(result) + "`");
  }
}

}  // namespace linnet::ir::detail
