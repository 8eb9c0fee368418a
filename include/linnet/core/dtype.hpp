#pragma once
// The dtypes of the language: the storage types f16 and bf16, and the run-time tag DType.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace linnet {

namespace detail {

/// `value >> shift` rounded to nearest even; shift >= 1. From 64 on, everything is shifted out.
constexpr std::uint64_t shift_right_to_even(std::uint64_t value, int shift) {
  if (shift > 64) return 0;
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  if (shift == 64) return value > half ? 1 : 0;
  const std::uint64_t kept = value >> shift;
  const std::uint64_t rest = value & ((half << 1) - 1);
  return kept + ((rest > half || (rest == half && (kept & 1) != 0)) ? 1 : 0);
}

/// The IEEE-like number `significand * 2^exponent`, rounded once to nearest even into a format of
/// `MantissaBits` stored bits and `ExponentBits`. Sign excluded; overflow gives infinity.
template <int MantissaBits, int ExponentBits>
constexpr std::uint64_t encode_float(std::uint64_t significand, int exponent) {
  if (significand == 0) return 0;
  constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  constexpr std::uint64_t infinity = std::uint64_t{(1 << ExponentBits) - 1} << MantissaBits;
  const int top = 63 - std::countl_zero(significand);
  // A normal number keeps MantissaBits below its top bit; a subnormal has a fixed last place.
  const int unit = 1 - bias - MantissaBits;  // exponent of the last place of subnormals
  int last = top + exponent - MantissaBits;
  if (last < unit) last = unit;
  const int shift = last - exponent;
  const std::uint64_t rounded =
      shift > 0 ? shift_right_to_even(significand, shift) : significand << -shift;
  // The hidden bit, or a carry out of the mantissa, adds itself to the exponent field.
  const std::uint64_t field = static_cast<std::uint64_t>(last - unit);
  const std::uint64_t bits = (field << MantissaBits) + rounded;
  return bits < infinity ? bits : infinity;
}

/// A double's bits to a narrower format, rounded once.
template <int MantissaBits, int ExponentBits>
constexpr std::uint16_t narrow_double(double value) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t sign = (bits >> 63) << 15;
  const std::uint64_t fraction = bits & 0xfffffffffffff;
  const int field = static_cast<int>((bits >> 52) & 0x7ff);
  if (field == 0x7ff) {
    constexpr std::uint64_t infinity = std::uint64_t{(1 << ExponentBits) - 1} << MantissaBits;
    const std::uint64_t quiet = fraction == 0 ? 0 : std::uint64_t{1} << (MantissaBits - 1);
    return static_cast<std::uint16_t>(sign | infinity | quiet | (fraction >> (52 - MantissaBits)));
  }
  const std::uint64_t significand = field == 0 ? fraction : fraction | (std::uint64_t{1} << 52);
  const int exponent = (field == 0 ? 1 : field) - 1075;
  return static_cast<std::uint16_t>(
      sign | encode_float<MantissaBits, ExponentBits>(significand, exponent));
}

// float <-> f16. Arithmetic on bits with selects and no branches, so that loops over it become
// vector code. Equal to F16C and AVX512 instructions on every input, quiet bits of NaN included.
constexpr std::uint16_t f16_from_float(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000;
  const std::uint32_t magnitude = bits & 0x7fffffff;
  // Normal: rebias the exponent by 127 - 15 and round away 13 bits to even.
  const std::uint32_t normal =
      (magnitude - (std::uint32_t{112} << 23) + 0xfff + ((magnitude >> 13) & 1)) >> 13;
  // Subnormal: adding 0.5 leaves the value, rounded to even at 2^-24, in the low bits.
  const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(shifted) - 0x3f000000;
  const std::uint32_t not_a_number = 0x7e00 | ((magnitude >> 13) & 0x3ff);
  std::uint32_t result = magnitude < 0x38800000 ? subnormal : normal;
  result = magnitude >= 0x477ff000 ? 0x7c00 : result;  // 65520 and above round to infinity
  result = magnitude > 0x7f800000 ? not_a_number : result;
  return static_cast<std::uint16_t>(sign | result);
}

constexpr float f16_to_float(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
  const std::uint32_t magnitude = static_cast<std::uint32_t>(bits & 0x7fff) << 13;
  const std::uint32_t normal = magnitude + (std::uint32_t{112} << 23);
  // A subnormal is its mantissa times 2^-24: set below the exponent of 2^-14, which is taken off.
  const float small = std::bit_cast<float>(magnitude + (std::uint32_t{113} << 23)) -
                      std::bit_cast<float>(std::uint32_t{113} << 23);
  const std::uint32_t quiet = magnitude > 0x0f800000 ? 0x400000 : 0;
  std::uint32_t result = magnitude < 0x00800000 ? std::bit_cast<std::uint32_t>(small) : normal;
  result = magnitude >= 0x0f800000 ? (magnitude + (std::uint32_t{224} << 23)) | quiet : result;
  return std::bit_cast<float>(sign | result);
}

constexpr std::uint16_t bf16_from_float(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  const std::uint32_t not_a_number = (bits >> 16) | 0x40;
  return static_cast<std::uint16_t>((bits & 0x7fffffff) > 0x7f800000 ? not_a_number : rounded);
}

