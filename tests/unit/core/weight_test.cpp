#include "linnet/core/weight.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "linnet/weights/block_formats.hpp"

using linnet::bf16;
using linnet::Format;
using linnet::WeightView;

TEST_CASE("a dense weight reads as it is") {
  const float data[6] = {1, 2, 3, 4, 5, 6};
  const WeightView<float, 2, 3> weight(data, Format::f32);
  CHECK(weight.is_bound());
  CHECK(weight.is_dense());
  CHECK(weight(1, 2) == 6);
  CHECK(weight.dense()(0, 1) == 2);
  CHECK(weight.rows() == 2);
  CHECK(weight.columns() == 3);
  CHECK(weight.row_bytes() == 12);
  std::array<float, 3> row{};
  weight.read_row(1, row.data());
  CHECK(row == std::array<float, 3>{4, 5, 6});
  CHECK_FALSE(WeightView<float, 2, 3>().is_bound());
}

TEST_CASE("a float weight may be stored in another float dtype") {
  const float data[6] = {1, 2, 3, 4, 5, 0.1F};
  const WeightView<bf16, 2, 3> weight(data, Format::f32);
  CHECK_FALSE(weight.is_dense());
  CHECK(weight(1, 2).bits == bf16(0.1F).bits);
  std::array<bf16, 3> row{};
  weight.read_row(1, row.data());
  CHECK(row[2].bits == bf16(0.1F).bits);
  const double wide[2] = {1.0 + 0x1p-8 + 0x1p-40, 3};
  const WeightView<bf16, 2> rounded(wide, Format::f64);
  CHECK(rounded(0).bits == 0x3f81);
  std::array<bf16, 2> both{};
  rounded.read_row(0, both.data());
  CHECK(both[0].bits == 0x3f81);
  CHECK(static_cast<float>(both[1]) == 3);
}

TEST_CASE("a quantised weight is decoded by rows and by elements") {
  // Two rows of 64, two blocks each: element values are d * q with q from -32 to 31.
  std::vector<linnet::weights::BlockQ8_0> blocks(4);
  for (std::size_t b = 0; b < 4; ++b) {
    blocks[b].d = linnet::f16(static_cast<float>(b + 1)).bits;
    for (int i = 0; i < 32; ++i) blocks[b].qs[i] = static_cast<std::int8_t>(i - 16);
  }
  const WeightView<float, 2, 64> weight(blocks.data(), Format::q8_0);
  CHECK(weight.row_bytes() == 2 * 34);
  std::array<float, 64> row{};
  weight.read_row(1, row.data());
  CHECK(row[0] == 3 * -16);
  CHECK(row[63] == 4 * 15);
  CHECK(weight(0, 33) == 2 * -15);
  CHECK(weight.element(64 + 63) == 4 * 15);
  const WeightView<bf16, 2, 64> narrow(blocks.data(), Format::q8_0);
  std::array<bf16, 64> halves{};
  narrow.read_row(1, halves.data());
  CHECK(static_cast<float>(halves[63]) == 60);
  CHECK(static_cast<float>(narrow(1, 32)) == -64);
}

TEST_CASE("scalars and integers") {
  const std::int64_t value = 42;
  const WeightView<std::int64_t> scalar(&value, Format::i64);
  CHECK(scalar() == 42);
  CHECK(scalar.rows() == 1);
  CHECK(scalar.columns() == 1);
}
