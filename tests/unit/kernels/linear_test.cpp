// linear and gemm: every backend, weight format and activation dtype against sums in f64.
#include "linnet/kernels/linear/linear.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "tests/unit/kernels/support.hpp"

namespace linnet::kernels {
namespace {

using namespace test;

constexpr Format weight_formats[] = {Format::f32,  Format::f16,  Format::bf16, Format::q8_0,
                                     Format::q4_0, Format::q4_1, Format::q5_0, Format::q5_1,
                                     Format::q2_k, Format::q3_k, Format::q4_k, Format::q5_k,
                                     Format::q6_k, Format::mxfp4};

struct Problem {
  std::int64_t m, n, k;
  Stored x, weight, bias;
  std::vector<double> expected;
  std::vector<std::byte> packed_memory;
  std::byte* packed = nullptr;
};

Problem make_problem(Random& random, Format x_format, Format format, std::int64_t m, std::int64_t n,
                     std::int64_t k, bool with_bias) {
  Problem p{m, n, k, {}, {}, {}, {}, {}};
  p.x = store_dense(random_floats(random, m * k), x_format);
  p.weight = random_weights(random, format, n * k);
  if (with_bias) p.bias = store_dense(random_floats(random, n), x_format);
  const std::vector<float> x = to_floats(p.x, m * k);
  const std::vector<float> bias = with_bias ? to_floats(p.bias, n) : std::vector<float>();
  const std::vector<float> w = to_floats(p.weight, n * k);
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = with_bias ? static_cast<double>(bias[static_cast<std::size_t>(j)]) : 0.0;
      for (std::int64_t q = 0; q < k; ++q) {
        sum += static_cast<double>(x[static_cast<std::size_t>(i * k + q)]) *
               static_cast<double>(w[static_cast<std::size_t>(j * k + q)]);
      }
      p.expected.push_back(sum);
    }
  }
  if (can_pack(format, n, k)) {
    p.packed_memory.resize(static_cast<std::size_t>(packed_bytes(format, n, k)) + 64);
    void* at = p.packed_memory.data();
    std::size_t room = p.packed_memory.size();
    p.packed = static_cast<std::byte*>(std::align(64, room - 63, at, room));
    pack(format, p.weight.bytes.data(), n, k, p.packed);
  }
  return p;
}

std::vector<float> run_linear(Context& context, const Problem& p, bool packed) {
  Operand weight = p.weight.operand();
  if (packed) weight.packed = p.packed;
  Stored out =
      store_dense(std::vector<float>(static_cast<std::size_t>(p.m * p.n), -77.0F), p.x.format);
  linear(context, {p.x.operand(), weight, p.bias.bytes.empty() ? Operand{} : p.bias.operand(),
                   Output{out.bytes.data(), out.format}, p.m, p.n, p.k});
  return to_floats(out, p.m * p.n);
}

/// A packed product rounds activations to 16 bits a block.
double tolerance(const Problem& p, bool packed) {
  return 2 * rounding_of(p.x.format) + (packed ? 5e-5 : 2e-6);
}

TEST_CASE("linear in every weight format") {
  Random random(1);
  for (const Format format : weight_formats) {
    const std::int64_t block = static_cast<std::int64_t>(weights::block_elements(format));
    const std::int64_t k = block == 1 ? 83 : block == 32 ? 96 : 512;
    for (const std::int64_t m : {1, 3, 5, 31}) {
      const Problem p = make_problem(random, Format::f32, format, m, 67, k, m == 3);
      for_each_backend([&](Context& context) {
        INFO("format " << std::string(format_name(format)) << ", m " << m);
        CHECK(relative_error(p.expected, run_linear(context, p, false)) < tolerance(p, false));
        if (p.packed != nullptr) {
          CHECK(relative_error(p.expected, run_linear(context, p, true)) < tolerance(p, true));
        }
      });
    }
  }
}

TEST_CASE("linear with 16-bit activations and outputs") {
  Random random(2);
  for (const Format x : {Format::f16, Format::bf16}) {
    for (const Format format : {Format::f32, Format::bf16, Format::q4_1, Format::q6_k}) {
      for (const std::int64_t m : {1, 13, 30}) {
        const Problem p = make_problem(random, x, format, m, 33, 256, true);
        for_each_backend([&](Context& context) {
          CHECK(relative_error(p.expected, run_linear(context, p, false)) < tolerance(p, false));
          if (p.packed != nullptr) {
            CHECK(relative_error(p.expected, run_linear(context, p, true)) < tolerance(p, true));
          }
        });
      }
    }
  }
}

TEST_CASE("linear at odd sizes") {
  Random random(3);
  for (const std::int64_t n : {1, 31, 33, 257}) {
    for (const std::int64_t k : {1, 31, 33, 257}) {
      const Problem p =
          make_problem(random, Format::f32, Format::f32, n == 33 ? 25 : 2, n, k, true);
      for_each_backend([&](Context& context) {
        CHECK(relative_error(p.expected, run_linear(context, p, false)) < tolerance(p, false));
      });
    }
  }
}

TEST_CASE("linear of long rows and many tokens") {
  Random random(4);
  const Problem deep = make_problem(random, Format::f32, Format::q8_0, 5, 18, 8192 + 1024, false);
  const Problem wide = make_problem(random, Format::f32, Format::q4_0, 1100, 17, 64, false);
  const Problem wide_bf16 = make_problem(random, Format::bf16, Format::f32, 300, 17, 640, false);
  for_each_backend([&](Context& context) {
    for (const Problem* p : {&deep, &wide, &wide_bf16}) {
      CHECK(relative_error(p->expected, run_linear(context, *p, false)) < tolerance(*p, false));
      if (p->packed != nullptr) {
        CHECK(relative_error(p->expected, run_linear(context, *p, true)) < tolerance(*p, true));
      }
    }
  });
}

