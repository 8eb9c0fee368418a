// Attention at the shapes of SmolLM2-135M: 9 query and 3 key/value heads of 64.
#include <memory>

#include "bench/kernels/support.hpp"
#include "linnet/kernels/attention/attention.hpp"

namespace linnet::bench {
namespace {

using namespace kernels;

/// `queries` positions that end at `depth`, in a cache of 2048.
void attend(benchmark::State& state, std::int64_t queries) {
  const int threads = static_cast<int>(state.range(0));
  const std::int64_t depth = state.range(1);
  const std::int64_t keys = 2048;
  Threads pool(threads);
  std::vector<float> q(static_cast<std::size_t>(9 * queries * 64));
  std::vector<float> out(q.size());
  Memory key(static_cast<std::size_t>(3 * keys * 64) * sizeof(float));
  Memory value(static_cast<std::size_t>(3 * keys * 64) * sizeof(float));
  fill_random(q.data(), 9 * queries * 64);
  fill_random(key.as<float>(), 3 * keys * 64);
  fill_random(value.as<float>(), 3 * keys * 64);
  const auto mask = std::make_unique<bool[]>(static_cast<std::size_t>(queries * keys));
  double pairs = 0;
  for (std::int64_t i = 0; i < queries * keys; ++i) {
    mask[static_cast<std::size_t>(i)] = i % keys <= i / keys + depth - queries;
    pairs += mask[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  for (auto _ : state) {
    attention(pool.context(),
              {Operand{q.data()}, Operand{key.data()}, Operand{value.data()}, mask.get(),
               Output{out.data()}, 1, 9, 3, queries, keys, 64, 0.125F, false});
  }
  if (queries == 1) {
    report_bytes(state, static_cast<double>(depth * 3 * 64 * 4 * 2), threads);
  } else {
    report_products(state, pairs * 9 * 64 * 2, threads);
  }
}

BENCHMARK_CAPTURE(attend, decode, 1)
    ->Args({1, 128})
    ->Args({1, 1024})
    ->Args({2, 1024})
    ->UseRealTime();
BENCHMARK_CAPTURE(attend, prefill, 512)->Args({1, 512})->Args({2, 512})->UseRealTime();

}  // namespace
}  // namespace linnet::bench
