#include "linnet/ops/scalar.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

namespace ops = linnet::ops;

TEST_CASE("dimensions divide toward minus infinity") {
  CHECK(ops::quotient(7, 2) == 3);
  CHECK(ops::quotient(-1, 2) == -1);
  CHECK(ops::remainder(7, 4) == 3);
  CHECK(ops::quotient(5, 0) == 0);
  CHECK(ops::smaller(3, -2) == -2);
  CHECK(ops::larger(3, -2) == 3);
}

TEST_CASE("a position outside its axis is recorded once, by its number") {
  linnet::Context context;
  CHECK(ops::position(context, 4, 5) == 4);
  CHECK_FALSE(context.failed());
  CHECK(ops::position(context, 5, 5) == -1);
  CHECK(ops::position(context, -3, 5) == -1);
  REQUIRE(context.failed());
  CHECK(context.error().message() == "index 5 out of range for axis of 5");
  context.clear_error();
  CHECK(ops::position(context, std::numeric_limits<std::uint64_t>::max(), 5) == -1);
  CHECK(context.failed());
  context.clear_error();
  CHECK(ops::position(context, std::int8_t{0}, 0) == -1);
  CHECK(context.failed());
}

TEST_CASE("inputs are checked element by element") {
  linnet::Context context;
  const std::int32_t ids[] = {0, 2, 7};
  const linnet::TensorView<const std::int32_t, 3> view(ids);
  CHECK(ops::check_positions(context, view, 8));
  CHECK_FALSE(ops::check_positions(context, view, 7));
  CHECK(context.error().message() == "index 7 out of range for axis of 7");
  CHECK(ops::check_positions(context, std::int64_t{3}, 4));
  CHECK_FALSE(ops::check_positions(context, std::int64_t{4}, 4));
}
