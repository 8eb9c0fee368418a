// Compares what a model wants with what a checkpoint has, and collects everything that does not
// fit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linnet/core/dtype.hpp"
#include "linnet/core/format.hpp"
#include "linnet/core/result.hpp"
#include "linnet/weights/bindings.hpp"
#include "linnet/weights/messages.hpp"
#include "linnet/weights/row_order.hpp"
#include "linnet/weights/tensor_table.hpp"

namespace linnet::weights {

/// Which dense formats a weight of dtype f16, bf16, f32 or f64 may be stored in.
enum class FloatStorage : std::uint8_t {
  same,  // its own dtype only, as language.md section 11 says of checkpoints
  any,   // any of the four; elements are converted, rounded once, whenever they are read
};

/// A parameter or buffer of the model.
struct WantedWeight {
  std::string_view path;
  std::span<const std::int64_t> extents;
  DType dtype;
  bool optional;
};

/// Where a weight comes from. No tensor: it is optional and absent, or it does not fit.
struct WeightPlan {
  const StoredTensor* tensor = nullptr;
  const RowOrder* order = nullptr;
};

class WeightMatcher {
 public:
  /// `drops_leading_ones`: GGUF writers leave out outer axes of extent 1.
  WeightMatcher(const TensorTable& table, const Bindings& bindings,
                std::span<const RowOrder> orders, FloatStorage floats, bool drops_leading_ones)
      : table_(table),
        bindings_(bindings),
        orders_(orders),
        floats_(floats),
        drops_leading_ones_(drops_leading_ones),
        bound_(table.size()),
        used_(bindings.entries().size()) {}

  /// Whether the checkpoint has a tensor for `path`, whatever its shape.
  [[nodiscard]] bool has(std::string_view path) const {
    return table_.find(bindings_.resolve(path).tensor) != nullptr;
  }

  /// Finds the tensor of a weight and checks it; what is wrong is kept for `error`.
  WeightPlan match(const WantedWeight& wanted) {
    const Bindings::Target target = bindings_.resolve(wanted.path);
    for (const std::size_t entry : target.entries) used_[entry] = true;
    if (target.entries.size() > 1) {
      add(ErrorCode::invalid_argument, wanted,
          "bound twice, by " + in_backquotes(bindings_.entries()[target.entries[0]].path.text()) +
              " and by " + in_backquotes(bindings_.entries()[target.entries[1]].path.text()));
      return {};
    }
    const StoredTensor* tensor = table_.find(target.tensor);
    if (tensor == nullptr) {
      if (!wanted.optional) {
        add(ErrorCode::not_found, wanted,
            "missing" + named(target.tensor, wanted) + ", expected " + shape_text(wanted.extents) +
                " " + std::string(dtype_name(wanted.dtype)));
      }
      return {};
    }
    bound_[static_cast<std::size_t>(tensor - table_.tensors().data())] = true;
    WeightPlan plan{tensor, nullptr};
    return check(wanted, plan) ? plan : WeightPlan{};
  }

  /// Everything that did not fit, one line each; nothing where all is well.
  [[nodiscard]] std::optional<Error> error() const {
    if (findings_.empty()) return std::nullopt;
    std::string message = findings_.size() == 1
                              ? "1 weight does not fit the model:"
                              : std::to_string(findings_.size()) + " weights do not fit the model:";
    for (const std::string& finding : findings_) message += "\n  " + finding;
    return Error{code_, std::move(message)};
  }

