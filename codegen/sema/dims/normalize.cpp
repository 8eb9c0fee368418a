// Expressions to polynomials, and the folds of divisions, remainders and extrema.

#include <algorithm>
#include <numeric>
#include <utility>

#include "codegen/sema/dims/build.hpp"
#include "codegen/sema/dims/engine.hpp"

namespace linnet::sema::dims {
namespace {

/// Whether a remainder looks negative: `A - 1` over `A` leaves -1.
bool may_be_below(const Polynomial& remainder) {
  return !remainder.terms().empty() && remainder.terms().front().coefficient < 0;
}

}  // namespace

Polynomial Engine::normal_form(const ir::Dim& dim) {
  normalized_.clear();
  Polynomial result = normalize(dim, 0);
  normalized_.clear();
  return result;
}

Polynomial Engine::normalize(const ir::Dim& dim, int depth) {
  if (dim == nullptr || depth > max_dim_depth) return Polynomial::failure();
  if (const auto found = normalized_.find(dim.get()); found != normalized_.end()) {
    return found->second;
  }
  if (normalized_.size() > max_dim_nodes || --work_ < 0) return Polynomial::failure();
  std::vector<Polynomial> args;
  args.reserve(dim->args.size());
  for (const ir::Dim& arg : dim->args) {
    args.push_back(normalize(arg, depth + 1));
    if (args.back().failed()) return args.back();
  }
  const bool binary = args.size() == 2;
  Polynomial result = Polynomial::failure();
  switch (dim->kind) {
    case ir::DimKind::constant:
      result = Polynomial(dim->value);
      break;
    case ir::DimKind::symbol:
      result = value(atoms_.leaf(AtomKind::symbol, dim->id, dim->name));
      break;
    case ir::DimKind::pack_size:
      result = value(atoms_.leaf(AtomKind::pack_size, dim->id, dim->name));
      break;
    case ir::DimKind::add:
      result = Polynomial();
      for (const Polynomial& arg : args) result = result + arg;
      break;
    case ir::DimKind::mul:
      result = Polynomial(1);
      for (const Polynomial& arg : args) result = product(result, arg);
      break;
    case ir::DimKind::floordiv:
      if (binary) result = make_floordiv(args[0], args[1]);
      break;
    case ir::DimKind::mod:
      if (binary) result = make_mod(args[0], args[1]);
      break;
    case ir::DimKind::min:
      if (!args.empty()) result = make_extremum(AtomKind::min, std::move(args));
      break;
    case ir::DimKind::max:
      if (!args.empty()) result = make_extremum(AtomKind::max, std::move(args));
      break;
  }
  normalized_.emplace(dim.get(), result);
  return result;
}

Polynomial Engine::product(const Polynomial& a, const Polynomial& b) {
  work_ -= static_cast<std::int64_t>(a.terms().size() * b.terms().size()) / 16;
  if (work_ < 0) return Polynomial::failure();
  return reduced(a * b);
}

Polynomial Engine::reduced(Polynomial polynomial) const {
  if (rules_.empty()) return polynomial;
  // Every rewrite makes one monomial smaller; the limit is for long chains of them.
  for (int step = 0; step < 64 && !polynomial.failed(); ++step) {
    bool changed = false;
    for (const Term& term : polynomial.terms()) {
      for (const Rule& rule : rules_) {
        const std::optional<Monomial> factor = term.monomial.over(rule.lead);
        if (!factor) continue;
        polynomial =
            polynomial - Polynomial(term) + rule.rest.times(Term{*factor, term.coefficient});
        changed = true;
        break;
      }
      if (changed) break;
    }
    if (!changed) break;
  }
  return polynomial;
}

Polynomial Engine::value(const Polynomial& atom) const {
  const std::optional<std::int32_t> number = atom.single_atom();
  if (!number) return atom;
  if (const auto found = cases_.find(*number); found != cases_.end()) return found->second;
  if (const auto found = replaced_.find(*number); found != replaced_.end()) return found->second;
  return atom;
}

Polynomial Engine::rebuild(const Polynomial& polynomial) {
  // Folding may prove something, and that may rebuild under other cases.
  const auto outer = std::exchange(rebuilt_, {});
  Polynomial result;
  for (const Term& term : polynomial.terms()) {
    Polynomial part(Term{Monomial(), term.coefficient});
    for (const std::int32_t atom : term.monomial.atoms()) part = product(part, rebuild_atom(atom));
    result = result + part;
  }
  rebuilt_ = outer;
  return polynomial.failed() ? polynomial : result;
}

Polynomial Engine::rebuild_atom(std::int32_t atom) {
  const Polynomial itself = Polynomial::atom(atom);
  if (Polynomial known = value(itself); !(known == itself)) return known;
  if (const auto found = rebuilt_.find(atom); found != rebuilt_.end()) return found->second;
  const Atom& node = atoms_.at(atom);
  // A quotient stands for a number that the facts determine; how it was found stays as it was.
  if (node.args.empty() || node.kind == AtomKind::quotient) return itself;
  std::vector<Polynomial> args;
  for (const Polynomial& arg : node.args) {
    Polynomial fresh;
    for (const Term& term : arg.terms()) {
      Polynomial part(Term{Monomial(), term.coefficient});
      for (const std::int32_t inner : term.monomial.atoms()) {
        part = product(part, rebuild_atom(inner));
      }
      fresh = fresh + part;
    }
    args.push_back(std::move(fresh));
  }
  Polynomial result = Polynomial::failure();
  switch (node.kind) {
    case AtomKind::floordiv:
      result = make_floordiv(args[0], args[1]);
      break;
    case AtomKind::mod:
      result = make_mod(args[0], args[1]);
      break;
    default:
      result = make_extremum(node.kind, std::move(args));
      break;
  }
  rebuilt_.emplace(atom, result);
  return result;
}

Polynomial Engine::make_node(AtomKind kind, const std::vector<Polynomial>& args) {
  return value(atoms_.node(kind, args));
}

bool Engine::in_range(const Polynomial& remainder, const Polynomial& divisor) {
  return fold_by_proof_ && nonnegative(divisor - remainder - Polynomial(1)) &&
         nonnegative(remainder);
}

// With `a == q * b + r`, `a / b` is `q + r / b`; what is left of `r / b` is cancelled and, when
// the remainder is provably in `0 .. b - 1`, gone. All of this holds for a positive `b`, and an
// expression that divides by anything else has no value that a proof could be about.
Polynomial Engine::make_floordiv(const Polynomial& a, const Polynomial& b) {
  if (a.failed() || b.failed() || b.is_zero()) return Polynomial::failure();
  if (const auto c = b.constant(); c && *c <= 0) return Polynomial::failure();
  Division split = divide(a, b);
  Polynomial& rest = split.remainder;
  if (rest.is_zero()) return split.quotient;
  if (b.constant() && rest.constant()) return split.quotient;
  if (in_range(rest, b)) return split.quotient;
  if (may_be_below(rest) && in_range(rest + b, b)) return split.quotient - Polynomial(1);

  Polynomial divisor = b;
  bool cancelled = false;
  // (g * x + k) / (g * y) == (x + k / g) / y for 0 <= k < g.
  if (const std::int64_t g = std::gcd(rest.content(false), divisor.content(true)); g > 1) {
    const std::int64_t k = rest.constant_term();
    const Polynomial multiple = rest - Polynomial(k);
    rest = multiple.exactly_over({Monomial(), g}) + Polynomial(floor_divide(k, g));
    divisor = divisor.exactly_over({Monomial(), g});
    cancelled = true;
  }
  if (const Monomial shared = rest.common_monomial().common(divisor.common_monomial());
      shared.degree() > 0 && monomial_nonnegative(shared)) {
    rest = rest.exactly_over({shared, 1});
    divisor = divisor.exactly_over({shared, 1});
    cancelled = true;
  }
  // (x / m + k) / n == (x + k * m) / (m * n).
  const std::int64_t k = rest.constant_term();
  if (const auto inner = (rest - Polynomial(k)).single_atom();
      inner && atoms_.at(*inner).kind == AtomKind::floordiv) {
    const Atom& node = atoms_.at(*inner);
    rest = node.args[0] + product(Polynomial(k), node.args[1]);
    divisor = product(divisor, node.args[1]);
    cancelled = true;
  }
  if (cancelled) {
    if (--work_ < 0) return Polynomial::failure();
    return split.quotient + make_floordiv(rest, divisor);
  }
  return split.quotient + make_node(AtomKind::floordiv, {rest, divisor});
}

Polynomial Engine::make_mod(const Polynomial& a, const Polynomial& b) {
  if (a.failed() || b.failed() || b.is_zero()) return Polynomial::failure();
  if (const auto c = b.constant(); c && *c <= 0) return Polynomial::failure();
  Polynomial rest = divide(a, b).remainder;
  // (x % m + y) % b == (x + y) % b when b divides m.
  for (const Term& term : rest.terms()) {
    if (term.monomial.degree() != 1) continue;
    const Atom& node = atoms_.at(term.monomial.atoms()[0]);
    if (node.kind != AtomKind::mod || !divide(node.args[1], b).remainder.is_zero()) continue;
    if (--work_ < 0) return Polynomial::failure();
    return make_mod(rest - Polynomial(term) + node.args[0].times({Monomial(), term.coefficient}),
                    b);
  }
  if (rest.is_zero() || (rest.constant() && b.constant())) return rest;
  if (in_range(rest, b)) return rest;
  if (may_be_below(rest) && in_range(rest + b, b)) return rest + b;

  // (g * x) % (g * y) == g * (x % y).
  Term factor{rest.common_monomial().common(b.common_monomial()),
              std::gcd(rest.content(true), b.content(true))};
  if (!monomial_nonnegative(factor.monomial)) factor.monomial = Monomial();
  if (factor.coefficient == 1 && factor.monomial.degree() == 0) {
    return make_node(AtomKind::mod, {rest, b});
  }
  if (--work_ < 0) return Polynomial::failure();
  return product(Polynomial(factor), make_mod(rest.exactly_over(factor), b.exactly_over(factor)));
}

Polynomial Engine::make_extremum(AtomKind kind, std::vector<Polynomial> args) {
  // Nested extrema of one kind are one.
  std::vector<Polynomial> flat;
  for (const Polynomial& arg : args) {
    if (arg.failed()) return arg;
    const auto inner = arg.single_atom();
    if (inner && atoms_.at(*inner).kind == kind) {
      const auto& nested = atoms_.at(*inner).args;
      flat.insert(flat.end(), nested.begin(), nested.end());
    } else {
      flat.push_back(arg);
    }
  }
  if (flat.size() > 16) return Polynomial::failure();
  // Drop what another argument always beats.
  for (std::size_t i = 0; i < flat.size(); ++i) {
    for (std::size_t j = 0; j < flat.size();) {
      const Polynomial margin = kind == AtomKind::min ? flat[j] - flat[i] : flat[i] - flat[j];
      const bool beaten = i != j && !margin.failed() &&
                          (fold_by_proof_ ? nonnegative(margin) : all_terms_nonnegative(margin));
      if (!beaten) {
        ++j;
        continue;
      }
      flat.erase(flat.begin() + static_cast<std::ptrdiff_t>(j));
      if (j < i) --i;
    }
  }
  // Take out the terms that all arguments have: min(a + c, b + c) == min(a, b) + c.
  std::vector<Term> shared = flat.front().terms();
  for (const Polynomial& arg : flat) {
    std::erase_if(shared, [&](const Term& term) {
      return std::ranges::none_of(arg.terms(), [&](const Term& other) {
        return other.monomial == term.monomial && other.coefficient == term.coefficient;
      });
    });
  }
  const Polynomial common = Polynomial::from_terms(shared);
  if (flat.size() == 1) return flat.front();
  for (Polynomial& arg : flat) arg = arg - common;
  std::ranges::sort(flat, PolynomialLess());
  return common + make_node(kind, flat);
}

}  // namespace linnet::sema::dims
