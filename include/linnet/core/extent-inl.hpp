#pragma once
// Bodies of `extent.hpp`: arithmetic on the word stream that its head describes.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "linnet/core/extent.hpp"
#include "linnet/core/fixed_string.hpp"

namespace linnet {

namespace detail {

enum class ExtentOperation : std::uint64_t { floordiv = 1, mod = 2, min = 3, max = 4 };

struct Interval {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

inline constexpr std::int64_t int64_max = 0x7fffffffffffffff;
inline constexpr std::int64_t int64_min = -int64_max - 1;

// --- 64-bit arithmetic ------------------------------------------------------------------------

constexpr std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  if (b > 0 && a > int64_max - b) return int64_max;
  if (b < 0 && a < int64_min - b) return int64_min;
  return a + b;
}

constexpr std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) {
  if (a == 0 || b == 0) return 0;
  const bool negative = (a < 0) != (b < 0);
  const auto magnitude = [](std::int64_t x) {
    return x < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
  };
  const std::uint64_t x = magnitude(a);
  const std::uint64_t y = magnitude(b);
  if (x > static_cast<std::uint64_t>(int64_max) / y) return negative ? int64_min : int64_max;
  const std::int64_t product = static_cast<std::int64_t>(x * y);
  return negative ? -product : product;
}

constexpr std::int64_t exact_add(std::int64_t a, std::int64_t b) {
  const std::int64_t sum = saturating_add(a, b);
  if (sum == int64_max || sum == int64_min) extent_arithmetic_overflows();
  return sum;
}

constexpr std::int64_t exact_multiply(std::int64_t a, std::int64_t b) {
  const std::int64_t product = saturating_multiply(a, b);
  if (product == int64_max || product == int64_min) extent_arithmetic_overflows();
  return product;
}

/// Rounds toward minus infinity; 0 for a zero divisor, which the source language excludes.
constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  if (b == 0) return 0;
  const std::int64_t quotient = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

constexpr std::int64_t floor_modulo(std::int64_t a, std::int64_t b) {
  return b == 0 ? 0 : a - b * floor_divide(a, b);
}

// --- reading the word stream --------------------------------------------------------------------

constexpr int term_length(std::uint64_t header) {
  return static_cast<int>(header & 0xff);
}

constexpr std::int64_t term_coefficient(std::uint64_t header) {
  return static_cast<std::int64_t>(header) >> 8;
}

constexpr bool is_symbol_word(std::uint64_t word) {
  return (word >> 56) != 0;
}

constexpr int factor_length(const std::uint64_t* factor) {
  return is_symbol_word(*factor) ? 2 : static_cast<int>((*factor >> 8) & 0xff);
}

/// Words of a term sequence, its closing zero included.
constexpr int terms_length(const std::uint64_t* terms) {
  int length = 0;
  while (terms[length] != 0) length += term_length(terms[length]);
  return length + 1;
}

constexpr ExtentOperation operation_of(const std::uint64_t* factor) {
  return static_cast<ExtentOperation>(*factor & 0xff);
}

/// Both operands of an operation, as extents.
struct Operands {
  Extent left;
  Extent right;
};

constexpr Operands operands_of(const std::uint64_t* factor) {
  Operands operands;
  int at = 1;
  for (Extent* operand : {&operands.left, &operands.right}) {
    operand->constant = static_cast<std::int64_t>(factor[at++]);
    const int length = terms_length(factor + at);
    for (int i = 0; i + 1 < length; ++i) operand->terms[i] = factor[at + i];
    at += length;
  }
  return operands;
}

/// Lexicographic order of two word runs: negative, zero or positive.
constexpr int compare_words(const std::uint64_t* a, int a_length, const std::uint64_t* b,
                            int b_length) {
  for (int i = 0; i < a_length && i < b_length; ++i) {
    if (a[i] < b[i]) return -1;
    if (a[i] > b[i]) return 1;
  }
  return a_length - b_length;
}

// --- writing it ---------------------------------------------------------------------------------

/// Appends words to the terms of an extent, keeping one zero at the end.
struct TermWriter {
  Extent& out;
  int used = 0;

