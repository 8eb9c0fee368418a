// Products at the shapes of SmolLM2-135M: the whole model's weights in one decoding step, and
// single matrices for 512 tokens.
#include "bench/kernels/support.hpp"
#include "linnet/kernels/linear/linear.hpp"

namespace linnet::bench {
namespace {

using namespace kernels;

struct Matrix {
  std::int64_t rows;
  std::int64_t columns;
};

constexpr Matrix layer[] = {{576, 576},  {192, 576},  {192, 576}, {576, 576},
                            {1536, 576}, {1536, 576}, {576, 1536}};
constexpr std::int64_t layers = 30;

/// One decoding step: every matrix of every layer and the Q8_0 head, each read once, in order.
void decode(benchmark::State& state, Format format, bool packed) {
  const int threads = static_cast<int>(state.range(0));
  Threads pool(threads);
  struct Bound {
    Operand weight;
    Matrix size;
  };
  std::vector<Bound> bound;
  std::size_t total = 0;
  const auto bytes_of = [&](Format f, Matrix m) {
    const std::int64_t bytes =
        packed ? packed_bytes(f, m.rows, m.columns) : weights::row_bytes(f, m.rows * m.columns);
    return static_cast<std::size_t>(round_up(bytes, 64));
  };
  for (std::int64_t i = 0; i < layers; ++i) {
    for (const Matrix m : layer) total += bytes_of(format, m);
  }
  const Matrix head{49152, 576};
  total += bytes_of(Format::q8_0, head);
  Memory memory(total + 8192);
  std::size_t at = 0;
  const auto place = [&](Format f, Matrix m) {
    Operand weight{memory.data() + at, f, packed ? memory.data() + at : nullptr};
    if (packed) {
      std::vector<std::byte> stored(
          static_cast<std::size_t>(weights::row_bytes(f, m.rows * m.columns)));
      fill_blocks(f, stored.data(), m.rows * m.columns);
      pack(f, stored.data(), m.rows, m.columns, memory.data() + at);
    } else {
      fill_blocks(f, memory.data() + at, m.rows * m.columns);
    }
    at += bytes_of(f, m);
    bound.push_back({weight, m});
  };
  for (std::int64_t i = 0; i < layers; ++i) {
    for (const Matrix m : layer) place(format, m);
  }
  place(Format::q8_0, head);
  std::vector<float> x(2048);
  std::vector<float> out(49152);
  fill_random(x.data(), 2048);
  for (auto _ : state) {
    for (const Bound& b : bound) {
      linear(pool.context(),
             {Operand{x.data()}, b.weight, {}, Output{out.data()}, 1, b.size.rows, b.size.columns});
    }
  }
  report_bytes(state, static_cast<double>(total), threads);
  state.counters["tok/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void prefill(benchmark::State& state, Format format, bool packed, Matrix m) {
  const int threads = static_cast<int>(state.range(0));
  const std::int64_t tokens = state.range(1);
  Threads pool(threads);
  Memory stored(static_cast<std::size_t>(weights::row_bytes(format, m.rows * m.columns)) + 64);
  if (format == Format::f32) {
    fill_random(stored.as<float>(), m.rows * m.columns);
  } else {
    fill_blocks(format, stored.data(), m.rows * m.columns);
  }
  Memory copy(static_cast<std::size_t>(packed_bytes(format, m.rows, m.columns)) + 8192);
  Operand weight{stored.data(), format, nullptr};
  if (packed) {
    pack(format, stored.data(), m.rows, m.columns, copy.data());
    weight.packed = copy.data();
  }
  std::vector<float> x(static_cast<std::size_t>(tokens * m.columns));
  std::vector<float> out(static_cast<std::size_t>(tokens * m.rows));
  fill_random(x.data(), tokens * m.columns);
  for (auto _ : state) {
    linear(pool.context(),
           {Operand{x.data()}, weight, {}, Output{out.data()}, tokens, m.rows, m.columns});
  }
  report_products(state, static_cast<double>(tokens * m.rows * m.columns), threads);
}

void pack_speed(benchmark::State& state, Format format) {
  const std::int64_t rows = 1536;
  const std::int64_t columns = 1536;
  Memory stored(static_cast<std::size_t>(weights::row_bytes(format, rows * columns)));
  fill_blocks(format, stored.data(), rows * columns);
  Memory copy(static_cast<std::size_t>(packed_bytes(format, rows, columns)));
  for (auto _ : state) pack(format, stored.data(), rows, columns, copy.data());
  report_bytes(state, static_cast<double>(weights::row_bytes(format, rows * columns)), 1);
}

#define LINNET_DECODE(name, format, packed) \
  BENCHMARK_CAPTURE(decode, name, Format::format, packed)->Arg(1)->Arg(2)->UseRealTime()
LINNET_DECODE(q4_1_packed, q4_1, true);
LINNET_DECODE(q4_1_as_stored, q4_1, false);
LINNET_DECODE(q4_0_packed, q4_0, true);
LINNET_DECODE(q8_0_packed, q8_0, true);
LINNET_DECODE(q8_0_as_stored, q8_0, false);
LINNET_DECODE(bf16, bf16, false);
#undef LINNET_DECODE

constexpr Matrix up{1536, 576};
constexpr Matrix down{576, 1536};

#define LINNET_PREFILL(name, format, packed, size)               \
  BENCHMARK_CAPTURE(prefill, name, Format::format, packed, size) \
      ->Args({1, 512})                                           \
      ->Args({2, 512})                                           \
      ->UseRealTime()
LINNET_PREFILL(q4_1_packed_up, q4_1, true, up);
LINNET_PREFILL(q4_1_packed_down, q4_1, true, down);
LINNET_PREFILL(q8_0_packed_up, q8_0, true, up);
LINNET_PREFILL(q4_1_as_stored_up, q4_1, false, up);
LINNET_PREFILL(f32_up, f32, false, up);
LINNET_PREFILL(f32_down, f32, false, down);
#undef LINNET_PREFILL
BENCHMARK_CAPTURE(prefill, f32_few, Format::f32, false, up)
    ->Args({1, 4})
    ->Args({1, 16})
    ->Args({1, 32});
BENCHMARK_CAPTURE(prefill, q4_1_few, Format::q4_1, true, up)->Args({1, 4})->Args({1, 16});
BENCHMARK_CAPTURE(pack_speed, q4_1, Format::q4_1);
BENCHMARK_CAPTURE(pack_speed, q8_0, Format::q8_0);

}  // namespace
}  // namespace linnet::bench
