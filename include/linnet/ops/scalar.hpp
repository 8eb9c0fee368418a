#pragma once
// Scalars beyond `core/arithmetic.hpp`: dimensions at run time, positions, `select`.

#include <cstdint>
#include <limits>
#include <type_traits>

#include "linnet/core/context.hpp"
#include "linnet/core/extent.hpp"
#include "linnet/core/tensor.hpp"

namespace linnet::ops {

// Dimensions. Division rounds toward minus infinity, as that of extents does.
[[nodiscard]] constexpr std::int64_t quotient(std::int64_t a, std::int64_t b) {
  return linnet::detail::floor_divide(a, b);
}
[[nodiscard]] constexpr std::int64_t remainder(std::int64_t a, std::int64_t b) {
  return linnet::detail::floor_modulo(a, b);
}
[[nodiscard]] constexpr std::int64_t smaller(std::int64_t a, std::int64_t b) {
  return a < b ? a : b;
}
[[nodiscard]] constexpr std::int64_t larger(std::int64_t a, std::int64_t b) {
  return a > b ? a : b;
}

/// `select` of the language: both sides are evaluated.
template <class T>
[[nodiscard]] constexpr T select(bool condition, T a, T b) {
  return condition ? a : b;
}

/// A run-time position into an axis of `extent`: the position, or -1 when it is outside, which
/// the context records as an error of the call.
template <class Integer>
[[nodiscard]] std::int64_t position(Context& context, Integer value, std::int64_t extent) {
  static_assert(std::is_integral_v<Integer>);
  std::int64_t at = 0;
  if constexpr (std::is_unsigned_v<Integer> && sizeof(Integer) == 8) {
    constexpr auto most = static_cast<Integer>(std::numeric_limits<std::int64_t>::max());
    at = value > most ? std::numeric_limits<std::int64_t>::max() : static_cast<std::int64_t>(value);
  } else {
    at = static_cast<std::int64_t>(value);
  }
  if (at >= 0 && at < extent) return at;
  context.fail_index(at, extent);
  return -1;
}

/// Checks every element of an input that the program uses as positions, before it runs.
template <class T, Extent... E>
[[nodiscard]] bool check_positions(Context& context, const TensorView<T, E...>& positions,
                                   std::int64_t extent) {
  const std::int64_t count = positions.size();
  for (std::int64_t i = 0; i < count; ++i) {
    if (position(context, positions.data()[i], extent) < 0) return false;
  }
  return true;
}
template <class Integer>
  requires(std::is_integral_v<Integer>)
[[nodiscard]] bool check_positions(Context& context, Integer value, std::int64_t extent) {
  return position(context, value, extent) >= 0;
}

}  // namespace linnet::ops
