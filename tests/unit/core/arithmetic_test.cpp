#include "linnet/core/arithmetic.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>

using linnet::bf16;
using linnet::Context;
using linnet::f16;
namespace arith = linnet::arith;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
const float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// All pairs of i8, checked against 64-bit arithmetic wrapped to 8 bits.
template <class Operation, class Reference>
void check_all_pairs(Operation&& operation, Reference&& reference) {
  for (int a = -128; a < 128; ++a) {
    for (int b = -128; b < 128; ++b) {
      const auto got = operation(static_cast<std::int8_t>(a), static_cast<std::int8_t>(b));
      REQUIRE(got == static_cast<std::int8_t>(reference(a, b)));
    }
  }
}

}  // namespace

TEST_CASE("integers wrap") {
  check_all_pairs([](auto a, auto b) { return arith::add(a, b); },
                  [](int a, int b) { return a + b; });
  check_all_pairs([](auto a, auto b) { return arith::sub(a, b); },
                  [](int a, int b) { return a - b; });
  check_all_pairs([](auto a, auto b) { return arith::mul(a, b); },
                  [](int a, int b) { return a * b; });
  CHECK(arith::add<std::int64_t>(std::numeric_limits<std::int64_t>::max(), 1) ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(arith::mul<std::uint16_t>(65535, 65535) == 1);
  CHECK(arith::mul<std::int32_t>(65536, 65536) == 0);
  CHECK(arith::neg<std::int8_t>(-128) == -128);
  CHECK(arith::neg<std::uint8_t>(1) == 255);
  CHECK(arith::abs<std::int32_t>(std::numeric_limits<std::int32_t>::min()) ==
        std::numeric_limits<std::int32_t>::min());
  CHECK(arith::abs<std::int16_t>(-5) == 5);
}

TEST_CASE("integer division truncates, and MIN / -1 is MIN") {
  Context context;
  check_all_pairs(
      [&](auto a, auto b) { return b == 0 ? std::int8_t{0} : arith::div(context, a, b); },
      [](int a, int b) { return b == 0 ? 0 : a / b; });
  check_all_pairs(
      [&](auto a, auto b) { return b == 0 ? std::int8_t{0} : arith::rem(context, a, b); },
      [](int a, int b) { return b == 0 ? 0 : a % b; });
  CHECK_FALSE(context.failed());
  constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  CHECK(arith::div<std::int64_t>(context, lowest, -1) == lowest);
  CHECK(arith::rem<std::int64_t>(context, lowest, -1) == 0);
  CHECK(arith::div<std::uint32_t>(context, 7, 0) == 0);
  REQUIRE(context.failed());
  CHECK(context.take_error().message == "division by zero");
  CHECK(arith::rem(context, 7, 0) == 0);
  CHECK(context.failed());
}

TEST_CASE("float division and remainder do not fail") {
  Context context;
  CHECK(arith::div(context, 1.0F, 0.0F) == infinity);
  CHECK(std::isnan(arith::rem(context, 1.0F, 0.0F)));
  CHECK(arith::rem(context, -5.5, 2.0) == -1.5);
  CHECK(static_cast<float>(arith::rem(f16(7.5F), f16(2.0F))) == 1.5F);
  CHECK_FALSE(context.failed());
}

TEST_CASE("f16 and bf16 round once through f32") {
  // Every sum, product and quotient is compared with the double result rounded once: a double
  // holds sums and products of two halves exactly.
  std::uint32_t state = 12345;
  const auto next = [&] {
    return static_cast<std::uint16_t>((state = state * 1664525 + 1013904223) >> 16);
  };
  Context context;
  for (int i = 0; i < 200000; ++i) {
    const f16 a = f16::from_bits(next());
    const f16 b = f16::from_bits(next());
    const double x = static_cast<double>(a);
    const double y = static_cast<double>(b);
    if (std::isnan(x) || std::isnan(y)) continue;
    CAPTURE(x);
    CAPTURE(y);
    const auto same = [](f16 got, double want) {
      return std::isnan(want) ? std::isnan(static_cast<float>(got)) : got.bits == f16(want).bits;
    };
    REQUIRE(same(arith::add(a, b), x + y));
    REQUIRE(same(arith::sub(a, b), x - y));
    REQUIRE(same(arith::mul(a, b), x * y));
    REQUIRE(same(arith::div(context, a, b), x / y));
    if (x >= 0) REQUIRE(same(arith::sqrt(a), std::sqrt(x)));
  }
  CHECK(arith::neg(bf16(1.0F)).bits == 0xbf80);
  CHECK(arith::abs(f16(-2.0F)).bits == f16(2.0F).bits);
}

TEST_CASE("subnormals are kept") {
  const float tiny = std::numeric_limits<float>::denorm_min();
  CHECK(arith::add(tiny, tiny) == 2 * tiny);
  CHECK(arith::mul(f16(0x1p-14F), f16(0x1p-10F)).bits == 1);
}

TEST_CASE("NaN propagates through min and max") {
  for (float x : {1.0F, -infinity, infinity, not_a_number}) {
    CHECK(std::isnan(arith::min(x, not_a_number)));
    CHECK(std::isnan(arith::min(not_a_number, x)));
    CHECK(std::isnan(arith::max(x, not_a_number)));
    CHECK(std::isnan(arith::max(not_a_number, x)));
  }
  CHECK(arith::min(1.0F, 2.0F) == 1.0F);
  CHECK(arith::max(1.0F, 2.0F) == 2.0F);
  CHECK(arith::max(-3, 2) == 2);
  CHECK(arith::min<std::uint64_t>(3, 2) == 2);
  CHECK(std::isnan(static_cast<float>(arith::max(bf16(not_a_number), bf16(1.0F)))));
}

TEST_CASE("shifts outside the width give 0 or the sign") {
  CHECK(arith::shl<std::int8_t>(1, 7) == -128);
  CHECK(arith::shl<std::int8_t>(-1, 4) == -16);
  CHECK(arith::shl<std::int8_t>(1, 8) == 0);
  CHECK(arith::shl<std::int32_t>(1, -1) == 0);
  CHECK(arith::shl<std::uint64_t>(1, 63) == std::uint64_t{1} << 63);
  CHECK(arith::shl<std::uint64_t>(1, 64) == 0);
  CHECK(arith::shr<std::int32_t>(-8, 1) == -4);
  CHECK(arith::shr<std::int32_t>(-8, 32) == -1);
  CHECK(arith::shr<std::int32_t>(8, 32) == 0);
  CHECK(arith::shr<std::int64_t>(-8, -1) == -1);
  CHECK(arith::shr<std::uint8_t>(0x80, 7) == 1);
  CHECK(arith::shr<std::uint8_t>(0x80, 8) == 0);
  CHECK(arith::bit_and(true, false) == false);
  CHECK(arith::bit_xor(6, 3) == 5);
  CHECK(arith::bit_or<std::uint8_t>(6, 9) == 15);
}

TEST_CASE("float to integer truncates and saturates") {
  CHECK(arith::cast<std::int32_t>(2.9F) == 2);
  CHECK(arith::cast<std::int32_t>(-2.9F) == -2);
  CHECK(arith::cast<std::int32_t>(not_a_number) == 0);
  CHECK(arith::cast<std::int32_t>(infinity) == std::numeric_limits<std::int32_t>::max());
  CHECK(arith::cast<std::int32_t>(-infinity) == std::numeric_limits<std::int32_t>::min());
  CHECK(arith::cast<std::int32_t>(2147483648.0F) == std::numeric_limits<std::int32_t>::max());
  CHECK(arith::cast<std::int32_t>(2147483520.0F) == 2147483520);
  CHECK(arith::cast<std::int32_t>(-2147483648.0) == std::numeric_limits<std::int32_t>::min());
  CHECK(arith::cast<std::int32_t>(2147483647.9) == 2147483647);
  CHECK(arith::cast<std::int64_t>(9.3e18F) == std::numeric_limits<std::int64_t>::max());
  CHECK(arith::cast<std::int64_t>(-9223372036854775808.0) ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(arith::cast<std::uint64_t>(18446744073709549568.0) == 18446744073709549568U);
  CHECK(arith::cast<std::uint64_t>(1.9e19) == std::numeric_limits<std::uint64_t>::max());
  CHECK(arith::cast<std::uint8_t>(-0.5F) == 0);
  CHECK(arith::cast<std::uint8_t>(-3.0F) == 0);
  CHECK(arith::cast<std::uint8_t>(255.9F) == 255);
  CHECK(arith::cast<std::uint8_t>(256.0F) == 255);
  CHECK(arith::cast<std::int8_t>(f16(-200.0F)) == -128);
  CHECK(arith::cast<std::int8_t>(bf16(not_a_number)) == 0);
}

TEST_CASE("other conversions") {
  CHECK(arith::cast<std::int8_t>(300) == 44);
  CHECK(arith::cast<std::uint32_t>(std::int64_t{-1}) == 0xffffffff);
  CHECK(arith::cast<bool>(0.0F) == false);
  CHECK(arith::cast<bool>(-0.0F) == false);
  CHECK(arith::cast<bool>(not_a_number) == true);
  CHECK(arith::cast<bool>(f16(0x1p-24F)) == true);
  CHECK(arith::cast<bool>(256) == true);
  CHECK(arith::cast<float>(true) == 1.0F);
  CHECK(arith::cast<f16>(true).bits == 0x3c00);
  CHECK(arith::cast<std::uint8_t>(true) == 1);
  CHECK(arith::cast<float>(std::int64_t{16777217}) == 16777216.0F);
  CHECK(arith::cast<float>(std::numeric_limits<std::uint64_t>::max()) == 0x1p64F);
  CHECK(arith::cast<float>(1.0 + 0x1p-24 + 0x1p-50) == 1.0F + 0x1p-23F);
  CHECK(arith::cast<f16>(1.0 + 0x1p-11 + 0x1p-40).bits == 0x3c01);
  CHECK(arith::cast<bf16>(f16(1.00390625F)).bits == 0x3f80);
  CHECK(arith::cast<double>(bf16(3.0F)) == 3.0);
  CHECK(arith::cast<f16>(1e10F).bits == 0x7c00);
  CHECK(arith::cast<bf16>(std::int64_t{16842753}).bits == 0x4b81);
}

TEST_CASE("functions of f16 and bf16 go through f32") {
  CHECK(arith::exp(f16(1.0F)).bits == f16(std::exp(1.0F)).bits);
  CHECK(arith::tanh(bf16(0.5F)).bits == bf16(std::tanh(0.5F)).bits);
  CHECK(arith::rsqrt(4.0F) == 0.5F);
  CHECK(arith::rsqrt(0.0) == std::numeric_limits<double>::infinity());
  CHECK(arith::log(1.0) == 0.0);
  CHECK(arith::sin(0.0F) == 0.0F);
  CHECK(arith::cos(0.0F) == 1.0F);
  CHECK(std::isnan(arith::sqrt(-1.0F)));
}

TEST_CASE("comparisons of halves are of their values") {
  CHECK(arith::eq(f16(0.0F), f16(-0.0F)));
  CHECK(arith::lt(bf16(-1.0F), bf16(0.5F)));
  CHECK_FALSE(arith::eq(f16(not_a_number), f16(not_a_number)));
  CHECK(arith::ne(f16(not_a_number), f16(not_a_number)));
  CHECK_FALSE(arith::ge(not_a_number, 1.0F));
  CHECK(arith::le(2, 2));
  CHECK(arith::gt(true, false));
}

TEST_CASE("reductions start from the ends of a dtype") {
  CHECK(arith::lowest<float>() == -infinity);
  CHECK(arith::highest<f16>().bits == 0x7c00);
  CHECK(arith::lowest<bf16>().bits == 0xff80);
  CHECK(arith::lowest<std::int8_t>() == -128);
  CHECK(arith::highest<std::uint16_t>() == 65535);
  CHECK(arith::lowest<bool>() == false);
}
