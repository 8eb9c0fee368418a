#include "linnet/core/argument.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using linnet::Accepts;
using linnet::Extent;
using linnet::Shape;
using linnet::symbol;
using linnet::Tensor;
using linnet::TensorView;

namespace {

constexpr Extent S = symbol<"S", 100>;
constexpr Extent T = symbol<"T", 50>;
using Wanted = TensorView<const int, 1, S>;

static_assert(Accepts<TensorView<const int, 1, S>, Wanted>);
static_assert(Accepts<TensorView<int, 1, S>, Wanted>);
static_assert(Accepts<Tensor<int, 1, S>, Wanted>);
static_assert(Accepts<const Tensor<int, 1, S>&, Wanted>);
static_assert(!Accepts<TensorView<int, 1, T>, Wanted>);
static_assert(!Accepts<TensorView<int, S>, Wanted>);
static_assert(!Accepts<TensorView<float, 1, S>, Wanted>);
static_assert(!Accepts<int, Wanted>);

static_assert(linnet::argument_extent<TensorView<int, 1, S>, 2, 1> == S);
static_assert(linnet::argument_extent<Tensor<int, 1, S>, 2, 0> == Extent(1));
static_assert(linnet::argument_extent<int, 2, 0> == symbol<"any", 0>);
static_assert(std::is_same_v<linnet::argument_pack<TensorView<int, 1, S, 4>, 0, 1>, Shape<1, S>>);
static_assert(std::is_same_v<linnet::argument_pack<TensorView<int, 4>, 0, 1>, Shape<>>);
static_assert(std::is_same_v<linnet::argument_pack<TensorView<int>, 0, 1>, Shape<>>);

template <class Expected, class Got>
std::string explain() {
  using E = linnet::detail::Explanation<Expected, Got>;
  constexpr linnet::Text where = E::where("tokens");
  constexpr linnet::Text expected = E::expected();
  constexpr linnet::Text got = E::got();
  return std::string(where.view()) + ": " + std::string(expected.view()) + ", " +
         std::string(got.view());
}

}  // namespace

TEST_CASE("a fitting argument passes as the expected view") {
  Tensor<int, 1, S> tokens;
  REQUIRE(tokens.resize(3));
  tokens(0, 2) = 9;
  const auto view = linnet::checked_argument<"tokens", Wanted>(tokens);
  CHECK(view.extent(1) == 3);
  CHECK(view(0, 2) == 9);
}

TEST_CASE("a wrong argument is explained in words") {
  CHECK(explain<Wanted, TensorView<int, 1, T>>() ==
        "tokens, axis 1: expected S <= 100, got T <= 50");
  CHECK(explain<Wanted, TensorView<int, 2, S>>() == "tokens, axis 0: expected 1, got 2");
  CHECK(explain<Wanted, TensorView<int, 1, S + 1>>() ==
        "tokens, axis 1: expected S <= 100, got S + 1");
  CHECK(explain<Wanted, TensorView<int, S>>() ==
        "tokens, rank: expected 2 of [1, S], got 1 of [S]");
  CHECK(explain<Wanted, TensorView<float, 1, S>>() == "tokens, dtype: expected i32, got f32");
  CHECK(explain<Wanted, int>() == "tokens: expected tensor [1, S], got a number");
  CHECK(explain<Wanted, std::string>() == "tokens: expected tensor [1, S], got no tensor");
}
