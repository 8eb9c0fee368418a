// Where the data of bound weights lives: in the file, in a copy, and perhaps packed beside it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linnet/core/context.hpp"
#include "linnet/core/format.hpp"
#include "linnet/core/result.hpp"
#include "linnet/kernels/linear/packed.hpp"
#include "linnet/weights/match.hpp"
#include "linnet/weights/tensor_table.hpp"
#include "linnet/weights/zeroed_memory.hpp"

namespace linnet::weights {

/// Stored data ready to be read: `data` aligned for `format`, `packed` null or the kernels' copy.
struct ResidentWeight {
  const void* data = nullptr;
  const void* packed = nullptr;
  Format format = Format::f32;
};

/// Places weights. Tell it all plans first, then `allocate` once, then ask for each. A tensor that
/// two weights read is copied and packed once.
class WeightResidence {
 public:
  /// `pack`: make the kernels' packed copy of matrices whose format has one.
  explicit WeightResidence(bool pack) : pack_(pack) {}

  void add(const WeightPlan& plan) {
    if (plan.tensor == nullptr) return;
    const auto [found, is_new] = places_.try_emplace(key(plan));
    if (!is_new) return;
    Place& place = found->second;
    const StoredTensor& tensor = *plan.tensor;
    // SafeTensors promises no alignment.
    const auto address = reinterpret_cast<std::uintptr_t>(tensor.bytes.data());
    if (plan.order != nullptr || address % format_info(tensor.format).alignment != 0) {
      place.copy_offset = reserve(copy_bytes_, tensor.bytes.size());
    }
    if (pack_ && tensor.rank == 2) {
      const std::int64_t bytes =
          kernels::packed_bytes(tensor.format, tensor.extents[0], tensor.extents[1]);
      if (bytes > 0) place.packed_offset = reserve(packed_bytes_, static_cast<std::size_t>(bytes));
    }
  }

  /// Makes all copies, the packed ones on the threads of `executor` (null: on this thread).
  [[nodiscard]] std::optional<Error> allocate(Executor* executor) {
    auto copies = ZeroedMemory::allocate(copy_bytes_);
    auto packed = ZeroedMemory::allocate(packed_bytes_);
    if (!copies || !packed) {
      return Error{ErrorCode::out_of_memory, "no memory for " +
                                                 std::to_string(copy_bytes_ + packed_bytes_) +
                                                 " bytes of copied weights"};
    }
    copies_ = std::move(*copies);
    packed_ = std::move(*packed);
    for (const auto& [plan, place] : places_) fill(plan.first, plan.second, place, executor);
    return std::nullopt;
  }

  [[nodiscard]] ResidentWeight get(const WeightPlan& plan) const {
    const Place& place = places_.find(key(plan))->second;
    const auto packed = place.packed_offset;
    return {data(*plan.tensor, place), packed ? packed_.bytes().data() + *packed : nullptr,
            plan.tensor->format};
  }

  [[nodiscard]] std::size_t copy_bytes() const { return copy_bytes_; }
  [[nodiscard]] std::size_t packed_bytes() const { return packed_bytes_; }

 private:
  using Key = std::pair<const StoredTensor*, const RowOrder*>;

  struct Place {
    std::optional<std::size_t> copy_offset;
    std::optional<std::size_t> packed_offset;
  };

  [[nodiscard]] static Key key(const WeightPlan& plan) { return {plan.tensor, plan.order}; }

  [[nodiscard]] static std::size_t reserve(std::size_t& total, std::size_t bytes) {
    const std::size_t offset = total;
    total += (bytes + 63) / 64 * 64;
    return offset;
  }

  [[nodiscard]] const std::byte* data(const StoredTensor& tensor, const Place& place) const {
    return place.copy_offset ? copies_.bytes().data() + *place.copy_offset : tensor.bytes.data();
  }

  void fill(const StoredTensor* tensor, const RowOrder* order, const Place& place,
            Executor* executor) {
    if (place.copy_offset && !tensor->bytes.empty()) {
      std::byte* copy = copies_.bytes().data() + *place.copy_offset;
      if (order == nullptr) {
        std::memcpy(copy, tensor->bytes.data(), tensor->bytes.size());
      } else {
        const std::size_t row = tensor->bytes.size() / order->rows.size();
        for (const std::int64_t from : order->rows) {
          std::memcpy(copy, tensor->bytes.data() + static_cast<std::size_t>(from) * row, row);
          copy += row;
        }
      }
    }
    if (!place.packed_offset) return;
    const std::byte* source = data(*tensor, place);
    std::byte* target = packed_.bytes().data() + *place.packed_offset;
    const std::int64_t rows = tensor->extents[0];
    const std::int64_t panels = (rows + kernels::panel_rows - 1) / kernels::panel_rows;
    Context context({}, executor);
    context.parallel([&](int thread, int threads) {
      const Range range = thread_range(panels, thread, threads);
      kernels::pack_panels(tensor->format, source, rows, tensor->extents[1], range.begin, range.end,
                           target);
    });
  }

  bool pack_;
  std::map<Key, Place> places_;
  std::size_t copy_bytes_ = 0;
  std::size_t packed_bytes_ = 0;
  ZeroedMemory copies_;
  ZeroedMemory packed_;
};

}  // namespace linnet::weights
