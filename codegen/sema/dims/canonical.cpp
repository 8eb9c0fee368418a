#include "codegen/sema/dims/canonical.hpp"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace linnet::sema::dims {

int compare(const ir::Dim& a, const ir::Dim& b) {
  if (a == b) return 0;
  const auto head = [](const ir::Dim& dim) {
    return std::tuple(dim->kind, dim->value, dim->id, dim->args.size());
  };
  if (head(a) != head(b)) return head(a) < head(b) ? -1 : 1;
  for (std::size_t i = 0; i < a->args.size(); ++i) {
    if (const int order = compare(a->args[i], b->args[i])) return order;
  }
  return 0;
}

int compare(const ir::Constraint& a, const ir::Constraint& b) {
  if (a.relation != b.relation) return a.relation < b.relation ? -1 : 1;
  const int order = compare(a.lhs, b.lhs);
  return order != 0 ? order : compare(a.rhs, b.rhs);
}

ir::Dim canonical(const ir::Dim& dim) {
  if (dim->args.empty()) return dim;
  const bool is_extremum = dim->kind == ir::DimKind::min || dim->kind == ir::DimKind::max;
  const bool reorders =
      is_extremum || dim->kind == ir::DimKind::add || dim->kind == ir::DimKind::mul;
  auto result = std::make_shared<ir::DimNode>(*dim);
  result->args.clear();
  for (const ir::Dim& arg : dim->args) {
    ir::Dim part = canonical(arg);
    if (reorders && part->kind == dim->kind) {
      result->args.insert(result->args.end(), part->args.begin(), part->args.end());
    } else {
      result->args.push_back(std::move(part));
    }
  }
  if (!reorders) return result;
  std::ranges::sort(result->args, [](const auto& a, const auto& b) { return compare(a, b) < 0; });
  if (is_extremum) {
    const auto repeated = std::ranges::unique(
        result->args, [](const auto& a, const auto& b) { return compare(a, b) == 0; });
    result->args.erase(repeated.begin(), repeated.end());
    if (result->args.size() == 1) return result->args.front();
  }
  return result;
}

ir::Constraint canonical(const ir::Constraint& constraint) {
  ir::Constraint result{
      constraint.relation, canonical(constraint.lhs), canonical(constraint.rhs), {}};
  switch (constraint.relation) {
    case ir::Relation::gt:
      result.relation = ir::Relation::lt;
      std::swap(result.lhs, result.rhs);
      break;
    case ir::Relation::ge:
      result.relation = ir::Relation::le;
      std::swap(result.lhs, result.rhs);
      break;
    case ir::Relation::eq:
    case ir::Relation::ne:
      if (compare(result.rhs, result.lhs) < 0) std::swap(result.lhs, result.rhs);
      break;
    case ir::Relation::lt:
    case ir::Relation::le:
      break;
  }
  return result;
}

}  // namespace linnet::sema::dims
