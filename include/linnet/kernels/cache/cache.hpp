// Writes into key/value caches [B, H, S, D], in place where the result is the old cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "linnet/core/context.hpp"
#include "linnet/kernels/operand.hpp"

namespace linnet::kernels {

namespace detail {

/// A cache of rows of `bytes` and the values to put there.
struct CacheWrite {
  std::byte* cache;
  const std::byte* value;  // [.., heads, value_positions, row]
  std::int64_t batch;
  std::int64_t heads;
  std::int64_t positions;
  std::int64_t value_positions;
  std::int64_t bytes;  // of one position

  /// Copies `count` positions of value row `from_row`, from position `from` on, into cache row
  /// `row` from position `at` on; what falls outside the cache is left out.
  void copy(std::int64_t row, std::int64_t at, std::int64_t from_row, std::int64_t from,
            std::int64_t count) const {
    if (row < 0 || row >= batch) return;
    if (at < 0) {
      from -= at;
      count += at;
      at = 0;
    }
    if (count > positions - at) count = positions - at;
    if (count <= 0) return;
    for (std::int64_t h = 0; h < heads; ++h) {
      std::byte* const to = cache + ((row * heads + h) * positions + at) * bytes;
      const std::byte* const source =
          value + ((from_row * heads + h) * value_positions + from) * bytes;
      std::memmove(to, source, static_cast<std::size_t>(count * bytes));
    }
  }
};

/// Copies the old cache unless it is already there, and describes the write.
template <class Out, class Cache, class Value>
[[nodiscard]] CacheWrite cache_write(const Out& out, const Cache& cache, const Value& value) {
  using T = typename Out::value_type;
  auto* const to = reinterpret_cast<std::byte*>(out.data());
  if (static_cast<const void*>(out.data()) != static_cast<const void*>(cache.data()) &&
      out.size() > 0) {
    std::memcpy(to, cache.data(), static_cast<std::size_t>(out.size()) * sizeof(T));
  }
  return {to,
          reinterpret_cast<const std::byte*>(value.data()),
          out.template extent<0>(),
          out.template extent<1>(),
          out.template extent<2>(),
          value.template extent<2>(),
          out.template extent<3>() * static_cast<std::int64_t>(sizeof(T))};
}

}  // namespace detail

/// std.nn.cache.write_at: value [B, H, 1, D] at position `at` of every row.
template <class Out, class Cache, class Value>
void write_at(Context&, const Out& out, const Cache& cache, const Value& value, std::int32_t at) {
  const detail::CacheWrite write = detail::cache_write(out, cache, value);
  for (std::int64_t b = 0; b < write.batch; ++b) write.copy(b, at, b, 0, 1);
}

/// std.nn.cache.write_span: value [B, H, N, D] at positions at .. at + N of every row.
template <class Out, class Cache, class Value>
void write_span(Context&, const Out& out, const Cache& cache, const Value& value, std::int32_t at) {
  const detail::CacheWrite write = detail::cache_write(out, cache, value);
  for (std::int64_t b = 0; b < write.batch; ++b) write.copy(b, at, b, 0, write.value_positions);
}

/// std.nn.cache.write_rows: value [B, H, 1, D], row b at position at[b].
template <class Out, class Cache, class Value, class At>
void write_rows(Context&, const Out& out, const Cache& cache, const Value& value, const At& at) {
  const detail::CacheWrite write = detail::cache_write(out, cache, value);
  for (std::int64_t b = 0; b < write.batch; ++b) write.copy(b, at(b), b, 0, 1);
}

/// std.nn.cache.write_slot: value [1, H, N, D] into row `slot` at positions at .. at + N.
template <class Out, class Cache, class Value>
void write_slot(Context&, const Out& out, const Cache& cache, const Value& value, std::int32_t slot,
                std::int32_t at) {
  const detail::CacheWrite write = detail::cache_write(out, cache, value);
  write.copy(slot, at, 0, 0, write.value_positions);
}

/// std.nn.cache.write_slots: value [M, H, N, D], its row m into row slots[m] at at .. at + N; the
/// last of equal slots wins.
template <class Out, class Cache, class Value, class Slots>
void write_slots(Context&, const Out& out, const Cache& cache, const Value& value,
                 const Slots& slots, std::int32_t at) {
  const detail::CacheWrite write = detail::cache_write(out, cache, value);
  for (std::int64_t m = 0; m < slots.template extent<0>(); ++m) {
    write.copy(slots(m), at, m, 0, write.value_positions);
  }
}

/// std.nn.cache.write_tokens: value [1, H, P, D], token p into row rows[p] at positions[p]; the
/// last of equal targets wins.
template <class Out, class Cache, class Value, class Rows, class Positions>
void write_tokens(Context&, const Out& out, const Cache& cache, const Value& value,
                  const Rows& rows, const Positions& positions) {
  const detail::CacheWrite write = detail::cache_write(out, cache, value);
  for (std::int64_t p = 0; p < rows.template extent<0>(); ++p) {
    write.copy(rows(p), positions(p), 0, p, 1);
  }
}

}  // namespace linnet::kernels
