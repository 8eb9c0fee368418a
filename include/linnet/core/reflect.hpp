#pragma once
// Walking the members of a model with their dotted paths. Loading, counting, saving and printing
// are written on it once, for every model.
//
// A block names its members in declaration order:
//
//   template <linnet::Extent In, linnet::Extent Out, class T>
//   struct Linear {
//     linnet::Param<T, linnet::Shape<Out, In>> weight;
//     linnet::OptionalParam<T, linnet::Shape<Out>> bias;
//     static constexpr auto linnet_members() {
//       return linnet::members(linnet::member<"weight">(&Linear::weight),
//                              linnet::member<"bias">(&Linear::bias));
//     }
//   };
//
// `core/hana.hpp` makes every such block a Boost.Hana Struct as well.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "linnet/core/fixed_string.hpp"
#include "linnet/core/members.hpp"

namespace linnet {

/// A member of a block: its name and where it is.
template <FixedString Name, class Pointer>
struct MemberAccessor {
  static constexpr std::string_view name = Name.view();
  Pointer pointer;

  template <class Block>
  [[nodiscard]] constexpr auto& operator()(Block& block) const {
    return block.*pointer;
  }
};

template <FixedString Name, class Pointer>
[[nodiscard]] constexpr MemberAccessor<Name, Pointer> member(Pointer pointer) {
  return {pointer};
}

template <class... Accessors>
[[nodiscard]] constexpr std::tuple<Accessors...> members(Accessors... accessors) {
  return {accessors...};
}

/// A type that says what its members are.
template <class T>
concept Block = requires { std::remove_cv_t<T>::linnet_members(); };

/// A tensor member: a param, a buffer or a state.
template <class T>
concept TensorMember = requires {
  { std::remove_cv_t<T>::kind } -> std::convertible_to<MemberKind>;
};

namespace detail {

template <class T>
inline constexpr bool is_optional_sub = false;
template <class B>
inline constexpr bool is_optional_sub<OptionalSub<B>> = true;

// The walker hands each piece of a model to `visit(path, thing)`. One growing path serves the
// whole walk; a name is added before a member and taken off after it.
template <class Thing, class Visit>
void walk(Thing& thing, std::string& path, Visit& visit);

template <class Element, class Visit>
void walk_named(Element& element, std::string_view name, std::string& path, Visit& visit) {
  const std::size_t length = path.size();
  if (length != 0) path += '.';
  path += name;
  walk(element, path, visit);
  path.resize(length);
}

template <class Array, class Visit>
void walk_array(Array& array, std::string& path, Visit& visit) {
  for (std::size_t i = 0; i < array.size(); ++i) {
    walk_named(array[i], std::to_string(i), path, visit);
  }
}

template <class Thing, class Visit>
void walk(Thing& thing, std::string& path, Visit& visit) {
  using Plain = std::remove_cv_t<Thing>;
  if constexpr (TensorMember<Plain>) {
    visit.tensor(std::string_view(path), thing);
  } else if constexpr (Block<Plain>) {
    std::apply(
        [&](const auto&... accessor) {
          (walk_named(accessor(thing), accessor.name, path, visit), ...);
        },
        Plain::linnet_members());
  } else if constexpr (is_optional_sub<Plain>) {
    if (visit.enter_optional(std::string_view(path), thing)) walk(thing.block, path, visit);
  } else {
    walk_array(thing, path, visit);
  }
}

/// Calls `function` for the tensor members of some kinds.
template <class F, MemberKind First, MemberKind Last, bool AbsentToo>
struct VisitTensors {
  F& function;

  template <class Member>
  void tensor(std::string_view path, Member& member) {
    if constexpr (Member::kind >= First && Member::kind <= Last) function(path, member);
  }
  template <class Sub>
  bool enter_optional(std::string_view, Sub& sub) {
    return AbsentToo || sub.present;
  }
};

template <MemberKind First, MemberKind Last, bool AbsentToo, class Model, class F>
void for_each_tensor(Model& model, F& function) {
  std::string path;
  VisitTensors<F, First, Last, AbsentToo> visit{function};
  walk(model, path, visit);
}

}  // namespace detail

/// Calls `function(path, member)` for every `param` and `buffer` of a model in declaration order,
/// children included: `std::string_view path` is "layers.0.attention.q_proj.weight", `member` a
/// reference to a Param, OptionalParam or Buffer. Optional children that are absent are skipped.
template <Block Model, class F>
void for_each_parameter(Model& model, F&& function) {
  detail::for_each_tensor<MemberKind::param, MemberKind::buffer, false>(model, function);
}

/// The same for every `state`.
template <Block Model, class F>
void for_each_state(Model& model, F&& function) {
  detail::for_each_tensor<MemberKind::state, MemberKind::state, false>(model, function);
}

/// Every tensor member, those of absent optional children included.
template <Block Model, class F>
void for_each_member(Model& model, F&& function) {
  detail::for_each_tensor<MemberKind::param, MemberKind::state, true>(model, function);
}

/// A walk that meets optional children too, before what is in them. `visitor` has
/// `void tensor(std::string_view path, Member&)` for every tensor member and
/// `bool enter_optional(std::string_view path, OptionalSub<B>&)`, which says whether to go in (and
/// may set `present`).
template <Block Model, class Visitor>
void walk_members(Model& model, Visitor&& visitor, std::string_view prefix = {}) {
  std::string path(prefix);
  detail::walk(model, path, visitor);
}

/// The number of weights of a model, by element: every param and buffer that is present.
template <Block Model>
[[nodiscard]] std::int64_t count_parameters(const Model& model) {
  std::int64_t count = 0;
  for_each_parameter(model, [&](std::string_view, const auto& member) {
    if constexpr (std::remove_cvref_t<decltype(member)>::is_optional) {
      if (!member.view().has_value()) return;
    }
    count += std::remove_cvref_t<decltype(member)>::shape_type::bound_size;
  });
  return count;
}

/// Bytes of all states together, each aligned to 64.
template <Block Model>
[[nodiscard]] std::size_t state_bytes(const Model& model) {
  std::size_t bytes = 0;
  for_each_state(
      model, [&](std::string_view, const auto& state) { bytes += (state.bytes + 63) / 64 * 64; });
  return bytes;
}

/// Gives every state its part of `memory`, which must be aligned to 64, zeroed, and
/// `state_bytes(model)` long.
template <Block Model>
void bind_states(Model& model, std::byte* memory) {
  for_each_state(model, [&](std::string_view, auto& state) {
    using Value = typename std::remove_cvref_t<decltype(state)>::value_type;
    state.bind(reinterpret_cast<Value*>(memory));
    memory += (state.bytes + 63) / 64 * 64;
  });
}

}  // namespace linnet
