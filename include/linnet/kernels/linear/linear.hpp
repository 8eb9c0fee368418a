// linear: x . weight^T + bias, for weights in every float format, and the general f32 product.
#pragma once

#include <cstdint>

#include "linnet/core/context.hpp"
#include "linnet/kernels/isa.hpp"
#include "linnet/kernels/linear/arguments.hpp"
#include "linnet/kernels/linear/packed.hpp"
#include "linnet/kernels/linear/scalar.hpp"
#include "linnet/kernels/linear/simd.hpp"
#include "linnet/kernels/operand.hpp"
#include "linnet/kernels/parallel.hpp"

namespace linnet::kernels {

namespace detail {

/// Tokens from which the packed f32 tiles beat dot products of rows as they lie.
inline constexpr std::int64_t gemm_tokens = 64;

/// Tokens from which threads quantise activations together, for the price of a barrier.
inline constexpr std::int64_t shared_tokens = 16;

#if LINNET_X86_KERNELS
/// Whether the packed copy can be used: a row's activations must fit a thread's scratch.
[[nodiscard]] inline bool use_packed(const LinearArguments& a) {
  if (a.weight.packed == nullptr || !can_pack(a.weight.format, a.n, a.k)) return false;
  const std::int64_t row = activation_tile_bytes(packed_kind(a.weight.format), a.k, 1) + a.k * 4;
  return row <= static_cast<std::int64_t>(scratch_bytes) - 64;
}
#endif

}  // namespace detail

/// The product of GemmArguments on the threads of the context.
inline void gemm(Context& context, const GemmArguments& g) {
  if (g.m <= 0 || g.n <= 0) return;
  const bool alone = g.m * g.n * (g.k > 0 ? g.k : 1) < parallel_products;
#if LINNET_X86_KERNELS
  const Isa isa = active_isa();
  if (isa != Isa::scalar) {
    const std::int64_t columns = isa == Isa::avx512 ? avx512::gemm_columns : avx2::gemm_columns;
    const std::int64_t rows = isa == Isa::avx512 ? avx512::gemm_rows : avx2::gemm_rows;
    const std::int64_t panels = (g.n + columns - 1) / columns;
    const std::int64_t tiles = (g.m + rows - 1) / rows;
    const auto part = [&](std::int64_t i0, std::int64_t i1, std::int64_t p0, std::int64_t p1) {
      if (i0 >= i1 || p0 >= p1) return;
      (isa == Isa::avx512 ? avx512::gemm_part : avx2::gemm_part)(g, i0, i1, p0, p1,
                                                                 thread_scratch());
    };
    if (alone) {
      part(0, g.m, 0, panels);
      return;
    }
    context.parallel([&](int thread, int threads) {
      if (panels >= 2 * threads || panels >= tiles) {  // each thread its own panels of B
        const Range range = thread_range(panels, thread, threads);
        part(0, g.m, range.begin, range.end);
      } else {
        const Range range = thread_range(tiles, thread, threads);
        part(range.begin * rows, range.end * rows < g.m ? range.end * rows : g.m, 0, panels);
      }
    });
    return;
  }
#endif
  parallel_for(context, g.m, alone ? g.m : 1,
               [&](std::int64_t first, std::int64_t last) { scalar::gemm(g, first, last); });
}

/// The product of LinearArguments on the threads of the context. Chooses by what there is: packed
/// weights, rows as they lie for few tokens, f32 tiles for many.
inline void linear(Context& context, const LinearArguments& a) {
  if (a.m <= 0 || a.n <= 0) return;
  const std::int64_t products = a.m * a.n * (a.k > 0 ? a.k : 1);
  const bool alone = products < parallel_products;
#if LINNET_X86_KERNELS
  const Isa isa = active_isa();
  if (isa != Isa::scalar && a.k > 0) {
    const bool wide = isa == Isa::avx512;
    if (detail::use_packed(a)) {
      if (!alone && a.m >= detail::shared_tokens && context.threads() > 1) {
        std::byte* const memory = tile_scratch();
        context.parallel([&](int thread, int threads) {
          (wide ? avx512::linear_together : avx2::linear_together)(context, a, thread, threads,
                                                                   memory, thread_scratch());
        });
        return;
      }
      const std::int64_t panels = round_up(a.n, panel_rows) / panel_rows;
      parallel_for(context, panels, alone ? panels : 1, [&](std::int64_t first, std::int64_t last) {
        (wide ? avx512::linear_by_panels : avx2::linear_by_panels)(a, first, last,
                                                                   thread_scratch());
      });
      return;
    }
    const bool long_rows = a.x.format != Format::f32 && a.k * 4 > 3 * 128 * 1024;
    if (a.m >= detail::gemm_tokens || long_rows) {
      gemm(context, {{a.x.data, a.x.format, a.k, 1},
                     {a.weight.data, a.weight.format, a.k, 1},
                     a.out,
                     a.bias,
                     a.n,
                     1,
                     a.m,
                     a.n,
                     a.k});
      return;
    }
    parallel_for(context, a.n, alone ? a.n : 4, [&](std::int64_t first, std::int64_t last) {
      (wide ? avx512::linear_by_rows : avx2::linear_by_rows)(a, first, last, thread_scratch());
    });
    return;
  }
#endif
  parallel_for(context, a.n, alone ? a.n : 1,
               [&](std::int64_t first, std::int64_t last) { scalar::linear(a, first, last); });
}

/// std.nn.linear.linear: `out` [*S, Out] = `x` [*S, In] . `weight` [Out, In] (+ `bias` [Out]).
template <class Out, class X, class Weight, class Bias>
void linear(Context& context, const Out& out, const X& x, const Weight& weight, const Bias& bias) {
  const std::int64_t k = weight.template extent<1>();
  const std::int64_t n = weight.template extent<0>();
  const std::int64_t size = out.size();
  linear(context, LinearArguments{operand(x), operand(weight), operand(bias), output(out),
                                  n > 0 ? size / n : 0, n, k});
}

/// c = a . b over f32 with any strides: a(i, k) at i * a_row + k * a_column and so on.
inline void gemm_f32(Context& context, std::int64_t m, std::int64_t n, std::int64_t k,
                     const float* a, std::int64_t a_row, std::int64_t a_column, const float* b,
                     std::int64_t b_row, std::int64_t b_column, float* c, std::int64_t c_row,
                     std::int64_t c_column) {
  gemm(context, {{a, Format::f32, a_row, a_column},
                 {b, Format::f32, b_column, b_row},
                 {c, Format::f32},
                 {},
                 c_row,
                 c_column,
                 m,
                 n,
                 k});
}

}  // namespace linnet::kernels
