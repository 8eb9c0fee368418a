// Rotary position embedding: the oracle and the portable kernel.
#pragma once

#include <cstdint>

#include "linnet/kernels/dense.hpp"
#include "linnet/kernels/operand.hpp"

namespace linnet::kernels {

/// out[b, h, s, d] = x cos + rotate_half(x) sin, every operation rounded to T; the tables are
/// [S, D], or [B, S, D] with `rows`.
struct RopeArguments {
  Operand x;    // [batch, heads, positions, width]
  Operand cos;  // [positions, width] or [batch, positions, width]
  Operand sin;
  Output out;  // may be x
  std::int64_t batch = 0;
  std::int64_t heads = 0;
  std::int64_t positions = 0;
  std::int64_t width = 0;  // even
  bool rows = false;

  /// First table element for row r of the batch * heads * positions rows.
  [[nodiscard]] std::int64_t table_row(std::int64_t r) const {
    const std::int64_t s = r % positions;
    return (rows ? r / positions / heads * positions + s : s) * width;
  }
};

namespace scalar {

/// Rows [first, last) of batch * heads * positions.
inline void rope(const RopeArguments& a, std::int64_t first, std::int64_t last) {
  const std::int64_t half = a.width / 2;
  const Format format = a.out.format;
  for (std::int64_t r = first; r < last; ++r) {
    const std::int64_t row = r * a.width;
    const std::int64_t table = a.table_row(r);
    for (std::int64_t i = 0; i < half; ++i) {
      const float low = read(a.x.format, a.x.data, row + i);
      const float high = read(a.x.format, a.x.data, row + half + i);
      const float y_low = rounded(format, low * read(a.cos.format, a.cos.data, table + i)) -
                          rounded(format, high * read(a.sin.format, a.sin.data, table + i));
      const float y_high =
          rounded(format, high * read(a.cos.format, a.cos.data, table + half + i)) +
          rounded(format, low * read(a.sin.format, a.sin.data, table + half + i));
      write(format, a.out.data, row + i, y_low);
      write(format, a.out.data, row + half + i, y_high);
    }
  }
}

}  // namespace scalar
}  // namespace linnet::kernels
