#include "linnet/core/checked.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using linnet::AnyTensor;
using linnet::DType;
using linnet::Extent;
using linnet::symbol;
using linnet::TensorView;

namespace {

constexpr Extent S = symbol<"S", 512>;
constexpr Extent B = symbol<"B", 4>;
using Tokens = TensorView<const std::int32_t, B, S>;
using Mask = TensorView<const float, S, 2 * S + B, 3>;

alignas(8) const std::int32_t storage[4] = {};

AnyTensor tensor(DType dtype, std::vector<std::int64_t> extents) {
  return {dtype, std::move(extents), storage};
}

/// The error of binding both inputs, or "" and the values of B and S.
std::string bind(const AnyTensor& tokens, const AnyTensor& mask) {
  const linnet::ExpectedInput inputs[] = {linnet::expected_input<Tokens>("tokens", &tokens),
                                          linnet::expected_input<Mask>("mask", &mask)};
  const auto symbols = linnet::bind_inputs<linnet::symbols_of<Tokens, Mask>>(inputs);
  return symbols ? "" : symbols.error().message;
}

std::string bind_shapes(std::vector<std::int64_t> tokens, std::vector<std::int64_t> mask) {
  return bind(tensor(DType::i32, std::move(tokens)), tensor(DType::f32, std::move(mask)));
}

}  // namespace

TEST_CASE("inputs that fit give the symbols and the views") {
  const AnyTensor tokens = tensor(DType::i32, {2, 5});
  const AnyTensor mask = tensor(DType::f32, {5, 12, 3});
  const linnet::ExpectedInput inputs[] = {linnet::expected_input<Tokens>("tokens", &tokens),
                                          linnet::expected_input<Mask>("mask", &mask)};
  const auto symbols = linnet::bind_inputs<linnet::symbols_of<Tokens, Mask>>(inputs);
  REQUIRE(symbols);
  CHECK(symbols->value<B>() == 2);
  CHECK(symbols->value<S>() == 5);
  const auto view = linnet::as_view<Mask>(mask, *symbols);
  CHECK(view.extent(1) == 12);
  CHECK(view.data() == static_cast<const void*>(storage));
  CHECK(bind_shapes({0, 0}, {0, 0, 3}).empty());
}

TEST_CASE("what does not fit is named") {
  CHECK(bind_shapes({2, 900}, {5, 12, 3}) == "input `tokens`: axis 1 is 900, expected S <= 512");
  CHECK(bind_shapes({2, 5}, {5, 12, 4}) == "input `mask`: axis 2 is 4, expected 3");
  CHECK(bind_shapes({2, 5}, {6, 12, 3}) ==
        "input `mask`: axis 0 is 6, expected S = 5 as in `tokens`");
  CHECK(bind_shapes({2, 5}, {5, 13, 3}) == "input `mask`: axis 1 is 13, expected B + 2 * S = 12");
  CHECK(bind_shapes({2, 5, 1}, {5, 12, 3}) == "input `tokens`: rank is 3 [2, 5, 1], expected 2");
  CHECK(bind_shapes({2, -5}, {5, 12, 3}) ==
        "input `tokens`: axis 1 is -5, expected no negative extent");
  CHECK(bind(tensor(DType::i64, {2, 5}), tensor(DType::f32, {5, 12, 3})) ==
        "input `tokens`: dtype is i64, expected i32");
  CHECK(bind({DType::i32, {2, 5}, nullptr}, tensor(DType::f32, {5, 12, 3})) ==
        "input `tokens`: there is no data");
  const auto* const crooked = reinterpret_cast<const std::byte*>(storage) + 1;
  CHECK(bind({DType::i32, {1, 1}, crooked}, tensor(DType::f32, {1, 3, 3})) ==
        "input `tokens`: the data is not aligned to its dtype, i32");
  CHECK(bind_shapes({2, INT64_MAX}, {5, 12, 3}) ==
        "input `tokens`: axis 1 is 9223372036854775807, expected S <= 512");
}

TEST_CASE("a symbol in a linear axis is solved") {
  using Odd = TensorView<const float, 2 * S + 1>;
  const AnyTensor odd = tensor(DType::f32, {7});
  const auto view = linnet::checked_view<Odd>("x", odd);
  REQUIRE(view);
  CHECK(view->extent(0) == 7);
  CHECK(linnet::checked_view<Odd>("x", tensor(DType::f32, {6})).error().message ==
        "input `x`: axis 0 is 6, expected 2 * S + 1 for a S <= 512");
  CHECK(linnet::checked_view<Odd>("x", tensor(DType::f32, {2001})).error().code ==
        linnet::ErrorCode::shape_mismatch);
}

