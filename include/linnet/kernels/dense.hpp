// Single elements of dense float operands, for the scalar kernels.
#pragma once

#include <cstdint>

#include "linnet/core/dtype.hpp"
#include "linnet/core/format.hpp"

namespace linnet::kernels::scalar {

/// One element of a dense float operand as f32.
[[nodiscard]] inline float read(Format format, const void* data, std::int64_t at) {
  switch (format) {
    case Format::f32:
      return static_cast<const float*>(data)[at];
    case Format::f16:
      return static_cast<float>(static_cast<const f16*>(data)[at]);
    case Format::bf16:
      return static_cast<float>(static_cast<const bf16*>(data)[at]);
    case Format::f64:
      return static_cast<float>(static_cast<const double*>(data)[at]);
    default:
      return 0;
  }
}

/// Stores a float as the format's dtype, rounded once.
inline void write(Format format, void* data, std::int64_t at, float value) {
  switch (format) {
    case Format::f32:
      static_cast<float*>(data)[at] = value;
      return;
    case Format::f16:
      static_cast<f16*>(data)[at] = f16(value);
      return;
    case Format::bf16:
      static_cast<bf16*>(data)[at] = bf16(value);
      return;
    case Format::f64:
      static_cast<double*>(data)[at] = static_cast<double>(value);
      return;
    default:
      return;
  }
}

/// The nearest value of a dense float format.
[[nodiscard]] inline float rounded(Format format, float value) {
  if (format == Format::f16) return static_cast<float>(f16(value));
  if (format == Format::bf16) return static_cast<float>(bf16(value));
  return value;
}

}  // namespace linnet::kernels::scalar
