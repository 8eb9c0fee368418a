// Indices: `let c[m, n] = sum[k] a[m, k] * b[k, n]`.

#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/plan/emit/body.hpp"

namespace linnet::plan::detail {

using namespace ir;

/// Declares the indices of a comprehension or reduction; `i, *s`.
std::string BodyWriter::index_names(const Op& op) {
  std::string list;
  const Region& region = op.regions[0];
  for (std::size_t i = 0; i < region.args.size(); ++i) {
    const Value& index = region.args[i];
    const ShapeUnits& domain = op.attrs.indices[i].domain;
    const bool is_run =
        index.type->kind == TypeKind::shape || domain.size() != 1 || domain[0].is_pack();
    if (is_run && op.kind == OpKind::reduce) refuse("reduces over a run of axes");
    const std::string base = index.name.empty() ? op.attrs.indices[i].name : index.name;
    // One per index op: siblings may share a name, an index hides nothing that is used.
    const std::string name = unique_name(base.empty() ? "i" : base, taken_);
    names_[index.id] = (is_run ? "*" : "") + name;
    domains_[index.id] = domain;
    list += (list.empty() ? "" : ", ") + names_[index.id];
  }
  return list;
}

Text BodyWriter::element(const Op& op) {
  std::string text = indexed(op.operands[0]) + "[";
  for (std::size_t i = 1; i < op.operands.size(); ++i) {
    const int id = op.operands[i];
    const bool is_index = domains_.contains(id);
    if (is_index) placed_.insert(id);
    text += (i == 1 ? "" : ", ") + (is_index ? names_.at(id) : operand(id).text);
  }
  return {text + "]"};
}

/// An index is a position; its value is that of `iota` there.
std::string BodyWriter::index_value(int id) {
  const ShapeUnits& domain = domains_.at(id);
  if (domain.size() != 1 || domain[0].is_pack()) {
    refuse("uses a run of axes as a value");
    return {};
  }
  placed_.insert(id);
  return "iota(" + to_text(domain) + ")[" + names_.at(id) + "]";
}

/// An index has its extent from what it indexes. One that indexes nothing, because the
/// optimiser found that the elements are all the same, gets it in a branch not taken.
Text BodyWriter::with_domains(const Op& op, Text body) {
  const Type type = make_scalar(op.results[0].type->dtype);
  const std::vector<Value>& indices = op.regions[0].args;
  bool is_typed = false;
  for (auto index = indices.rbegin(); index != indices.rend(); ++index) {
    if (placed_.contains(index->id)) continue;
    body.text = "if true { " + body.text + " } else { " +
                any_value(make_tensor(domains_.at(index->id), type->dtype)) + "[" +
                names_.at(index->id) + "] }";
    body.strength = loosest;
    is_typed = true;
  }
  return is_typed ? body : with_own_type(body, type);
}

Text BodyWriter::reduce(const Op& op) {
  // The names of the indices are only taken inside.
  const std::set<std::string> taken = taken_;
  const std::string indices = index_names(op);
  const Text body = with_domains(op, region_expression(op.regions[0]));
  taken_ = taken;
  return {std::string(reduce_name(op.attrs.reduce)) + "[" + indices + "] " + body.text, loosest};
}

}  // namespace linnet::plan::detail
