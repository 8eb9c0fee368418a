// Attention and SwiGLU on every backend against f64.
#include <doctest/doctest.h>

#include <limits>

#include "linnet/kernels/kernels.hpp"
#include "tests/unit/kernels/support.hpp"

namespace linnet::kernels {
namespace {

using namespace test;

struct Shape4 {
  std::int64_t b, h, hk, q, k, d;
};

enum class MaskKind { none, causal, window, holes, empty_rows };

/// unique_ptr<bool[]>, since vector<bool> has no data().
struct MaskData {
  std::unique_ptr<bool[]> data;
  bool per_row = false;
};

MaskData make_mask(Random& random, MaskKind kind, const Shape4& s, bool per_row) {
  MaskData mask;
  mask.per_row = per_row;
  if (kind == MaskKind::none) return mask;
  const std::int64_t n = (per_row ? s.b : 1) * s.q * s.k;
  mask.data = std::make_unique<bool[]>(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t q = i / s.k % s.q;
    const std::int64_t k = i % s.k;
    const std::int64_t limit = q + (s.k - s.q) - (per_row ? i / s.k / s.q : 0);
    bool live = k <= limit;
    if (kind == MaskKind::window) live = live && k > limit - 9;
    if (kind == MaskKind::holes) live = live && random() % 3 != 0;
    if (kind == MaskKind::empty_rows) live = live && q % 3 != 1;
    mask.data[static_cast<std::size_t>(i)] = live;
  }
  return mask;
}

struct Case {
  Shape4 shape;
  Stored query, key, value;
  MaskData mask;
  float scale = 0.3F;
  std::vector<double> expected;
};

Case make_case(Random& random, const Shape4& s, Format format, MaskKind kind, bool per_row) {
  Case c;
  c.shape = s;
  c.query = store_dense(random_floats(random, s.b * s.h * s.q * s.d), format);
  c.key = store_dense(random_floats(random, s.b * s.hk * s.k * s.d), format);
  c.value = store_dense(random_floats(random, s.b * s.hk * s.k * s.d), format);
  c.mask = make_mask(random, kind, s, per_row);
  const std::vector<float> q = to_floats(c.query, s.b * s.h * s.q * s.d);
  const std::vector<float> k = to_floats(c.key, s.b * s.hk * s.k * s.d);
  const std::vector<float> v = to_floats(c.value, s.b * s.hk * s.k * s.d);
  for (std::int64_t r = 0; r < s.b * s.h * s.q; ++r) {
    const std::int64_t b = r / s.q / s.h;
    const std::int64_t kv = b * s.hk + r / s.q % s.h / (s.h / s.hk);
    std::vector<double> scores;
    double top = -1e300;
    for (std::int64_t j = 0; j < s.k; ++j) {
      double dot = 0;
      for (std::int64_t d = 0; d < s.d; ++d) {
        dot += static_cast<double>(q[static_cast<std::size_t>(r * s.d + d)]) *
               static_cast<double>(k[static_cast<std::size_t>((kv * s.k + j) * s.d + d)]);
      }
      const std::int64_t at = ((per_row ? b * s.q : 0) + r % s.q) * s.k + j;
      const bool live = c.mask.data == nullptr || c.mask.data[static_cast<std::size_t>(at)];
      scores.push_back(live ? dot * static_cast<double>(c.scale) : -1e30);
      top = std::max(top, scores.back());
    }
    double total = 0;
    for (double& x : scores) total += x = std::exp(x - top);
    for (std::int64_t d = 0; d < s.d; ++d) {
      double sum = 0;
      for (std::int64_t j = 0; j < s.k; ++j) {
        sum += scores[static_cast<std::size_t>(j)] / total *
               static_cast<double>(v[static_cast<std::size_t>((kv * s.k + j) * s.d + d)]);
      }
      c.expected.push_back(sum);
    }
  }
  return c;
}

void check(Context& context, const Case& c) {
  const Shape4& s = c.shape;
  const std::int64_t n = s.b * s.h * s.q * s.d;
  Stored out = store_dense(std::vector<float>(static_cast<std::size_t>(n), -9.0F), c.query.format);
  attention(context, {c.query.operand(), c.key.operand(), c.value.operand(), c.mask.data.get(),
                      Output{out.bytes.data(), out.format}, s.b, s.h, s.hk, s.q, s.k, s.d, c.scale,
                      c.mask.per_row});
  CHECK(relative_error(c.expected, to_floats(out, n)) < 2 * rounding_of(out.format) + 2e-6);
}

constexpr MaskKind mask_kinds[] = {MaskKind::none, MaskKind::causal, MaskKind::window,
                                   MaskKind::holes, MaskKind::empty_rows};

TEST_CASE("attention of few and of many queries under every kind of mask") {
  Random random(21);
  const Shape4 shapes[] = {
      {1, 9, 3, 1, 70, 64},    // decoding
      {2, 4, 2, 1, 600, 20},   // several blocks, a width that is no multiple of a vector
      {1, 6, 1, 2, 33, 8},     // a group of more heads than a pass takes
      {1, 3, 3, 5, 5, 4},      // no groups, few queries
      {1, 9, 3, 40, 40, 64},   // prefill
      {2, 2, 1, 50, 300, 24},  // prefill with history
      {1, 1, 1, 130, 130, 37}, {1, 8, 2, 13, 257, 160},
  };
  for (const Shape4& s : shapes) {
    for (const MaskKind kind : mask_kinds) {
      for (const bool per_row : {false, true}) {
        if (kind == MaskKind::none && per_row) continue;
        const Case c = make_case(random, s, Format::f32, kind, per_row);
        for_each_backend([&](Context& context) {
          INFO("q " << s.q << " k " << s.k << " d " << s.d << " mask " << static_cast<int>(kind));
          check(context, c);
        });
      }
    }
  }
}

TEST_CASE("attention in 16 bits") {
  Random random(22);
  for (const Format format : {Format::f16, Format::bf16}) {
    for (const Shape4& s : {Shape4{1, 6, 2, 1, 100, 32}, Shape4{1, 6, 2, 30, 100, 40}}) {
      const Case c = make_case(random, s, format, MaskKind::causal, false);
      for_each_backend([&](Context& context) { check(context, c); });
    }
  }
}

TEST_CASE("widths beyond the tiles and beyond the vector kernels") {
  Random random(23);
  for (const std::int64_t d : {300, 520}) {
    const Case c = make_case(random, {1, 2, 1, 14, 20, d}, Format::f32, MaskKind::causal, false);
    for_each_backend([&](Context& context) { check(context, c); });
  }
}

TEST_CASE("scores far apart do not overflow, and a later larger score rescales what came before") {
  const std::int64_t k = 700;
  std::vector<float> keys(static_cast<std::size_t>(k));
  std::vector<float> values(static_cast<std::size_t>(k));
  for (std::int64_t j = 0; j < k; ++j) {
    keys[static_cast<std::size_t>(j)] = static_cast<float>(j);
    values[static_cast<std::size_t>(j)] = static_cast<float>(j);
  }
  for_each_backend([&](Context& context) {
    for (const std::int64_t queries : {1, 20}) {
      const std::vector<float> q(static_cast<std::size_t>(queries), 50.0F);
      std::vector<float> out(static_cast<std::size_t>(queries));
      attention(context, {Operand{q.data()}, Operand{keys.data()}, Operand{values.data()}, nullptr,
                          Output{out.data()}, 1, 1, 1, queries, k, 1, 1.0F, false});
      for (const float y : out) CHECK(y == 699.0F);
    }
  });
}

TEST_CASE("NaN in a query stays in its row; no queries and no keys are nothing") {
  Random random(24);
  for (const std::int64_t queries : {2, 30}) {
    Case c = make_case(random, {1, 2, 1, queries, 40, 16}, Format::f32, MaskKind::none, false);
    std::vector<float> q = to_floats(c.query, 2 * queries * 16);
    q[16] = std::numeric_limits<float>::quiet_NaN();
    for_each_backend([&](Context& context) {
      std::vector<float> out(q.size());
      attention(context, {Operand{q.data()}, c.key.operand(), c.value.operand(), nullptr,
                          Output{out.data()}, 1, 2, 1, queries, 40, 16, 0.2F, false});
      for (std::size_t i = 0; i < out.size(); ++i) CHECK(std::isnan(out[i]) == (i / 16 == 1));
      attention(context, {Operand{q.data()}, c.key.operand(), c.value.operand(), nullptr,
                          Output{out.data()}, 1, 2, 1, 0, 40, 16, 0.2F, false});
      attention(context, {Operand{q.data()}, c.key.operand(), c.value.operand(), nullptr,
                          Output{out.data()}, 1, 2, 1, 2, 0, 16, 0.2F, false});
      CHECK(out[0] == 0);
    });
  }
}

TEST_CASE("grouped_attention from views") {
  Random random(25);
  const Case c = make_case(random, {1, 4, 2, 3, 5, 8}, Format::f32, MaskKind::causal, false);
  const auto* q = reinterpret_cast<const float*>(c.query.bytes.data());
  const auto* k = reinterpret_cast<const float*>(c.key.bytes.data());
  const auto* v = reinterpret_cast<const float*>(c.value.bytes.data());
  for_each_backend([&](Context& context) {
    std::vector<float> out(4 * 3 * 8);
    const std::optional<TensorView<const bool, 3, 5>> mask{
        TensorView<const bool, 3, 5>(c.mask.data.get())};
    grouped_attention(context, TensorView<float, 1, 4, 3, 8>(out.data()),
                      TensorView<const float, 1, 4, 3, 8>(q),
                      TensorView<const float, 1, 2, 5, 8>(k),
                      TensorView<const float, 1, 2, 5, 8>(v), c.scale, mask);
    CHECK(relative_error(c.expected, out) < 2e-6);
  });
}

TEST_CASE("swiglu in every mix of stored and packed weights") {
  Random random(26);
  for (const Format x_format : {Format::f32, Format::bf16}) {
    for (const Format format : {Format::f32, Format::q4_1, Format::q8_0, Format::q6_k}) {
      for (const std::int64_t m : {1, 3, 30}) {
        const std::int64_t width = 256;
        const std::int64_t inner = 768;
        const Stored x = store_dense(random_floats(random, m * width, 0.5F), x_format);
        const Stored gate = random_weights(random, format, inner * width);
        const Stored up = random_weights(random, format, inner * width);
        const Stored down = random_weights(random, format, inner * width);
        const std::vector<float> xv = to_floats(x, m * width), gv = to_floats(gate, inner * width),
                                 uv = to_floats(up, inner * width),
                                 dv = to_floats(down, inner * width);
        std::vector<double> expected;
        for (std::int64_t t = 0; t < m; ++t) {
          std::vector<double> hidden;
          for (std::int64_t i = 0; i < inner; ++i) {
            double g = 0;
            double u = 0;
            for (std::int64_t j = 0; j < width; ++j) {
              const auto at = static_cast<std::size_t>(i * width + j);
              const double value = static_cast<double>(xv[static_cast<std::size_t>(t * width + j)]);
              g += value * static_cast<double>(gv[at]);
              u += value * static_cast<double>(uv[at]);
            }
            hidden.push_back(g / (1 + std::exp(-g)) * u);
          }
          for (std::int64_t n = 0; n < width; ++n) {
            double sum = 0;
            for (std::int64_t i = 0; i < inner; ++i) {
              sum += hidden[static_cast<std::size_t>(i)] *
                     static_cast<double>(dv[static_cast<std::size_t>(n * inner + i)]);
            }
            expected.push_back(sum);
          }
        }
        std::vector<std::byte> memory[3];
        Operand weights[3] = {gate.operand(), up.operand(), down.operand()};
        const std::int64_t rows[3] = {inner, inner, width};
        const std::int64_t columns[3] = {width, width, inner};
        for (std::size_t i = 0; i < 3 && can_pack(format, inner, width); ++i) {
          memory[i].resize(static_cast<std::size_t>(packed_bytes(format, rows[i], columns[i])));
          pack(format, weights[i].data, rows[i], columns[i], memory[i].data());
        }
        for_each_backend([&](Context& context) {
          for (int packs = 0; packs < 4; ++packs) {
            Operand used[3] = {weights[0], weights[1], weights[2]};
            for (std::size_t i = 0; i < 3; ++i) {
              const bool pack_it = packs == 3 || (packs == 1 && i < 2) || (packs == 2 && i == 0);
              if (pack_it && !memory[i].empty()) used[i].packed = memory[i].data();
            }
            Stored out = store_dense(std::vector<float>(static_cast<std::size_t>(m * width), -9.0F),
                                     x_format);
            swiglu(context, {x.operand(), used[0], used[1], used[2],
                             Output{out.bytes.data(), x_format}, m, width, inner});
            CHECK(relative_error(expected, to_floats(out, m * width)) <
                  (x_format == Format::f32 ? 1e-4 : 1e-2));
          }
        });
      }
    }
  }
}

}  // namespace
}  // namespace linnet::kernels
