// The pool of a proof: the facts that bear on its goal, and what is true of its atoms anyway.

#include <algorithm>
#include <set>
#include <utility>

#include "codegen/sema/dims/engine.hpp"

namespace linnet::sema::dims {
namespace {

constexpr std::size_t max_pool = 256;
constexpr std::size_t max_compared_quotients = 4;

std::int32_t representative(const std::map<std::int32_t, std::int32_t>& related,
                            std::int32_t leaf) {
  for (auto at = related.find(leaf); at != related.end() && at->second != leaf;) {
    leaf = at->second;
    at = related.find(leaf);
  }
  return leaf;
}

}  // namespace

void Engine::add_atom_bounds(std::int32_t atom, std::vector<Polynomial>& pool) {
  const Atom& node = atoms_.at(atom);
  const Polynomial self = Polynomial::atom(atom);
  const auto add = [&](Polynomial bound) {
    if (!bound.failed()) pool.push_back(std::move(bound));
  };
  switch (node.kind) {
    case AtomKind::symbol:
    case AtomKind::pack_size:
    case AtomKind::quotient:
      return;
    case AtomKind::min:
      for (const Polynomial& arg : node.args) add(arg - self);
      return;
    case AtomKind::max:
      for (const Polynomial& arg : node.args) add(self - arg);
      return;
    case AtomKind::floordiv:
    case AtomKind::mod:
      break;
  }
  const Polynomial& x = node.args[0];
  const Polynomial& n = node.args[1];
  if (nonnegative(x)) add(x - self);  // x / n <= x and x % n <= x
  if (!positive(n)) return;
  const Polynomial whole = node.kind == AtomKind::floordiv ? product(n, self) : x - self;
  add(n - Polynomial(1) - (x - whole));
  if (node.kind == AtomKind::floordiv) {
    add(x - whole);
  } else {
    // x == n * (x / n) + x % n, where the division is spoken of.
    const Polynomial back = product(n, make_floordiv(x, n)) + self - x;
    add(back);
    add(-back);
  }
}

void Engine::add_bounds(const Polynomial& of, std::vector<Polynomial>& pool,
                        std::vector<bool>& seen) {
  std::size_t next = pool.size();
  const auto visit = [&](const Polynomial& polynomial) {
    for (const Term& term : polynomial.terms()) {
      for (const std::int32_t atom : term.monomial.atoms()) {
        const auto index = static_cast<std::size_t>(atom);
        if (seen.size() <= index) seen.resize(atoms_.size());
        if (seen[index] || pool.size() > max_pool) continue;
        seen[index] = true;
        add_atom_bounds(atom, pool);
      }
    }
  };
  visit(of);
  for (; next < pool.size(); ++next) {
    const Polynomial bound = pool[next];  // a copy: visiting grows the pool
    visit(bound);
  }
}

void Engine::relate_leaves() {
  related_.clear();
  for (const Polynomial& fact : pool_) {
    const auto leaves = leaves_of(fact);
    for (const std::int32_t leaf : leaves) {
      related_[representative(related_, leaf)] = representative(related_, leaves.front());
    }
  }
}

void Engine::prepare_pool() {
  if (pool_ready_) return;
  pool_ready_ = true;  // proofs made on the way do with the facts alone
  pool_ = facts_;
  relate_leaves();
  std::vector<Polynomial> pool = facts_;
  std::vector<bool> seen;
  for (const Polynomial& fact : facts_) add_bounds(fact, pool, seen);
  if (work_ <= 0) {
    pool_ready_ = false;
    return;
  }
  pool_ = std::move(pool);
  pool_atoms_ = std::move(seen);
  relate_leaves();
}

std::vector<std::int32_t> Engine::leaves_of(const Polynomial& polynomial) const {
  std::vector<std::int32_t> leaves;
  for (const Term& term : polynomial.terms()) {
    for (const std::int32_t atom : term.monomial.atoms()) {
      const auto& of_atom = atoms_.at(atom).leaves;
      leaves.insert(leaves.end(), of_atom.begin(), of_atom.end());
    }
  }
  return leaves;
}

// Facts about other symbols than the goal's, and than those that facts relate to them, prove
// nothing; left in, they would only use up the budget.
std::vector<Polynomial> Engine::pool_for(const Polynomial& goal) {
  std::set<std::int32_t> wanted;
  for (const std::int32_t leaf : leaves_of(goal)) wanted.insert(representative(related_, leaf));
  std::vector<Polynomial> pool;
  for (const Polynomial& fact : pool_) {
    const auto leaves = leaves_of(fact);
    if (!leaves.empty() && wanted.contains(representative(related_, leaves.front()))) {
      pool.push_back(fact);
    }
  }
  const std::vector<Polynomial> assumed = case_facts_;  // the originals move with deeper cases
  pool.insert(pool.end(), assumed.begin(), assumed.end());
  std::vector<bool> seen = pool_atoms_;
  for (const Polynomial& fact : assumed) add_bounds(fact, pool, seen);
  add_bounds(goal, pool, seen);
  add_monotonic_quotients(goal, pool);
  return pool;
}

// `a <= b` with `n >= m > 0` makes `a / n <= b / m`; of an `a` that may be negative, only where
// `n == m`.
void Engine::add_monotonic_quotients(const Polynomial& goal, std::vector<Polynomial>& pool) {
  std::vector<std::int32_t> quotients;
  for (const Term& term : goal.terms()) {
    for (const std::int32_t atom : term.monomial.atoms()) {
      const bool known = std::ranges::find(quotients, atom) != quotients.end();
      if (atoms_.at(atom).kind == AtomKind::floordiv && !known) quotients.push_back(atom);
    }
  }
  if (quotients.size() > max_compared_quotients) return;
  for (const std::int32_t low : quotients) {
    for (const std::int32_t high : quotients) {
      if (low == high) continue;
      const Polynomial& a = atoms_.at(low).args[0];
      const Polynomial& n = atoms_.at(low).args[1];
      const Polynomial& b = atoms_.at(high).args[0];
      const Polynomial& m = atoms_.at(high).args[1];
      if (!nonnegative(b - a) || !positive(m)) continue;
      if (!(n == m) && !(nonnegative(n - m) && nonnegative(a))) continue;
      pool.push_back(Polynomial::atom(high) - Polynomial::atom(low));
    }
  }
}

}  // namespace linnet::sema::dims
