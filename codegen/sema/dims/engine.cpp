#include "codegen/sema/dims/engine.hpp"

#include <algorithm>
#include <utility>

#include "codegen/sema/dims/canonical.hpp"

namespace linnet::sema::dims {
namespace {

/// More facts than this are not looked at, and more rounds than this not made. Leaving facts out
/// is sound.
constexpr std::size_t max_facts = 128;
constexpr int max_rounds = 64;
constexpr std::int64_t question_work = 20'000;

}  // namespace

void Engine::assume(std::span<const ir::Constraint> facts) {
  work_ = question_work * 4;
  std::vector<ir::Constraint> sorted;
  sorted.reserve(facts.size());
  for (const ir::Constraint& fact : facts) sorted.push_back(canonical(fact));
  std::ranges::sort(sorted, [](const auto& a, const auto& b) { return compare(a, b) < 0; });
  number_leaves(sorted);
  for (const ir::Constraint& fact :
       std::span<const ir::Constraint>(sorted).first(std::min(sorted.size(), max_facts))) {
    const Polynomial lhs = normal_form(fact.lhs);
    const Polynomial rhs = normal_form(fact.rhs);
    switch (fact.relation) {
      case ir::Relation::eq:
        equations_.push_back(lhs - rhs);
        break;
      case ir::Relation::ne:
        distinct_.push_back(lhs - rhs);
        break;
      case ir::Relation::lt:
        add_fact(rhs - lhs - Polynomial(1));
        break;
      case ir::Relation::le:
        add_fact(rhs - lhs);
        break;
      case ir::Relation::gt:
        add_fact(lhs - rhs - Polynomial(1));
        break;
      case ir::Relation::ge:
        add_fact(lhs - rhs);
        break;
    }
  }
  for (int round = 0; round < max_rounds && work_ > 0; ++round) {
    if (!solve_equations() && !solve_divisibilities() && !strengthen_inequalities()) break;
  }
  keep_unsolved_equations();
  fold_by_proof_ = true;
  // From here on proofs fold, and what the facts became is folded with them.
  for (auto& [atom, by] : replaced_) {
    if (Polynomial folded = rebuild(by); !folded.failed()) by = std::move(folded);
  }
  std::vector<Polynomial> folded;
  for (const Polynomial& fact : facts_) {
    Polynomial again = reduced(rebuild(fact));
    if (!again.failed() && !(again == fact)) folded.push_back(std::move(again));
  }
  for (const Polynomial& fact : folded) add_fact(fact);
  forget_conclusions();
}

// Leaves first, in the order of their declarations, so that no order of monomials depends on which
// fact comes first.
void Engine::number_leaves(const std::vector<ir::Constraint>& facts) {
  std::vector<ir::Dim> leaves;
  const auto collect = [&](const auto& self, const ir::Dim& dim) -> void {
    const bool is_leaf = dim->kind == ir::DimKind::symbol || dim->kind == ir::DimKind::pack_size;
    if (is_leaf) leaves.push_back(dim);
    for (const ir::Dim& arg : dim->args) self(self, arg);
  };
  for (const ir::Constraint& fact : facts) {
    collect(collect, fact.lhs);
    collect(collect, fact.rhs);
  }
  std::ranges::sort(leaves, [](const auto& a, const auto& b) { return compare(a, b) < 0; });
  for (const ir::Dim& leaf : leaves) {
    const bool is_symbol = leaf->kind == ir::DimKind::symbol;
    (void)atoms_.leaf(is_symbol ? AtomKind::symbol : AtomKind::pack_size, leaf->id, leaf->name);
  }
}

bool Engine::add_fact(const Polynomial& nonnegative) {
  const Polynomial fact = tightened(nonnegative);
  if (fact.failed() || fact.constant()) return false;
  if (std::ranges::find(facts_, fact) != facts_.end()) return false;
  facts_.push_back(fact);
  forget_conclusions();
  return true;
}

void Engine::forget_conclusions() {
  proven_.clear();
  sign_.clear();
  pool_.clear();
  pool_atoms_.clear();
  related_.clear();
  pool_ready_ = false;
  witnesses_.clear();
  witnesses_ready_ = false;
  scratch_ = {};
}

// The atom that an equation determines: it stands alone, with coefficient 1 or -1. Symbols go
// first, then those that leave no subtraction behind, then the last declared.
std::optional<std::int32_t> Engine::solvable_atom(const Polynomial& equation) const {
  std::optional<std::int32_t> best;
  std::array<int, 3> best_cost{};
  for (const Term& term : equation.terms()) {
    if (term.monomial.degree() != 1 || (term.coefficient != 1 && term.coefficient != -1)) continue;
    const std::int32_t atom = term.monomial.atoms()[0];
    const Polynomial rest = equation - Polynomial(term);
    if (rest.failed() || atoms_.occurs(atom, rest)) continue;
    const Atom& node = atoms_.at(atom);
    int subtractions = 0;
    for (const Term& other : rest.terms()) {
      if ((other.coefficient < 0) == (term.coefficient < 0)) ++subtractions;
    }
    const int rank = node.kind == AtomKind::symbol ? 0 : node.args.empty() ? 1 : 2;
    const std::array<int, 3> cost{rank, subtractions, -node.id};
    if (!best || cost < best_cost) {
      best = atom;
      best_cost = cost;
    }
  }
  return best;
}

void Engine::replace(std::int32_t atom, const Polynomial& by) {
  const bool was_nonnegative = atom_nonnegative(atom);
  // What is true of an operator by itself stays true of what it is equal to: `A % 2 == 1` makes A
  // positive. A remainder of 0 says the same as a divisibility, which says it better.
  std::vector<Polynomial> bounds;
  if (!by.is_zero()) add_atom_bounds(atom, bounds);
  replaced_[atom] = by;
  forget_conclusions();
  const auto renew = [&](Polynomial& polynomial) { polynomial = rebuild(polynomial); };
  std::map<std::int32_t, Polynomial> older;
  for (auto it = replaced_.begin(); it != replaced_.end();) {
    const Atom& node = atoms_.at(it->first);
    const bool rewritten = it->first != atom && std::ranges::any_of(node.args, [&](const auto& a) {
                             return node.kind != AtomKind::quotient && atoms_.occurs(atom, a);
                           });
    if (!rewritten) {
      ++it;
      continue;
    }
    // Nothing is written like this any more; what it was equal to still holds.
    older.insert(replaced_.extract(it++));
  }
  for (auto& [key, value] : older) {
    equations_.push_back(rebuild(Polynomial::atom(key)) - rebuild(value));
  }
  for (auto& [key, value] : replaced_) {
    if (key != atom) renew(value);
  }
  for (Polynomial& fact : facts_) fact = tightened(rebuild(fact));
  for (Polynomial& equation : equations_) renew(equation);
  for (Polynomial& difference : distinct_) renew(difference);
  for (Divisibility& known : divisibilities_) {
    renew(known.dividend);
    renew(known.divisor);
  }
  std::erase_if(
      facts_, [](const Polynomial& fact) { return fact.failed() || fact.constant().has_value(); });
  forget_conclusions();
  if (was_nonnegative) add_fact(by);
  for (const Polynomial& bound : bounds) add_fact(rebuild(bound));
}

// Works in equations that determine an atom. Equations about a remainder alone are set aside as
// divisibilities.
bool Engine::solve_equations() {
  bool changed = false;
  for (std::size_t i = 0; i < equations_.size();) {
    const Polynomial equation = equations_[i];
    const auto drop = [&] {
      equations_.erase(equations_.begin() + static_cast<std::ptrdiff_t>(i));
    };
    if (equation.failed() || equation.constant()) {
      drop();
      continue;
    }
    if (equation.terms().size() == 1 && equation.terms()[0].monomial.degree() == 1) {
      const std::int32_t atom = equation.terms()[0].monomial.atoms()[0];
      const Atom& node = atoms_.at(atom);
      drop();
      if (node.kind == AtomKind::mod) divisibilities_.push_back({node.args[0], node.args[1]});
      replace(atom, Polynomial());
      return true;
    }
    // x - n * (x / n) == 0 says that n divides x.
    for (const Term& term : equation.terms()) {
      for (const std::int32_t atom : term.monomial.atoms()) {
        const Atom& node = atoms_.at(atom);
        if (node.kind != AtomKind::floordiv) continue;
        const Polynomial rest = node.args[0] - product(node.args[1], Polynomial::atom(atom));
        if (rest.failed() || !(rest == equation || rest == -equation)) continue;
        drop();
        divisibilities_.push_back({node.args[0], node.args[1]});
        return true;
      }
    }
    const std::optional<std::int32_t> atom = solvable_atom(equation);
    if (!atom) {
      ++i;
      continue;
    }
    const Polynomial self = Polynomial::atom(*atom);
    const bool positive_sign = std::ranges::any_of(equation.terms(), [&](const Term& term) {
      return term.monomial == Monomial(*atom) && term.coefficient == 1;
    });
    const Polynomial by = positive_sign ? self - equation : self + equation;
    drop();
    if (by.failed()) continue;
    replace(*atom, by);
    changed = true;
    i = 0;  // everything was rewritten
  }
  return changed;
}

// n divides x: then x is n * q. Where that determines a symbol of x, the symbol goes, and q is a
// new atom; otherwise products n * (x / n) become x.
bool Engine::solve_divisibilities() {
  for (std::size_t i = 0; i < divisibilities_.size(); ++i) {
    const Divisibility known = divisibilities_[i];
    if (known.dividend.failed() || known.divisor.failed() ||
        divide(known.dividend, known.divisor).remainder.is_zero()) {
      divisibilities_.erase(divisibilities_.begin() + static_cast<std::ptrdiff_t>(i));
      return true;
    }
    if (!positive(known.divisor)) continue;
    divisibilities_.erase(divisibilities_.begin() + static_cast<std::ptrdiff_t>(i));
    const Polynomial quotient = atoms_.node(AtomKind::quotient, {known.dividend, known.divisor});
    const Polynomial equation = known.dividend - product(known.divisor, quotient);
    const auto name = quotient.single_atom();
    if (!name || equation.failed()) return true;
    std::optional<std::int32_t> atom = solvable_atom(known.dividend);
    if (atom && atoms_.occurs(*atom, known.divisor)) atom.reset();
    if (atom && !replaced_.contains(*name)) {
      quotient_nonnegative_[*name] = nonnegative(known.dividend);
      const Polynomial self = Polynomial::atom(*atom);
      const bool positive_sign = std::ranges::any_of(known.dividend.terms(), [&](const Term& t) {
        return t.monomial == Monomial(*atom) && t.coefficient == 1;
      });
      replace(*atom, positive_sign ? self - equation : self + equation);
    } else {
      const Polynomial division = make_floordiv(known.dividend, known.divisor);
      equations_.push_back(product(known.divisor, division) - known.dividend);
      if (const auto divided = division.single_atom()) {
        // Not again as a divisibility, which it would be by its form.
        const Polynomial kept = equations_.back();
        equations_.pop_back();
        if (!kept.failed() && !kept.is_zero()) {
          add_fact(kept);
          add_fact(-kept);
          const Term lead = kept.terms().front();
          if (lead.coefficient == 1 && lead.monomial.contains(*divided)) {
            rules_.push_back({lead.monomial, Polynomial(lead) - kept});
          }
        }
      }
    }
    return true;
  }
  return false;
}

// `a * x >= b + 1` with nothing negative in it makes `x >= 1`.
bool Engine::find_positive_factors() {
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    const Polynomial fact = facts_[i];
    if (fact.constant_term() >= 0) continue;
    bool all_nonnegative = true;
    std::vector<Term> gains;
    for (const Term& term : fact.terms()) {
      all_nonnegative = all_nonnegative && monomial_nonnegative(term.monomial);
      if (term.coefficient > 0) gains.push_back(term);
    }
    if (!all_nonnegative) continue;
    const Monomial factors = Polynomial::from_terms(gains).common_monomial();
    if (factors.degree() == 1 && fact == Polynomial::atom(factors.atoms()[0]) - Polynomial(1)) {
      continue;
    }
    for (const std::int32_t atom : factors.atoms()) {
      if (add_fact(Polynomial::atom(atom) - Polynomial(1))) return true;
    }
  }
  return false;
}

