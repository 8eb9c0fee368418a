#pragma once
// TensorView: a dense row-major tensor somewhere in memory, its whole shape in its type.
// Tensor: one that owns its elements, sized by the bounds of its symbols.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "linnet/core/extent.hpp"
#include "linnet/core/shape.hpp"
#include "linnet/core/symbols.hpp"

namespace linnet {

namespace detail {

/// The run-time extents of a view, in axis order; no storage when there are none.
template <std::size_t Count>
struct DynamicExtents {
  std::int64_t values[Count] = {};
};
template <>
struct DynamicExtents<0> {};

/// The run-time values of the non-static extents of a shape.
template <AnyShape S, SymbolSet Set>
constexpr auto dynamic_extents(const SymbolValues<Set>& symbols) {
  DynamicExtents<S::dynamic_rank> result;
  if constexpr (S::dynamic_rank > 0) {
    [&]<Extent... E>(Shape<E...>) {
      std::size_t at = 0;
      const auto put = [&]<Extent Axis>() {
        if constexpr (!Axis.is_static()) result.values[at++] = symbols.template value<Axis>();
      };
      (put.template operator()<E>(), ...);
    }(S{});
  }
  return result;
}

}  // namespace detail

/// A view of `T` elements (`const T` to read only) with extents `E...`, outermost first. It holds
/// a pointer and the run-time value of every axis that is not static; it copies as cheaply.
/// Rank 0 is one element. Indices are not checked.
template <class T, Extent... E>
class TensorView : private detail::DynamicExtents<Shape<E...>::dynamic_rank> {
  using Dynamic = detail::DynamicExtents<Shape<E...>::dynamic_rank>;

 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using shape_type = Shape<E...>;
  static constexpr std::size_t rank = sizeof...(E);
  static constexpr bool is_static = shape_type::is_static;

  constexpr TensorView() = default;

  /// Elements at `data`; for a shape that is all static.
  constexpr explicit TensorView(T* data)
    requires is_static
      : data_(data) {}

  /// Run-time extents computed from the values of symbols.
  template <SymbolSet Set>
  constexpr TensorView(T* data, const SymbolValues<Set>& symbols)
      : Dynamic(detail::dynamic_extents<shape_type>(symbols)), data_(data) {}

  /// Run-time extents given outright, one for each axis that is not static. Not checked: what
  /// comes from outside a program enters through `checked.hpp`.
  template <std::integral... Values>
    requires(sizeof...(Values) == shape_type::dynamic_rank && sizeof...(Values) > 0)
  constexpr explicit TensorView(T* data, Values... values)
      : Dynamic{{static_cast<std::int64_t>(values)...}}, data_(data) {}

  /// A view to write is a view to read.
  template <class U>
    requires(std::is_const_v<T> && std::same_as<U, value_type>)
  constexpr TensorView(const TensorView<U, E...>& other)
      : Dynamic(other.dynamic()), data_(other.data()) {}

  [[nodiscard]] constexpr T* data() const { return data_; }

  [[nodiscard]] constexpr std::int64_t extent(std::size_t axis) const {
    if constexpr (is_static) {
      return shape_type::bounds[axis];
    } else {
      const int index = shape_type::dynamic_indices[axis];
      return index < 0 ? shape_type::bounds[axis] : this->values[index];
    }
  }

  template <std::size_t Axis>
  [[nodiscard]] constexpr std::int64_t extent() const {
    static_assert(Axis < rank);
    return extent(Axis);
  }

  /// All extents, outermost first.
  [[nodiscard]] constexpr std::array<std::int64_t, rank> extents() const {
    std::array<std::int64_t, rank> result{};
    for (std::size_t axis = 0; axis < rank; ++axis) result[axis] = extent(axis);
    return result;
  }

  /// The number of elements.
  [[nodiscard]] constexpr std::int64_t size() const {
    if constexpr (is_static) {
      return shape_type::bound_size;
    } else {
      return extents_product(0);
    }
  }

  /// How many elements apart neighbours along `Axis` lie.
  template <std::size_t Axis>
  [[nodiscard]] constexpr std::int64_t stride() const {
    static_assert(Axis < rank);
    return extents_product(Axis + 1);
  }

  /// The position of an element in `data()`.
  template <std::convertible_to<std::int64_t>... Index>
    requires(sizeof...(Index) == rank)
  [[nodiscard]] constexpr std::int64_t offset(Index... index) const {
    std::int64_t result = 0;
    [[maybe_unused]] std::size_t axis = 0;
    ((result = result * extent(axis++) + static_cast<std::int64_t>(index)), ...);
    return result;
  }

  template <std::convertible_to<std::int64_t>... Index>
    requires(sizeof...(Index) == rank)
  [[nodiscard]] constexpr T& operator()(Index... index) const {
    return data_[offset(index...)];
  }

  /// The part at `index` of the first axis.
  [[nodiscard]] constexpr auto operator[](std::int64_t index) const
    requires(rank > 0)
  {
    return front(index, drop_front<shape_type, 1>{});
  }

  // For the compiler and the runtime: the run-time extents as they are held.
  [[nodiscard]] constexpr const Dynamic& dynamic() const { return *this; }
  constexpr TensorView(T* data, const Dynamic& dynamic) : Dynamic(dynamic), data_(data) {}

