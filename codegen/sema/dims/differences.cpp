// Differences: facts of the form `x - y + c >= 0`. What follows from chains of them is decided by
// a search for the longest path in the graph of such facts (Bellman and Ford), which has no limit
// of depth, where the general search of prove.cpp follows only short chains.

#include <algorithm>
#include <utility>

#include "codegen/sema/dims/engine.hpp"

namespace linnet::sema::dims {

std::optional<Engine::Difference> Engine::difference_of(const Polynomial& polynomial) {
  if (polynomial.failed() || polynomial.terms().size() > 3) return std::nullopt;
  Difference made;
  for (const Term& term : polynomial.terms()) {
    if (term.monomial.degree() == 0) {
      made.margin = term.coefficient;
      continue;
    }
    Monomial& side = term.coefficient > 0 ? made.above : made.below;
    if ((term.coefficient != 1 && term.coefficient != -1) || side.degree() != 0) {
      return std::nullopt;
    }
    side = term.monomial;
  }
  return made;
}

/// What the pool says of differences, and that monomials are not negative.
std::vector<Engine::Difference> Engine::differences_of(const Polynomial& goal,
                                                       const std::vector<Polynomial>& pool) {
  std::vector<Difference> edges;
  std::map<Monomial, bool, MonomialLess> met;
  const auto meet = [&](const Monomial& monomial) {
    if (monomial.degree() == 0 || !met.emplace(monomial, true).second) return;
    if (monomial_nonnegative(monomial)) edges.push_back({monomial, Monomial(), 0});
  };
  for (const Polynomial& fact : pool) {
    const auto edge = difference_of(fact);
    if (!edge) continue;
    edges.push_back(*edge);
    meet(edge->above);
    meet(edge->below);
  }
  for (const Term& term : goal.terms()) meet(term.monomial);
  return edges;
}

/// How far monomials are at least above `ground`, of those that the edges lead to.
Engine::Heights Engine::heights_above(const Monomial& ground,
                                      const std::vector<Difference>& edges) {
  Heights heights{{ground, 0}};
  bool changed = true;
  // Facts that contradict each other raise without end, and prove anything: one round for each
  // edge is enough for all others.
  for (std::size_t round = 0; changed && round <= edges.size(); ++round) {
    changed = false;
    work_ -= static_cast<std::int64_t>(edges.size() / 16);
    for (const Difference& edge : edges) {
      const auto below = heights.find(edge.below);
      std::int64_t height = 0;
      if (below == heights.end() || __builtin_sub_overflow(below->second, edge.margin, &height)) {
        continue;
      }
      const auto [above, fresh] = heights.emplace(edge.above, height);
      if (!fresh && above->second >= height) continue;
      above->second = height;
      changed = true;
    }
  }
  return heights;
}

bool Engine::follows_by_differences(const Polynomial& goal, const std::vector<Difference>& edges) {
  const std::optional<Difference> wanted = difference_of(goal);
  if (!wanted) return false;
  const Heights heights = heights_above(wanted->below, edges);
  const auto reached = heights.find(wanted->above);
  std::int64_t surplus = 0;
  return reached != heights.end() &&
         !__builtin_add_overflow(reached->second, wanted->margin, &surplus) && surplus >= 0;
}

}  // namespace linnet::sema::dims
