// embedding: rows of a table in any stored format.
#pragma once

#include <cstdint>
#include <cstring>

#include "linnet/core/context.hpp"
#include "linnet/kernels/operand.hpp"
#include "linnet/weights/block_formats.hpp"

namespace linnet::kernels {

/// out[i] = table[ids[i]], read as the output's dtype. An id outside the table is a run-time error
/// and gives a row of zeros.
struct EmbeddingArguments {
  const std::int32_t* ids = nullptr;  // [count]
  Operand table;                      // [vocabulary, width], any float format
  Output out;                         // [count, width], dense f32, f16 or bf16
  std::int64_t count = 0;
  std::int64_t vocabulary = 0;
  std::int64_t width = 0;
};

inline void embedding(Context& context, const EmbeddingArguments& a) {
  const std::int64_t row_bytes = weights::row_bytes(a.table.format, a.width);
  const std::int64_t out_bytes = a.width * element_bytes(a.out.format);
  for (std::int64_t i = 0; i < a.count; ++i) {
    auto* const to = static_cast<char*>(a.out.data) + i * out_bytes;
    const std::int64_t id = a.ids[i];
    if (id < 0 || id >= a.vocabulary) {
      context.fail_index(id, a.vocabulary);
      std::memset(to, 0, static_cast<std::size_t>(out_bytes));
      continue;
    }
    const auto* const row = static_cast<const char*>(a.table.data) + id * row_bytes;
    if (a.table.format == a.out.format) {
      std::memcpy(to, row, static_cast<std::size_t>(out_bytes));
    } else if (a.out.format == Format::f32) {
      weights::decode_row(a.table.format, row, a.width, reinterpret_cast<float*>(to));
    } else {
      constexpr std::int64_t span = 256;  // whole blocks of every format
      float piece[span];
      const auto elements = static_cast<std::int64_t>(weights::block_elements(a.table.format));
      const auto bytes = static_cast<std::int64_t>(weights::block_bytes(a.table.format));
      for (std::int64_t d = 0; d < a.width; d += span) {
        const std::int64_t n = a.width - d < span ? a.width - d : span;
        weights::decode_row(a.table.format, row + d / elements * bytes, n, piece);
        for (std::int64_t j = 0; j < n; ++j) {
          const std::uint16_t bits =
              a.out.format == Format::f16 ? f16(piece[j]).bits : bf16(piece[j]).bits;
          std::memcpy(to + (d + j) * 2, &bits, 2);
        }
      }
    }
  }
}

/// std.nn.embedding.embedding: ids [*S] of i32, table [Vocab, H], out [*S, H].
template <class Out, class Ids, class Table>
void embedding(Context& context, const Out& out, const Ids& ids, const Table& table) {
  embedding(context, {ids.data(), operand(table), output(out), ids.size(),
                      table.template extent<0>(), table.template extent<1>()});
}

}  // namespace linnet::kernels
