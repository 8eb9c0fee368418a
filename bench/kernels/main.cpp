// The limits of the machine, and the benchmark program's entry.
#include <chrono>
#include <cstdio>
#include <string>

#include "bench/kernels/support.hpp"
#include "linnet/kernels/isa.hpp"
#include "linnet/kernels/simd/common.hpp"

#if LINNET_X86_KERNELS

#include "linnet/kernels/simd/begin_avx2.inc"

#include "bench/kernels/limits.inc"

#include "linnet/kernels/simd/end.inc"

#include "linnet/kernels/simd/begin_avx512.inc"

#include "bench/kernels/limits.inc"

#include "linnet/kernels/simd/end.inc"

#endif

namespace linnet::bench {
namespace {

/// The best of several runs of `body`, in seconds.
template <class Body>
double best_seconds(Body&& body) {
  double best = 1e9;
  for (int run = 0; run < 7; ++run) {
    const auto start = std::chrono::steady_clock::now();
    body();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = took.count() < best ? took.count() : best;
  }
  return best;
}

Limits measure() {
  Limits out;
#if LINNET_X86_KERNELS
  const bool wide = kernels::active_isa() == kernels::Isa::avx512;
  if (kernels::active_isa() == kernels::Isa::scalar) return out;
  constexpr std::int64_t bytes = 128 << 20;
  constexpr std::int64_t rounds = 1'000'000;
  Memory memory(static_cast<std::size_t>(bytes));
  for (std::int64_t i = 0; i < bytes; i += 4096) memory.data()[i] = std::byte{1};
  for (const int threads : {1, 2}) {
    Threads pool(threads);
    const double read = best_seconds([&] {
      parallel_for(pool.context(), bytes / 4096, 1, [&](std::int64_t first, std::int64_t last) {
        benchmark::DoNotOptimize((wide ? kernels::avx512::read_all : kernels::avx2::read_all)(
            memory.data() + first * 4096, (last - first) * 4096));
      });
    });
    out.read_bytes[threads] = static_cast<double>(bytes) / read;
    const double f32 = best_seconds([&] {
      pool.context().parallel([&](int, int) {
        benchmark::DoNotOptimize(
            (wide ? kernels::avx512::multiply_f32 : kernels::avx2::multiply_f32)(rounds));
      });
    });
    const double lanes = wide ? kernels::avx512::lanes : kernels::avx2::lanes;
    out.f32_products[threads] = threads * lanes * 10 * static_cast<double>(rounds) / f32;
    const double i16 = best_seconds([&] {
      pool.context().parallel([&](int, int) {
        benchmark::DoNotOptimize(
            (wide ? kernels::avx512::multiply_i16 : kernels::avx2::multiply_i16)(rounds));
      });
    });
    out.i16_products[threads] = threads * lanes * 2 * 10 * static_cast<double>(rounds) / i16;
  }
#endif
  return out;
}

}  // namespace

const Limits& limits() {
  static const Limits measured = measure();
  return measured;
}

}  // namespace linnet::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  const auto& limits = linnet::bench::limits();
  for (const int threads : {1, 2}) {
    std::printf("%s, %d thread%s: read %.1f GB/s, f32 %.0f GFLOP/s, 16-bit %.0f Gop/s\n",
                std::string(linnet::kernels::isa_name(linnet::kernels::active_isa())).c_str(),
                threads, threads == 1 ? "" : "s", limits.read_bytes[threads] * 1e-9,
                limits.f32_products[threads] * 2e-9, limits.i16_products[threads] * 2e-9);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
