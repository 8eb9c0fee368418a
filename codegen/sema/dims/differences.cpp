// Differences: facts of the form `x - y + c >= 0`. What follows from chains of them is decided by
// a search for the longest path in the graph of such facts (Bellman and Ford), which has no limit
// of depth, where the general search of prove.cpp follows only short chains.

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "codegen/sema/dims/engine.hpp"

namespace linnet::sema::dims {
namespace {

struct MonomialLess {
  bool operator()(const Monomial& a, const Monomial& b) const {
    return Monomial::compare(a, b) < 0;
  }
};

/// `above - below + margin >= 0`; the empty monomial, 1, stands for an absent side.
struct Difference {
  Monomial above, below;
  std::int64_t margin = 0;
};

std::optional<Difference> difference_of(const Polynomial& polynomial) {
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

/// `a - b` unless it overflows.
std::optional<std::int64_t> minus(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
  return result;
}

}  // namespace

bool Engine::follows_by_differences(const Polynomial& goal, const std::vector<Polynomial>& pool) {
  const std::optional<Difference> wanted = difference_of(goal);
  if (!wanted) return false;
  std::vector<Difference> edges;
  for (const Polynomial& fact : pool) {
    if (auto edge = difference_of(fact)) edges.push_back(std::move(*edge));
  }
  // How far each monomial is at least above the lower side of the goal.
  std::map<Monomial, std::int64_t, MonomialLess> height{{wanted->below, 0}};
  bool changed = true;
  const auto raise = [&](const Monomial& monomial, std::optional<std::int64_t> to) {
    if (!to) return;
    const auto [at, fresh] = height.emplace(monomial, *to);
    if (!fresh && at->second >= *to) return;
    at->second = *to;
    changed = true;
  };
  const auto proven = [&] {
    const auto reached = height.find(wanted->above);
    if (reached == height.end()) return false;
    const auto needed = minus(0, wanted->margin);
    return needed && reached->second >= *needed;
  };
  // Facts that contradict each other raise without end, and prove anything: one round for each
  // edge is enough for all others.
  for (std::size_t round = 0; changed && round <= edges.size() && work_ > 0; ++round) {
    changed = false;
    work_ -= static_cast<std::int64_t>(edges.size());
    for (const Difference& edge : edges) {
      const auto below = height.find(edge.below);
      if (below != height.end()) raise(edge.above, minus(below->second, edge.margin));
    }
    if (const auto one = height.find(Monomial()); one != height.end()) {
      const std::int64_t ground = one->second;
      for (const Difference& edge : edges) {
        for (const Monomial& monomial : {edge.above, edge.below}) {
          if (monomial_nonnegative(monomial)) raise(monomial, ground);
        }
      }
      if (monomial_nonnegative(wanted->above)) raise(wanted->above, ground);
    }
    if (proven()) return true;
  }
  return false;
}

}  // namespace linnet::sema::dims
