#pragma once
// What a caller reads when an argument has the wrong shape or dtype.
//
// The check fails on a type that does not exist and whose name is the explanation, so that the
// first error line says which argument, which axis, what was expected and what came:
//
//   error: invalid application of 'sizeof' to incomplete type
//   'linnet::WrongArgument<"tokens, axis 1", "expected S <= 2048", "got T <= 512">'
//
// Three short pieces, because Clang cuts each string in a type's name at about 30 characters.

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "linnet/core/dtype.hpp"
#include "linnet/core/extent.hpp"
#include "linnet/core/fixed_string.hpp"
#include "linnet/core/shape.hpp"
#include "linnet/core/tensor.hpp"

namespace linnet {

/// Left undefined; instantiating it is the error message.
template <FixedString Argument, FixedString Expected, FixedString Got>
struct WrongArgument;

namespace detail {

enum class Fault { none, not_a_tensor, dtype, rank, axis };

struct Finding {
  Fault fault = Fault::none;
  std::size_t axis = 0;
};

/// A tensor of some kind, or something that converts to a view.
template <class T>
concept TensorLike = requires {
  typename std::remove_cvref_t<T>::shape_type;
  typename std::remove_cvref_t<T>::value_type;
};

template <class Expected, class Got>
consteval Finding compare_argument() {
  using E = typename Expected::shape_type;
  if constexpr (!TensorLike<Got>) {
    return {Fault::not_a_tensor, 0};
  } else {
    using G = typename std::remove_cvref_t<Got>::shape_type;
    if constexpr (!std::same_as<typename Expected::value_type,
                                std::remove_cv_t<typename std::remove_cvref_t<Got>::value_type>>) {
      return {Fault::dtype, 0};
    } else if constexpr (E::rank != G::rank) {
      return {Fault::rank, 0};
    } else {
      for (std::size_t axis = 0; axis < E::rank; ++axis) {
        if (!(E::extents[axis] == G::extents[axis])) return {Fault::axis, axis};
      }
      return {};
    }
  }
}

template <class T>
consteval std::string_view element_name() {
  if constexpr (Element<T>) {
    return dtype_name(dtype_of<T>);
  } else {
    return "another type";
  }
}

/// `[1, S, 576]`.
template <class S>
consteval Text shape_text() {
  Text text;
  text.append('[');
  for (std::size_t i = 0; i < S::rank; ++i) {
    if (i > 0) text.append(", ");
    append_extent(text, S::extents[i]);
  }
  text.append(']');
  return text;
}

template <class Expected, class Got>
struct Explanation {
  static constexpr Finding finding = compare_argument<Expected, Got>();

  static consteval Text where(std::string_view argument) {
    Text text;
    text.append(argument);
    if (finding.fault == Fault::dtype) text.append(", dtype");
    if (finding.fault == Fault::rank) text.append(", rank");
    if (finding.fault == Fault::axis) {
      text.append(", axis ");
      text.append_integer(static_cast<std::int64_t>(finding.axis));
    }
    return text;
  }

  template <class T>
  static consteval void describe(Text& text) {
    using S = typename T::shape_type;
    if (finding.fault == Fault::dtype) {
      text.append(element_name<std::remove_cv_t<typename T::value_type>>());
    } else if (finding.fault == Fault::rank) {
      text.append_integer(static_cast<std::int64_t>(S::rank));
      text.append(" of ");
      text.append(shape_text<S>().view());
    } else if constexpr (S::rank > 0) {
      if (finding.axis < S::rank) text.append(S::extents[finding.axis].description().view());
    }
  }

  static consteval Text expected() {
    Text text;
    text.append("expected ");
    if constexpr (finding.fault == Fault::not_a_tensor) {
      text.append("tensor ");
      text.append(shape_text<typename Expected::shape_type>().view());
    } else {
      describe<Expected>(text);
    }
    return text;
  }

  static consteval Text got() {
    Text text;
    text.append("got ");
    if constexpr (finding.fault == Fault::not_a_tensor) {
      text.append(std::is_arithmetic_v<std::remove_cvref_t<Got>> ? "a number" : "no tensor");
    } else {
      describe<std::remove_cvref_t<Got>>(text);
    }
    return text;
  }
};

/// A text as a template argument of just its length.
#define LINNET_FIXED(text) to_fixed_string<(text).size + 1>((text).view())

template <FixedString Argument, class Expected, class Got>
constexpr void explain_argument() {
  using E = Explanation<Expected, Got>;
  constexpr Text where = E::where(Argument.view());
  constexpr Text expected = E::expected();
  constexpr Text got = E::got();
  (void)sizeof(WrongArgument<LINNET_FIXED(where), LINNET_FIXED(expected), LINNET_FIXED(got)>);
}

#undef LINNET_FIXED

}  // namespace detail

/// Whether `Got` can be passed where the view `Expected` is wanted: same dtype, rank and extents.
template <class Got, class Expected>
concept Accepts = detail::compare_argument<Expected, Got>().fault == detail::Fault::none;

/// Fails to compile, in words, unless an argument of type `Got` fits the view `Expected`.
template <FixedString Argument, class Expected, class Got>
constexpr void check_argument() {
  if constexpr (!Accepts<Got, Expected>) detail::explain_argument<Argument, Expected, Got>();
}

/// The same, and gives the argument as the expected view.
template <FixedString Argument, class Expected, class Got>
[[nodiscard]] constexpr Expected checked_argument(const Got& argument) {
  check_argument<Argument, Expected, Got>();
  if constexpr (Accepts<Got, Expected>) {
    return argument;
  } else {
    return Expected{};
  }
}

namespace detail {

template <class T>
consteval Extent axis_extent(std::size_t axis, std::size_t rank) {
  if constexpr (TensorLike<T>) {
    using S = typename std::remove_cvref_t<T>::shape_type;
    if constexpr (S::rank > 0) {
      if (S::rank == rank) return S::extents[axis];
    }
  }
  return symbol<"any", 0>;
}

template <class T, std::size_t First, std::size_t Others>
consteval auto pack_axes() {
  if constexpr (TensorLike<T>) {
    using S = typename std::remove_cvref_t<T>::shape_type;
    if constexpr (S::rank >= Others) {
      return sub_shape<S, First, S::rank - Others>{};
    } else {
      return Shape<>{};
    }
  } else {
    return Shape<>{};
  }
}

}  // namespace detail

/// What a generic binds to: axis `Axis` of an argument of rank `Rank`. Of an argument that does not
/// fit it is a symbol `any`, and `check_argument` then says what is wrong.
template <class T, std::size_t Rank, std::size_t Axis>
inline constexpr Extent argument_extent = detail::axis_extent<T>(Axis, Rank);

/// What a shape pack binds to: the axes of an argument from `First` on, but for `Others` axes that
/// the rest of its type names.
template <class T, std::size_t First, std::size_t Others>
using argument_pack = decltype(detail::pack_axes<T, First, Others>());

}  // namespace linnet