 private:
  [[nodiscard]] constexpr std::int64_t extents_product(std::size_t first) const {
    std::int64_t product = 1;
    for (std::size_t axis = first; axis < rank; ++axis) product *= extent(axis);
    return product;
  }

  template <Extent... Rest>
  [[nodiscard]] constexpr TensorView<T, Rest...> front(std::int64_t index, Shape<Rest...>) const {
    T* const part = data_ + index * stride<0>();
    constexpr std::size_t count = Shape<Rest...>::dynamic_rank;
    detail::DynamicExtents<count> rest;
    if constexpr (count > 0) {
      for (std::size_t i = 0; i < count; ++i) {
        rest.values[i] = this->values[i + shape_type::dynamic_rank - count];
      }
    }
    return TensorView<T, Rest...>(part, rest);
  }

  T* data_ = nullptr;
};

namespace detail {

template <class T, class S>
struct ViewOf;
template <class T, Extent... E>
struct ViewOf<T, Shape<E...>> {
  using type = TensorView<T, E...>;
};

template <class T>
inline constexpr bool is_tensor_view = false;
template <class T, Extent... E>
inline constexpr bool is_tensor_view<TensorView<T, E...>> = true;

}  // namespace detail

template <class T>
concept AnyTensorView = detail::is_tensor_view<std::remove_cv_t<T>>;

/// `view_of<float, Shape<B, S>>` is `TensorView<float, B, S>`.
template <class T, AnyShape S>
using view_of = typename detail::ViewOf<T, S>::type;

/// The same elements under another spelling of the same extents: where the Linnet checker has
/// proved two shapes equal that the C++ type system cannot (`(H / N) * N` and `H`), or for a
/// reshape. The element counts must agree; the new run-time extents come from `symbols`.
template <AnyShape S, class T, Extent... E, SymbolSet Set>
[[nodiscard]] constexpr view_of<T, S> retype(const TensorView<T, E...>& view,
                                             const SymbolValues<Set>& symbols) {
  if constexpr (S::is_static && Shape<E...>::is_static) {
    static_assert(S::bound_size == Shape<E...>::bound_size, "retype keeps the element count");
  }
  return view_of<T, S>(view.data(), symbols);
}

/// A tensor with its elements inside, aligned to a cache line and large enough for the bounds of
/// its symbols; it lives where it is declared (static, stack, or a heap allocation of yours).
/// Extents that are not static start at their bounds.
template <class T, Extent... E>
class Tensor {
  static_assert(!std::is_const_v<T>);

 public:
  using value_type = T;
  using shape_type = Shape<E...>;
  using view_type = TensorView<T, E...>;
  using const_view_type = TensorView<const T, E...>;
  static constexpr std::size_t rank = sizeof...(E);
  static constexpr std::int64_t capacity = shape_type::bound_size;
  static_assert(capacity < (std::int64_t{1} << 40), "the bounds of this tensor are too large");

  constexpr Tensor() {
    if constexpr (shape_type::dynamic_rank > 0) {
      for (std::size_t i = 0; i < shape_type::dynamic_rank; ++i) {
        dynamic_.values[i] = shape_type::dynamic_bounds[i];
      }
    }
  }

  /// Sets the extents that are not static, in axis order. False, and nothing changes, when one
  /// is negative or above its bound.
  template <std::integral... Values>
    requires(sizeof...(Values) == shape_type::dynamic_rank && sizeof...(Values) > 0)
  [[nodiscard]] constexpr bool resize(Values... values) {
    const detail::DynamicExtents<shape_type::dynamic_rank> wanted{
        {static_cast<std::int64_t>(values)...}};
    for (std::size_t i = 0; i < shape_type::dynamic_rank; ++i) {
      if (wanted.values[i] < 0 || wanted.values[i] > shape_type::dynamic_bounds[i]) return false;
    }
    dynamic_ = wanted;
    return true;
  }

  [[nodiscard]] constexpr view_type view() { return make_view<view_type>(elements_); }
  [[nodiscard]] constexpr const_view_type view() const {
    return make_view<const_view_type>(elements_);
  }
  constexpr operator view_type() { return view(); }
  constexpr operator const_view_type() const { return view(); }

  [[nodiscard]] constexpr T* data() { return elements_; }
  [[nodiscard]] constexpr const T* data() const { return elements_; }
  [[nodiscard]] constexpr std::int64_t size() const { return view().size(); }
  [[nodiscard]] constexpr std::int64_t extent(std::size_t axis) const {
    return view().extent(axis);
  }
  template <std::convertible_to<std::int64_t>... Index>
    requires(sizeof...(Index) == rank)
  [[nodiscard]] constexpr T& operator()(Index... index) {
    return view()(index...);
  }
  template <std::convertible_to<std::int64_t>... Index>
    requires(sizeof...(Index) == rank)
  [[nodiscard]] constexpr const T& operator()(Index... index) const {
    return view()(index...);
  }

 private:
  template <class View, class Element>
  [[nodiscard]] constexpr View make_view(Element* data) const {
    return View(data, dynamic_);
  }

  [[no_unique_address]] detail::DynamicExtents<shape_type::dynamic_rank> dynamic_;
  alignas(64) T elements_[capacity > 0 ? static_cast<std::size_t>(capacity) : 1] = {};
};

}  // namespace linnet
