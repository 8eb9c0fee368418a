// Row and elementwise kernels at the sizes of SmolLM2-135M.
#include "bench/kernels/support.hpp"
#include "linnet/kernels/activations/activations.hpp"
#include "linnet/kernels/argmax/argmax.hpp"
#include "linnet/kernels/embedding/embedding.hpp"
#include "linnet/kernels/norm/norm.hpp"
#include "linnet/kernels/rope/rope.hpp"
#include "linnet/kernels/softmax/softmax.hpp"

namespace linnet::bench {
namespace {

using namespace kernels;

void norm_rows(benchmark::State& state) {
  const std::int64_t rows = state.range(0);
  std::vector<float> x(static_cast<std::size_t>(rows * 576)), out(x.size()), weight(576);
  fill_random(x.data(), rows * 576);
  Context context;
  for (auto _ : state) {
    norm(context, {Operand{x.data()},
                   Operand{weight.data()},
                   {},
                   Output{out.data()},
                   rows,
                   576,
                   1e-5F,
                   false});
  }
  report_bytes(state, static_cast<double>(rows * 576 * 8), 1);
}
BENCHMARK(norm_rows)->Arg(1)->Arg(512);

void softmax_row(benchmark::State& state) {
  const std::int64_t width = state.range(0);
  std::vector<float> x(static_cast<std::size_t>(width)), out(x.size());
  fill_random(x.data(), width);
  Context context;
  for (auto _ : state) softmax(context, {Operand{x.data()}, Output{out.data()}, 1, width});
  report_bytes(state, static_cast<double>(width * 8), 1);
}
BENCHMARK(softmax_row)->Arg(512)->Arg(49152);

void activate(benchmark::State& state, Activation function) {
  const std::int64_t n = 64 * 1536;
  std::vector<float> x(static_cast<std::size_t>(n)), out(x.size());
  fill_random(x.data(), n);
  Context context;
  for (auto _ : state) activations(context, {Operand{x.data()}, Output{out.data()}, n, function});
  report_bytes(state, static_cast<double>(n * 8), 1);
}
BENCHMARK_CAPTURE(activate, silu, Activation::silu);
BENCHMARK_CAPTURE(activate, gelu, Activation::gelu);
BENCHMARK_CAPTURE(activate, gelu_erf, Activation::gelu_erf);

void rope_rows(benchmark::State& state) {
  const std::int64_t positions = state.range(0);
  std::vector<float> x(static_cast<std::size_t>(9 * positions * 64)),
      table(static_cast<std::size_t>(positions * 64));
  fill_random(x.data(), 9 * positions * 64);
  fill_random(table.data(), positions * 64);
  Context context;
  for (auto _ : state) {
    rope(context, {Operand{x.data()}, Operand{table.data()}, Operand{table.data()},
                   Output{x.data()}, 1, 9, positions, 64, false});
  }
  report_bytes(state, static_cast<double>(9 * positions * 64 * 8), 1);
}
BENCHMARK(rope_rows)->Arg(1)->Arg(512);

void argmax_row(benchmark::State& state) {
  std::vector<float> x(49152);
  fill_random(x.data(), 49152);
  for (auto _ : state) benchmark::DoNotOptimize(argmax(x.data(), 49152));
  report_bytes(state, 49152 * 4, 1);
}
BENCHMARK(argmax_row);

void embed(benchmark::State& state) {
  const std::int64_t vocabulary = 4096;
  Memory table(static_cast<std::size_t>(weights::row_bytes(Format::q8_0, vocabulary * 576)));
  fill_blocks(Format::q8_0, table.data(), vocabulary * 576);
  std::vector<std::int32_t> ids(512);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int32_t>(i * 7 % 4096);
  std::vector<float> out(512 * 576);
  Context context;
  for (auto _ : state) {
    embedding(context, {ids.data(),
                        {table.data(), Format::q8_0, nullptr},
                        Output{out.data()},
                        512,
                        vocabulary,
                        576});
  }
  report_bytes(state, 512.0 * 612, 1);
}
BENCHMARK(embed);

}  // namespace
}  // namespace linnet::bench
