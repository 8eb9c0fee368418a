#include "codegen/sema/dims/polynomial.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace linnet::sema::dims {

bool Monomial::contains(std::int32_t atom) const {
  return std::ranges::find(atoms(), atom) != atoms().end();
}

std::optional<Monomial> Monomial::times(const Monomial& other) const {
  if (degree_ + other.degree_ > max_degree) return std::nullopt;
  Monomial product;
  product.degree_ = degree_ + other.degree_;
  std::ranges::merge(atoms(), other.atoms(), product.atoms_.begin());
  return product;
}

std::optional<Monomial> Monomial::over(const Monomial& other) const {
  Monomial rest;
  std::size_t next = 0;
  for (const std::int32_t atom : atoms()) {
    if (next < other.degree_ && other.atoms_[next] == atom) {
      ++next;
    } else {
      rest.atoms_[rest.degree_++] = atom;
    }
  }
  if (next != other.degree_) return std::nullopt;
  return rest;
}

Monomial Monomial::common(const Monomial& other) const {
  Monomial shared;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < degree_ && j < other.degree_) {
    if (atoms_[i] == other.atoms_[j]) {
      shared.atoms_[shared.degree_++] = atoms_[i];
      ++i;
      ++j;
    } else if (atoms_[i] < other.atoms_[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  return shared;
}

int Monomial::compare(const Monomial& a, const Monomial& b) {
  if (a.degree_ != b.degree_) return a.degree_ < b.degree_ ? -1 : 1;
  for (std::size_t i = 0; i < a.degree_; ++i) {
    if (a.atoms_[i] != b.atoms_[i]) return a.atoms_[i] < b.atoms_[i] ? -1 : 1;
  }
  return 0;
}

Polynomial::Polynomial(std::int64_t constant) {
  if (constant != 0) terms_.push_back({Monomial{}, constant});
}

Polynomial::Polynomial(Term term) {
  if (term.coefficient != 0) terms_.push_back(term);
}

Polynomial Polynomial::atom(std::int32_t atom) {
  return Polynomial(Term{Monomial(atom), 1});
}

Polynomial Polynomial::failure() {
  Polynomial failure;
  failure.failed_ = true;
  return failure;
}

Polynomial Polynomial::from_terms(std::vector<Term> terms) {
  std::ranges::sort(terms, [](const Term& a, const Term& b) {
    return Monomial::compare(a.monomial, b.monomial) > 0;
  });
  Polynomial result;
  for (const Term& term : terms) {
    if (!result.terms_.empty() && result.terms_.back().monomial == term.monomial) {
      std::int64_t& sum = result.terms_.back().coefficient;
      if (__builtin_add_overflow(sum, term.coefficient, &sum)) return failure();
    } else {
      if (!result.terms_.empty() && result.terms_.back().coefficient == 0) {
        result.terms_.pop_back();
      }
      result.terms_.push_back(term);
    }
  }
  if (!result.terms_.empty() && result.terms_.back().coefficient == 0) result.terms_.pop_back();
  if (result.terms_.size() > max_terms) return failure();
  return result;
}

std::optional<std::int64_t> Polynomial::constant() const {
  if (failed_) return std::nullopt;
  if (terms_.empty()) return 0;
  if (terms_.front().monomial.degree() == 0) return terms_.front().coefficient;
  return std::nullopt;
}

std::int64_t Polynomial::constant_term() const {
  return !terms_.empty() && terms_.back().monomial.degree() == 0 ? terms_.back().coefficient : 0;
}

std::optional<std::int32_t> Polynomial::single_atom() const {
  if (terms_.size() != 1 || terms_[0].coefficient != 1 || terms_[0].monomial.degree() != 1) {
    return std::nullopt;
  }
  return terms_[0].monomial.atoms()[0];
}

std::int64_t Polynomial::content(bool with_constant) const {
  std::uint64_t divisor = 0;
  for (const Term& term : terms_) {
    if (!with_constant && term.monomial.degree() == 0) continue;
    const auto bits = static_cast<std::uint64_t>(term.coefficient);
    divisor = std::gcd(divisor, term.coefficient < 0 ? 0 - bits : bits);
  }
  // Only coefficients of -2^63 alone have a divisor that does not fit; 1 is always right.
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return divisor > largest ? 1 : static_cast<std::int64_t>(divisor);
}

Monomial Polynomial::common_monomial() const {
  if (terms_.empty()) return {};
  Monomial shared = terms_.front().monomial;
  for (const Term& term : terms_) shared = shared.common(term.monomial);
  return shared;
}

namespace {

/// Merges two sorted term lists, the second one scaled by 1 or -1.
Polynomial merge(const Polynomial& a, const Polynomial& b, bool subtract) {
  if (a.failed() || b.failed()) return Polynomial::failure();
  std::vector<Term> terms;
  terms.reserve(a.terms().size() + b.terms().size());
  terms = a.terms();
  for (Term term : b.terms()) {
    if (subtract && __builtin_sub_overflow(0, term.coefficient, &term.coefficient)) {
      return Polynomial::failure();
    }
    terms.push_back(term);
  }
  return Polynomial::from_terms(std::move(terms));
}

}  // namespace

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  return merge(a, b, false);
}
Polynomial operator-(const Polynomial& a, const Polynomial& b) {
  return merge(a, b, true);
}
Polynomial Polynomial::operator-() const {
  return Polynomial() - *this;
}

Polynomial Polynomial::times(const Term& term) const {
  if (failed_) return failure();
  if (term.coefficient == 0) return {};
  Polynomial result;
  result.terms_.reserve(terms_.size());
  for (const Term& own : terms_) {
    Term product;
    const std::optional<Monomial> monomial = own.monomial.times(term.monomial);
    if (!monomial ||
        __builtin_mul_overflow(own.coefficient, term.coefficient, &product.coefficient)) {
      return failure();
    }
    product.monomial = *monomial;
    result.terms_.push_back(product);
  }
  return result;  // the order of monomials is compatible with multiplication
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  if (a.failed() || b.failed()) return Polynomial::failure();
  if (a.terms_.size() * b.terms_.size() > std::size_t{16} * Polynomial::max_terms) {
    return Polynomial::failure();
  }
  std::vector<Term> terms;
  terms.reserve(a.terms_.size() * b.terms_.size());
  for (const Term& term : b.terms_) {
    const Polynomial part = a.times(term);
    if (part.failed()) return part;
    terms.insert(terms.end(), part.terms_.begin(), part.terms_.end());
  }
  return Polynomial::from_terms(std::move(terms));
}

Polynomial Polynomial::exactly_over(const Term& term) const {
  if (failed_) return failure();
  std::vector<Term> terms;
  terms.reserve(terms_.size());
  for (const Term& own : terms_) {
    const std::optional<Monomial> monomial = own.monomial.over(term.monomial);
    if (!monomial || term.coefficient <= 0) return failure();
    terms.push_back({*monomial, own.coefficient / term.coefficient});
  }
  return from_terms(std::move(terms));
}

bool operator==(const Polynomial& a, const Polynomial& b) {
  return Polynomial::compare(a, b) == 0;
}

int Polynomial::compare(const Polynomial& a, const Polynomial& b) {
  if (a.failed_ != b.failed_) return a.failed_ ? -1 : 1;
  if (a.terms_.size() != b.terms_.size()) return a.terms_.size() < b.terms_.size() ? -1 : 1;
  for (std::size_t i = 0; i < a.terms_.size(); ++i) {
    if (const int order = Monomial::compare(a.terms_[i].monomial, b.terms_[i].monomial)) {
      return order;
    }
    if (a.terms_[i].coefficient != b.terms_[i].coefficient) {
      return a.terms_[i].coefficient < b.terms_[i].coefficient ? -1 : 1;
    }
  }
  return 0;
}

Division divide(const Polynomial& a, const Polynomial& b) {
  if (a.failed() || b.failed() || b.is_zero()) {
    return {Polynomial::failure(), Polynomial::failure()};
  }
  const Term lead = b.terms().front();
  Division result{Polynomial(), Polynomial()};
  Polynomial rest = a;
  // Each step removes or moves the leading term of `rest`, and only smaller ones appear; the
  // limit is for divisors whose tails are long.
  for (std::size_t step = 0; step < 4 * Polynomial::max_terms && !rest.is_zero(); ++step) {
    const Term top = rest.terms().front();
    std::int64_t factor = 0;
    const std::optional<Monomial> monomial = top.monomial.over(lead.monomial);
    if (monomial && b.terms().size() == 1 && lead.coefficient > 0) {
      factor = floor_divide(top.coefficient, lead.coefficient);
    } else if (monomial && b.terms().size() > 1 && lead.coefficient == -1) {
      if (__builtin_sub_overflow(0, top.coefficient, &factor)) break;
    } else if (monomial && b.terms().size() > 1 && lead.coefficient != 0 &&
               top.coefficient % lead.coefficient == 0) {
      factor = top.coefficient / lead.coefficient;
    }
    Polynomial moved(top);
    if (factor != 0) {
      const Term quotient{*monomial, factor};
      result.quotient = result.quotient + Polynomial(quotient);
      rest = rest - b.times(quotient);
      if (rest.failed() || result.quotient.failed()) break;
      if (rest.is_zero() || !(rest.terms().front().monomial == top.monomial)) continue;
      moved = Polynomial(rest.terms().front());
    }
    result.remainder = result.remainder + moved;
    rest = rest - moved;
  }
  if (!rest.is_zero() || result.quotient.failed() || result.remainder.failed()) {
    return {Polynomial(), a};  // always a true split
  }
  return result;
}

Polynomial tightened(const Polynomial& nonnegative) {
  const std::int64_t g = nonnegative.content(false);
  if (g <= 1) return nonnegative;
  const std::int64_t c = nonnegative.constant_term();
  return (nonnegative - Polynomial(c)).exactly_over({Monomial(), g}) +
         Polynomial(floor_divide(c, g));
}

}  // namespace linnet::sema::dims
