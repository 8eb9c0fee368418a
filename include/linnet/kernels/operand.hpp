// What a kernel's raw level sees of a view: where, in which format, how large. The view-level
// functions that generated code calls are thin templates over this, so that the loops behind them
// are compiled once and not per shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "linnet/core/dtype.hpp"
#include "linnet/core/format.hpp"
#include "linnet/core/tensor.hpp"
#include "linnet/core/weight.hpp"

namespace linnet::kernels {

/// Elements to read, row after row; null `data` where an optional operand is absent.
struct Operand {
  const void* data = nullptr;
  Format format = Format::f32;
  const void* packed = nullptr;  // of a weight, see linear/packed.hpp

  [[nodiscard]] explicit operator bool() const { return data != nullptr; }
};

/// Elements to write.
struct Output {
  void* data = nullptr;
  Format format = Format::f32;
};

/// The dtypes that kernels take (and compute on in f32); f64 stays with the op's body.
template <class T>
inline constexpr bool has_kernels =
    std::is_same_v<std::remove_cv_t<T>, float> || std::is_same_v<std::remove_cv_t<T>, f16> ||
    std::is_same_v<std::remove_cv_t<T>, bf16>;

template <class T, Extent... E>
[[nodiscard]] constexpr Operand operand(const TensorView<T, E...>& view) {
  return {view.data(), dense_format(dtype_of<std::remove_cv_t<T>>), nullptr};
}

template <class T, Extent... E>
[[nodiscard]] constexpr Operand operand(const WeightView<T, E...>& view) {
  return {view.data(), view.format(), view.packed()};
}

/// An optional operand: anything that tests as a bool and dereferences to a view.
template <class Optional>
  requires requires(const Optional& o) {
    static_cast<bool>(o);
    operand(*o);
  }
[[nodiscard]] constexpr Operand operand(const Optional& optional) {
  return static_cast<bool>(optional) ? operand(*optional) : Operand{};
}

/// An absent operand (std::nullopt, nullptr).
[[nodiscard]] constexpr Operand operand(std::nullptr_t) {
  return {};
}
[[nodiscard]] constexpr Operand operand(std::nullopt_t) {
  return {};
}

template <class T, Extent... E>
[[nodiscard]] constexpr Output output(const TensorView<T, E...>& view) {
  static_assert(!std::is_const_v<T>);
  return {view.data(), dense_format(dtype_of<T>)};
}

/// Bytes of an element of a dense format.
[[nodiscard]] constexpr std::int64_t element_bytes(Format format) {
  return static_cast<std::int64_t>(weights::block_bytes(format));
}

[[nodiscard]] inline const void* element_at(const void* data, Format format, std::int64_t at) {
  return static_cast<const char*>(data) + at * element_bytes(format);
}
[[nodiscard]] inline void* element_at(void* data, Format format, std::int64_t at) {
  return static_cast<char*>(data) + at * element_bytes(format);
}

}  // namespace linnet::kernels
