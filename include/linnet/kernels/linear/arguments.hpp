// The operands of the matrix products at the raw level.
#pragma once

#include <cstdint>

#include "linnet/kernels/operand.hpp"

namespace linnet::kernels {

/// out[m][n] = sum over k of x[m][k] * weight[n][k] (+ bias[n]), accumulated in f32 and rounded
/// once to the output's dtype. x and out are dense f32, f16 or bf16, rows end to end.
struct LinearArguments {
  Operand x;       // [m, k]
  Operand weight;  // [n, k], any float format
  Operand bias;    // [n] or absent
  Output out;      // [m, n]
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  /// Packed like `weight`, for SwiGLU: out = silu(x . gate^T) * (x . weight^T), rounded to the
  /// output's dtype after each step. Only with packed weights on SIMD.
  Operand gate{};
};

/// One factor of a product: element (o, k) lies at o * outer + k * inner. Block formats have
/// inner 1 and an outer step of whole blocks.
struct GemmOperand {
  const void* data = nullptr;
  Format format = Format::f32;
  std::int64_t outer = 0;
  std::int64_t inner = 1;
};

/// c[i * c_outer + j * c_inner] = sum over k of a(i, k) * b(j, k) (+ bias[j]), accumulated in f32.
struct GemmArguments {
  GemmOperand a;  // outer index i
  GemmOperand b;  // outer index j
  Output c;
  Operand bias;
  std::int64_t c_outer = 0;
  std::int64_t c_inner = 1;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

}  // namespace linnet::kernels
