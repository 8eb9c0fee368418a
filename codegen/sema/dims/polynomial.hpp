#pragma once
// Multivariate polynomials with integer coefficients: the normal form of dimensions.
//
// The variables are atoms, known here by number only (atoms.hpp says what they are). Arithmetic
// never wraps: a result that overflows 64 bits, has too many terms or too high a degree is
// `failed`, and so is everything computed from it. A failed polynomial proves nothing.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace linnet::sema::dims {

/// A product of atoms, sorted, repeated for powers. The empty product is 1.
class Monomial {
 public:
  static constexpr std::size_t max_degree = 16;

  Monomial() = default;
  explicit Monomial(std::int32_t atom) : atoms_{atom}, degree_(1) {}

  [[nodiscard]] std::span<const std::int32_t> atoms() const { return {atoms_.data(), degree_}; }
  [[nodiscard]] std::size_t degree() const { return degree_; }
  [[nodiscard]] bool contains(std::int32_t atom) const;
  /// Empty when the degree is beyond the limit.
  [[nodiscard]] std::optional<Monomial> times(const Monomial& other) const;
  /// Empty when `other` does not divide this.
  [[nodiscard]] std::optional<Monomial> over(const Monomial& other) const;
  [[nodiscard]] Monomial common(const Monomial& other) const;

  friend bool operator==(const Monomial& a, const Monomial& b) { return compare(a, b) == 0; }
  /// Graded: by degree, then by atoms, so that a product is after its factors.
  [[nodiscard]] static int compare(const Monomial& a, const Monomial& b);

 private:
  std::array<std::int32_t, max_degree> atoms_{};
  std::size_t degree_ = 0;
};

struct Term {
  Monomial monomial;
  std::int64_t coefficient = 0;
};

class Polynomial {
 public:
  static constexpr std::size_t max_terms = 256;

  Polynomial() = default;  ///< zero
  explicit Polynomial(std::int64_t constant);
  explicit Polynomial(Term term);
  [[nodiscard]] static Polynomial atom(std::int32_t atom);
  [[nodiscard]] static Polynomial failure();
  [[nodiscard]] static Polynomial from_terms(std::vector<Term> terms);

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool is_zero() const { return !failed_ && terms_.empty(); }
  [[nodiscard]] std::optional<std::int64_t> constant() const;
  [[nodiscard]] std::int64_t constant_term() const;
  /// The atom, when this is one atom with coefficient 1.
  [[nodiscard]] std::optional<std::int32_t> single_atom() const;
  /// Leading term first; no zero coefficients. Empty when failed.
  [[nodiscard]] const std::vector<Term>& terms() const { return terms_; }
  /// The greatest common divisor of the coefficients, the constant's left out or not; 0 for none.
  [[nodiscard]] std::int64_t content(bool with_constant) const;
  [[nodiscard]] Monomial common_monomial() const;

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
  [[nodiscard]] Polynomial operator-() const;
  [[nodiscard]] Polynomial times(const Term& term) const;
  /// Every coefficient and monomial divided; the caller knows that they divide.
  [[nodiscard]] Polynomial exactly_over(const Term& term) const;

  friend bool operator==(const Polynomial& a, const Polynomial& b);
  /// Any total order, the same in every run.
  [[nodiscard]] static int compare(const Polynomial& a, const Polynomial& b);

 private:
  std::vector<Term> terms_;
  bool failed_ = false;
};

/// `a == quotient * b + remainder`, by leading terms; never failed unless an input is.
struct Division {
  Polynomial quotient, remainder;
};
/// Splits `a` by the non-zero `b`. Coefficients divide with floor, so that for a constant or
/// one-term divisor every coefficient left in the remainder on a multiple of the divisor is in
/// `0 .. c - 1`.
[[nodiscard]] Division divide(const Polynomial& a, const Polynomial& b);

/// `g * p + c >= 0` if and only if `p + floor(c / g) >= 0`, over the integers.
[[nodiscard]] Polynomial tightened(const Polynomial& nonnegative);

/// Division toward minus infinity; the divisor is positive.
[[nodiscard]] constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return a % b < 0 ? quotient - 1 : quotient;
}

}  // namespace linnet::sema::dims