TEST_CASE("inputs left out and symbols given from outside") {
  const AnyTensor tokens = tensor(DType::i32, {2, 5});
  const linnet::ExpectedInput inputs[] = {linnet::expected_input<Tokens>("tokens", &tokens),
                                          linnet::expected_input<Mask>("mask", nullptr)};
  CHECK(linnet::bind_inputs<linnet::symbols_of<Tokens, Mask>>(inputs));
  // A symbol that is given must agree with the inputs.
  const auto known = linnet::bind_symbol<S>(6);
  const auto bound = linnet::bind_inputs<linnet::symbols_of<Tokens, Mask>>(inputs, known);
  CHECK(bound.error().message == "input `tokens`: axis 1 is 5, expected S = 6");
  // B * S tells neither.
  using Flat = TensorView<const float, B * S>;
  CHECK(linnet::checked_view<Flat>("x", tensor(DType::f32, {6})).error().message ==
        "input `x`: the inputs do not tell the value of B * S, axis 0");
}

TEST_CASE("a broken where is quoted") {
  const linnet::Error error = linnet::constraint_error("N % 2 == 0", {{"N", 3}});
  CHECK(error.message == "where `N % 2 == 0` does not hold: N is 3");
  CHECK(error.code == linnet::ErrorCode::constraint_violated);
}

TEST_CASE("folding keeps the value of every expression") {
  // Random expressions over two symbols, built as extents and computed as numbers side by side.
  // No divisor is 0: those are excluded by the language, and `x / x` folds to 1.
  struct Pair {
    Extent extent;
    std::vector<std::int64_t> values;  // at each point
  };
  constexpr Extent N = symbol<"N", 6>;
  constexpr Extent M = symbol<"M", 6>;
  std::vector<std::pair<std::int64_t, std::int64_t>> points;
  for (std::int64_t n = 1; n <= 6; ++n) {
    for (std::int64_t m = 1; m <= 6; ++m) points.emplace_back(n, m);
  }
  std::uint32_t state = 99;
  const auto next = [&](std::uint32_t limit) {
    state = state * 1664525 + 1013904223;
    return static_cast<std::int64_t>((state >> 16) % limit);
  };
  const auto linear = [&](bool both) {
    const std::int64_t a = next(5);
    const std::int64_t b = both ? next(4) : 0;
    const std::int64_t c = 1 + next(9);
    Pair pair{a * N + b * M + c, {}};
    for (const auto& [n, m] : points) pair.values.push_back(a * n + b * m + c);
    return pair;
  };
  const auto combine = [&](std::int64_t kind, const Pair& x, const Pair& y) {
    Pair result;
    switch (kind) {
      case 0:
        result.extent = x.extent + y.extent;
        break;
      case 1:
        result.extent = x.extent - y.extent;
        break;
      case 2:
        result.extent = x.extent * y.extent;
        break;
      case 3:
        result.extent = x.extent / y.extent;
        break;
      case 4:
        result.extent = x.extent % y.extent;
        break;
      case 5:
        result.extent = min(x.extent, y.extent);
        break;
      default:
        result.extent = max(x.extent, y.extent);
        break;
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::int64_t a = x.values[i];
      const std::int64_t b = y.values[i];
      const std::int64_t quotient = linnet::detail::floor_divide(a, b);
      const std::int64_t values[] = {a + b,         a - b,        a * b, quotient, a - b * quotient,
                                     a < b ? a : b, a > b ? a : b};
      result.values.push_back(values[kind]);
    }
    return result;
  };
  static constexpr linnet::SymbolSet set = linnet::detail::set_of(N * M);
  for (int round = 0; round < 3000; ++round) {
    const std::int64_t kind = next(7);
    const Pair inner = combine(kind, linear(true), linear(true));
    // Nothing around a product, and no product around the rest: an extent holds only so much.
    const bool wrap = kind != 2 && next(2) == 0;
    const std::int64_t kinds[] = {0, 1, 3, 4, 5, 6};
    const Pair outer = wrap ? combine(kinds[next(6)], inner, linear(false)) : inner;
    CAPTURE(std::string(outer.extent.text().view()));
    for (std::size_t i = 0; i < points.size(); ++i) {
      linnet::detail::SymbolTable table{set};
      table.values[set.index_of(N.terms + 1)] = points[i].first;
      table.values[set.index_of(M.terms + 1)] = points[i].second;
      REQUIRE(table.value(outer.extent) == outer.values[i]);
      REQUIRE(outer.values[i] <= linnet::detail::range_of(outer.extent).high);
      REQUIRE(outer.values[i] >= linnet::detail::range_of(outer.extent).low);
    }
  }
}
