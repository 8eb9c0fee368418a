#include "linnet/ops/reduce.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace ops = linnet::ops;

TEST_CASE("reductions of nothing give their identities") {
  const auto never = [](std::int64_t) -> float { return std::nanf(""); };
  CHECK(ops::sum<float>(never, 0) == 0.0F);
  CHECK(ops::prod<float>(never, 0) == 1.0F);
  CHECK(ops::max<float>(never, 0) == -std::numeric_limits<float>::infinity());
  CHECK(ops::min<float>(never, 0) == std::numeric_limits<float>::infinity());
  const auto no_integer = [](std::int64_t) -> std::int8_t { return 3; };
  CHECK(ops::max<std::int8_t>(no_integer, 0) == -128);
  CHECK(ops::min<std::int8_t>(no_integer, 0) == 127);
  const auto no_bool = [](std::int64_t) { return true; };
  CHECK_FALSE(ops::any<bool>(no_bool, 0));
  CHECK(ops::all<bool>([](std::int64_t) { return false; }, 0));
}

TEST_CASE("every length around the lanes is summed exactly") {
  for (const std::int64_t count : {1, 2, 15, 16, 17, 31, 32, 33, 100}) {
    const auto index = [](std::int64_t i) { return i + 1; };
    CHECK(ops::sum<std::int64_t>(index, count) == count * (count + 1) / 2);
    CHECK(ops::max<std::int64_t>(index, count) == count);
    CHECK(ops::min<std::int64_t>(index, count) == 1);
    CHECK(ops::any<bool>([&](std::int64_t i) { return i == count - 1; }, count));
    CHECK_FALSE(ops::all<bool>([&](std::int64_t i) { return i != count - 1; }, count));
  }
}

TEST_CASE("several indices are reduced together") {
  const auto product = [](std::int64_t i, std::int64_t j, std::int64_t k) {
    return 100 * i + 10 * j + k;
  };
  std::int64_t expected = 0;
  for (std::int64_t i = 0; i < 3; ++i) {
    for (std::int64_t j = 0; j < 4; ++j) {
      for (std::int64_t k = 0; k < 21; ++k) expected += product(i, j, k);
    }
  }
  CHECK(ops::sum<std::int64_t>(product, 3, 4, 21) == expected);
  CHECK(ops::sum<std::int64_t>(product, 3, 0, 21) == 0);
}

TEST_CASE("16-bit floats accumulate in f32 and round once") {
  // 1 + 4096 halves of the last place of 1 would stay 1 when rounded at every step.
  const auto value = [](std::int64_t i) {
    return i == 0 ? linnet::bf16(1.0F) : linnet::bf16(0.001953125F);
  };
  const linnet::bf16 total = ops::sum<linnet::bf16>(value, 513);
  CHECK(static_cast<float>(total) == 2.0F);
}

TEST_CASE("integers wrap and NaN propagates through max and min") {
  const auto big = [](std::int64_t) -> std::int8_t { return 100; };
  CHECK(ops::sum<std::int8_t>(big, 3) == 44);
  const std::vector<float> values = {1.0F, std::nanf(""), 3.0F};
  const auto read = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  CHECK(std::isnan(ops::max<float>(read, 3)));
  CHECK(std::isnan(ops::min<float>(read, 3)));
}
