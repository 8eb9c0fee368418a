// Attention: the oracle and the portable kernel. Two passes over the live keys, the first for the
// maximum, so that no scratch memory is needed; scores are computed twice.
#pragma once

#include <cmath>
#include <cstdint>

#include "linnet/kernels/attention/arguments.hpp"
#include "linnet/kernels/dense.hpp"

namespace linnet::kernels::scalar {

/// Rows [first, last) of batch * heads * queries.
inline void attention(const AttentionArguments& a, std::int64_t first, std::int64_t last) {
  for (std::int64_t r = first; r < last; ++r) {
    const std::int64_t q = r % a.queries;
    const std::int64_t head = r / a.queries % a.heads;
    const std::int64_t b = r / a.queries / a.heads;
    const std::int64_t kv = (b * a.kv_heads + head / (a.heads / a.kv_heads)) * a.keys;
    const bool* const mask = a.mask_of(b, q);
    const LiveKeys live = live_keys(mask, a.keys);
    const auto score = [&](std::int64_t k) {
      if (live.empty) return -1e30F;
      if (!live.dense && !mask[k]) return -1e30F;
      float dot = 0;
      for (std::int64_t d = 0; d < a.width; ++d) {
        dot += read(a.query.format, a.query.data, r * a.width + d) *
               read(a.key.format, a.key.data, (kv + k) * a.width + d);
      }
      return dot * a.scale;
    };
    float top = -INFINITY;
    for (std::int64_t k = live.first; k < live.last; ++k) {
      const float s = score(k);
      if (s > top || s != s) top = s;
    }
    // Values are mixed 32 at a time, so that sums stay in registers; exponentials repeat.
    float total = 0;
    for (std::int64_t k = live.first; k < live.last; ++k) total += std::exp(score(k) - top);
    constexpr std::int64_t piece = 32;
    for (std::int64_t d0 = 0; d0 < a.width; d0 += piece) {
      const std::int64_t n = a.width - d0 < piece ? a.width - d0 : piece;
      float mixed[piece] = {};
      for (std::int64_t k = live.first; k < live.last; ++k) {
        const float weight = std::exp(score(k) - top) / total;
        for (std::int64_t d = 0; d < n; ++d) {
          mixed[d] += weight * read(a.value.format, a.value.data, (kv + k) * a.width + d0 + d);
        }
      }
      for (std::int64_t d = 0; d < n; ++d) {
        write(a.out.format, a.out.data, r * a.width + d0 + d, mixed[d]);
      }
    }
  }
}

}  // namespace linnet::kernels::scalar
