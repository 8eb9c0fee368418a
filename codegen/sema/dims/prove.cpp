// Is a polynomial never negative? A goal-directed search over the facts.
//
// A polynomial is never negative when all its coefficients are positive and all its monomials
// non-negative. Where a term spoils that, a fact `f >= 0` (times a non-negative monomial) that has
// the same term is taken out of the goal, and what is left is the new goal; this is Fourier-Motzkin
// elimination read backwards, with products. Over the integers each scaled goal `k * p >= 0` may
// be weakened to `k * p + k - 1 >= 0`, and common factors are divided out with floor.

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "codegen/sema/dims/engine.hpp"

namespace linnet::sema::dims {
namespace {

constexpr int max_search_depth = 9;
constexpr int max_search_nodes = 300;
constexpr std::size_t max_goal_terms = 32;
constexpr std::size_t max_proven = 4096;
constexpr std::size_t max_case_depth = 3;
constexpr int max_nesting = 6;

}  // namespace

bool Engine::positive(const Polynomial& polynomial) {
  return nonnegative(polynomial - Polynomial(1));
}

bool Engine::monomial_nonnegative(const Monomial& monomial) {
  return std::ranges::all_of(monomial.atoms(),
                             [&](std::int32_t atom) { return atom_nonnegative(atom); });
}

bool Engine::all_terms_nonnegative(const Polynomial& polynomial) {
  return !polynomial.failed() && std::ranges::all_of(polynomial.terms(), [&](const Term& term) {
    return term.coefficient > 0 && monomial_nonnegative(term.monomial);
  });
}

bool Engine::atom_nonnegative(std::int32_t atom) {
  if (const auto known = sign_.find(atom); known != sign_.end()) return known->second;
  if (const auto known = scratch_.sign.find(atom); known != scratch_.sign.end()) {
    return known->second;
  }
  const Atom& node = atoms_.at(atom);
  switch (node.kind) {
    case AtomKind::symbol:
    case AtomKind::pack_size:
    case AtomKind::mod:
      return true;
    case AtomKind::quotient: {
      const auto known = quotient_nonnegative_.find(atom);
      return known != quotient_nonnegative_.end() && known->second;
    }
    case AtomKind::floordiv:
    case AtomKind::min:
    case AtomKind::max:
      break;
  }
  // A sign that depends on itself is not known; nor is anything concluded from that kept.
  if (std::ranges::find(sign_pending_, atom) != sign_pending_.end()) return false;
  sign_pending_.push_back(atom);
  const auto is_nonnegative = [&](const Polynomial& arg) { return nonnegative(arg); };
  const bool result = node.kind == AtomKind::floordiv ? nonnegative(node.args[0])
                      : node.kind == AtomKind::min ? std::ranges::all_of(node.args, is_nonnegative)
                                                   : std::ranges::any_of(node.args, is_nonnegative);
  sign_pending_.pop_back();
  if (case_facts_.empty() && (result || (sign_pending_.empty() && nesting_ == 0 && work_ > 0))) {
    sign_.emplace(atom, result);
  } else {
    scratch_.sign.emplace(atom, result);
  }
  return result;
}

bool Engine::nonnegative(const Polynomial& polynomial) {
  if (polynomial.failed() || work_ <= 0) return false;
  const Polynomial goal = tightened(polynomial);
  if (goal.failed()) return false;
  if (const auto constant = goal.constant()) return *constant >= 0;
  if (goal.terms().size() > max_goal_terms) return false;
  const bool may_remember = case_facts_.empty();
  if (may_remember) {
    if (const auto known = proven_.find(goal); known != proven_.end()) return known->second;
  }
  const bool nested = nesting_ > 0;
  if (nested) {
    const auto known = scratch_.proven.find(goal);
    if (known != scratch_.proven.end()) return known->second;
  }
  if (nesting_ >= max_nesting || fails_at_witness(goal)) return false;
  ++nesting_;
  bool result = all_terms_nonnegative(goal);
  if (!result) {
    if (may_remember) prepare_pool();
    const std::vector<Polynomial> pool = pool_for(goal);
    const std::vector<Difference> edges = differences_of(goal, pool);
    int nodes = nesting_ == 1 ? max_search_nodes : max_search_nodes / 4;
    std::map<Polynomial, int, PolynomialLess> visited;
    result = follows_by_differences(goal, edges) || follows_by_least_values(goal, edges) ||
             search(goal, pool, max_search_depth, nodes, visited);
  }
  if (!result && (nesting_ <= 2 || !cases_.empty())) result = split(goal);
  --nesting_;
  const bool complete = sign_pending_.empty() && nesting_ == 0 && work_ > 0;
  if (may_remember && (result || complete) && proven_.size() < max_proven) {
    proven_.emplace(goal, result);
  } else if (nested) {
    scratch_.proven.emplace(goal, result);
  }
  return result;
}

bool Engine::search(const Polynomial& goal, const std::vector<Polynomial>& pool, int depth,
                    int& nodes, std::map<Polynomial, int, PolynomialLess>& visited) {
  if (goal.failed() || goal.terms().size() > max_goal_terms) return false;
  const Term* bad = nullptr;
  for (const Term& term : goal.terms()) {
    if (term.coefficient > 0 && monomial_nonnegative(term.monomial)) continue;
    bad = &term;
    break;
  }
  if (bad == nullptr) return true;
  if (depth == 0 || --nodes < 0 || work_ <= 0 || goal.constant()) return false;
  if (const auto known = visited.find(goal); known != visited.end() && known->second >= depth) {
    return false;
  }
  visited[goal] = depth;

  struct Candidate {
    Polynomial goal;
    std::array<std::size_t, 2> rank{};  ///< terms that are still bad; the order of the facts
  };
  std::vector<Candidate> candidates;
  for (const Polynomial& fact : pool) {
    work_ -= 1;
    for (const Term& term : fact.terms()) {
      if ((term.coefficient < 0) != (bad->coefficient < 0)) continue;
      const std::optional<Monomial> factor = bad->monomial.over(term.monomial);
      if (!factor || !monomial_nonnegative(*factor)) continue;
      // The lowest integer has no absolute value: nothing is proven with it.
      constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
      if (term.coefficient == lowest || bad->coefficient == lowest) continue;
      const std::int64_t g = std::gcd(term.coefficient, bad->coefficient);
      const std::int64_t scale = term.coefficient / g;
      const std::int64_t weight = bad->coefficient / g;
      const std::int64_t k = scale < 0 ? -scale : scale;
      const std::int64_t l = weight < 0 ? -weight : weight;
      if (k <= 0 || l <= 0) continue;
      Candidate next;
      next.goal =
          tightened(goal.times({Monomial(), k}) + Polynomial(k - 1) - fact.times({*factor, l}));
      work_ -= static_cast<std::int64_t>(fact.terms().size());
      if (next.goal.failed() || fails_at_witness(next.goal)) continue;
      const auto spoiled = std::ranges::count_if(next.goal.terms(), [&](const Term& left) {
        return left.coefficient < 0 || !monomial_nonnegative(left.monomial);
      });
      if (spoiled == 0) return true;
      next.rank = {static_cast<std::size_t>(spoiled), candidates.size()};
      candidates.push_back(std::move(next));
    }
  }
  std::ranges::sort(candidates, {}, &Candidate::rank);
  return std::ranges::any_of(candidates, [&](const Candidate& next) {
    return search(next.goal, pool, depth - 1, nodes, visited);
  });
}

// `min(a, b)` is `a` where `a <= b` and `b` where `b <= a`; the goal must hold in every case.
bool Engine::split(const Polynomial& goal) {
  if (cases_.size() >= max_case_depth) return false;
  std::optional<std::int32_t> extremum;
  std::vector<const Polynomial*> open{&goal};
  while (!open.empty() && !extremum) {
    const Polynomial& next = *open.back();
    open.pop_back();
    for (const Term& term : next.terms()) {
      for (const std::int32_t atom : term.monomial.atoms()) {
        const Atom& node = atoms_.at(atom);
        if (node.kind == AtomKind::min || node.kind == AtomKind::max) extremum = atom;
        if (node.kind == AtomKind::quotient || open.size() > 64) continue;
        for (const Polynomial& arg : node.args) open.push_back(&arg);
      }
    }
  }
  if (!extremum || cases_.contains(*extremum)) return false;
  const std::size_t known = case_facts_.size();
  const Scratch outer = scratch_;
  const bool is_min = atoms_.at(*extremum).kind == AtomKind::min;
  const std::vector<Polynomial> args = atoms_.at(*extremum).args;
  bool result = true;
  for (const Polynomial& chosen : args) {
    for (const Polynomial& other : args) {
      const Polynomial margin = is_min ? other - chosen : chosen - other;
      if (!margin.failed() && !margin.is_zero()) case_facts_.push_back(margin);
    }
    cases_[*extremum] = chosen;
    scratch_ = {};
    const Polynomial in_case = rebuild(goal);
    // Chosen twice over an empty list of facts would let conclusions be remembered.
    result = !in_case.failed() && case_facts_.size() > known && nonnegative(in_case);
    cases_.erase(*extremum);
    case_facts_.resize(known);
    if (!result) break;
  }
  scratch_ = outer;
  return result;
}

}  // namespace linnet::sema::dims
