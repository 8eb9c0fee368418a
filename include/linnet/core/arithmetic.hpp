#pragma once
// The scalar arithmetic of the language, operation by operation (language.md section 12).
//
// Every function takes and gives values of one dtype `T`. `+ - * /` and `sqrt` round once in `T`:
// for f16 and bf16 they are computed in f32 and rounded, which is the correctly rounded result
// because f32 has more than twice their digits. Compile without contraction into fused
// multiply-adds (`Linnet::runtime` does).

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "linnet/core/context.hpp"
#include "linnet/core/dtype.hpp"

namespace linnet::arith {

namespace detail {

template <class T>
concept Integer = is_integer<T>;
template <class T>
concept Half = is_half<T>;
template <class T>
concept Real = std::floating_point<T>;

/// An unsigned type wide enough that its products do not promote to a signed int.
template <Integer T>
using wrapping = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;

template <Integer T>
constexpr T wrap(wrapping<T> value) {
  return static_cast<T>(value);
}

template <class T>
using real_of = std::conditional_t<Half<T>, float, T>;

/// The value that a float function of `T` computes with.
template <class T>
constexpr auto widen(T x) {
  return static_cast<real_of<T>>(x);
}

}  // namespace detail

// --- sums and products --------------------------------------------------------------------------

template <class T>
[[nodiscard]] constexpr T add(T a, T b) {
  if constexpr (detail::Integer<T>) {
    using U = detail::wrapping<T>;
    return detail::wrap<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
  } else {
    return static_cast<T>(detail::widen(a) + detail::widen(b));
  }
}

template <class T>
[[nodiscard]] constexpr T sub(T a, T b) {
  if constexpr (detail::Integer<T>) {
    using U = detail::wrapping<T>;
    return detail::wrap<T>(static_cast<U>(static_cast<U>(a) - static_cast<U>(b)));
  } else {
    return static_cast<T>(detail::widen(a) - detail::widen(b));
  }
}

template <class T>
[[nodiscard]] constexpr T mul(T a, T b) {
  if constexpr (detail::Integer<T>) {
    using U = detail::wrapping<T>;
    return detail::wrap<T>(static_cast<U>(static_cast<U>(a) * static_cast<U>(b)));
  } else {
    return static_cast<T>(detail::widen(a) * detail::widen(b));
  }
}

template <class T>
[[nodiscard]] constexpr T neg(T a) {
  if constexpr (detail::Integer<T>) {
    return sub(T{0}, a);
  } else if constexpr (detail::Half<T>) {
    return T::from_bits(static_cast<std::uint16_t>(a.bits ^ 0x8000));
  } else {
    return -a;
  }
}

/// `abs` of the smallest signed integer is itself.
template <class T>
[[nodiscard]] constexpr T abs(T a) {
  if constexpr (detail::Integer<T>) {
    return a < T{0} ? neg(a) : a;
  } else if constexpr (detail::Half<T>) {
    return T::from_bits(static_cast<std::uint16_t>(a.bits & 0x7fff));
  } else {
    return std::fabs(a);
  }
}

// --- division -----------------------------------------------------------------------------------

/// Truncates toward zero; a divisor of zero gives 0; MIN / -1 is MIN.
template <detail::Integer T>
[[nodiscard]] constexpr T divide_or_zero(T a, T b) {
  if (b == 0) return 0;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return neg(a);
  }
  return static_cast<T>(a / b);
}

/// The remainder of `divide_or_zero`, with the sign of `a`; 0 for a divisor of zero or -1.
template <detail::Integer T>
[[nodiscard]] constexpr T remainder_or_zero(T a, T b) {
  if (b == 0) return 0;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return static_cast<T>(a % b);
}

/// `a / b`. An integer division by zero is recorded in the context and gives 0.
template <class T>
[[nodiscard]] constexpr T div(Context& context, T a, T b) {
  if constexpr (detail::Integer<T>) {
    if (b == 0) context.fail_division();
    return divide_or_zero(a, b);
  } else {
    return static_cast<T>(detail::widen(a) / detail::widen(b));
  }
}

