#pragma once
// What a generated block is made of: weights, state, and children that may be absent or many.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "linnet/core/extent.hpp"
#include "linnet/core/shape.hpp"
#include "linnet/core/tensor.hpp"
#include "linnet/core/weight.hpp"

namespace linnet {

enum class MemberKind : std::uint8_t { param, buffer, state };

/// A `param` of dtype `T`: the view of its stored data, bound when a checkpoint is loaded.
template <class T, AnyShape S>
struct Param : weight_of<T, S> {
  static constexpr MemberKind kind = MemberKind::param;
  static constexpr bool is_optional = false;
  using view_type = weight_of<T, S>;
  constexpr void bind(const view_type& view) { static_cast<view_type&>(*this) = view; }
  [[nodiscard]] constexpr const view_type& view() const { return *this; }
};

/// A `buffer`: data from the checkpoint that is not trained.
template <class T, AnyShape S>
struct Buffer : weight_of<T, S> {
  static constexpr MemberKind kind = MemberKind::buffer;
  static constexpr bool is_optional = false;
  using view_type = weight_of<T, S>;
  constexpr void bind(const view_type& view) { static_cast<view_type&>(*this) = view; }
  [[nodiscard]] constexpr const view_type& view() const { return *this; }
};

/// A `param` of optional type; absent until it is bound.
template <class T, AnyShape S>
struct OptionalParam {
  static constexpr MemberKind kind = MemberKind::param;
  static constexpr bool is_optional = true;
  using value_type = T;
  using shape_type = S;
  using view_type = weight_of<T, S>;
  constexpr void bind(const view_type& view) { weight = view; }
  /// As the program reads it: a view, or nothing.
  [[nodiscard]] constexpr const std::optional<view_type>& view() const { return weight; }

  std::optional<view_type> weight;
};

/// A `state`: a tensor that calls read and write, zeros at first. Its memory belongs to whoever
/// owns the model.
template <class T, AnyShape S>
struct State {
  static_assert(S::is_static, "the extents of a state are known when the model is made");
  static constexpr MemberKind kind = MemberKind::state;
  static constexpr bool is_optional = false;
  using value_type = T;
  using shape_type = S;
  using view_type = view_of<T, S>;
  static constexpr std::size_t bytes = static_cast<std::size_t>(S::bound_size) * sizeof(T);
  constexpr void bind(T* memory) { tensor = view_type(memory); }
  [[nodiscard]] constexpr const view_type& view() const { return tensor; }

  view_type tensor;
};

/// A `sub` of optional type. The block is there either way, so that a loader can ask what it
/// would need; `present` says whether the program sees it.
template <class Block>
struct OptionalSub {
  using block_type = Block;
  Block block;
  bool present = false;

  [[nodiscard]] constexpr bool has_value() const { return present; }
  [[nodiscard]] constexpr Block& operator*() { return block; }
  [[nodiscard]] constexpr const Block& operator*() const { return block; }
  [[nodiscard]] constexpr Block* operator->() { return &block; }
  [[nodiscard]] constexpr const Block* operator->() const { return &block; }
};

/// A `sub` that is an array; its length is a static extent.
template <class Block, Extent Length>
  requires(Length.is_static())
using SubArray = std::array<Block, static_cast<std::size_t>(Length.value())>;

}  // namespace linnet
