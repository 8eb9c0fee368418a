// Recognises matrix products in index notation: `y[..] = sum[k..] a[..] * b[..]` with plain
// indices in any order, each factor a tensor element, perhaps cast. It becomes one call of
// linnet::ops::contract with a stride for each index and operand, whatever their order.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "codegen/cpp/body.hpp"
#include "codegen/ir/build.hpp"

namespace linnet::cpp {

using ir::OpKind;
using ir::TypeKind;

namespace {

const ir::Op* definition_in(const ir::Region& region, int value) {
  for (const ir::Op& op : region.ops) {
    for (const ir::Value& result : op.results) {
      if (result.id == value) return &op;
    }
  }
  return nullptr;
}

/// Names a tensor or its place: no code of its own, and no failure. An unoptimised program has
/// such ops inside its loops.
bool only_names(const ir::Op& op) {
  switch (op.kind) {
    case OpKind::const_int:
    case OpKind::const_dim:
    case OpKind::block_param:
    case OpKind::block_sub:
    case OpKind::array_get:
      return true;
    default:
      return false;
  }
}

std::size_t count_working(const ir::Region& region) {
  return static_cast<std::size_t>(std::count_if(region.ops.begin(), region.ops.end(),
                                                [](const ir::Op& op) { return !only_names(op); }));
}

/// The tensor access behind a factor, through casts to the product's dtype.
const ir::Op* access_behind(const ir::Region& region, int value, std::size_t& used) {
  const ir::Op* op = definition_in(region, value);
  while (op != nullptr && op->kind == OpKind::cast) {
    ++used;
    op = definition_in(region, op->operands.at(0));
  }
  if (op == nullptr || op->kind != OpKind::tensor_element) return nullptr;
  ++used;
  return op;
}

}  // namespace

bool BodyWriter::fill_contraction(const ir::Op& op, const Destination& to) {
  const ir::Region& outer = op.regions.at(0);
  const ir::Op* end = terminator(outer);
  if (end == nullptr || end->operands.size() != 1 || count_working(outer) != 2) return false;
  const ir::Op& reduce = *std::find_if_not(outer.ops.begin(), outer.ops.end(), only_names);
  if (reduce.kind != OpKind::reduce || reduce.attrs.reduce != ir::ReduceKind::sum) return false;
  if (reduce.results.at(0).id != end->operands[0]) return false;
  const ir::Region& inner = reduce.regions.at(0);
  const ir::Op* yielded = terminator(inner);
  if (yielded == nullptr || yielded->operands.size() != 1) return false;
  const ir::Op* product = definition_in(inner, yielded->operands[0]);
  if (product == nullptr || product->kind != OpKind::mul) return false;
  std::size_t used = 2;  // the product and the terminator
  const ir::Op* const factors[] = {access_behind(inner, product->operands.at(0), used),
                                   access_behind(inner, product->operands.at(1), used)};
  if (factors[0] == nullptr || factors[1] == nullptr) return false;
  const std::size_t expected = factors[0] == factors[1] ? used - 1 : used;
  if (count_working(inner) != expected) return false;
  for (const ir::Region* region : {&outer, &inner}) {
    for (const ir::Op& named : region->ops) {
      if (only_names(named)) write_op(named);
    }
  }

  // Every index with its run-time extents, output indices first.
  struct IndexUnit {
    int arg;
    std::size_t unit;
    ir::Unit extent;
  };
  std::vector<IndexUnit> indices;
  const auto add = [&](const std::vector<ir::IndexDomain>& domains, const ir::Region& region) {
    for (std::size_t i = 0; i < domains.size(); ++i) {
      for (std::size_t unit = 0; unit < domains[i].domain.size(); ++unit) {
        indices.push_back({region.args.at(i).id, unit, domains[i].domain[unit]});
      }
    }
  };
  add(op.attrs.indices, outer);
  const std::size_t outputs = indices.size();
  add(reduce.attrs.indices, inner);
  if (indices.empty() || indices.size() > 8) return false;
  std::map<int, std::size_t> units_of_arg;
  for (const IndexUnit& index : indices) ++units_of_arg[index.arg];

  // The stride of each index in memory of these units, addressed by `args` axis after axis.
  const auto strides = [&](const ir::ShapeUnits& units,
                           const std::vector<int>& args) -> std::optional<std::string> {
    std::vector<std::string> of_index(indices.size());
    std::size_t axis = 0;
    for (const int arg : args) {
      const auto found = units_of_arg.find(arg);
      if (found == units_of_arg.end()) return std::nullopt;  // a computed position
      for (std::size_t unit = 0; unit < found->second; ++unit, ++axis) {
        if (axis >= units.size()) return std::nullopt;
        ir::ShapeUnits rest(units.begin() + static_cast<std::ptrdiff_t>(axis) + 1, units.end());
        for (std::size_t i = 0; i < indices.size(); ++i) {
          if (indices[i].arg != arg || indices[i].unit != unit) continue;
          std::string& text = of_index[i];
          text += (text.empty() ? "" : " + ") + spelling_.size(rest).text;
        }
      }
    }
    if (axis != units.size()) return std::nullopt;
    std::string text = "{";
    for (std::size_t i = 0; i < of_index.size(); ++i) {
      text += (i == 0 ? "" : ", ") + (of_index[i].empty() ? "0" : of_index[i]);
    }
    return text + "}";
  };
  std::vector<int> output_args;
  for (const ir::Value& arg : outer.args) output_args.push_back(arg.id);
  const std::optional<std::string> result_strides =
      strides(op.results.at(0).type->shape, output_args);
  if (!result_strides) return false;
  std::string operands[2];
  std::string operand_strides[2];
  RepPtr tensors[2];
  for (int i = 0; i < 2; ++i) {
    const auto found = values_.find(factors[i]->operands.at(0));
    if (found == values_.end() || found->second->type->kind != TypeKind::tensor) return false;
    tensors[i] = found->second;
    // A cast that still waits is done by the contraction itself.
    while (tensors[i]->kind == RepKind::lazy && tensors[i]->op->kind == OpKind::cast &&
           tensors[i]->type->dtype.is_variable == false &&
           tensors[i]->type->dtype.scalar == ir::Scalar::f32) {
      const RepPtr behind = get(tensors[i]->op->operands.at(0));
      const bool exact =
          !behind->type->dtype.is_variable && (behind->type->dtype.scalar == ir::Scalar::f32 ||
                                               behind->type->dtype.scalar == ir::Scalar::f16 ||
                                               behind->type->dtype.scalar == ir::Scalar::bf16);
      if (!exact) break;
      tensors[i] = behind;
    }
    const std::vector<int> args(factors[i]->operands.begin() + 1, factors[i]->operands.end());
    const std::optional<std::string> text = strides(tensors[i]->type->shape, args);
    if (!text) return false;
    operand_strides[i] = *text;
  }
  for (int i = 0; i < 2; ++i) {
    if (tensors[i]->kind != RepKind::memory) {
      force(tensors[i], tensors[i]->name.empty() ? "factor" : tensors[i]->name);
    }
  }
  for (int i = 0; i < 2; ++i) operands[i] = use(tensors[i]);
  touch(to.slot);
  std::string sizes = "{";
  for (std::size_t i = 0; i < indices.size(); ++i) {
    sizes += (i == 0 ? "" : ", ") + spelling_.value(indices[i].extent).text;
  }
  sizes += "}";
  const std::string type = spelling_.dtype(product->results.at(0).type->dtype);
  std::string names;
  for (const ir::IndexDomain& index : op.attrs.indices) {
    names += (names.empty() ? "" : ", ") + index.name;
  }
  std::string summed;
  for (const ir::IndexDomain& index : reduce.attrs.indices) {
    summed += (summed.empty() ? "" : ", ") + index.name;
  }
  out().line("// [" + names + "] = sum[" + summed + "] of products; strides by index");
  out().line("linnet::ops::contract<" + type + ">(");
  out().line("    context, " + sizes + ", " + std::to_string(outputs) + ",");
  out().line("    " + to.name + ", " + *result_strides + ", " + operands[0] + ", " +
             operand_strides[0] + ", " + operands[1] + ", " + operand_strides[1] + ");");
  return true;
}

}  // namespace linnet::cpp
