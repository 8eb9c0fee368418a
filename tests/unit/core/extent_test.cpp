#include "linnet/core/extent.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

using linnet::Extent;
using linnet::symbol;

namespace {

template <Extent... E>
struct Holder {};

template <Extent A, Extent B>
constexpr bool one_type = std::is_same_v<Holder<A>, Holder<B>>;

constexpr Extent S = symbol<"S", 2048>;
constexpr Extent B = symbol<"B", 4>;
constexpr Extent T = symbol<"T", 512>;

// What cannot be written here compiles or not: these are tests of the compiler's type identity.
static_assert(one_type<S + S, 2 * S>);
static_assert(one_type<S * B, B * S>);
static_assert(one_type<(S + 1) * (B + 1), 1 + B + S + S * B>);
static_assert(one_type<(S + B) * T, S * T + B * T>);
static_assert(one_type<S + 1 - 1, S>);
static_assert(one_type<S - S + 3, 3>);
static_assert(one_type<0 * S, 0>);
static_assert(one_type<(S + 1) / 2, (1 + S) / 2>);
static_assert(one_type<min(S, T), min(T, S)>);
static_assert(!one_type<S + 1, S>);
static_assert(!one_type<S, T>);
static_assert(!one_type<S, symbol<"S", 2047>>);
static_assert(!one_type<S, 2048>);
static_assert(!one_type<S / 2, S % 2>);

std::string text(const Extent& extent) {
  return std::string(extent.text().view());
}

}  // namespace

TEST_CASE("an integer is a static extent") {
  constexpr Extent five = 5;
  CHECK(five.is_static());
  CHECK(five.value() == 5);
  CHECK(five.bound() == 5);
  CHECK_FALSE(five.is_symbol());
  CHECK((Extent(7) / 2).value() == 3);
  CHECK((Extent(7) % 2).value() == 1);
  CHECK((Extent(-7) / 2).value() == -4);
  CHECK((Extent(7) / 0).value() == 0);
  CHECK((Extent(7) % 0).value() == 0);
  CHECK(min(Extent(3), Extent(4)).value() == 3);
  CHECK(Extent(-3).bound() == 0);
}

TEST_CASE("a symbol has a name and a bound") {
  CHECK(S.is_symbol());
  CHECK_FALSE(S.is_static());
  CHECK_FALSE((S + 1).is_symbol());
  CHECK_FALSE((2 * S).is_symbol());
  CHECK(S.bound() == 2048);
  CHECK(std::string(S.description().view()) == "S <= 2048");
}

TEST_CASE("division and remainder fold what the language folds") {
  CHECK((4 * S + 3) / 4 == S);
  CHECK((4 * S + 3) % 4 == Extent(3));
  CHECK((4 * S + T + 3) / 4 == S + (T + 3) / 4);
  CHECK((5 * S) % 4 == S % 4);
  CHECK((B * S) / S == B);
  CHECK((6 * B * S) / (2 * B) == 3 * S);
  CHECK((6 * B * S) % (2 * B) == Extent(0));
  CHECK(S / S == Extent(1));
  CHECK(S % S == Extent(0));
  CHECK(S / 1 == S);
  CHECK(S % 1 == Extent(0));
  CHECK(B / 5 == Extent(0));  // B <= 4
  CHECK(B % 5 == B);
  CHECK((S % 7) % 7 == S % 7);
  // These must stay as they are.
  CHECK_FALSE((2 * S) / 4 == S / 2 + 1);
  CHECK_FALSE((S / 2) * 2 == S);
  CHECK_FALSE((S + B) / B == S / B);
}

TEST_CASE("minimum and maximum are decided by bounds") {
  CHECK(min(S, 4096) == S);
  CHECK(max(S, 4096) == Extent(4096));
  CHECK(min(S, S + 1) == S);
  CHECK(max(B, S) == max(S, B));
  CHECK(min(S, S) == S);
  CHECK(min(S, 512) != S);
}

