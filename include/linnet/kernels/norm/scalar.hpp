// Root mean square norm and layer norm over rows: the oracle and the portable kernel.
#pragma once

#include <cmath>
#include <cstdint>

#include "linnet/kernels/dense.hpp"
#include "linnet/kernels/operand.hpp"

namespace linnet::kernels {

/// y = cast<T>((x - mean) * scale) * weight (+ bias), rows of `width`; statistics in f32, the
/// product and the sum rounded to T each. Root mean square norm has mean 0.
struct NormArguments {
  Operand x;       // [rows, width]
  Operand weight;  // [width], any dense float format, read as T
  Operand bias;    // [width] or absent
  Output out;      // [rows, width], may be x
  std::int64_t rows = 0;
  std::int64_t width = 0;
  float eps = 0;
  bool centred = false;  // layer norm
};

namespace scalar {

/// Rows [first, last).
inline void norm(const NormArguments& a, std::int64_t first, std::int64_t last) {
  const auto width = static_cast<float>(a.width);
  for (std::int64_t r = first; r < last; ++r) {
    const std::int64_t row = r * a.width;
    float mean = 0;
    if (a.centred) {
      for (std::int64_t i = 0; i < a.width; ++i) mean += read(a.x.format, a.x.data, row + i);
      mean /= width;
    }
    float squares = 0;
    for (std::int64_t i = 0; i < a.width; ++i) {
      const float d = read(a.x.format, a.x.data, row + i) - mean;
      squares += d * d;
    }
    const float scale = 1.0F / std::sqrt(squares / width + a.eps);
    for (std::int64_t i = 0; i < a.width; ++i) {
      const Format format = a.out.format;
      const float normed = rounded(format, (read(a.x.format, a.x.data, row + i) - mean) * scale);
      const float w = rounded(format, read(a.weight.format, a.weight.data, i));
      float y = rounded(format, normed * w);
      if (a.bias) y += rounded(format, read(a.bias.format, a.bias.data, i));
      write(format, a.out.data, row + i, y);
    }
  }
}

}  // namespace scalar
}  // namespace linnet::kernels
