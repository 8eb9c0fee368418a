#include "linnet/core/dtype.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using linnet::bf16;
using linnet::DType;
using linnet::f16;

namespace {

/// The nearest of two neighbouring values, the even one of two equally near: an oracle that does
/// not share the arithmetic of the code under test. `bits` of the magnitude, ascending with value.
template <class Half>
std::uint16_t nearest_by_search(long double magnitude, std::uint16_t infinity) {
  std::uint16_t low = 0;
  std::uint16_t high = infinity;
  // The value at which rounding to infinity starts continues the grid of finite values.
  const auto value = [&](std::uint16_t bits) -> long double {
    if (bits < infinity) {
      return static_cast<long double>(static_cast<float>(Half::from_bits(bits)));
    }
    const long double last =
        static_cast<float>(Half::from_bits(static_cast<std::uint16_t>(infinity - 1)));
    const long double before =
        static_cast<float>(Half::from_bits(static_cast<std::uint16_t>(infinity - 2)));
    return last + (last - before);
  };
  if (magnitude >= value(infinity)) return infinity;
  while (high - low > 1) {
    const auto middle = static_cast<std::uint16_t>((low + high) / 2);
    (value(middle) <= magnitude ? low : high) = middle;
  }
  const long double below = magnitude - value(low);
  const long double above = value(high) - magnitude;
  if (below != above) return below < above ? low : high;
  return low % 2 == 0 ? low : high;
}

std::uint64_t next_random(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

}  // namespace

TEST_CASE("every f16 goes to float and back unchanged") {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const f16 half = f16::from_bits(static_cast<std::uint16_t>(bits));
    const float value = static_cast<float>(half);
    const bool nan = (bits & 0x7fff) > 0x7c00;
    if (nan) {
      CHECK(std::isnan(value));
      CHECK(f16(value).bits == (bits | 0x200));
      CHECK(f16(static_cast<double>(value)).bits == (bits | 0x200));
    } else {
      const int exponent = static_cast<int>((bits >> 10) & 31);
      const double mantissa = bits & 1023;
      double expected = exponent == 31  ? std::numeric_limits<double>::infinity()
                        : exponent == 0 ? std::ldexp(mantissa, -24)
                                        : std::ldexp(1024 + mantissa, exponent - 25);
      if ((bits & 0x8000) != 0) expected = -expected;
      REQUIRE(static_cast<double>(value) == expected);
      REQUIRE(f16(value).bits == bits);
      REQUIRE(f16(static_cast<double>(value)).bits == bits);
    }
  }
}

TEST_CASE("every bf16 goes to float and back unchanged") {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const bf16 half = bf16::from_bits(static_cast<std::uint16_t>(bits));
    const float value = static_cast<float>(half);
    REQUIRE(std::bit_cast<std::uint32_t>(value) == bits << 16);
    const bool nan = (bits & 0x7fff) > 0x7f80;
    REQUIRE(bf16(value).bits == (nan ? bits | 0x40 : bits));
    if (!nan) REQUIRE(bf16(static_cast<double>(value)).bits == bits);
  }
}

TEST_CASE("floats round to the nearest f16 and bf16") {
  std::uint64_t state = 88172645463325252;
  for (int i = 0; i < 200000; ++i) {
    const auto bits = static_cast<std::uint32_t>(next_random(state));
    // Half of the samples in the range of f16, where rounding is interesting.
    const std::uint32_t near = (bits & 0x807fffff) | ((96 + (bits >> 23) % 48) << 23);
    const float value = std::bit_cast<float>(i % 2 == 0 ? near : bits);
    if (std::isnan(value)) continue;
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const long double magnitude = std::fabs(static_cast<long double>(value));
    CAPTURE(value);
    REQUIRE(f16(value).bits == (sign | nearest_by_search<f16>(magnitude, 0x7c00)));
    REQUIRE(bf16(value).bits == (sign | nearest_by_search<bf16>(magnitude, 0x7f80)));
  }
}