constexpr float bf16_to_float(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

template <std::integral Integer>
constexpr std::uint16_t f16_from_integer(Integer value) {
  // Rounds once: what a float cannot hold exactly is far beyond the largest f16.
  return f16_from_float(static_cast<float>(value));
}

template <std::integral Integer>
constexpr std::uint16_t bf16_from_integer(Integer value) {
  if constexpr (sizeof(Integer) <= 2) {
    return bf16_from_float(static_cast<float>(value));  // exact as a float
  } else {
    const bool negative = value < Integer{0};
    const std::uint64_t bits = static_cast<std::uint64_t>(value);
    const std::uint64_t rounded = encode_float<7, 8>(negative ? 0 - bits : bits, 0);
    return static_cast<std::uint16_t>((negative ? 0x8000 : 0) | rounded);
  }
}

}  // namespace detail

/// IEEE binary16. Storage and conversions only; arithmetic is in `arithmetic.hpp`. Conversions
/// round once, to nearest even, from the exact value of what is converted.
struct f16 {
  std::uint16_t bits = 0;

  f16() = default;
  constexpr explicit f16(float value) : bits(detail::f16_from_float(value)) {}
  constexpr explicit f16(double value) : bits(detail::narrow_double<10, 5>(value)) {}
  template <std::integral Integer>
  constexpr explicit f16(Integer value) : bits(detail::f16_from_integer(value)) {}
  constexpr explicit operator float() const { return detail::f16_to_float(bits); }
  constexpr explicit operator double() const { return static_cast<double>(float(*this)); }

  [[nodiscard]] static constexpr f16 from_bits(std::uint16_t bits) {
    f16 result;
    result.bits = bits;
    return result;
  }
};

/// bfloat16: the upper half of a float. As `f16` otherwise.
struct bf16 {
  std::uint16_t bits = 0;

  bf16() = default;
  constexpr explicit bf16(float value) : bits(detail::bf16_from_float(value)) {}
  constexpr explicit bf16(double value) : bits(detail::narrow_double<7, 8>(value)) {}
  template <std::integral Integer>
  constexpr explicit bf16(Integer value) : bits(detail::bf16_from_integer(value)) {}
  constexpr explicit operator float() const { return detail::bf16_to_float(bits); }
  constexpr explicit operator double() const { return static_cast<double>(float(*this)); }

  [[nodiscard]] static constexpr bf16 from_bits(std::uint16_t bits) {
    bf16 result;
    result.bits = bits;
    return result;
  }
};

static_assert(sizeof(float) == 4 && sizeof(double) == 8 && sizeof(f16) == 2 && sizeof(bf16) == 2);

/// A dtype at run time, in the order of the language's list.
enum class DType : std::uint8_t {
  boolean,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  f16,
  bf16,
  f32,
  f64
};
inline constexpr int dtype_count = 13;

namespace detail {

template <class T>
constexpr int dtype_number() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::same_as<U, bool>) return 0;
  if constexpr (std::integral<U> && !std::same_as<U, bool>) {
    constexpr int log_bytes = std::countr_zero(sizeof(U));
    return (std::signed_integral<U> ? 1 : 5) + log_bytes;
  }
  if constexpr (std::same_as<U, linnet::f16>) return 9;
  if constexpr (std::same_as<U, linnet::bf16>) return 10;
  if constexpr (std::same_as<U, float>) return 11;
  if constexpr (std::same_as<U, double>) return 12;
  return -1;
}

}  // namespace detail

/// A C++ type that a dtype stands for.
template <class T>
concept Element = detail::dtype_number<T>() >= 0;

template <Element T>
inline constexpr DType dtype_of = static_cast<DType>(detail::dtype_number<T>());

/// As the language spells it.
[[nodiscard]] constexpr std::string_view dtype_name(DType dtype) {
  constexpr std::string_view names[dtype_count] = {"bool", "i8",  "i16", "i32",  "i64", "u8", "u16",
                                                   "u32",  "u64", "f16", "bf16", "f32", "f64"};
  const auto number = static_cast<std::size_t>(dtype);
  return number < dtype_count ? names[number] : "unknown";
}

/// Bytes of an element; 0 for a number that is no dtype.
[[nodiscard]] constexpr std::size_t dtype_size(DType dtype) {
  constexpr std::uint8_t sizes[dtype_count] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8};
  const auto number = static_cast<std::size_t>(dtype);
  return number < dtype_count ? sizes[number] : 0;
}

template <class T>
inline constexpr bool is_half =
    std::same_as<std::remove_cv_t<T>, f16> || std::same_as<std::remove_cv_t<T>, bf16>;
template <class T>
inline constexpr bool is_float = is_half<T> || std::floating_point<std::remove_cv_t<T>>;
template <class T>
inline constexpr bool is_integer =
    std::integral<std::remove_cv_t<T>> && !std::same_as<std::remove_cv_t<T>, bool>;

/// What sums and products of `T` accumulate in unless told otherwise (language.md section 12).
template <class T>
using accumulator = std::conditional_t<is_half<T>, float, std::remove_cv_t<T>>;

}  // namespace linnet