  /// Tensors that no weight of the model reads.
  [[nodiscard]] std::vector<std::string> unbound_tensors() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < bound_.size(); ++i) {
      if (!bound_[i]) names.push_back(table_.tensors()[i].name);
    }
    return names;
  }

  /// Paths of bindings that no weight of the model has.
  [[nodiscard]] std::vector<std::string> unused_bindings() const {
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (!used_[i]) paths.push_back(bindings_.entries()[i].path.text());
    }
    return paths;
  }

 private:
  [[nodiscard]] static std::string named(std::string_view tensor, const WantedWeight& wanted) {
    return tensor == wanted.path ? std::string() : " (tensor " + in_backquotes(tensor) + ")";
  }

  void add(ErrorCode code, const WantedWeight& wanted, const std::string& what) {
    if (findings_.empty()) code_ = code;
    findings_.push_back(std::string(wanted.path) + ": " + what);
  }

  [[nodiscard]] bool same_shape(std::span<const std::int64_t> wanted,
                                std::span<const std::int64_t> stored) const {
    if (drops_leading_ones_) {
      while (!wanted.empty() && wanted.front() == 1) wanted = wanted.subspan(1);
      while (!stored.empty() && stored.front() == 1) stored = stored.subspan(1);
    }
    return std::equal(wanted.begin(), wanted.end(), stored.begin(), stored.end());
  }

  [[nodiscard]] bool storable(DType dtype, Format format) const {
    if (!is_block_format(format) && dense_dtype(format) == dtype) return true;
    if (!is_float(dtype)) return false;
    if (is_block_format(format)) return dtype != DType::f64;
    return floats_ == FloatStorage::any && is_float_format(format);
  }

  [[nodiscard]] static bool is_float(DType dtype) { return is_float_format(dense_format(dtype)); }

  [[nodiscard]] bool check(const WantedWeight& wanted, WeightPlan& plan) {
    const StoredTensor& tensor = *plan.tensor;
    if (!tensor.readable) {
      add(ErrorCode::unsupported, wanted,
          "stored as " + std::string(tensor.type_name) + named(tensor.name, wanted) +
              ", which is not read");
      return false;
    }
    const bool shape = same_shape(wanted.extents, tensor.shape());
    const bool dtype = storable(wanted.dtype, tensor.format);
    if (!shape || !dtype) {
      std::string expected;
      std::string found;
      if (!shape) {
        expected = shape_text(wanted.extents);
        found = shape_text(tensor.shape());
      }
      if (!dtype) {
        const std::string_view space = shape ? "" : " ";
        expected += std::string(space) + std::string(dtype_name(wanted.dtype));
        found += std::string(space) + std::string(tensor.type_name);
      }
      add(shape ? ErrorCode::dtype_mismatch : ErrorCode::shape_mismatch, wanted,
          "expected " + expected + ", found " + found + named(tensor.name, wanted));
      return false;
    }
    return check_bools(wanted, tensor) && find_order(wanted, plan);
  }

  /// A byte that is neither 0 nor 1 is no `bool` to C++.
  [[nodiscard]] bool check_bools(const WantedWeight& wanted, const StoredTensor& tensor) {
    if (tensor.format != Format::boolean) return true;
    for (const std::byte byte : tensor.bytes) {
      if (std::to_integer<unsigned>(byte) > 1) {
        add(ErrorCode::invalid_file, wanted,
            "holds " + std::to_string(std::to_integer<unsigned>(byte)) + ", which is no bool" +
                named(tensor.name, wanted));
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool find_order(const WantedWeight& wanted, WeightPlan& plan) {
    const StoredTensor& tensor = *plan.tensor;
    for (const RowOrder& order : orders_) {
      if (!order.tensor.match(tensor.name)) continue;
      plan.order = &order;
      break;
    }
    if (plan.order == nullptr) return true;
    const std::int64_t last = tensor.rank == 0 ? 1 : tensor.extents[tensor.rank - 1];
    const std::int64_t count = element_count(tensor.shape()).value_or(0);
    const std::int64_t rows = tensor.rank <= 1 ? count : (last == 0 ? 0 : count / last);
    const auto& from = plan.order->rows;
    const bool fits = std::cmp_equal(from.size(), rows) &&
                      std::all_of(from.begin(), from.end(),
                                  [&](std::int64_t row) { return row >= 0 && row < rows; });
    if (!fits || (tensor.rank <= 1 && is_block_format(tensor.format))) {
      add(ErrorCode::invalid_argument, wanted,
          "the order of " + std::to_string(from.size()) + " rows does not fit " +
              shape_text(tensor.shape()) + " stored as " + std::string(tensor.type_name) +
              named(tensor.name, wanted));
      return false;
    }
    return true;
  }

  const TensorTable& table_;
  const Bindings& bindings_;
  std::span<const RowOrder> orders_;
  FloatStorage floats_;
  bool drops_leading_ones_;
  std::vector<bool> bound_;  // by tensor
  std::vector<bool> used_;   // by entry of the bindings
  std::vector<std::string> findings_;
  ErrorCode code_ = ErrorCode::none;
};

}  // namespace linnet::weights