TEST_CASE("activations of very different size keep their precision in packed products") {
  Random random(5);
  Problem p = make_problem(random, Format::f32, Format::q4_1, 2, 32, 128, false);
  std::vector<float> x = to_floats(p.x, p.m * p.k);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= i % 128 < 64 ? 1e-3F : 1.0F;
  for (std::size_t i = 64; i < 128; ++i) x[i] = 0;  // token 0: only the small half
  p.x = store_dense(x, Format::f32);
  const std::vector<float> w = to_floats(p.weight, p.n * p.k);
  for (std::size_t j = 0; j < 32; ++j) {
    double sum = 0;
    for (std::size_t k = 0; k < 128; ++k)
      sum += static_cast<double>(x[k]) * static_cast<double>(w[j * 128 + k]);
    p.expected[j] = sum;
  }
  p.expected.resize(32);
  for_each_backend([&](Context& context) {
    std::vector<float> out = run_linear(context, p, true);
    out.resize(32);
    CHECK(relative_error(p.expected, out) < 5e-5);
  });
}

TEST_CASE("NaN and infinity reach exactly the outputs of their token") {
  Random random(6);
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const bool packed : {false, true}) {
      for (const std::int64_t m : {3, 26}) {
        Problem p = make_problem(random, Format::f32, Format::q8_0, m, 20, 64, false);
        std::vector<float> x = to_floats(p.x, p.m * p.k);
        x[64 + 5] = bad;
        p.x = store_dense(x, Format::f32);
        for_each_backend([&](Context& context) {
          const std::vector<float> out = run_linear(context, p, packed);
          for (std::size_t i = 0; i < out.size(); ++i) {
            CHECK(std::isfinite(out[i]) == (i / 20 != 1));
          }
        });
      }
    }
  }
}

TEST_CASE("linear with nothing to do, and with nothing to sum") {
  for_each_backend([&](Context& context) {
    float out[3] = {7, 7, 7};
    const float bias[3] = {1, 2, 3};
    linear(context, {Operand{out}, Operand{out}, {}, Output{out}, 0, 3, 4});
    linear(context, {Operand{out}, Operand{out}, {}, Output{out}, 3, 0, 4});
    CHECK(out[0] == 7);
    linear(context, {Operand{out}, Operand{out}, Operand{bias}, Output{out}, 1, 3, 0});
    CHECK(out[0] == 1);
    CHECK(out[2] == 3);
  });
}

TEST_CASE("linear from views") {
  const float x[2 * 4] = {1, 2, 3, 4, 5, 6, 7, 8};
  const float w[3 * 4] = {1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1};
  const bf16 b[3] = {bf16(0.5F), bf16(1.0F), bf16(-1.0F)};
  float out[2 * 3];
  for_each_backend([&](Context& context) {
    linear(context, TensorView<float, 2, 1, 3>(out), TensorView<const float, 2, 1, 4>(x),
           WeightView<float, 3, 4>(w, Format::f32), WeightView<float, 3>(b, Format::bf16));
    CHECK(out[0] == 1.5F);
    CHECK(out[1] == 3.0F);
    CHECK(out[5] == 25.0F);
    linear(context, TensorView<float, 2, 1, 3>(out), TensorView<const float, 2, 1, 4>(x),
           TensorView<const float, 3, 4>(w), std::nullopt);
    CHECK(out[5] == 26.0F);
  });
}

TEST_CASE("gemm_f32 with any strides") {
  Random random(7);
  struct Size {
    std::int64_t m, n, k;
  };
  for (const Size s : {Size{1, 1, 1}, {5, 7, 3}, {13, 33, 17}, {33, 65, 600}, {50, 40, 256}}) {
    for (int layout = 0; layout < 8; ++layout) {
      const std::vector<float> a = random_floats(random, s.m * s.k);
      const std::vector<float> b = random_floats(random, s.k * s.n);
      const bool ta = (layout & 1) != 0;
      const bool tb = (layout & 2) != 0;
      const bool tc = (layout & 4) != 0;
      std::vector<double> expected(static_cast<std::size_t>(s.m * s.n));
      const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
      const std::int64_t a_row = ta ? 1 : s.k, a_column = ta ? s.m : 1;
      const std::int64_t b_row = tb ? 1 : s.n, b_column = tb ? s.k : 1;
      const std::int64_t c_row = tc ? 1 : s.n, c_column = tc ? s.m : 1;
      for (std::int64_t i = 0; i < s.m; ++i) {
        for (std::int64_t j = 0; j < s.n; ++j) {
          double sum = 0;
          for (std::int64_t k = 0; k < s.k; ++k) {
            sum += static_cast<double>(a[at(i * a_row + k * a_column)]) *
                   static_cast<double>(b[at(k * b_row + j * b_column)]);
          }
          expected[at(i * c_row + j * c_column)] = sum;
        }
      }
      for_each_backend([&](Context& context) {
        std::vector<float> c(expected.size(), -5.0F);
        gemm_f32(context, s.m, s.n, s.k, a.data(), a_row, a_column, b.data(), b_row, b_column,
                 c.data(), c_row, c_column);
        CHECK(relative_error(expected, c) < 2e-6);
      });
    }
  }
}

}  // namespace
}  // namespace linnet::kernels
