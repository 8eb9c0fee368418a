// Softmax of rows: the oracle and the portable kernel.
#pragma once

#include <cmath>
#include <cstdint>

#include "linnet/kernels/dense.hpp"
#include "linnet/kernels/operand.hpp"

namespace linnet::kernels {

/// y[i] = exp(x[i] - max x) / sum_j exp(x[j] - max x) in f32, rounded once.
struct SoftmaxArguments {
  Operand x;   // [rows, width]
  Output out;  // [rows, width], may be x
  std::int64_t rows = 0;
  std::int64_t width = 0;
};

namespace scalar {

/// Rows [first, last).
inline void softmax(const SoftmaxArguments& a, std::int64_t first, std::int64_t last) {
  for (std::int64_t r = first; r < last; ++r) {
    const std::int64_t row = r * a.width;
    float top = read(a.x.format, a.x.data, row);
    for (std::int64_t i = 1; i < a.width; ++i) {
      const float x = read(a.x.format, a.x.data, row + i);
      if (x > top || x != x) top = x;
    }
    float total = 0;
    for (std::int64_t i = 0; i < a.width; ++i) {
      total += std::exp(read(a.x.format, a.x.data, row + i) - top);
    }
    for (std::int64_t i = 0; i < a.width; ++i) {
      const float e = std::exp(read(a.x.format, a.x.data, row + i) - top);
      write(a.out.format, a.out.data, row + i, e / total);
    }
  }
}

}  // namespace scalar
}  // namespace linnet::kernels