/// `a % b`; on floats C's `fmod`. An integer division by zero is recorded as in `div`.
template <class T>
[[nodiscard]] constexpr T rem(Context& context, T a, T b) {
  if constexpr (detail::Integer<T>) {
    if (b == 0) context.fail_division();
    return remainder_or_zero(a, b);
  } else {
    return static_cast<T>(std::fmod(detail::widen(a), detail::widen(b)));
  }
}

/// Division of floats, which cannot fail.
template <class T>
  requires(is_float<T>)
[[nodiscard]] constexpr T div(T a, T b) {
  return static_cast<T>(detail::widen(a) / detail::widen(b));
}
template <class T>
  requires(is_float<T>)
[[nodiscard]] inline T rem(T a, T b) {
  return static_cast<T>(std::fmod(detail::widen(a), detail::widen(b)));
}

// --- comparisons --------------------------------------------------------------------------------

template <class T>
[[nodiscard]] constexpr bool eq(T a, T b) {
  return detail::widen(a) == detail::widen(b);
}
template <class T>
[[nodiscard]] constexpr bool ne(T a, T b) {
  return detail::widen(a) != detail::widen(b);
}
template <class T>
[[nodiscard]] constexpr bool lt(T a, T b) {
  return detail::widen(a) < detail::widen(b);
}
template <class T>
[[nodiscard]] constexpr bool le(T a, T b) {
  return detail::widen(a) <= detail::widen(b);
}
template <class T>
[[nodiscard]] constexpr bool gt(T a, T b) {
  return detail::widen(a) > detail::widen(b);
}
template <class T>
[[nodiscard]] constexpr bool ge(T a, T b) {
  return detail::widen(a) >= detail::widen(b);
}

/// Whether `x` is NaN; false for what is no float.
template <class T>
[[nodiscard]] constexpr bool is_nan(T x) {
  return ne(x, x);
}

/// The smaller; NaN when either is NaN. Written as selects, so that loops become vector code.
template <class T>
[[nodiscard]] constexpr T min(T a, T b) {
  const T least = lt(a, b) ? a : b;  // b where either is NaN
  return is_nan(a) ? a : least;
}

/// The larger; NaN when either is NaN.
template <class T>
[[nodiscard]] constexpr T max(T a, T b) {
  const T largest = gt(a, b) ? a : b;  // b where either is NaN
  return is_nan(a) ? a : largest;
}

// --- bits ---------------------------------------------------------------------------------------

// `& | ^` are bitwise on integers and logical on bool.
template <class T>
[[nodiscard]] constexpr T bit_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
[[nodiscard]] constexpr T bit_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
[[nodiscard]] constexpr T bit_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}

namespace detail {

/// A shift count is taken as it is: negative, or the width and more, is outside.
template <Integer T>
constexpr bool is_shift_count(T count) {
  using U = std::make_unsigned_t<T>;
  return static_cast<U>(count) < sizeof(T) * 8;
}

}  // namespace detail

/// `a << b`; 0 for a count outside the width.
template <detail::Integer T>
[[nodiscard]] constexpr T shl(T a, T b) {
  using U = detail::wrapping<T>;
  const unsigned count = detail::is_shift_count(b) ? static_cast<unsigned>(b) : 0;
  const T shifted = detail::wrap<T>(static_cast<U>(static_cast<U>(a) << count));
  return detail::is_shift_count(b) ? shifted : T{0};
}

/// `a >> b`, of a signed value with its sign; for a count outside the width 0, or -1 if `a` is
/// negative.
template <detail::Integer T>
[[nodiscard]] constexpr T shr(T a, T b) {
  const unsigned last = sizeof(T) * 8 - 1;
  const bool inside = detail::is_shift_count(b);
  const T shifted = static_cast<T>(a >> (inside ? static_cast<unsigned>(b) : last));
  if constexpr (std::is_signed_v<T>) {
    return shifted;  // by the last place, only the sign is left
  } else {
    return inside ? shifted : T{0};
  }
}

