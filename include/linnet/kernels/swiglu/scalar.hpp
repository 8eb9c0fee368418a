// SwiGLU: the oracle and the portable kernel. Inner activations live 256 at a time on the stack; a
// width beyond 256 computes them again for every 256 outputs, the price of needing no memory.
#pragma once

#include <cstdint>

#include "linnet/kernels/activations/scalar.hpp"
#include "linnet/kernels/dense.hpp"
#include "linnet/kernels/operand.hpp"
#include "linnet/weights/block_formats.hpp"

namespace linnet::kernels {

/// out = linear(silu(linear(x, gate)) * linear(x, up), down), every step rounded to the dtype of x.
struct SwigluArguments {
  Operand x;     // [m, width]
  Operand gate;  // [inner, width]
  Operand up;    // [inner, width]
  Operand down;  // [width, inner]
  Output out;    // [m, width]
  std::int64_t m = 0;
  std::int64_t width = 0;
  std::int64_t inner = 0;
};

namespace scalar {

inline constexpr std::int64_t swiglu_span = 256;  // whole blocks of every format

/// Elements [first, first + n <= 256) of row `row` of a [.., columns] weight as f32.
inline void read_row(const Operand& weight, std::int64_t row, std::int64_t columns,
                     std::int64_t first, std::int64_t n, float* out) {
  const auto elements = static_cast<std::int64_t>(weights::block_elements(weight.format));
  const auto bytes = static_cast<std::int64_t>(weights::block_bytes(weight.format));
  const std::int64_t at =
      row * weights::row_bytes(weight.format, columns) + first / elements * bytes;
  weights::decode_row(weight.format, static_cast<const char*>(weight.data) + at, n, out);
}

/// The product of weight row `row` with the token at x[at..], rounded to the dtype of x.
[[nodiscard]] inline float dot_row(const Operand& weight, std::int64_t row, const Operand& x,
                                   std::int64_t at, std::int64_t width) {
  float piece[swiglu_span];
  float sum = 0;
  for (std::int64_t k = 0; k < width; k += swiglu_span) {
    const std::int64_t n = width - k < swiglu_span ? width - k : swiglu_span;
    read_row(weight, row, width, k, n, piece);
    for (std::int64_t i = 0; i < n; ++i) sum += piece[i] * read(x.format, x.data, at + k + i);
  }
  return rounded(x.format, sum);
}

/// Tokens [first, last).
inline void swiglu(const SwigluArguments& a, std::int64_t first, std::int64_t last) {
  const Format format = a.x.format;
  for (std::int64_t m = first; m < last; ++m) {
    for (std::int64_t n0 = 0; n0 < a.width; n0 += swiglu_span) {
      const std::int64_t outputs = a.width - n0 < swiglu_span ? a.width - n0 : swiglu_span;
      float sums[swiglu_span] = {};
      for (std::int64_t i0 = 0; i0 < a.inner; i0 += swiglu_span) {
        const std::int64_t count = a.inner - i0 < swiglu_span ? a.inner - i0 : swiglu_span;
        float hidden[swiglu_span];
        for (std::int64_t i = 0; i < count; ++i) {
          const float gate = dot_row(a.gate, i0 + i, a.x, m * a.width, a.width);
          const float up = dot_row(a.up, i0 + i, a.x, m * a.width, a.width);
          hidden[i] = rounded(format, rounded(format, activate(Activation::silu, gate)) * up);
        }
        float piece[swiglu_span];
        for (std::int64_t n = 0; n < outputs; ++n) {
          read_row(a.down, n0 + n, a.inner, i0, count, piece);
          float sum = 0;
          for (std::int64_t i = 0; i < count; ++i) sum += piece[i] * hidden[i];
          sums[n] += sum;
        }
      }
      for (std::int64_t n = 0; n < outputs; ++n) {
        write(a.out.format, a.out.data, m * a.width + n0 + n, sums[n]);
      }
    }
  }
}

}  // namespace scalar
}  // namespace linnet::kernels
