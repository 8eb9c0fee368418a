#pragma once
// Shape: a list of extents as a type, and what is computed from it while compiling.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "linnet/core/extent.hpp"

namespace linnet {

namespace detail {

// Functions of plain numbers, shared by all shapes of one rank: a closure or a template of its own
// for every shape would be what a program full of shapes spends its compile time on.

constexpr std::int64_t bounded_product(const std::int64_t* factors, std::size_t count) {
  std::int64_t product = 1;
  for (std::size_t i = 0; i < count; ++i) product = saturating_multiply(product, factors[i]);
  return product;
}

template <std::size_t Rank>
constexpr std::array<int, Rank> number_dynamic(const std::array<bool, Rank>& fixed) {
  std::array<int, Rank> indices{};
  int next = 0;
  for (std::size_t axis = 0; axis < Rank; ++axis) indices[axis] = fixed[axis] ? -1 : next++;
  return indices;
}

template <std::size_t Count, std::size_t Rank>
constexpr std::array<std::int64_t, Count> select_dynamic(
    const std::array<std::int64_t, Rank>& bounds, const std::array<int, Rank>& indices) {
  std::array<std::int64_t, Count> selected{};
  for (std::size_t axis = 0; axis < Rank; ++axis) {
    if (indices[axis] >= 0) selected[static_cast<std::size_t>(indices[axis])] = bounds[axis];
  }
  return selected;
}

}  // namespace detail

template <Extent... E>
struct Shape {
  static constexpr std::size_t rank = sizeof...(E);
  static constexpr std::array<Extent, rank> extents{E...};
  /// Every extent is known while compiling.
  static constexpr bool is_static = (E.is_static() && ...);
  /// How many axes get their extent at run time.
  static constexpr std::size_t dynamic_rank =
      (std::size_t{0} + ... + static_cast<std::size_t>(!E.is_static()));

  // Small tables for code that runs, so that the extents themselves stay in the compiler.

  /// The largest value of each axis: its value, where it is static.
  static constexpr std::array<std::int64_t, rank> bounds{E.bound()...};
  /// The largest element count; INT64_MAX when it overflows.
  static constexpr std::int64_t bound_size = detail::bounded_product(bounds.data(), rank);
  /// Where each axis stands among those with run-time extents; -1 for a static axis.
  static constexpr std::array<int, rank> dynamic_indices =
      detail::number_dynamic<rank>({E.is_static()...});
  /// The bounds of the axes with run-time extents.
  static constexpr std::array<std::int64_t, dynamic_rank> dynamic_bounds =
      detail::select_dynamic<dynamic_rank>(bounds, dynamic_indices);
};

namespace detail {

template <class... Shapes>
struct Join;
template <>
struct Join<> {
  using type = Shape<>;
};
template <Extent... E>
struct Join<Shape<E...>> {
  using type = Shape<E...>;
};
template <Extent... A, Extent... B, class... Rest>
struct Join<Shape<A...>, Shape<B...>, Rest...> {
  using type = typename Join<Shape<A..., B...>, Rest...>::type;
};

template <class S, std::size_t First, class Positions>
struct SubShape;
template <class S, std::size_t First, std::size_t... I>
struct SubShape<S, First, std::index_sequence<I...>> {
  using type = Shape<S::extents[First + I]...>;
};

template <class T>
inline constexpr bool is_shape = false;
template <Extent... E>
inline constexpr bool is_shape<Shape<E...>> = true;

}  // namespace detail

template <class T>
concept AnyShape = detail::is_shape<T>;

/// The axes of several shapes in a row: `join<Shape<B>, Shape<S, 2>>` is `Shape<B, S, 2>`.
template <AnyShape... Shapes>
using join = typename detail::Join<Shapes...>::type;

/// `Count` axes of a shape, from axis `First` on.
template <AnyShape S, std::size_t First, std::size_t Count>
using sub_shape = typename detail::SubShape<S, First, std::make_index_sequence<Count>>::type;

/// The shape without its first / last `Count` axes.
template <AnyShape S, std::size_t Count>
using drop_front = sub_shape<S, Count, S::rank - Count>;
template <AnyShape S, std::size_t Count>
using drop_back = sub_shape<S, 0, S::rank - Count>;

namespace detail {

constexpr Extent product(const Extent* extents, std::size_t count) {
  Extent size = 1;
  for (std::size_t i = 0; i < count; ++i) size = size * extents[i];
  return size;
}

}  // namespace detail

/// The element count of a shape as an extent: `size_of<Shape<B, 2, 3>>` is `6 * B`.
template <AnyShape S>
inline constexpr Extent size_of = detail::product(S::extents.data(), S::rank);

}  // namespace linnet