// --- functions ----------------------------------------------------------------------------------

template <class T>
  requires(is_float<T>)
[[nodiscard]] inline T sqrt(T x) {
  return static_cast<T>(std::sqrt(detail::widen(x)));
}
template <class T>
  requires(is_float<T>)
[[nodiscard]] inline T rsqrt(T x) {
  return static_cast<T>(1 / std::sqrt(detail::widen(x)));
}
template <class T>
  requires(is_float<T>)
[[nodiscard]] inline T exp(T x) {
  return static_cast<T>(std::exp(detail::widen(x)));
}
template <class T>
  requires(is_float<T>)
[[nodiscard]] inline T log(T x) {
  return static_cast<T>(std::log(detail::widen(x)));
}
template <class T>
  requires(is_float<T>)
[[nodiscard]] inline T sin(T x) {
  return static_cast<T>(std::sin(detail::widen(x)));
}
template <class T>
  requires(is_float<T>)
[[nodiscard]] inline T cos(T x) {
  return static_cast<T>(std::cos(detail::widen(x)));
}
template <class T>
  requires(is_float<T>)
[[nodiscard]] inline T tanh(T x) {
  return static_cast<T>(std::tanh(detail::widen(x)));
}

// --- conversions --------------------------------------------------------------------------------

namespace detail {

/// Truncates toward zero, saturates, and gives 0 for NaN: selects, then a conversion that is
/// always in range, so that loops become vector code.
template <Integer To, Real From>
constexpr To float_to_integer(From x) {
  using Limits = std::numeric_limits<To>;
  // The first power of two above the range is a float exactly; so is the lowest value.
  constexpr From above = static_cast<From>(To{1} << (Limits::digits - 1)) * 2;
  constexpr From lowest = static_cast<From>(Limits::min());
  From inside = x >= above ? From{0} : x;
  inside = inside < lowest ? lowest : inside;
  inside = inside != inside ? From{0} : inside;
  const To truncated = static_cast<To>(inside);
  return x >= above ? Limits::max() : truncated;
}

}  // namespace detail

/// `cast<To>(x)` of the language: to a float rounded once from the exact value; float to integer
/// truncated and saturated, NaN to 0; integer to integer wraps; to bool `x != 0`.
template <class To, class From>
[[nodiscard]] constexpr To cast(From x) {
  if constexpr (std::same_as<To, From>) {
    return x;
  } else if constexpr (std::same_as<To, bool>) {
    return detail::widen(x) != 0;
  } else if constexpr (is_integer<To> && is_float<From>) {
    return detail::float_to_integer<To>(detail::widen(x));
  } else if constexpr (is_half<To> && is_half<From>) {
    return static_cast<To>(static_cast<float>(x));
  } else if constexpr (is_half<To> || std::integral<From> || is_integer<To>) {
    return static_cast<To>(x);
  } else {
    return static_cast<To>(detail::widen(x));
  }
}

// --- what reductions start from -----------------------------------------------------------------

/// The identity of `max`: minus infinity, or the smallest integer.
template <class T>
[[nodiscard]] constexpr T lowest() {
  if constexpr (is_half<T>) {
    return static_cast<T>(-std::numeric_limits<float>::infinity());
  } else if constexpr (std::floating_point<T>) {
    return -std::numeric_limits<T>::infinity();
  } else {
    return std::numeric_limits<T>::min();
  }
}

/// The identity of `min`: infinity, or the largest integer.
template <class T>
[[nodiscard]] constexpr T highest() {
  if constexpr (is_half<T>) {
    return static_cast<T>(std::numeric_limits<float>::infinity());
  } else if constexpr (std::floating_point<T>) {
    return std::numeric_limits<T>::infinity();
  } else {
    return std::numeric_limits<T>::max();
  }
}

}  // namespace linnet::arith
