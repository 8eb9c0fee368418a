#pragma once
// Extent: the size of an axis as a template argument.
//
// An extent is a compile-time integer, a named bounded symbol whose value arrives at run time
// (`symbol<"S", 2048>`), or an expression over those in canonical form, so that `S + S` and
// `2 * S` are one value and hence one type:
//
//   constexpr linnet::Extent S = linnet::symbol<"S", 2048>;
//   linnet::TensorView<float, 1, 2 * S, 576> x;
//
// Form. An expression is `constant` plus a sorted sum of terms; a term is a coefficient times a
// sorted product of factors; a factor is a symbol, or an operation that is no polynomial
// (division, remainder, minimum, maximum), which carries both operands in the same form. All of
// it is a flat stream of 64-bit words, because a template argument must be a plain structure:
//
//   terms     := term* 0
//   term      := header factor+    header = coefficient << 8 | words of the term
//   factor    := symbol | operation
//   symbol    := 8 characters of the name, then 4 characters << 32 | bound
//   operation := words << 8 | kind, constant, terms, constant, terms
//
// The first character of a name is not zero, so the top byte tells symbols from operations. A
// static extent is one integer followed by zeros, which compilers leave out of mangled names.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "linnet/core/fixed_string.hpp"

namespace linnet {

struct Extent {
  /// Words: enough for two symbols times two output extents of a convolution, multiplied out.
  static constexpr int capacity = 64;

  std::int64_t constant = 0;
  std::uint64_t terms[capacity] = {};

  constexpr Extent() = default;
  // Implicit, so that `TensorView<float, 1, 576>` reads as it should.
  template <std::integral Integer>
  constexpr Extent(Integer value) : constant(static_cast<std::int64_t>(value)) {}
  // Member by member. nvcc passes the host compiler extents spelt `Extent{0, {259, ...}}`.
  constexpr Extent(std::int64_t value, const std::uint64_t (&words)[capacity]) : constant(value) {
    for (int i = 0; i < capacity; ++i) terms[i] = words[i];
  }

  /// Known while compiling.
  [[nodiscard]] constexpr bool is_static() const { return terms[0] == 0; }
  /// Exactly one symbol, with nothing around it.
  [[nodiscard]] constexpr bool is_symbol() const {
    return constant == 0 && terms[0] == ((std::uint64_t{1} << 8) | 3) && (terms[1] >> 56) != 0 &&
           terms[3] == 0;
  }
  /// The value of a static extent.
  [[nodiscard]] constexpr std::int64_t value() const { return constant; }
  /// The largest value under the bounds of the symbols, at least 0; INT64_MAX when it overflows.
  [[nodiscard]] constexpr std::int64_t bound() const;
  /// As a person would write it: `2 * S + 1`, `min(S, 512)`.
  [[nodiscard]] constexpr Text text() const;
  /// `text`, with the bound of a plain symbol: `S <= 2048`.
  [[nodiscard]] constexpr Text description() const;
};

// The compiler prints these names when a constant expression calls them: they are its messages.
inline void extent_expression_has_too_many_terms() {}
inline void extent_arithmetic_overflows() {}
inline void symbol_needs_a_name_and_a_bound_from_0_to_4294967295() {}

// Equality compares the words that count. Written as a loop and not defaulted because nvcc 13
// has miscompiled defaulted comparisons of arrays in constant expressions.
[[nodiscard]] constexpr bool operator==(const Extent& a, const Extent& b) {
  if (a.constant != b.constant) return false;
  for (int i = 0; i < Extent::capacity; ++i) {
    if (a.terms[i] != b.terms[i]) return false;
    if (a.terms[i] == 0 && i == 0) return true;  // both static
  }
  return true;
}

[[nodiscard]] constexpr Extent operator+(const Extent& a, const Extent& b);
[[nodiscard]] constexpr Extent operator-(const Extent& a, const Extent& b);
[[nodiscard]] constexpr Extent operator*(const Extent& a, const Extent& b);

/// Division toward minus infinity, the language's division of dimensions; `x / x` is 1 (the
/// language proves divisors positive), a zero divisor gives 0.
[[nodiscard]] constexpr Extent operator/(const Extent& a, const Extent& b);

/// The remainder of `/`, with the sign of the divisor.
[[nodiscard]] constexpr Extent operator%(const Extent& a, const Extent& b);

[[nodiscard]] constexpr Extent min(const Extent& a, const Extent& b);
[[nodiscard]] constexpr Extent max(const Extent& a, const Extent& b);

/// A symbol from run-time text; prefer the variable template `symbol`. The twelve first
/// characters of a name are kept; of a longer one eight, and a hash of all of it.
[[nodiscard]] constexpr Extent make_symbol(std::string_view name, std::int64_t bound);

/// A dimension whose value arrives at run time: named, and at most `Bound`.
template <FixedString Name, std::int64_t Bound>
inline constexpr Extent symbol = make_symbol(Name.view(), Bound);

}  // namespace linnet

#include "linnet/core/extent-inl.hpp"
