#include "linnet/ops/memory.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ops = linnet::ops;

namespace {
constexpr linnet::Extent S = linnet::symbol<"S", 6>;
}

TEST_CASE("a buffer is sized by its bounds and placed by its run-time extents") {
  using View = linnet::TensorView<float, S, 2>;
  static_assert(ops::view_bytes<View> == 6 * 2 * sizeof(float));
  alignas(64) std::byte frame[256] = {};
  const auto symbols = linnet::bind_symbol<S>(3);
  const View view = ops::place<View>(frame, 64, symbols);
  CHECK(view.size() == 6);
  CHECK(reinterpret_cast<std::byte*>(view.data()) == frame + 64);
  ops::fill(view, 2.5F);
  CHECK(ops::at(view, 5) == 2.5F);
  const auto flat = ops::reshape<linnet::Shape<2 * S>>(view, symbols);
  CHECK(flat.extent(0) == 6);
  CHECK(flat.data() == view.data());
}

TEST_CASE("copies take weights in any format, and themselves") {
  const linnet::bf16 stored[] = {linnet::bf16(1.5F), linnet::bf16(-2.0F), linnet::bf16(0.25F),
                                 linnet::bf16(8.0F)};
  const linnet::WeightView<float, 2, 2> weight(stored, linnet::Format::bf16);
  float values[4] = {};
  const linnet::TensorView<float, 2, 2> view(values);
  ops::copy(view, weight);
  CHECK(values[1] == -2.0F);
  ops::copy(view, view);
  CHECK(values[3] == 8.0F);
  const auto turned = ops::reshape<linnet::Shape<4>>(weight, linnet::NoSymbols{});
  CHECK(turned(2) == 0.25F);
  CHECK(ops::at(turned, 3) == 8.0F);
}

TEST_CASE("carried buffers change roles") {
  float a[1] = {1};
  float b[1] = {2};
  float c[1] = {3};
  linnet::TensorView<const float, 1> current(a);
  linnet::TensorView<float, 1> written(b);
  linnet::TensorView<float, 1> spare(c);
  ops::rotate(current, written, spare);
  CHECK(current.data() == b);
  CHECK(written.data() == c);
  CHECK(spare.data() == b);
}

TEST_CASE("an optional value is there or not") {
  CHECK(ops::optional(true, 3) == std::optional<int>(3));
  CHECK_FALSE(ops::optional(false, 3).has_value());
}
