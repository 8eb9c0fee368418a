#include "codegen/ir/verify/witnesses.hpp"

#include "codegen/ir/build.hpp"
#include "codegen/ir/verify/search.hpp"

namespace linnet::ir::detail {

void Witnesses::find(const std::vector<const Generic*>& generics,
                     const std::vector<Constraint>& constraints) {
  values_.clear();
  witnesses_ = find_witnesses(generics, constraints, effort_);
}

std::optional<std::int64_t> Witnesses::value(std::size_t witness, const Dim& dim) {
  if (dim->args.empty()) return effort_.evaluate(dim, witnesses_[witness]);
  const auto [found, is_new] = values_.try_emplace(dim.get());
  Values& known = found->second;
  if (is_new) {
    known.dim = dim;
    for (const sema::dims::Bindings& bindings : witnesses_) {
      known.at.push_back(effort_.evaluate(dim, bindings));
    }
  }
  return known.at[witness];
}

bool Witnesses::may_equal(const Dim& a, const Dim& b) {
  if (a == b) return true;
  const auto left = constant_value(a);
  const auto right = constant_value(b);
  if (left && right) return *left == *right;
  for (std::size_t i = 0; i < witnesses_.size(); ++i) {
    const auto x = value(i, a);
    const auto y = value(i, b);
    if (x && y && *x != *y) return false;
  }
  return true;
}

void Witnesses::assume_at_least(const Dim& a, const Dim& b) {
  for (std::size_t i = witnesses_.size(); i-- > 0;) {
    const auto x = value(i, a);
    const auto y = value(i, b);
    if (!x || !y || *x >= *y) continue;
    witnesses_.erase(witnesses_.begin() + static_cast<std::ptrdiff_t>(i));
    for (auto& [node, known] : values_) {
      known.at.erase(known.at.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

sema::dims::Bindings Witnesses::inside(std::size_t witness, const Substitution& with) {
  sema::dims::Bindings bindings;
  for (const auto& [symbol, dim] : with.dims) {
    if (const auto number = value(witness, dim)) bindings.dims.emplace(symbol, *number);
  }
  for (const auto& [pack, units] : with.packs) {
    std::vector<std::int64_t> extents;
    for (const Unit& unit : units) {
      const auto number = value(witness, unit.is_pack() ? make_pack_size(unit.pack, {}) : unit.dim);
      if (!number) break;
      extents.push_back(*number);
    }
    if (extents.size() == units.size()) bindings.packs.emplace(pack, std::move(extents));
  }
  return bindings;
}

const Constraint* Witnesses::broken(const std::vector<Constraint>& constraints,
                                    const Substitution& with) {
  if (constraints.empty()) return nullptr;
  for (std::size_t i = 0; i < witnesses_.size(); ++i) {
    const sema::dims::Bindings bindings = inside(i, with);
    for (const Constraint& constraint : constraints) {
      if (!effort_.evaluate(constraint, bindings).value_or(true)) return &constraint;
    }
  }
  return nullptr;
}

}  // namespace linnet::ir::detail