TEST_CASE("doubles round once") {
  // Just above the middle of two f16 values, by less than a float can see: rounding through float
  // would land on the middle and go to the even one below.
  const double tricky = 1.0 + 0x1p-11 + 0x1p-40;
  CHECK(f16(tricky).bits == 0x3c01);
  CHECK(bf16(1.0 + 0x1p-8 + 0x1p-40).bits == 0x3f81);
  std::uint64_t state = 2463534242;
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t bits = next_random(state);
    // Exponents around those of the formats, and mantissas close to ties.
    const std::uint64_t exponent = 1023 - 30 + bits % 50;
    std::uint64_t mantissa = next_random(state) & 0xfffffffffffff;
    if (i % 3 == 0) mantissa &= ~std::uint64_t{0x3ffffffffff};
    if (i % 3 == 1)
      mantissa = (mantissa & ~std::uint64_t{0x3ffffffffff}) | 0x20000000000 | (bits & 1);
    const double value = std::bit_cast<double>((exponent << 52) | mantissa);
    CAPTURE(value);
    REQUIRE(f16(value).bits == nearest_by_search<f16>(value, 0x7c00));
    REQUIRE(bf16(value).bits == nearest_by_search<bf16>(value, 0x7f80));
    REQUIRE(
        bf16(-value * 0x1p-140).bits ==
        (0x8000 | nearest_by_search<bf16>(static_cast<long double>(value) * 0x1p-140L, 0x7f80)));
  }
  CHECK(f16(1e300).bits == 0x7c00);
  CHECK(f16(-1e300).bits == 0xfc00);
  CHECK(f16(1e-300).bits == 0);
  CHECK(f16(5e-324).bits == 0);
  CHECK(f16(std::numeric_limits<double>::infinity()).bits == 0x7c00);
  CHECK(std::isnan(static_cast<float>(f16(std::nan("")))));
  CHECK(f16(-0.0).bits == 0x8000);
}

TEST_CASE("integers round once") {
  const std::int64_t values[] = {0,
                                 1,
                                 -1,
                                 255,
                                 257,
                                 2049,
                                 65519,
                                 65520,
                                 -65520,
                                 16777217,
                                 (1 << 24) + (1 << 16) + 1,
                                 std::numeric_limits<std::int64_t>::min(),
                                 std::numeric_limits<std::int64_t>::max(),
                                 0x4040000000000001};
  for (std::int64_t value : values) {
    CAPTURE(value);
    const long double magnitude = std::fabs(static_cast<long double>(value));
    const int sign = value < 0 ? 0x8000 : 0;
    CHECK(int{f16(value).bits} == (sign | nearest_by_search<f16>(magnitude, 0x7c00)));
    CHECK(int{bf16(value).bits} == (sign | nearest_by_search<bf16>(magnitude, 0x7f80)));
  }
  CHECK(bf16(std::numeric_limits<std::uint64_t>::max()).bits == bf16(0x1p64).bits);
  CHECK(bf16(std::uint64_t{0xff80000000000001}).bits == bf16(0x1p64).bits);
  CHECK(f16(true).bits == 0x3c00);
  CHECK(bf16(true).bits == 0x3f80);
}

TEST_CASE("dtypes have names, sizes and C++ types") {
  CHECK(linnet::dtype_of<bool> == DType::boolean);
  CHECK(linnet::dtype_of<std::int8_t> == DType::i8);
  CHECK(linnet::dtype_of<std::int16_t> == DType::i16);
  CHECK(linnet::dtype_of<std::int32_t> == DType::i32);
  CHECK(linnet::dtype_of<std::int64_t> == DType::i64);
  CHECK(linnet::dtype_of<long long> == DType::i64);
  CHECK(linnet::dtype_of<std::uint8_t> == DType::u8);
  CHECK(linnet::dtype_of<std::uint64_t> == DType::u64);
  CHECK(linnet::dtype_of<const f16> == DType::f16);
  CHECK(linnet::dtype_of<bf16> == DType::bf16);
  CHECK(linnet::dtype_of<float> == DType::f32);
  CHECK(linnet::dtype_of<double> == DType::f64);
  CHECK(linnet::dtype_name(DType::boolean) == "bool");
  CHECK(linnet::dtype_name(DType::bf16) == "bf16");
  CHECK(linnet::dtype_name(static_cast<DType>(99)) == "unknown");
  CHECK(linnet::dtype_size(DType::f64) == 8);
  CHECK(linnet::dtype_size(DType::u16) == 2);
  CHECK(linnet::dtype_size(static_cast<DType>(99)) == 0);
  CHECK_FALSE(linnet::Element<void*>);
}
