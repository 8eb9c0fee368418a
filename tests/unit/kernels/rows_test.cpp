// Norms, softmax, activations, rope, argmax, embedding and cache writes on every backend.
#include <doctest/doctest.h>

#include <limits>

#include "linnet/kernels/kernels.hpp"
#include "tests/unit/kernels/support.hpp"

namespace linnet::kernels {
namespace {

using namespace test;

constexpr Format float_formats[] = {Format::f32, Format::f16, Format::bf16};

Stored empty_like(std::int64_t n, Format format) {
  return store_dense(std::vector<float>(static_cast<std::size_t>(n), -77.0F), format);
}

TEST_CASE("norms agree on every backend") {
  Random random(11);
  for (const Format format : float_formats) {
    for (const std::int64_t width : {1, 31, 64, 577}) {
      for (const bool centred : {false, true}) {
        const std::int64_t rows = 3;
        const Stored x = store_dense(random_floats(random, rows * width, 2.0F), format);
        const Stored weight = store_dense(random_floats(random, width), Format::f32);
        const Stored bias = store_dense(random_floats(random, width), format);
        const std::vector<float> values = to_floats(x, rows * width);
        const std::vector<float> w = to_floats(weight, width);
        const std::vector<float> b = to_floats(bias, width);
        std::vector<double> expected;
        for (std::int64_t r = 0; r < rows; ++r) {
          const auto at = [&](std::int64_t i) {
            return static_cast<double>(values[static_cast<std::size_t>(r * width + i)]);
          };
          double mean = 0;
          double squares = 0;
          for (std::int64_t i = 0; i < width; ++i) mean += centred ? at(i) : 0.0;
          mean /= static_cast<double>(width);
          for (std::int64_t i = 0; i < width; ++i) squares += (at(i) - mean) * (at(i) - mean);
          const double scale = 1 / std::sqrt(squares / static_cast<double>(width) + 1e-5);
          for (std::int64_t i = 0; i < width; ++i) {
            const auto j = static_cast<std::size_t>(i);
            expected.push_back((at(i) - mean) * scale * static_cast<double>(w[j]) +
                               (centred ? static_cast<double>(b[j]) : 0.0));
          }
        }
        for_each_backend([&](Context& context) {
          Stored out = empty_like(rows * width, format);
          norm(context, {x.operand(), weight.operand(), centred ? bias.operand() : Operand{},
                         Output{out.bytes.data(), format}, rows, width, 1e-5F, centred});
          CHECK(relative_error(expected, to_floats(out, rows * width)) <
                4 * rounding_of(format) + 2e-6);
        });
      }
    }
  }
}

TEST_CASE("a norm of 16-bit rows rounds after every step") {
  // 1 / sqrt(mean) is 1 here, so that cast<T>(x * scale) is x, and each product can be done by
  // hand.
  const std::vector<float> x = {1.0F, -1.0F, 1.0F, -1.0F};
  const Stored rows = store_dense(x, Format::bf16);
  const Stored weight = store_dense({1.00390625F, 1.01171875F, 0.5F, 3.0F}, Format::f32);
  for_each_backend([&](Context& context) {
    Stored out = empty_like(4, Format::bf16);
    norm(context, {rows.operand(),
                   weight.operand(),
                   {},
                   Output{out.bytes.data(), Format::bf16},
                   1,
                   4,
                   0.0F,
                   false});
    const std::vector<float> got = to_floats(out, 4);
    CHECK(got[0] == 1.0F);        // the weight rounds to 1 (ties to even) before the product
    CHECK(got[1] == -1.015625F);  // and this one up
    CHECK(got[3] == -3.0F);
  });
}

TEST_CASE("softmax agrees with f64 and sums to one") {
  Random random(12);
  for (const Format format : float_formats) {
    for (const std::int64_t width : {1, 15, 33, 1000}) {
      const std::int64_t rows = 5;
      const Stored x = store_dense(random_floats(random, rows * width, 6.0F), format);
      const std::vector<float> values = to_floats(x, rows * width);
      std::vector<double> expected(values.size());
      for (std::size_t r = 0; r < 5; ++r) {
        double total = 0;
        const auto n = static_cast<std::size_t>(width);
        for (std::size_t i = 0; i < n; ++i)
          total += std::exp(static_cast<double>(values[r * n + i]));
        for (std::size_t i = 0; i < n; ++i) {
          expected[r * n + i] = std::exp(static_cast<double>(values[r * n + i])) / total;
        }
      }
      for_each_backend([&](Context& context) {
        Stored out = empty_like(rows * width, format);
        softmax(context, {x.operand(), Output{out.bytes.data(), format}, rows, width});
        CHECK(relative_error(expected, to_floats(out, rows * width)) < rounding_of(format) + 1e-6);
      });
    }
  }
}

TEST_CASE("softmax of extremes, NaN and in place") {
  for_each_backend([&](Context& context) {
    std::vector<float> x(40, -std::numeric_limits<float>::infinity());
    x[7] = 1e30F;
    x[20] = -1e30F;
    softmax(context, {Operand{x.data()}, Output{x.data()}, 1, 40});
    CHECK(x[7] == 1.0F);
    CHECK(x[20] == 0.0F);
    CHECK(x[39] == 0.0F);
    std::vector<float> bad(40, 1.0F);
    bad[3] = std::numeric_limits<float>::quiet_NaN();
    softmax(context, {Operand{bad.data()}, Output{bad.data()}, 1, 40});
    for (const float y : bad) CHECK(std::isnan(y));
  });
}

double exact_activation(Activation function, double x) {
  switch (function) {
    case Activation::sigmoid:
      return 1 / (1 + std::exp(-x));
    case Activation::silu:
      return x / (1 + std::exp(-x));
    case Activation::gelu:
      return 0.5 * x * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
    case Activation::gelu_erf:
      return x * 0.5 * std::erfc(-x / std::sqrt(2.0));
  }
  return 0;
}

TEST_CASE("activations over the whole range") {
  for (const Activation function :
       {Activation::sigmoid, Activation::silu, Activation::gelu, Activation::gelu_erf}) {
    for (const Format format : float_formats) {
      std::vector<float> values;
      for (int i = -1201; i <= 1201; ++i) values.push_back(static_cast<float>(i) * 0.01F);
      values.push_back(100.0F);
      values.push_back(-100.0F);
      values.push_back(0.0F);
      const auto n = static_cast<std::int64_t>(values.size());
      const Stored x = store_dense(values, format);
      values = to_floats(x, n);
      for_each_backend([&](Context& context) {
        Stored out = empty_like(n, format);
        activations(context, {x.operand(), Output{out.bytes.data(), format}, n, function});
        const std::vector<float> got = to_floats(out, n);
        for (std::size_t i = 0; i < values.size(); ++i) {
          const double expected = exact_activation(function, static_cast<double>(values[i]));
          // gelu_erf promises 1e-7 of P; tanh near -1 loses its digits in the body's form too.
          const double bound = 3e-7 * std::abs(static_cast<double>(values[i])) +
                               (rounding_of(format) + 1e-6) * std::abs(expected) + 1e-7;
          CHECK(std::abs(static_cast<double>(got[i]) - expected) <= bound);
        }
      });
    }
  }
}

TEST_CASE("activations pass NaN on and know infinity") {
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> x = {std::numeric_limits<float>::quiet_NaN(), inf};
  for_each_backend([&](Context& context) {
    std::vector<float> y(2);
    for (const Activation f : {Activation::sigmoid, Activation::silu, Activation::gelu}) {
      activations(context, {Operand{x.data()}, Output{y.data()}, 2, f});
      CHECK(std::isnan(y[0]));
      CHECK(y[1] == (f == Activation::sigmoid ? 1.0F : inf));
    }
  });
}

#if LINNET_X86_KERNELS
TEST_CASE("the vector exponential is within two units in the last place") {
  if (detect_isa() == Isa::scalar) return;
  for (float x = -103.5F; x < 88.7F; x += 0.0137F) {
    // Through softmax's numerators: exp(x - 0).
    float in[2] = {x, 0};
    float out[2];
    avx2::exp_in_place(in, out, 2, 0.0F);
    const double exact = std::exp(static_cast<double>(x));
    const double step = std::max(std::ldexp(1.0, std::ilogb(exact) - 23), 0x1p-149);
    CHECK(std::abs(static_cast<double>(out[0]) - exact) <= 2 * step);
    if (detect_isa() != Isa::avx512) continue;
    avx512::exp_in_place(in, out, 2, 0.0F);
    CHECK(std::abs(static_cast<double>(out[0]) - exact) <= 2 * step);
  }
}
#endif

#if LINNET_X86_KERNELS
TEST_CASE("vector decoders give the bits of the scalar ones") {
  Random random(16);
  for (const Format format : {Format::f16, Format::bf16, Format::q8_0, Format::q4_0, Format::q4_1,
                              Format::q5_0, Format::q5_1, Format::q2_k, Format::q3_k, Format::q4_k,
                              Format::q5_k, Format::q6_k, Format::mxfp4}) {
    const std::int64_t n = 512;
    const Stored stored = random_weights(random, format, n);
    for (const std::int64_t length : {n, n - 7, n - 131}) {
      const std::vector<float> expected = to_floats(stored, length);
      std::vector<float> got(expected.size());
      const auto same = [&] {
        return std::memcmp(got.data(), expected.data(), got.size() * sizeof(float)) == 0;
      };
      INFO(std::string(format_name(format)));
      if (detect_isa() >= Isa::avx2) {
        avx2::to_floats(format, stored.bytes.data(), 0, length, got.data());
        CHECK(same());
      }
      if (detect_isa() >= Isa::avx512) {
        avx512::to_floats(format, stored.bytes.data(), 0, length, got.data());
        CHECK(same());
      }
    }
  }
}
#endif

TEST_CASE("rope turns pairs and reads tables by row where asked") {
  Random random(13);
  for (const Format format : float_formats) {
    for (const std::int64_t width : {2, 6, 64, 70}) {
      for (const bool rows : {false, true}) {
        const std::int64_t b = 2, h = 3, s = 5;
        const std::int64_t n = b * h * s * width;
        const std::int64_t tables = (rows ? b : 1) * s * width;
        const Stored x = store_dense(random_floats(random, n), format);
        const Stored c = store_dense(random_floats(random, tables), format);
        const Stored t = store_dense(random_floats(random, tables), format);
        const std::vector<float> xv = to_floats(x, n), cv = to_floats(c, tables),
                                 sv = to_floats(t, tables);
        std::vector<double> expected;
        for (std::int64_t r = 0; r < b * h * s; ++r) {
          const std::int64_t table = ((rows ? r / (h * s) * s : 0) + r % s) * width;
          for (std::int64_t d = 0; d < width; ++d) {
            const std::int64_t half = width / 2;
            const double turned =
                d < half ? -static_cast<double>(xv[static_cast<std::size_t>(r * width + d + half)])
                         : static_cast<double>(xv[static_cast<std::size_t>(r * width + d - half)]);
            const auto e = static_cast<std::size_t>(table + d);
            expected.push_back(static_cast<double>(xv[static_cast<std::size_t>(r * width + d)]) *
                                   static_cast<double>(cv[e]) +
                               turned * static_cast<double>(sv[e]));
          }
        }
        for_each_backend([&](Context& context) {
          Stored out = x;  // in place
          rope(context, {out.operand(), c.operand(), t.operand(), Output{out.bytes.data(), format},
                         b, h, s, width, rows});
          CHECK(relative_error(expected, to_floats(out, n)) < 2 * rounding_of(format) + 1e-7);
        });
      }
    }
  }
}

TEST_CASE("argmax takes the first of equals and NaN before all") {
  Random random(14);
  for_each_backend([&](Context&) {
    for (const std::int64_t n : {1, 7, 31, 257, 1000}) {
      std::vector<float> x = random_floats(random, n);
      CHECK(argmax(x.data(), n) == scalar::argmax(x.data(), n));
      const auto at = static_cast<std::size_t>(n);
      x[at / 2] = 50;
      x[at - 1] = 50;
      CHECK(argmax(x.data(), n) == static_cast<std::int32_t>(at / 2));
      x[at / 3] = std::numeric_limits<float>::infinity();
      CHECK(argmax(x.data(), n) == static_cast<std::int32_t>(at / 3));
      x[at - 1] = std::numeric_limits<float>::quiet_NaN();
      CHECK(argmax(x.data(), n) == static_cast<std::int32_t>(at - 1));
      std::vector<float> low(at, -std::numeric_limits<float>::infinity());
      CHECK(argmax(low.data(), n) == 0);
    }
  });
  Context context;
  const std::int64_t wide[6] = {3, 9, 9, -1, -5, -1};
  std::int32_t out[2];
  argmax(context, TensorView<std::int32_t, 2>(out), TensorView<const std::int64_t, 2, 3>(wide));
  CHECK(out[0] == 1);
  CHECK(out[1] == 0);
  const bf16 half[3] = {bf16(1.0F), bf16(2.0F), bf16(2.0F)};
  argmax(context, TensorView<std::int32_t, 1>(out), TensorView<const bf16, 1, 3>(half));
  CHECK(out[0] == 1);
}

TEST_CASE("embedding reads rows of every format and reports ids outside") {
  Random random(15);
  for (const Format format : {Format::f32, Format::bf16, Format::q8_0, Format::q4_k}) {
    const std::int64_t width = format == Format::q4_k ? 512 : 96;
    const Stored table = random_weights(random, format, 4 * width);
    const std::vector<float> all = to_floats(table, 4 * width);
    const std::int32_t ids[3] = {3, 0, 3};
    for (const Format to : float_formats) {
      Context context;
      Stored out = empty_like(3 * width, to);
      embedding(context, {ids, table.operand(), Output{out.bytes.data(), to}, 3, 4, width});
      const std::vector<float> got = to_floats(out, 3 * width);
      for (std::int64_t i = 0; i < 3 * width; ++i) {
        const auto from = static_cast<std::size_t>(ids[i / width] * width + i % width);
        CHECK(got[static_cast<std::size_t>(i)] == scalar::rounded(to, all[from]));
      }
      CHECK(!context.failed());
    }
  }
  Context context;
  const float table[4] = {1, 2, 3, 4};
  const std::int32_t ids[2] = {1, -1};
  float out[4];
  embedding(context, TensorView<float, 2, 2>(out), TensorView<const std::int32_t, 2>(ids),
            TensorView<const float, 2, 2>(table));
  CHECK(out[0] == 3);
  CHECK(out[2] == 0);
  CHECK(context.failed());
  CHECK(context.error().message() == "index -1 out of range for axis of 2");
}

TEST_CASE("cache writes stay inside the cache, in place or beside it") {
  Context context;
  const auto cache_of = [](float* data) { return TensorView<float, 2, 2, 4, 1>(data); };
  std::vector<float> old(16);
  for (std::size_t i = 0; i < 16; ++i) old[i] = static_cast<float>(i);
  const float values[16] = {100, 101, 102, 103, 104, 105, 106, 107,
                            108, 109, 110, 111, 112, 113, 114, 115};
  SUBCASE("write_at") {
    std::vector<float> out(16, -1.0F);
    write_at(context, cache_of(out.data()), cache_of(old.data()),
             TensorView<const float, 2, 2, 1, 1>(values), 2);
    CHECK(out == std::vector<float>{0, 1, 100, 3, 4, 5, 101, 7, 8, 9, 102, 11, 12, 13, 103, 15});
    write_at(context, cache_of(old.data()), cache_of(old.data()),
             TensorView<const float, 2, 2, 1, 1>(values), 4);
    write_at(context, cache_of(old.data()), cache_of(old.data()),
             TensorView<const float, 2, 2, 1, 1>(values), -1);
    CHECK(old[3] == 3);
    CHECK(old[0] == 0);
    CHECK(old[4] == 4);
  }
  SUBCASE("write_span crosses both ends") {
    const TensorView<const float, 2, 2, 3, 1> value(values);
    write_span(context, cache_of(old.data()), cache_of(old.data()), value, 3);
    CHECK(old == std::vector<float>{0, 1, 2, 100, 4, 5, 6, 103, 8, 9, 10, 106, 12, 13, 14, 109});
    write_span(context, cache_of(old.data()), cache_of(old.data()), value, -2);
    CHECK(old[0] == 102);
    CHECK(old[1] == 1);
    CHECK(old[4] == 105);
    write_span(context, cache_of(old.data()), cache_of(old.data()), value,
               std::numeric_limits<std::int32_t>::min());
    write_span(context, cache_of(old.data()), cache_of(old.data()), value,
               std::numeric_limits<std::int32_t>::max());
    CHECK(old[0] == 102);
  }
  SUBCASE("rows, slots and tokens") {
    const std::int32_t at[2] = {1, 9};
    write_rows(context, cache_of(old.data()), cache_of(old.data()),
               TensorView<const float, 2, 2, 1, 1>(values), TensorView<const std::int32_t, 2>(at));
    CHECK(old[1] == 100);
    CHECK(old[5] == 101);
    CHECK(old[9] == 9);
    write_slot(context, cache_of(old.data()), cache_of(old.data()),
               TensorView<const float, 1, 2, 2, 1>(values), 1, 0);
    CHECK(old[8] == 100);
    CHECK(old[9] == 101);
    CHECK(old[12] == 102);
    const std::int32_t slots[2] = {0, 0};
    write_slots(context, cache_of(old.data()), cache_of(old.data()),
                TensorView<const float, 2, 2, 1, 1>(values),
                TensorView<const std::int32_t, 2>(slots), 3);
    CHECK(old[3] == 102);
    CHECK(old[7] == 103);
    const std::int32_t rows[3] = {1, 5, 1};
    const std::int32_t positions[3] = {2, 0, 2};
    write_tokens(context, cache_of(old.data()), cache_of(old.data()),
                 TensorView<const float, 1, 2, 3, 1>(values),
                 TensorView<const std::int32_t, 3>(rows),
                 TensorView<const std::int32_t, 3>(positions));
    CHECK(old[10] == 102);
    CHECK(old[14] == 105);
  }
}

}  // namespace
}  // namespace linnet::kernels
