#pragma once
// Buffers of a frame, and what generated code does with whole views.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

#include "linnet/core/arena.hpp"
#include "linnet/core/symbols.hpp"
#include "linnet/core/tensor.hpp"
#include "linnet/core/weight.hpp"

namespace linnet::ops {

/// Bytes of a buffer that holds a view of any extents within its bounds.
template <AnyTensorView View>
inline constexpr std::size_t view_bytes =
    static_cast<std::size_t>(View::shape_type::bound_size) * sizeof(typename View::value_type);

/// A buffer of a frame, and the frame of a function that is called, alive from step `first` to
/// step `last`.
template <AnyTensorView View>
[[nodiscard]] constexpr ArenaBuffer buffer(int first, int last) {
  return {view_bytes<View>, arena_alignment, first, last};
}
template <class Frame>
[[nodiscard]] constexpr ArenaBuffer frame_of(int first, int last) {
  return {Frame::bytes, arena_alignment, first, last};
}

/// A view of the buffer at `offset` of a frame.
template <AnyTensorView View, SymbolSet Set>
[[nodiscard]] View place(std::byte* frame, std::size_t offset, const SymbolValues<Set>& symbols) {
  using Element = typename View::element_type;
  return View(reinterpret_cast<Element*>(frame + offset), symbols);
}

/// The same elements as another view type, whose extents are known to be equal.
template <AnyTensorView View, class T, Extent... E, SymbolSet Set>
[[nodiscard]] constexpr View as(const TensorView<T, E...>& view, const SymbolValues<Set>& symbols) {
  return View(view.data(), symbols);
}

/// The element at a position of the row-major order.
template <class T, Extent... E>
[[nodiscard]] constexpr T& at(const TensorView<T, E...>& view, std::int64_t position) {
  return view.data()[position];
}
template <class T, Extent... E>
[[nodiscard]] T at(const WeightView<T, E...>& view, std::int64_t position) {
  return view.element(position);
}

/// A weight under another shape of as many elements. Rows of blocks do not follow the new shape,
/// so elements are found through the old one.
template <class Weight, AnyShape S>
struct ReshapedWeight {
  using value_type = typename Weight::value_type;
  using element_type = const value_type;
  using shape_type = S;
  Weight weight;

  template <class... Index>
  [[nodiscard]] value_type operator()(Index... index) const {
    return weight.element(view_of<const value_type, S>().offset(index...));
  }
  [[nodiscard]] value_type element(std::int64_t position) const { return weight.element(position); }
  template <std::size_t Axis>
  [[nodiscard]] static constexpr std::int64_t extent() {
    return S::bounds[Axis];
  }
  [[nodiscard]] static constexpr std::int64_t size() { return S::bound_size; }
};

template <class Weight, AnyShape S>
[[nodiscard]] auto at(const ReshapedWeight<Weight, S>& view, std::int64_t position) {
  return view.element(position);
}

/// The same elements in another shape: dense memory stays where it is.
template <AnyShape S, class T, Extent... E, SymbolSet Set>
[[nodiscard]] constexpr view_of<T, S> reshape(const TensorView<T, E...>& view,
                                              const SymbolValues<Set>& symbols) {
  return view_of<T, S>(view.data(), symbols);
}
template <AnyShape S, class T, Extent... E, SymbolSet Set>
[[nodiscard]] constexpr auto reshape(const WeightView<T, E...>& view, const SymbolValues<Set>&) {
  return ReshapedWeight<WeightView<T, E...>, S>{view};
}
template <AnyShape S, class Weight, AnyShape Old, SymbolSet Set>
[[nodiscard]] constexpr auto reshape(const ReshapedWeight<Weight, Old>& view,
                                     const SymbolValues<Set>&) {
  return ReshapedWeight<Weight, S>{view.weight};
}

/// Copies all elements of `from`, which may be a weight in any format.
template <class T, Extent... E, class From>
void copy(const TensorView<T, E...>& to, const From& from) {
  const std::int64_t count = to.size();
  if constexpr (AnyTensorView<From>) {
    if (count > 0 && to.data() != from.data()) {
      std::memmove(to.data(), from.data(), static_cast<std::size_t>(count) * sizeof(T));
    }
  } else {
    for (std::int64_t i = 0; i < count; ++i) to.data()[i] = at(from, i);
  }
}

template <class T, Extent... E>
void fill(const TensorView<T, E...>& to, std::type_identity_t<T> value) {
  const std::int64_t count = to.size();
  for (std::int64_t i = 0; i < count; ++i) to.data()[i] = value;
}

/// One step of a value that goes round a loop: what was written becomes current, and the two
/// buffers change roles.
template <class Current, class Buffer>
void rotate(Current& current, Buffer& written, Buffer& spare) {
  current = written;
  std::swap(written, spare);
}

/// `value` when it is there.
template <class T>
[[nodiscard]] std::optional<T> optional(bool present, const T& value) {
  return present ? std::optional<T>(value) : std::nullopt;
}

}  // namespace linnet::ops
