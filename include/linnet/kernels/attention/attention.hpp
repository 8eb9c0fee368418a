// attention, grouped_attention and their _rows forms.
#pragma once

#include <cstdint>

#include "linnet/core/context.hpp"
#include "linnet/kernels/attention/arguments.hpp"
#include "linnet/kernels/attention/scalar.hpp"
#include "linnet/kernels/attention/simd.hpp"
#include "linnet/kernels/isa.hpp"
#include "linnet/kernels/parallel.hpp"

namespace linnet::kernels {

namespace detail {

#if LINNET_X86_KERNELS

/// Decoding: every pass is split along its keys, a part a thread, and the parts are joined after a
/// barrier; the partial rows meet in the shared scratch.
inline void attention_few(Context& context, const AttentionArguments& a, bool wide) {
  const std::int64_t passes = wide ? avx512::attention_passes(a) : avx2::attention_passes(a);
  const std::int64_t row = avx512::attention_heads * (a.width + 2);
  const auto part = wide ? avx512::attention_part : avx2::attention_part;
  const auto join = wide ? avx512::attention_join : avx2::attention_join;
  const auto room = static_cast<std::int64_t>(shared_scratch_bytes / sizeof(float));
  const std::int64_t threads = context.threads();
  float* const shared = reinterpret_cast<float*>(shared_scratch());
  const bool split = passes < 8 * threads && passes * threads * row <= room;
  const bool alone = passes * a.keys * a.width < parallel_products;
  if (alone || !split) {
    parallel_for(context, passes, alone ? passes : 1, [&](std::int64_t first, std::int64_t last) {
      float* const own = reinterpret_cast<float*>(thread_scratch());
      for (std::int64_t i = first; i < last; ++i) {
        part(a, i, 0, 1, own);
        join(a, i, 1, own, row);
      }
    });
    return;
  }
  context.parallel([&](int thread, int count) {
    for (std::int64_t i = 0; i < passes; ++i) {
      part(a, i, thread, count, shared + (i * count + thread) * row);
    }
    context.barrier();
    const Range range = thread_range(passes, thread, count);
    for (std::int64_t i = range.begin; i < range.end; ++i) {
      join(a, i, count, shared + i * count * row, row);
    }
  });
}

/// Prefill: items in turn, so that the long late queries of a causal mask spread over threads.
inline void attention_tiles(Context& context, const AttentionArguments& a, bool wide) {
  const std::int64_t items = wide ? avx512::attention_items(a) : avx2::attention_items(a);
  context.parallel([&](int thread, int threads) {
    for (std::int64_t i = thread; i < items; i += threads) {
      (wide ? avx512::attention_item : avx2::attention_item)(a, i, thread_scratch());
    }
  });
}

#endif

}  // namespace detail

/// The attention of AttentionArguments on the threads of the context.
inline void attention(Context& context, const AttentionArguments& a) {
  const std::int64_t rows = a.batch * a.heads * a.queries;
  if (rows <= 0 || a.width <= 0) return;
#if LINNET_X86_KERNELS
  const Isa isa = active_isa();
  if (isa != Isa::scalar) {
    const bool wide = isa == Isa::avx512;
    const bool many = a.queries * (a.heads / a.kv_heads) >= 12 && a.queries > 2;
    if (many && (wide ? avx512::can_tile_attention(a) : avx2::can_tile_attention(a))) {
      detail::attention_tiles(context, a, wide);
      return;
    }
    if (a.width <= avx512::attention_max_width) {
      detail::attention_few(context, a, wide);
      return;
    }
  }
#endif
  const bool alone = rows * a.keys * a.width < parallel_products;
  parallel_for(context, rows, alone ? rows : 1,
               [&](std::int64_t first, std::int64_t last) { scalar::attention(a, first, last); });
}

namespace detail {

template <class Out, class Query, class Key, class Value>
[[nodiscard]] AttentionArguments attention_arguments(const Out& out, const Query& query,
                                                     const Key& key, const Value& value,
                                                     float scale, Operand mask, bool mask_rows) {
  return {operand(query),
          operand(key),
          operand(value),
          static_cast<const bool*>(mask.data),
          output(out),
          out.template extent<0>(),
          out.template extent<1>(),
          key.template extent<1>(),
          out.template extent<2>(),
          key.template extent<2>(),
          out.template extent<3>(),
          scale,
          mask_rows};
}

}  // namespace detail

/// std.nn.attention.attention: query [B, H, Q, D], key and value [B, H, K, D], mask [Q, K] or none.
template <class Out, class Query, class Key, class Value, class Mask>
void attention(Context& context, const Out& out, const Query& query, const Key& key,
               const Value& value, float scale, const Mask& mask) {
  attention(context,
            detail::attention_arguments(out, query, key, value, scale, operand(mask), false));
}

/// std.nn.attention.attention_rows: mask [B, Q, K].
template <class Out, class Query, class Key, class Value, class Mask>
void attention_rows(Context& context, const Out& out, const Query& query, const Key& key,
                    const Value& value, float scale, const Mask& mask) {
  attention(context,
            detail::attention_arguments(out, query, key, value, scale, operand(mask), true));
}

/// std.nn.attention.grouped_attention: key and value [B, Hk, K, D], mask [Q, K] or none.
template <class Out, class Query, class Key, class Value, class Mask>
void grouped_attention(Context& context, const Out& out, const Query& query, const Key& key,
                       const Value& value, float scale, const Mask& mask) {
  attention(context, out, query, key, value, scale, mask);
}

/// std.nn.attention.grouped_attention_rows: mask [B, Q, K].
template <class Out, class Query, class Key, class Value, class Mask>
void grouped_attention_rows(Context& context, const Out& out, const Query& query, const Key& key,
                            const Value& value, float scale, const Mask& mask) {
  attention_rows(context, out, query, key, value, scale, mask);
}

}  // namespace linnet::kernels
