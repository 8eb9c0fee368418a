// What a checkpoint file holds: named tensors, each a range of bytes with a shape and a format.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linnet/core/format.hpp"
#include "linnet/core/result.hpp"
#include "linnet/weights/messages.hpp"

namespace linnet::weights {

inline constexpr int max_rank = 8;

/// One tensor as its file stores it, row-major, the last axis contiguous (a GGUF's reversed shape
/// is already turned round).
struct StoredTensor {
  std::string name;
  std::string_view file;       // path or name of the file, for messages
  std::string_view type_name;  // the file's own word for the type: `F32`, `Q4_1`, `F8_E4M3`
  Format format = Format::f32;
  bool readable = true;  // false: Linnet has no reader for `type_name`; such a tensor never binds
  std::uint8_t rank = 0;
  std::array<std::int64_t, max_rank> extents = {};
  std::span<const std::byte> bytes;  // within the file; any alignment

  [[nodiscard]] std::span<const std::int64_t> shape() const { return {extents.data(), rank}; }
};

/// The tensors of one checkpoint, in the file's order, found by name.
class TensorTable {
 public:
  [[nodiscard]] std::span<const StoredTensor> tensors() const { return tensors_; }
  [[nodiscard]] std::size_t size() const { return tensors_.size(); }

  /// The tensor called `name`, or null.
  [[nodiscard]] const StoredTensor* find(std::string_view name) const {
    const auto found = std::lower_bound(
        by_name_.begin(), by_name_.end(), name,
        [this](std::uint32_t index, std::string_view key) { return tensors_[index].name < key; });
    if (found == by_name_.end() || tensors_[*found].name != name) return nullptr;
    return &tensors_[*found];
  }

  void add(StoredTensor tensor) { tensors_.push_back(std::move(tensor)); }

  /// Builds the index; call it once, after the last `add`. Fails on a name that occurs twice.
  [[nodiscard]] std::optional<Error> finish() {
    by_name_.resize(tensors_.size());
    for (std::uint32_t i = 0; i < by_name_.size(); ++i) by_name_[i] = i;
    std::sort(by_name_.begin(), by_name_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return tensors_[a].name < tensors_[b].name;
    });
    for (std::size_t i = 1; i < by_name_.size(); ++i) {
      const StoredTensor& tensor = tensors_[by_name_[i]];
      if (tensor.name == tensors_[by_name_[i - 1]].name) {
        return file_error(tensor.file, "tensor " + in_backquotes(tensor.name) + " occurs twice");
      }
    }
    return std::nullopt;
  }

 private:
  std::vector<StoredTensor> tensors_;
  std::vector<std::uint32_t> by_name_;  // indices in the order of the names
};

/// Elements of a shape, or nothing where the product does not fit.
[[nodiscard]] inline std::optional<std::int64_t> element_count(
    std::span<const std::int64_t> extents) {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) {
    if (extent < 0 || (extent != 0 && count > INT64_MAX / extent)) return std::nullopt;
    count *= extent;
  }
  return count;
}

/// The two tensors of one file whose bytes overlap, if any do. Empty tensors overlap nothing.
[[nodiscard]] inline std::optional<std::pair<const StoredTensor*, const StoredTensor*>>
find_overlap(std::span<const StoredTensor> tensors) {
  std::vector<const StoredTensor*> order;
  order.reserve(tensors.size());
  for (const StoredTensor& tensor : tensors) {
    if (!tensor.bytes.empty()) order.push_back(&tensor);
  }
  std::sort(order.begin(), order.end(), [](const StoredTensor* a, const StoredTensor* b) {
    return a->bytes.data() < b->bytes.data();
  });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto& before = order[i - 1]->bytes;
    if (before.data() + before.size() > order[i]->bytes.data()) {
      return std::pair{order[i - 1], order[i]};
    }
  }
  return std::nullopt;
}

}  // namespace linnet::weights
