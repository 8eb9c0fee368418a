// The oracle of the products, and the whole of them on machines without SIMD kernels: weights are
// decoded a block at a time, sums are f32, nothing needs scratch memory.
#pragma once

#include <cstdint>

#include "linnet/kernels/dense.hpp"
#include "linnet/kernels/linear/arguments.hpp"
#include "linnet/weights/block_formats.hpp"

namespace linnet::kernels::scalar {

/// Rows [first, last) of the weight for every token.
inline void linear(const LinearArguments& a, std::int64_t first, std::int64_t last) {
  constexpr std::int64_t span = 256;  // whole blocks of every format
  float piece[span];
  const auto elements = static_cast<std::int64_t>(weights::block_elements(a.weight.format));
  const auto bytes = static_cast<std::int64_t>(weights::block_bytes(a.weight.format));
  const std::int64_t row_bytes = weights::row_bytes(a.weight.format, a.k);
  constexpr std::int64_t tokens = 8;  // share each decoded piece
  for (std::int64_t m0 = 0; m0 < a.m; m0 += tokens) {
    const std::int64_t m1 = m0 + tokens < a.m ? m0 + tokens : a.m;
    for (std::int64_t n = first; n < last; ++n) {
      const auto* row = static_cast<const char*>(a.weight.data) + n * row_bytes;
      float sums[tokens] = {};
      for (std::int64_t k0 = 0; k0 < a.k; k0 += span) {
        const std::int64_t length = a.k - k0 < span ? a.k - k0 : span;
        weights::decode_row(a.weight.format, row + k0 / elements * bytes, length, piece);
        for (std::int64_t m = m0; m < m1; ++m) {
          float sum = 0;
          for (std::int64_t k = 0; k < length; ++k) {
            sum += piece[k] * read(a.x.format, a.x.data, m * a.k + k0 + k);
          }
          sums[m - m0] += sum;
        }
      }
      const float bias = a.bias ? read(a.bias.format, a.bias.data, n) : 0.0F;
      for (std::int64_t m = m0; m < m1; ++m) {
        write(a.out.format, a.out.data, m * a.n + n, a.bias ? sums[m - m0] + bias : sums[m - m0]);
      }
    }
  }
}

/// Rows [first, last) of C.
inline void gemm(const GemmArguments& g, std::int64_t first, std::int64_t last) {
  for (std::int64_t i = first; i < last; ++i) {
    for (std::int64_t j = 0; j < g.n; ++j) {
      float sum = g.bias ? read(g.bias.format, g.bias.data, j) : 0.0F;
      for (std::int64_t k = 0; k < g.k; ++k) {
        sum += read(g.a.format, g.a.data, i * g.a.outer + k * g.a.inner) *
               read(g.b.format, g.b.data, j * g.b.outer + k * g.b.inner);
      }
      write(g.c.format, g.c.data, i * g.c_outer + j * g.c_inner, sum);
    }
  }
}

}  // namespace linnet::kernels::scalar