  /// A whole term or, where it does not fit, nothing.
  constexpr void term(std::int64_t coefficient, const std::uint64_t* factors, int length) {
    if (coefficient == 0) return;
    if (coefficient >= (std::int64_t{1} << 55) || coefficient < -(std::int64_t{1} << 55)) {
      extent_arithmetic_overflows();
    }
    if (used + 1 + length >= Extent::capacity) {
      extent_expression_has_too_many_terms();
      return;
    }
    out.terms[used++] =
        (static_cast<std::uint64_t>(coefficient) << 8) | static_cast<std::uint64_t>(length + 1);
    for (int i = 0; i < length; ++i) out.terms[used++] = factors[i];
  }
};

constexpr Extent add(const Extent& a, const Extent& b) {
  Extent sum;
  sum.constant = exact_add(a.constant, b.constant);
  TermWriter writer{sum};
  const std::uint64_t* p = a.terms;
  const std::uint64_t* q = b.terms;
  while (*p != 0 || *q != 0) {
    const int p_length = term_length(*p);
    const int q_length = term_length(*q);
    int order = 0;
    if (*p == 0) {
      order = 1;
    } else if (*q == 0) {
      order = -1;
    } else {
      order = compare_words(p + 1, p_length - 1, q + 1, q_length - 1);
    }
    if (order < 0) {
      writer.term(term_coefficient(*p), p + 1, p_length - 1);
      p += p_length;
    } else if (order > 0) {
      writer.term(term_coefficient(*q), q + 1, q_length - 1);
      q += q_length;
    } else {
      writer.term(exact_add(term_coefficient(*p), term_coefficient(*q)), p + 1, p_length - 1);
      p += p_length;
      q += q_length;
    }
  }
  return sum;
}

constexpr Extent scale(const Extent& a, std::int64_t factor) {
  Extent product;
  if (factor == 0) return product;
  product.constant = exact_multiply(a.constant, factor);
  TermWriter writer{product};
  for (const std::uint64_t* p = a.terms; *p != 0; p += term_length(*p)) {
    writer.term(exact_multiply(term_coefficient(*p), factor), p + 1, term_length(*p) - 1);
  }
  return product;
}

/// The product of two terms, their factors merged in order.
constexpr Extent multiply_terms(const std::uint64_t* p, const std::uint64_t* q) {
  const std::uint64_t* const p_end = p + term_length(*p);
  const std::uint64_t* const q_end = q + term_length(*q);
  const std::int64_t coefficient = exact_multiply(term_coefficient(*p), term_coefficient(*q));
  std::uint64_t factors[Extent::capacity] = {};
  int length = 0;
  ++p;
  ++q;
  while (p != p_end || q != q_end) {
    bool take_p = q == q_end;
    if (p != p_end && q != q_end) {
      take_p = compare_words(p, factor_length(p), q, factor_length(q)) <= 0;
    }
    const std::uint64_t*& source = take_p ? p : q;
    for (int n = factor_length(source); n > 0; --n, ++source) {
      if (length + 2 >= Extent::capacity) {
        extent_expression_has_too_many_terms();
        return {};
      }
      factors[length++] = *source;
    }
  }
  Extent product;
  TermWriter{product}.term(coefficient, factors, length);
  return product;
}

constexpr Extent multiply(const Extent& a, const Extent& b) {
  if (a.is_static()) return scale(b, a.constant);
  Extent product = scale(a, b.constant);
  for (const std::uint64_t* q = b.terms; *q != 0; q += term_length(*q)) {
    if (a.constant != 0) {
      Extent lone;
      TermWriter{lone}.term(exact_multiply(term_coefficient(*q), a.constant), q + 1,
                            term_length(*q) - 1);
      product = add(product, lone);
    }
    for (const std::uint64_t* p = a.terms; *p != 0; p += term_length(*p)) {
      product = add(product, multiply_terms(p, q));
    }
  }
  return product;
}

/// An operation that no rule resolved, as an extent of one factor.
constexpr Extent operation(ExtentOperation kind, const Extent& a, const Extent& b) {
  std::uint64_t words[2 * Extent::capacity + 3] = {};
  int used = 1;
  for (const Extent* operand : {&a, &b}) {
    words[used++] = static_cast<std::uint64_t>(operand->constant);
    const int length = terms_length(operand->terms);
    for (int i = 0; i < length; ++i) words[used++] = operand->terms[i];
  }
  words[0] = (static_cast<std::uint64_t>(used) << 8) | static_cast<std::uint64_t>(kind);
  Extent result;
  TermWriter{result}.term(1, words, used);
  return result;
}

// --- bounds -------------------------------------------------------------------------------------

constexpr Interval range_of(const Extent& extent);

constexpr Interval range_of_factor(const std::uint64_t* factor) {
  if (is_symbol_word(*factor)) {
    return {0, static_cast<std::int64_t>(factor[1] & 0xffffffff)};
  }
  const Operands operands = operands_of(factor);
  const Interval a = range_of(operands.left);
  const Interval b = range_of(operands.right);
  switch (operation_of(factor)) {
    case ExtentOperation::floordiv: {
      // Dimensions are not negative and a divisor of 0 gives 0.
      const std::int64_t least = b.low > 1 ? b.low : 1;
      return {floor_divide(a.low, a.low < 0 ? least : (b.high > 1 ? b.high : 1)),
              floor_divide(a.high > 0 ? a.high : 0, least)};
    }
    case ExtentOperation::mod: {
      const std::int64_t most = b.high > 0 ? b.high - 1 : 0;
      return {0, a.low >= 0 && a.high < most ? a.high : most};
    }
    case ExtentOperation::min:
      return {a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
    case ExtentOperation::max:
      return {a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
  }
  return {};
}

constexpr Interval multiply_intervals(Interval a, Interval b) {
  const std::int64_t corners[] = {
      saturating_multiply(a.low, b.low), saturating_multiply(a.low, b.high),
      saturating_multiply(a.high, b.low), saturating_multiply(a.high, b.high)};
  Interval product{corners[0], corners[0]};
  for (std::int64_t corner : corners) {
    if (corner < product.low) product.low = corner;
    if (corner > product.high) product.high = corner;
  }
  return product;
}

/// Where the values of an extent lie, each term taken on its own (sound, not tight).
constexpr Interval range_of(const Extent& extent) {
  Interval sum{extent.constant, extent.constant};
  for (const std::uint64_t* p = extent.terms; *p != 0; p += term_length(*p)) {
    Interval product{term_coefficient(*p), term_coefficient(*p)};
    for (const std::uint64_t* f = p + 1; f != p + term_length(*p); f += factor_length(f)) {
      product = multiply_intervals(product, range_of_factor(f));
    }
    sum.low = saturating_add(sum.low, product.low);
    sum.high = saturating_add(sum.high, product.high);
  }
  return sum;
}

// --- division -----------------------------------------------------------------------------------

struct Division {
  bool exact = false;
  Extent quotient;
};

/// Takes the factors of `divisor` out of `factors`; the rest goes to `rest`.
constexpr bool remove_factors(const std::uint64_t* factors, const std::uint64_t* end,
                              const std::uint64_t* divisor, const std::uint64_t* divisor_end,
                              std::uint64_t* rest, int& rest_length) {
  while (factors != end) {
    const int length = factor_length(factors);
    if (divisor != divisor_end &&
        compare_words(factors, length, divisor, factor_length(divisor)) == 0) {
      divisor += factor_length(divisor);
    } else {
      for (int i = 0; i < length; ++i) rest[rest_length++] = factors[i];
    }
    factors += length;
  }
  return divisor == divisor_end;
}

/// `a / b` when `b` is a single term that divides every term of `a`.
constexpr Division divide_by_term(const Extent& a, const Extent& b) {
  Division result;
  const std::uint64_t* const q = b.terms;
  if (b.constant != 0 || *q == 0 || q[term_length(*q)] != 0 || a.constant != 0) return result;
  for (const std::uint64_t* p = a.terms; *p != 0; p += term_length(*p)) {
    std::uint64_t rest[Extent::capacity] = {};
    int rest_length = 0;
    if (term_coefficient(*p) % term_coefficient(*q) != 0) return result;
    if (!remove_factors(p + 1, p + term_length(*p), q + 1, q + term_length(*q), rest,
                        rest_length)) {
      return result;
    }
    const std::int64_t coefficient = term_coefficient(*p) / term_coefficient(*q);
    Extent term;
    if (rest_length == 0) {
      term.constant = coefficient;
    } else {
      TermWriter{term}.term(coefficient, rest, rest_length);
    }
    result.quotient = add(result.quotient, term);
  }
  result.exact = true;
  return result;
}

/// Splits `a` into `divisor * quotient + rest` with every coefficient of the rest in
/// [0, divisor), which leaves floor division and modulo of the rest alone to be done.
struct Split {
  Extent quotient;
  Extent rest;
};

constexpr Split split_by_constant(const Extent& a, std::int64_t divisor) {
  Split split;
  split.quotient.constant = floor_divide(a.constant, divisor);
  split.rest.constant = floor_modulo(a.constant, divisor);
  TermWriter quotient{split.quotient};
  TermWriter rest{split.rest};
  for (const std::uint64_t* p = a.terms; *p != 0; p += term_length(*p)) {
    const std::int64_t coefficient = term_coefficient(*p);
    quotient.term(floor_divide(coefficient, divisor), p + 1, term_length(*p) - 1);
    rest.term(floor_modulo(coefficient, divisor), p + 1, term_length(*p) - 1);
  }
  return split;
}

}  // namespace detail

constexpr Extent operator+(const Extent& a, const Extent& b) {
  return detail::add(a, b);
}
constexpr Extent operator-(const Extent& a, const Extent& b) {
  return detail::add(a, detail::scale(b, -1));
}
constexpr Extent operator*(const Extent& a, const Extent& b) {
  return detail::multiply(a, b);
}

constexpr Extent operator/(const Extent& a, const Extent& b) {
  if (b.is_static()) {
    if (b.constant == 0) return 0;
    if (a.is_static()) return detail::floor_divide(a.constant, b.constant);
    if (b.constant > 0) {
      const detail::Split split = detail::split_by_constant(a, b.constant);
      const detail::Interval range = detail::range_of(split.rest);
      if (range.low >= 0 && range.high < b.constant) return split.quotient;
      return detail::add(split.quotient,
                         detail::operation(detail::ExtentOperation::floordiv, split.rest, b));
    }
  }
  if (a == b) return 1;
  const detail::Division division = detail::divide_by_term(a, b);
  if (division.exact) return division.quotient;
  return detail::operation(detail::ExtentOperation::floordiv, a, b);
}

constexpr Extent operator%(const Extent& a, const Extent& b) {
  if (b.is_static()) {
    if (b.constant == 0) return 0;
    if (a.is_static()) return detail::floor_modulo(a.constant, b.constant);
    if (b.constant > 0) {
      const Extent rest = detail::split_by_constant(a, b.constant).rest;
      const detail::Interval range = detail::range_of(rest);
      if (range.low >= 0 && range.high < b.constant) return rest;
      return detail::operation(detail::ExtentOperation::mod, rest, b);
    }
  }
  if (a == b || detail::divide_by_term(a, b).exact) return 0;
  return detail::operation(detail::ExtentOperation::mod, a, b);
}

namespace detail {

/// `min` and `max`: decided by equality or by bounds where possible, operands in one order.
constexpr Extent select_extent(ExtentOperation kind, const Extent& a, const Extent& b) {
  const bool smallest = kind == ExtentOperation::min;
  if (a == b) return a;
  const Interval difference = range_of(add(a, scale(b, -1)));
  if (difference.high <= 0) return smallest ? a : b;
  if (difference.low >= 0) return smallest ? b : a;
  const int order = compare_words(a.terms, terms_length(a.terms), b.terms, terms_length(b.terms));
  const bool swap = order > 0 || (order == 0 && a.constant > b.constant);
  return swap ? operation(kind, b, a) : operation(kind, a, b);
}

}  // namespace detail

constexpr Extent min(const Extent& a, const Extent& b) {
  return detail::select_extent(detail::ExtentOperation::min, a, b);
}
constexpr Extent max(const Extent& a, const Extent& b) {
  return detail::select_extent(detail::ExtentOperation::max, a, b);
}

constexpr Extent make_symbol(std::string_view name, std::int64_t bound) {
  if (name.empty() || name[0] == '\0' || bound < 0 || bound > 0xffffffff) {
    symbol_needs_a_name_and_a_bound_from_0_to_4294967295();
    return {};
  }
  const auto byte = [&](std::size_t i) {
    return i < name.size() ? static_cast<std::uint64_t>(static_cast<unsigned char>(name[i])) : 0;
  };
  std::uint64_t words[2] = {};
  for (std::size_t i = 0; i < 8; ++i) words[0] = (words[0] << 8) | byte(i);
  if (name.size() <= 12) {
    for (std::size_t i = 8; i < 12; ++i) words[1] = (words[1] << 8) | byte(i);
  } else {
    std::uint32_t hash = 2166136261;  // FNV-1a
    for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
    words[1] = hash | 0x80000000;  // the top bit tells a hash from ASCII characters
  }
  words[1] = (words[1] << 32) | static_cast<std::uint64_t>(bound);
  Extent result;
  detail::TermWriter{result}.term(1, words, 2);
  return result;
}

constexpr std::int64_t Extent::bound() const {
  if (is_static()) return constant > 0 ? constant : 0;
  const std::int64_t high = detail::range_of(*this).high;
  return high > 0 ? high : 0;
}

namespace detail {

constexpr void append_symbol(Text& out, const std::uint64_t* factor) {
  const std::uint64_t tail = factor[1] >> 32;
  for (int shift = 56; shift >= 0; shift -= 8) {
    const char c = static_cast<char>((factor[0] >> shift) & 0xff);
    if (c != '\0') out.append(c);
  }
  if ((tail & 0x80000000) != 0) {
    out.append("...");  // a long name, of which only this much is kept
    return;
  }
  for (int shift = 24; shift >= 0; shift -= 8) {
    const char c = static_cast<char>((tail >> shift) & 0xff);
    if (c != '\0') out.append(c);
  }
}

constexpr void append_extent(Text& out, const Extent& extent);

constexpr void append_operand(Text& out, const Extent& operand) {
  const bool plain = operand.is_static() || operand.is_symbol();
  if (!plain) out.append('(');
  append_extent(out, operand);
  if (!plain) out.append(')');
}

constexpr void append_factor(Text& out, const std::uint64_t* factor) {
  if (is_symbol_word(*factor)) {
    append_symbol(out, factor);
    return;
  }
  const Operands operands = operands_of(factor);
  const ExtentOperation kind = operation_of(factor);
  if (kind == ExtentOperation::min || kind == ExtentOperation::max) {
    out.append(kind == ExtentOperation::min ? "min(" : "max(");
    append_extent(out, operands.left);
    out.append(", ");
    append_extent(out, operands.right);
    out.append(')');
    return;
  }
  append_operand(out, operands.left);
  out.append(kind == ExtentOperation::floordiv ? " / " : " % ");
  append_operand(out, operands.right);
}

constexpr void append_extent(Text& out, const Extent& extent) {
  bool first = true;
  for (const std::uint64_t* p = extent.terms; *p != 0; p += term_length(*p)) {
    const std::int64_t coefficient = term_coefficient(*p);
    const std::int64_t magnitude = coefficient < 0 ? -coefficient : coefficient;
    if (!first) out.append(coefficient < 0 ? " - " : " + ");
    if (first && coefficient < 0) out.append('-');
    if (magnitude != 1) {
      out.append_integer(magnitude);
      out.append(" * ");
    }
    const std::uint64_t* const end = p + term_length(*p);
    const bool product = magnitude != 1 || p + 1 + factor_length(p + 1) != end;
    for (const std::uint64_t* f = p + 1; f != end; f += factor_length(f)) {
      const bool infix = !is_symbol_word(*f) && (operation_of(f) == ExtentOperation::floordiv ||
                                                 operation_of(f) == ExtentOperation::mod);
      if (f != p + 1) out.append(" * ");
      if (product && infix) out.append('(');
      append_factor(out, f);
      if (product && infix) out.append(')');
    }
    first = false;
  }
  if (first) {
    out.append_integer(extent.constant);
  } else if (extent.constant != 0) {
    out.append(extent.constant < 0 ? " - " : " + ");
    out.append_integer(extent.constant < 0 ? -extent.constant : extent.constant);
  }
}

}  // namespace detail

constexpr Text Extent::text() const {
  Text out;
  detail::append_extent(out, *this);
  return out;
}

constexpr Text Extent::description() const {
  Text out = text();
  if (is_symbol()) {
    out.append(" <= ");
    out.append_integer(bound());
  }
  return out;
}

}  // namespace linnet
