// What follows from the least values of atoms alone: with `A >= 3` and `B >= 4`, `A * B >= 12`.

#include <algorithm>

#include "codegen/sema/dims/engine.hpp"

namespace linnet::sema::dims {

/// A lower bound, when one is known.
std::optional<std::int64_t> Engine::least(std::int32_t atom, const Heights& heights) {
  std::optional<std::int64_t> bound;
  if (const auto known = heights.find(Monomial(atom)); known != heights.end()) {
    bound = known->second;
  } else if (atom_nonnegative(atom)) {
    bound = 0;
  }
  // Chains of facts end at operators, which may be positive for reasons of their own.
  constexpr int max_asking = 2;
  const bool may_ask = !atoms_.at(atom).args.empty() && nesting_ <= max_asking;
  if (may_ask && (!bound || *bound < 1) && positive(Polynomial::atom(atom))) bound = 1;
  return bound;
}

bool Engine::follows_by_least_values(const Polynomial& goal, const std::vector<Difference>& edges) {
  // `atom` on its own is no question about factors.
  if (goal.terms().size() < 2 || goal.terms().front().monomial.degree() < 2) return false;
  const Heights heights = heights_above(Monomial(), edges);
  std::map<std::int32_t, std::int64_t> known;
  for (const Term& term : goal.terms()) {
    for (const std::int32_t atom : term.monomial.atoms()) {
      if (known.contains(atom)) continue;
      const auto bound = least(atom, heights);
      if (!bound) return false;
      known[atom] = *bound;
    }
  }
  // Without any negative coefficient the least values of non-negative atoms give the least sum.
  std::int64_t sum = 0;
  bool adds_up = true;
  for (const Term& term : goal.terms()) {
    std::int64_t product = term.coefficient;
    const bool constant = term.monomial.degree() == 0;
    bool fits = constant || term.coefficient > 0;
    for (const std::int32_t atom : term.monomial.atoms()) {
      fits = fits && known[atom] >= 0 && !__builtin_mul_overflow(product, known[atom], &product);
    }
    adds_up = adds_up && fits && !__builtin_add_overflow(sum, product, &sum);
  }
  if (adds_up) return sum >= 0;
  // With `A == a + A'`, and `A'` not negative, whatever has no negative coefficient in the `A'`
  // is not negative.
  Polynomial shifted;
  for (const Term& term : goal.terms()) {
    Polynomial part(Term{Monomial(), term.coefficient});
    for (const std::int32_t atom : term.monomial.atoms()) {
      part = part * (Polynomial::atom(atom) + Polynomial(known[atom]));
    }
    work_ -= static_cast<std::int64_t>(part.terms().size()) / 16;
    shifted = shifted + part;
    if (shifted.failed()) return false;
  }
  return std::ranges::all_of(shifted.terms(),
                             [](const Term& term) { return term.coefficient > 0; });
}

}  // namespace linnet::sema::dims
