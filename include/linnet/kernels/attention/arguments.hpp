// Grouped scaled dot-product attention at the raw level.
#pragma once

#include <cstdint>
#include <cstring>

#include "linnet/kernels/operand.hpp"

namespace linnet::kernels {

/// out = softmax_k(scale query . key, -1e30 where masked) value; each of `kv_heads` heads serves
/// heads / kv_heads consecutive query heads. All dense in f32, f16 or bf16; sums in f32, rounded
/// once. A query whose every key is masked averages all values.
struct AttentionArguments {
  Operand query;               // [batch, heads, queries, width]
  Operand key;                 // [batch, kv_heads, keys, width]
  Operand value;               // [batch, kv_heads, keys, width]
  const bool* mask = nullptr;  // [queries, keys], or [batch, queries, keys] with mask_rows, or null
  Output out;                  // [batch, heads, queries, width]
  std::int64_t batch = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t queries = 0;
  std::int64_t keys = 0;
  std::int64_t width = 0;
  float scale = 1;
  bool mask_rows = false;

  [[nodiscard]] const bool* mask_of(std::int64_t b, std::int64_t q) const {
    return mask == nullptr ? nullptr : mask + ((mask_rows ? b * queries : 0) + q) * keys;
  }
};

/// The keys that one query sees: [first, last), all of them where `dense`, else those whose mask is
/// set. `empty`: none, and the range is all keys.
struct LiveKeys {
  std::int64_t first = 0;
  std::int64_t last = 0;
  bool dense = true;
  bool empty = false;
};

namespace detail {

/// The first position in [begin, end) whose byte is (set) or is not (clear) zero, else end.
[[nodiscard]] inline std::int64_t find_byte(const bool* row, std::int64_t begin, std::int64_t end,
                                            bool wanted) {
  const void* at =
      begin < end ? std::memchr(row + begin, wanted ? 1 : 0, static_cast<std::size_t>(end - begin))
                  : nullptr;
  return at == nullptr ? end : static_cast<const bool*>(at) - row;
}

}  // namespace detail

/// Reads a mask row once; a null row sees all keys.
[[nodiscard]] inline LiveKeys live_keys(const bool* row, std::int64_t keys) {
  if (row == nullptr) return {0, keys, true, false};
  const std::int64_t first = detail::find_byte(row, 0, keys, true);
  if (first == keys) return {0, keys, true, true};
  std::int64_t last = keys;
  std::uint64_t word = 0;
  while (last - 8 > first) {  // eight at a time over the masked end
    std::memcpy(&word, row + last - 8, 8);
    if (word != 0) break;
    last -= 8;
  }
  while (!row[last - 1]) --last;
  return {first, last, detail::find_byte(row, first, last, false) == last, false};
}

}  // namespace linnet::kernels
