#include "linnet/core/tensor.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "linnet/core/shape.hpp"

using linnet::Extent;
using linnet::Shape;
using linnet::symbol;
using linnet::Tensor;
using linnet::TensorView;

namespace {

constexpr Extent S = symbol<"S", 16>;
constexpr Extent B = symbol<"B", 4>;

using Static = TensorView<float, 2, 3, 4>;
using Dynamic = TensorView<float, B, 3, S>;

static_assert(std::is_trivially_copyable_v<Static> && std::is_trivially_copyable_v<Dynamic>);
static_assert(sizeof(Static) == sizeof(void*));
static_assert(sizeof(Dynamic) == sizeof(void*) + 2 * sizeof(std::int64_t));
static_assert(std::is_convertible_v<Dynamic, TensorView<const float, B, 3, S>>);
static_assert(!std::is_convertible_v<TensorView<const float, B, 3, S>, Dynamic>);
static_assert(!std::is_convertible_v<Dynamic, TensorView<float, B, 3, 16>>);
static_assert(!std::is_convertible_v<Dynamic, TensorView<double, B, 3, S>>);

static_assert(std::is_same_v<linnet::join<Shape<B>, Shape<>, Shape<S, 2>>, Shape<B, S, 2>>);
static_assert(std::is_same_v<linnet::join<>, Shape<>>);
static_assert(std::is_same_v<linnet::drop_front<Shape<B, S, 2>, 1>, Shape<S, 2>>);
static_assert(std::is_same_v<linnet::drop_back<Shape<B, S, 2>, 3>, Shape<>>);
static_assert(std::is_same_v<linnet::view_of<int, Shape<B, S>>, TensorView<int, B, S>>);
static_assert(linnet::size_of<Shape<B, 2, S>> == 2 * B * S);
static_assert(linnet::size_of<Shape<>> == Extent(1));
static_assert(Shape<B, 3, S>::bound_size == 4 * 3 * 16);
static_assert(Shape<B, 3, S>::dynamic_rank == 2);
static_assert(Shape<>::bound_size == 1);

}  // namespace

TEST_CASE("a static view indexes row by row") {
  std::array<float, 24> data{};
  for (int i = 0; i < 24; ++i) data[static_cast<std::size_t>(i)] = static_cast<float>(i);
  const Static view(data.data());
  CHECK(view.size() == 24);
  CHECK(view.extent(0) == 2);
  CHECK(view.extent<2>() == 4);
  CHECK(view.extents() == std::array<std::int64_t, 3>{2, 3, 4});
  CHECK(view.stride<0>() == 12);
  CHECK(view.stride<2>() == 1);
  CHECK(view(0, 0, 0) == 0);
  CHECK(view(1, 2, 3) == 23);
  CHECK(view(1, 0, 2) == 14);
  CHECK(view[1][2](3) == 23);
  view(1, 0, 2) = -1;
  CHECK(data[14] == -1);
}

TEST_CASE("a view with symbols uses its run-time extents") {
  std::array<float, 30> data{};
  for (int i = 0; i < 30; ++i) data[static_cast<std::size_t>(i)] = static_cast<float>(i);
  const Dynamic view(data.data(), 2, 5);
  CHECK(view.size() == 30);
  CHECK(view.extent(0) == 2);
  CHECK(view.extent(1) == 3);
  CHECK(view.extent(2) == 5);
  CHECK(view(1, 2, 4) == 29);
  CHECK(view(1, 0, 0) == 15);
  const auto part = view[1];
  CHECK(std::is_same_v<std::remove_cv_t<decltype(part)>, TensorView<float, 3, S>>);
  CHECK(part.extent(1) == 5);
  CHECK(part(2, 4) == 29);
  const TensorView<const float, B, 3, S> reading = view;
  CHECK(reading(1, 2, 4) == 29);
  CHECK(reading.extent(2) == 5);
}

TEST_CASE("rank 0 is one element, and empty extents are empty") {
  int value = 7;
  const TensorView<int> scalar(&value);
  CHECK(scalar.size() == 1);
  CHECK(scalar() == 7);
  const TensorView<int, 3, S> empty(&value, 0);
  CHECK(empty.size() == 0);
  CHECK(TensorView<int, 0, 5>(&value).size() == 0);
}

TEST_CASE("retype keeps the elements under other names for the extents") {
  std::array<float, 12> data{};
  const TensorView<float, B, 3> view(data.data(), 4);
  const auto symbols = linnet::symbol_values(view);
  const auto flat = linnet::retype<Shape<3 * B>>(view, symbols);
  CHECK(flat.extent(0) == 12);
  CHECK(flat.data() == data.data());
}

TEST_CASE("a tensor owns memory for its bounds") {
  Tensor<float, B, S> tensor;
  CHECK(tensor.capacity == 64);
  CHECK(reinterpret_cast<std::uintptr_t>(tensor.data()) % 64 == 0);
  CHECK(tensor.extent(0) == 4);
  CHECK(tensor.extent(1) == 16);
  CHECK(tensor.resize(2, 5));
  CHECK(tensor.size() == 10);
  CHECK_FALSE(tensor.resize(2, 17));
  CHECK_FALSE(tensor.resize(-1, 5));
  CHECK(tensor.size() == 10);
  tensor(1, 4) = 3;
  CHECK(std::as_const(tensor)(1, 4) == 3);
  CHECK(tensor.data()[9] == 3);
  const TensorView<const float, B, S> view = tensor;
  CHECK(view(1, 4) == 3);
  const Tensor<int> scalar;
  CHECK(scalar() == 0);
}
