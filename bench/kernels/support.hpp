// What the kernel benchmarks share: memory, threads, and the machine's limits measured in this run.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "linnet/core/context.hpp"
#include "linnet/runtime/threads.hpp"
#include "linnet/weights/block_formats.hpp"
#include "linnet/weights/zeroed_memory.hpp"

namespace linnet::bench {

/// Zeroed memory in 2 MiB pages where the system has them, as the loader makes it.
class Memory {
 public:
  explicit Memory(std::size_t bytes) {
    auto made = weights::ZeroedMemory::allocate(bytes);
    if (made) memory_ = std::move(*made);
  }
  [[nodiscard]] std::byte* data() { return memory_.bytes().data(); }
  template <class T>
  [[nodiscard]] T* as() {
    return reinterpret_cast<T*>(data());
  }

 private:
  weights::ZeroedMemory memory_;
};

/// A context with `threads` threads.
class Threads {
 public:
  explicit Threads(int threads) {
    auto made = ThreadPool::make(threads);
    if (made) pool_ = std::move(*made);
    context_.executor = pool_.get();
  }
  [[nodiscard]] Context& context() { return context_; }

 private:
  std::unique_ptr<ThreadPool> pool_;
  Context context_;
};

/// What this machine did in this run, by number of threads (1 or 2).
struct Limits {
  double read_bytes[3] = {};    // bytes a second out of memory, 2 MiB pages
  double f32_products[3] = {};  // multiply-adds a second
  double i16_products[3] = {};  // 16-bit multiply-adds into 32 bits
};

/// Measured at first use, about half a second.
[[nodiscard]] const Limits& limits();

/// Reports bytes a second and the share of the read limit.
inline void report_bytes(benchmark::State& state, double bytes, int threads) {
  using benchmark::Counter;
  const double total = bytes * static_cast<double>(state.iterations());
  state.counters["GB/s"] = Counter(total * 1e-9, Counter::kIsRate);
  state.counters["of_read"] = Counter(total / limits().read_bytes[threads], Counter::kIsRate);
}

/// Reports products a second (GFLOP/s is twice that) and the share of the f32 peak.
inline void report_products(benchmark::State& state, double products, int threads) {
  using benchmark::Counter;
  const double total = products * static_cast<double>(state.iterations());
  state.counters["GFLOP/s"] = Counter(2e-9 * total, Counter::kIsRate);
  state.counters["of_f32"] = Counter(total / limits().f32_products[threads], Counter::kIsRate);
}

inline void fill_random(float* x, std::int64_t n, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  for (std::int64_t i = 0; i < n; ++i) x[i] = normal(random);
}

/// Random blocks; only their bit patterns matter to speed, so scales are whatever is finite.
inline void fill_blocks(Format format, std::byte* p, std::int64_t elements) {
  std::mt19937 random(2);
  const std::int64_t bytes = weights::row_bytes(format, elements);
  for (std::int64_t i = 0; i < bytes; ++i) p[i] = static_cast<std::byte>(random() & 0x3fU);
}

}  // namespace linnet::bench
