// Contractions against plain loops over the same indices, for every order of indices, lengths
// around the tiles, element types, and weights as they are stored.
#include "linnet/ops/contract.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "linnet/runtime/threads.hpp"

namespace ops = linnet::ops;

namespace {

std::vector<float> random_floats(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> between(-1, 1);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = between(random);
  return values;
}

template <class T>
linnet::TensorView<T> view(std::vector<T>& values) {
  return linnet::TensorView<T>(values.data());
}

/// y[m, n] = sum[k] a[m, k] * b[n, k] in double.
std::vector<double> product(const std::vector<float>& a, const std::vector<float>& b,
                            std::int64_t m, std::int64_t n, std::int64_t k) {
  std::vector<double> y(static_cast<std::size_t>(m * n));
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::int64_t d = 0; d < k; ++d) {
        sum += static_cast<double>(a[static_cast<std::size_t>(i * k + d)]) *
               static_cast<double>(b[static_cast<std::size_t>(j * k + d)]);
      }
      y[static_cast<std::size_t>(i * n + j)] = sum;
    }
  }
  return y;
}

}  // namespace

TEST_CASE("a matrix product of any size, on one thread and two") {
  auto pool = linnet::ThreadPool::make(2);
  REQUIRE(pool);
  linnet::Context alone;
  linnet::Context threaded({}, pool->get());
  struct Size {
    std::int64_t m, n, k;
  };
  for (const Size size : {Size{1, 1, 1}, Size{1, 33, 70}, Size{5, 16, 256}, Size{67, 17, 300},
                          Size{130, 40, 257}, Size{3, 0, 4}, Size{0, 3, 4}, Size{3, 4, 0}}) {
    auto a = random_floats(size.m * size.k, 1);
    auto b = random_floats(size.n * size.k, 2);
    const auto expected = product(a, b, size.m, size.n, size.k);
    for (linnet::Context* context : {&alone, &threaded}) {
      std::vector<float> y(expected.size() + 1, 7.0F);
      ops::contract<float>(*context, {size.m, size.n, size.k}, 2, view(y), {size.n, 1, 0}, view(a),
                           {size.k, 0, 1}, view(b), {0, size.k, 1});
      for (std::size_t i = 0; i < expected.size(); ++i) {
        REQUIRE(static_cast<double>(y[i]) == doctest::Approx(expected[i]).epsilon(1e-4));
      }
      CHECK(y.back() == 7.0F);
    }
  }
}

TEST_CASE("the order of indices is free: batches, transposed operands, two summed indices") {
  // y[h, g, q] = sum[d, e] x[g, d, h, e] * w[e, q, d]
  const std::int64_t h = 3;
  const std::int64_t g = 2;
  const std::int64_t q = 19;
  const std::int64_t d = 5;
  const std::int64_t e = 7;
  auto x = random_floats(g * d * h * e, 3);
  auto w = random_floats(e * q * d, 4);
  std::vector<float> y(static_cast<std::size_t>(h * g * q));
  linnet::Context context;
  ops::contract<float>(context, {h, g, q, d, e}, 3, view(y), {g * q, q, 1, 0, 0}, view(x),
                       {e, d * h * e, 0, h * e, 1}, view(w), {0, 0, d, 1, q * d});
  for (std::int64_t i = 0; i < h * g * q; ++i) {
    const std::int64_t ih = i / (g * q);
    const std::int64_t ig = i / q % g;
    const std::int64_t iq = i % q;
    double sum = 0;
    for (std::int64_t id = 0; id < d; ++id) {
      for (std::int64_t ie = 0; ie < e; ++ie) {
        const auto left = static_cast<std::size_t>(((ig * d + id) * h + ih) * e + ie);
        const auto right = static_cast<std::size_t>((ie * q + iq) * d + id);
        sum += static_cast<double>(x[left]) * static_cast<double>(w[right]);
      }
    }
    REQUIRE(static_cast<double>(y[static_cast<std::size_t>(i)]) ==
            doctest::Approx(sum).epsilon(1e-4));
  }
}

TEST_CASE("a diagonal, an outer product and a dot product") {
  linnet::Context context;
  auto a = random_floats(9, 5);
  auto b = random_floats(3, 6);
  std::vector<float> y(9);
  // y[i] = sum[k] a[i, i] * b[k]: the diagonal has the sum of both strides.
  ops::contract<float>(context, {3, 3}, 1, view(y), {1, 0}, view(a), {4, 0}, view(b), {0, 1});
  CHECK(y[2] == doctest::Approx(a[8] * (b[0] + b[1] + b[2])).epsilon(1e-4));
  std::vector<float> one(1);
  ops::contract<float>(context, {3}, 0, view(one), {0}, view(a), {1}, view(b), {1});
  CHECK(one[0] == doctest::Approx(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]).epsilon(1e-4));
}

TEST_CASE("integers wrap, 16-bit products round before they are summed") {
  linnet::Context context;
  std::vector<std::int8_t> x = {100, 100};
  std::vector<std::int8_t> y(1);
  ops::contract<std::int8_t>(context, {2}, 0, view(y), {0}, view(x), {1}, view(x), {1});
  CHECK(y[0] == static_cast<std::int8_t>(20000 % 256));

  // 1.0078125^2 = 1.01568603515625 rounds to 1.015625 in bf16.
  std::vector<linnet::bf16> a = {linnet::bf16(1.0078125F)};
  std::vector<float> rounded(1);
  ops::contract<linnet::bf16>(context, {1}, 0, view(rounded), {0}, view(a), {1}, view(a), {1});
  CHECK(rounded[0] == 1.015625F);
  ops::contract<float>(context, {1}, 0, view(rounded), {0}, view(a), {1}, view(a), {1});
  CHECK(rounded[0] == 1.01568603515625F);
}

TEST_CASE("a weight stored in blocks is read row by row") {
  // Two rows of 64 columns in Q8_0: blocks of 32 with a scale each.
  std::vector<linnet::weights::BlockQ8_0> blocks(4);
  std::mt19937 random(9);
  for (auto& block : blocks) {
    block.d = linnet::f16(0.125F).bits;
    for (auto& quant : block.qs) {
      quant = static_cast<std::int8_t>(static_cast<int>(random() % 255) - 127);
    }
  }
  const linnet::WeightView<float, 2, 64> weight(blocks.data(), linnet::Format::q8_0);
  auto x = random_floats(3 * 64, 8);
  std::vector<float> dense(2 * 64);
  for (std::int64_t i = 0; i < 128; ++i) dense[static_cast<std::size_t>(i)] = weight.element(i);
  const auto expected = product(x, dense, 3, 2, 64);
  std::vector<float> y(6);
  linnet::Context context;
  ops::contract<float>(context, {3, 2, 64}, 2, view(y), {2, 1, 0}, view(x), {64, 0, 1}, weight,
                       {0, 64, 1});
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(static_cast<double>(y[i]) == doctest::Approx(expected[i]).epsilon(1e-4));
  }
  // And along the other axis, where neighbours lie in different rows.
  std::vector<float> turned(static_cast<std::size_t>(64));
  auto pair = random_floats(2, 10);
  ops::contract<float>(context, {64, 2}, 1, view(turned), {1, 0}, weight, {1, 64}, view(pair),
                       {0, 1});
  CHECK(turned[40] == doctest::Approx(dense[40] * pair[0] + dense[104] * pair[1]).epsilon(1e-4));
}
