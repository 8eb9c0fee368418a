#include "linnet/core/symbols.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <type_traits>

#include "linnet/core/tensor.hpp"

using linnet::Extent;
using linnet::symbol;
using linnet::TensorView;

namespace {

constexpr Extent S = symbol<"S", 100>;
constexpr Extent B = symbol<"B", 8>;

}  // namespace

TEST_CASE("symbols are read from the axes of views") {
  int data = 0;
  const TensorView<int, B, S, 4> first(&data, 3, 20);
  const TensorView<const int, S> second(&data, 20);
  const auto symbols = linnet::symbol_values(first, 5, second);
  CHECK(symbols.value<B>() == 3);
  CHECK(symbols.value<S>() == 20);
  CHECK(symbols.value<7>() == 7);
  CHECK(sizeof(symbols) == 2 * sizeof(std::int64_t));
}

TEST_CASE("the type of the values does not depend on the order of the arguments") {
  int data = 0;
  const TensorView<int, S> s(&data, 1);
  const TensorView<int, B> b(&data, 2);
  CHECK(
      std::is_same_v<decltype(linnet::symbol_values(s, b)), decltype(linnet::symbol_values(b, s))>);
}

TEST_CASE("any extent has a value") {
  const auto symbols = linnet::join_values(linnet::bind_symbol<S>(13), linnet::bind_symbol<B>(5));
  CHECK(symbols.value<2 * S + 1>() == 27);
  CHECK(symbols.value<S * B - B>() == 60);
  CHECK(symbols.value<(S + 1) / 4>() == 3);
  CHECK(symbols.value<(S + 1) % B>() == 4);
  CHECK(symbols.value<min(S, B) * 2>() == 10);
  CHECK(symbols.value<max(S, 2 * B)>() == 13);
  CHECK(symbols.value<(S - 20) / 2>() == -4);
  CHECK(symbols.value<S / (B - 5)>() == 0);  // a divisor of 0
}

TEST_CASE("a symbol inside a linear axis is solved when no axis is the symbol itself") {
  int data = 0;
  const TensorView<int, 2 * S + 1> odd(&data, 15);
  CHECK(linnet::symbol_values(odd).value<S>() == 7);
  const TensorView<int, S> plain(&data, 9);
  CHECK(linnet::symbol_values(odd, plain).value<S>() == 9);
}

TEST_CASE("joining prefers the first") {
  const auto joined = linnet::join_values(linnet::bind_symbol<S>(1), linnet::bind_symbol<S>(2));
  CHECK(joined.value<S>() == 1);
  const linnet::NoSymbols none;
  CHECK(linnet::join_values(none, joined).value<S>() == 1);
}

TEST_CASE("views take their extents from symbols") {
  float data[1] = {};
  const auto symbols = linnet::bind_symbol<S>(6);
  const TensorView<float, 2, S, S + 1, (S + 1) / 2> view(data, symbols);
  CHECK(view.extents() == std::array<std::int64_t, 4>{2, 6, 7, 3});
  const TensorView<float, 3> fixed(data, symbols);
  CHECK(fixed.size() == 3);
}

TEST_CASE("a set of symbols is sorted and has no doubles") {
  linnet::SymbolSet set;
  set.insert_all(S * B + S / B);
  CHECK(set.count == 2);
  CHECK(set.contains_all_of(B + 1));
  CHECK_FALSE(set.contains_all_of(symbol<"Q", 4>));
}