// `p != 0` with `p >= 0` is `p >= 1`; `p >= 0` with `-p >= 0` is `p == 0`.
bool Engine::strengthen_inequalities() {
  for (std::size_t i = 0; i < distinct_.size(); ++i) {
    const Polynomial difference = distinct_[i];
    const auto use = [&](const Polynomial& side) {
      distinct_.erase(distinct_.begin() + static_cast<std::ptrdiff_t>(i));
      add_fact(side - Polynomial(1));
    };
    for (const Polynomial& side : {difference, -difference}) {
      if (!nonnegative(side)) continue;
      use(side);
      return true;
    }
  }
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    const Polynomial opposite = -facts_[i];
    if (!solvable_atom(facts_[i]) || std::ranges::find(facts_, opposite) == facts_.end()) {
      continue;
    }
    equations_.push_back(facts_[i]);
    std::erase(facts_, opposite);
    forget_conclusions();
    return true;
  }
  return find_positive_factors();
}

void Engine::keep_unsolved_equations() {
  for (const Polynomial& equation : equations_) {
    if (equation.failed() || equation.constant()) continue;
    const Term lead = equation.terms().front();
    if (lead.coefficient == 1) rules_.push_back({lead.monomial, Polynomial(lead) - equation});
    if (lead.coefficient == -1) {
      rules_.push_back({lead.monomial, equation - Polynomial(lead)});
    }
    add_fact(equation);
    add_fact(-equation);
  }
  equations_.clear();
}

