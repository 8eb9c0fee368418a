#pragma once
// WeightView: a weight as it is stored, read as the dtype that the program gives it.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "linnet/core/dtype.hpp"
#include "linnet/core/format.hpp"
#include "linnet/core/shape.hpp"
#include "linnet/core/tensor.hpp"
#include "linnet/weights/block_formats.hpp"

namespace linnet {

namespace detail {

/// Reads `count` densely stored floats from position `first` on as `T`, each rounded once.
template <class T>
void read_dense(const void* data, Format format, std::int64_t first, std::int64_t count, T* out) {
  const auto read = [&]<class Stored>(const Stored* stored) {
    for (std::int64_t i = 0; i < count; ++i) {
      if constexpr (is_half<Stored>) {
        out[i] = static_cast<T>(static_cast<float>(stored[first + i]));
      } else {
        out[i] = static_cast<T>(stored[first + i]);
      }
    }
  };
  switch (format) {
    case Format::f16:
      return read(static_cast<const f16*>(data));
    case Format::bf16:
      return read(static_cast<const bf16*>(data));
    case Format::f32:
      return read(static_cast<const float*>(data));
    case Format::f64:
      return read(static_cast<const double*>(data));
    default:
      for (std::int64_t i = 0; i < count; ++i) out[i] = T{};  // a loader admits no other format
  }
}

}  // namespace detail

/// A weight with extents `E...` that reads as `T`. It is stored row by row (a row runs along the
/// last axis), dense in some dtype or in blocks along the row. A float weight may be stored in
/// any float dtype or block format; others are stored as they are.
template <class T, Extent... E>
class WeightView {
 public:
  using element_type = const T;
  using value_type = T;
  using shape_type = Shape<E...>;
  static constexpr std::size_t rank = sizeof...(E);
  static_assert(shape_type::is_static, "the extents of a weight are known when it is loaded");

  constexpr WeightView() = default;
  /// `packed` is a copy in an order of the kernels' choosing, or null.
  constexpr WeightView(const void* data, Format format, const void* packed = nullptr)
      : data_(data), packed_(packed), format_(format) {}

  /// As stored: dense elements or blocks, row by row.
  [[nodiscard]] constexpr const void* data() const { return data_; }
  [[nodiscard]] constexpr const void* packed() const { return packed_; }
  [[nodiscard]] constexpr Format format() const { return format_; }
  constexpr void set_packed(const void* packed) { packed_ = packed; }
  /// False until it is bound, and for an optional weight that is absent.
  [[nodiscard]] constexpr bool is_bound() const { return data_ != nullptr; }

  [[nodiscard]] static constexpr std::int64_t extent(std::size_t axis) {
    return shape_type::bounds[axis];
  }
  template <std::size_t Axis>
  [[nodiscard]] static constexpr std::int64_t extent() {
    return shape_type::bounds[Axis];
  }
  [[nodiscard]] static constexpr std::int64_t size() { return shape_type::bound_size; }
  /// Elements of a row: the last extent, 1 for a scalar.
  [[nodiscard]] static constexpr std::int64_t columns() {
    if constexpr (rank == 0) {
      return 1;
    } else {
      return shape_type::bounds[rank - 1];
    }
  }
  [[nodiscard]] static constexpr std::int64_t rows() {
    if constexpr (rank == 0) {
      return 1;
    } else {
      return drop_back<shape_type, 1>::bound_size;
    }
  }
  /// Bytes of a stored row.
  [[nodiscard]] std::size_t row_bytes() const {
    return static_cast<std::size_t>(columns()) / block_elements(format_) * block_bytes(format_);
  }
  [[nodiscard]] const void* row_data(std::int64_t row) const {
    return static_cast<const std::byte*>(data_) + static_cast<std::size_t>(row) * row_bytes();
  }

  /// Stored as `T` itself, so that `dense` may be used.
  [[nodiscard]] constexpr bool is_dense() const { return format_ == dense_format(dtype_of<T>); }
  [[nodiscard]] constexpr TensorView<const T, E...> dense() const {
    return TensorView<const T, E...>(static_cast<const T*>(data_));
  }

  /// Writes row `row` (rows counted over all axes but the last), read as `T`, to `out`:
  /// `columns()` elements.
  void read_row(std::int64_t row, T* out) const {
    if (is_dense()) {
      const T* const source = static_cast<const T*>(row_data(row));
      for (std::int64_t i = 0; i < columns(); ++i) out[i] = source[i];
    } else if constexpr (is_float<T>) {
      read_floats(row, 0, columns(), out);
    }
  }

  /// One element. For a block format this decodes its block: use `read_row` for many.
  template <std::convertible_to<std::int64_t>... Index>
    requires(sizeof...(Index) == rank)
  [[nodiscard]] T operator()(Index... index) const {
    const std::int64_t at = TensorView<const T, E...>().offset(index...);
    return element(at);
  }

  /// The element at a position of the row-major order.
  [[nodiscard]] T element(std::int64_t at) const {
    if (is_dense()) return static_cast<const T*>(data_)[at];
    T result{};
    if constexpr (is_float<T>) {
      read_floats(at / columns(), at % columns(), at % columns() + 1, &result);
    }
    return result;
  }

 private:
  /// Reads the columns [begin, end) of a row that is not stored as `T`. Blocks are decoded whole,
  /// through the stack unless they can go straight to `out`.
  void read_floats(std::int64_t row, std::int64_t begin, std::int64_t end, T* out) const {
    if (linnet::is_dense(format_)) {
      detail::read_dense(data_, format_, row * columns() + begin, end - begin, out);
      return;
    }
    const std::byte* const bytes = static_cast<const std::byte*>(row_data(row));
    if constexpr (std::same_as<T, float>) {
      if (begin == 0 && end == columns()) {
        weights::decode_row(format_, bytes, end, out);
        return;
      }
    }
    const auto block = static_cast<std::int64_t>(block_elements(format_));
    float values[largest_block];
    for (std::int64_t first = begin / block * block; first < end; first += block) {
      const auto skip = static_cast<std::size_t>(first / block) * block_bytes(format_);
      weights::decode_row(format_, bytes + skip, block, values);
      for (std::int64_t i = first < begin ? begin : first; i < first + block && i < end; ++i) {
        out[i - begin] = static_cast<T>(values[i - first]);
      }
    }
  }

  static constexpr std::size_t largest_block = 256;  ///< elements, of the K formats

  const void* data_ = nullptr;
  const void* packed_ = nullptr;
  Format format_ = dense_format(dtype_of<T>);
};

namespace detail {

template <class T, class S>
struct WeightOf;
template <class T, Extent... E>
struct WeightOf<T, Shape<E...>> {
  using type = WeightView<T, E...>;
};

}  // namespace detail

/// `weight_of<bf16, Shape<2, 3>>` is `WeightView<bf16, 2, 3>`.
template <class T, AnyShape S>
using weight_of = typename detail::WeightOf<T, S>::type;

}  // namespace linnet
