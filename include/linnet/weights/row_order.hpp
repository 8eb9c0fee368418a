// Rows of a stored matrix in another order than the model wants them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linnet/core/result.hpp"
#include "linnet/weights/bindings.hpp"
#include "linnet/weights/gguf.hpp"
#include "linnet/weights/messages.hpp"
#include "linnet/weights/tensor_table.hpp"

namespace linnet::weights {

/// For every tensor whose name matches: row r of the weight is row `rows[r]` of the stored matrix.
/// Rows run along the last axis and count over all others; of a vector each element is a row. The
/// loader gathers such a weight into a copy; stored blocks lie inside a row and stay as they are.
struct RowOrder {
  PathPattern tensor;  // `blk.{i}.attn_q.weight`
  std::vector<std::int64_t> rows;
};

/// The order that turns `heads` heads of interleaved rotation pairs, (2 i, 2 i + 1), into halves,
/// (i, i + D/2): row p D/2 + i of a head is stored as row 2 i + p. `rows` is a multiple of
/// 2 * `heads`.
[[nodiscard]] inline std::vector<std::int64_t> half_split_rows(std::int64_t rows,
                                                               std::int64_t heads) {
  std::vector<std::int64_t> order;
  order.reserve(static_cast<std::size_t>(rows));
  const std::int64_t dimension = rows / heads;
  for (std::int64_t head = 0; head < heads; ++head) {
    for (std::int64_t row = 0; row < dimension; ++row) {
      const std::int64_t pair = row % (dimension / 2);
      const std::int64_t part = row / (dimension / 2);
      order.push_back(head * dimension + 2 * pair + part);
    }
  }
  return order;
}

/// The row orders that a GGUF file needs for a model in the half-split form of `std.nn.rope`. Files
/// whose `general.architecture` is `llama` store query and key rows (and biases) so that rotation
/// pairs are neighbours; files of other architectures need none. Fails where the metadata lacks the
/// head counts or they do not fit the tensors.
[[nodiscard]] inline Result<std::vector<RowOrder>> gguf_row_orders(const GgufFile& file) {
  std::vector<RowOrder> orders;
  const auto architecture = file.metadata().get_string("general.architecture");
  if (!architecture) return architecture.error();
  if (*architecture != "llama") return orders;
  const auto heads = file.metadata().get_u32("llama.attention.head_count");
  if (!heads) return heads.error();
  const auto kv_heads = file.metadata().get_or("llama.attention.head_count_kv", *heads);
  if (!kv_heads) return kv_heads.error();

  for (const auto& [which, count] : {std::pair{'q', *heads}, std::pair{'k', *kv_heads}}) {
    for (const std::string_view part : {"weight", "bias"}) {
      std::string pattern = "blk.{i}.attn_";
      pattern += which;
      pattern += '.';
      pattern += part;
      const auto parsed = PathPattern::parse(pattern);
      const auto* first = file.tensors().find(PathPattern::fill(pattern, {{"i", "0"}}));
      // A tensor without elements orders nothing, and its extents are not bounded by the file.
      if (!parsed || first == nullptr || first->rank == 0 || first->bytes.empty()) continue;
      const std::int64_t rows = first->extents[0];
      if (count == 0 || rows == 0 || rows % (2 * std::int64_t{count}) != 0) {
        return file_error(file.name(), "tensor " + in_backquotes(first->name) + ": " +
                                           std::to_string(rows) + " rows are no " +
                                           std::to_string(count) + " heads of an even size");
      }
      orders.push_back({*parsed, half_split_rows(rows, count)});
    }
  }
  return orders;
}

}  // namespace linnet::weights