TEST_CASE("bounds hold for every value of the symbols") {
  constexpr Extent N = symbol<"N", 9>;
  constexpr Extent M = symbol<"M", 5>;
  struct Case {
    Extent extent;
    std::int64_t (*value)(std::int64_t n, std::int64_t m);
  };
  const Case cases[] = {
      {N + 2 * M + 1, [](std::int64_t n, std::int64_t m) { return n + 2 * m + 1; }},
      {N * M, [](std::int64_t n, std::int64_t m) { return n * m; }},
      {(N + 1) / 2, [](std::int64_t n, std::int64_t) { return (n + 1) / 2; }},
      {N % 4, [](std::int64_t n, std::int64_t) { return n % 4; }},
      {min(N, M), [](std::int64_t n, std::int64_t m) { return n < m ? n : m; }},
      {max(N, M) * 3, [](std::int64_t n, std::int64_t m) { return 3 * (n > m ? n : m); }},
      {N - M, [](std::int64_t n, std::int64_t m) { return n - m; }},
      {(N + 3) / (M + 1), [](std::int64_t n, std::int64_t m) { return (n + 3) / (m + 1); }},
      {(N + 3) % (M + 1), [](std::int64_t n, std::int64_t m) { return (n + 3) % (m + 1); }},
      {N * N - 2 * N + 5, [](std::int64_t n, std::int64_t) { return n * n - 2 * n + 5; }},
  };
  for (const Case& c : cases) {
    CAPTURE(text(c.extent));
    for (std::int64_t n = 0; n <= 9; ++n) {
      for (std::int64_t m = 0; m <= 5; ++m) CHECK(c.value(n, m) <= c.extent.bound());
    }
  }
  CHECK((N + 2 * M + 1).bound() == 20);
  CHECK((N % 4).bound() == 3);
  CHECK(((S + 1) / 2).bound() == 1024);
}

TEST_CASE("a bound that overflows saturates") {
  constexpr Extent huge = symbol<"H", 4294967295>;
  CHECK((huge * huge * huge).bound() == 0x7fffffffffffffff);
}

TEST_CASE("extents print as a person writes them") {
  CHECK(text(Extent(0)) == "0");
  CHECK(text(Extent(-12)) == "-12");
  CHECK(text(2 * S + 1) == "2 * S + 1");
  CHECK(text(S - 3) == "S - 3");
  CHECK(text(1 - S) == "-S + 1");
  CHECK(text((S + 1) / 2) == "(S + 1) / 2");
  CHECK(text(3 * (S / 2)) == "3 * (S / 2)");
  CHECK(text(S % 5) == "S % 5");
  CHECK(text(min(S, 512)) == "min(512, S)");
  CHECK(text(B * S) == "B * S");
}

TEST_CASE("names of up to twelve characters are kept, longer ones told apart") {
  constexpr Extent twelve = symbol<"abcdefghijkl", 10>;
  constexpr Extent longer = symbol<"SequenceLength", 10>;
  constexpr Extent other = symbol<"SequenceLengths", 10>;
  CHECK(text(twelve) == "abcdefghijkl");
  CHECK(text(longer) == "Sequence...");
  CHECK_FALSE(longer == other);
}

TEST_CASE("the product of three binomials fits") {
  constexpr Extent product = (B + 1) * (S + 1) * (T + 1);
  CHECK(product == B * S * T + B * S + B * T + S * T + B + S + T + 1);
}

TEST_CASE("the element count of a convolution's output fits") {
  constexpr Extent H = symbol<"H", 640>;
  constexpr Extent W = symbol<"W", 480>;
  constexpr Extent C = symbol<"C", 64>;
  constexpr Extent out_h = (H + 2 * 1 - 3) / 2 + 1;
  constexpr Extent out_w = (W + 2 * 1 - 3) / 2 + 1;
  constexpr Extent count = B * C * out_h * out_w;
  CHECK(count.bound() == 4 * 64 * 320 * 240);
  CHECK(count == out_w * C * (B * out_h));
}