bool Engine::is_zero(const Polynomial& difference) {
  if (difference.failed()) return false;
  if (difference.constant()) return difference.is_zero();
  return nonnegative(difference) && nonnegative(-difference);
}

bool Engine::is_distinct(const Polynomial& difference) {
  if (difference.failed()) return false;
  if (const auto constant = difference.constant()) return *constant != 0;
  // No integer multiple of g is -c when g does not divide c.
  if (const std::int64_t g = difference.content(false);
      g > 1 && difference.constant_term() % g != 0) {
    return true;
  }
  const bool known = std::ranges::any_of(distinct_, [&](const Polynomial& other) {
    return other == difference || other == -difference;
  });
  return known || positive(difference) || positive(-difference);
}

Polynomial Engine::simplified(const ir::Dim& dim) {
  work_ = question_work;
  scratch_ = {};
  return reduced(normal_form(dim));
}

bool Engine::holds(ir::Relation relation, const ir::Dim& lhs, const ir::Dim& rhs) {
  work_ = question_work;
  scratch_ = {};
  const Polynomial difference = reduced(normal_form(lhs) - normal_form(rhs));
  if (difference.failed()) return false;
  switch (relation) {
    case ir::Relation::eq:
      return is_zero(difference);
    case ir::Relation::ne:
      return is_distinct(difference);
    case ir::Relation::lt:
      return positive(-difference);
    case ir::Relation::le:
      return nonnegative(-difference);
    case ir::Relation::gt:
      return positive(difference);
    case ir::Relation::ge:
      return nonnegative(difference);
  }
  return false;
}

}  // namespace linnet::sema::dims
