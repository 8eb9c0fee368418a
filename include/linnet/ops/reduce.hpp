#pragma once
// Reductions of index notation: `sum[i, j] f(i, j)` is `sum<float>(f, n_i, n_j)`.
//
//   const float total = linnet::ops::sum<float>([&](std::int64_t i) { return x(i); }, n);
//
// The order of a reduction is free in the language. The innermost index runs over a fixed number
// of independent lanes, so that compilers turn the loop into vector code without being allowed to
// reorder floats themselves; 16 lanes of f32 are one AVX-512 or two AVX registers.

#include <cstdint>

#include "linnet/core/arithmetic.hpp"
#include "linnet/core/dtype.hpp"

namespace linnet::ops {

namespace detail {

inline constexpr std::int64_t reduction_lanes = 16;

// A reduction of values of `T`: what it accumulates in, where it starts, one step, the result.
template <class T>
struct Sum {
  using Accumulator = accumulator<T>;
  static constexpr Accumulator start() { return Accumulator{}; }
  static constexpr Accumulator step(Accumulator a, Accumulator b) { return arith::add(a, b); }
};

template <class T>
struct Product {
  using Accumulator = accumulator<T>;
  static constexpr Accumulator start() { return static_cast<Accumulator>(1); }
  static constexpr Accumulator step(Accumulator a, Accumulator b) { return arith::mul(a, b); }
};

template <class T>
struct Maximum {
  using Accumulator = T;
  static constexpr T start() { return arith::lowest<T>(); }
  static constexpr T step(T a, T b) { return arith::max(a, b); }
};

template <class T>
struct Minimum {
  using Accumulator = T;
  static constexpr T start() { return arith::highest<T>(); }
  static constexpr T step(T a, T b) { return arith::min(a, b); }
};

struct Any {
  using Accumulator = bool;
  static constexpr bool start() { return false; }
  static constexpr bool step(bool a, bool b) { return a | b; }
};

struct All {
  using Accumulator = bool;
  static constexpr bool start() { return true; }
  static constexpr bool step(bool a, bool b) { return a & b; }
};

template <class Kind, class F>
[[nodiscard]] typename Kind::Accumulator reduce_axis(const F& f, std::int64_t count) {
  using Accumulator = typename Kind::Accumulator;
  Accumulator lanes[reduction_lanes];
  for (Accumulator& lane : lanes) lane = Kind::start();
  // Whole groups of lanes first. The rest has a loop of its own counted by lane: GCC warns of
  // overflow in a loop that counts both.
  const std::int64_t rest = count % reduction_lanes;
  const std::int64_t whole = count - rest;
  for (std::int64_t i = 0; i < whole; i += reduction_lanes) {
    for (std::int64_t lane = 0; lane < reduction_lanes; ++lane) {
      lanes[lane] = Kind::step(lanes[lane], static_cast<Accumulator>(f(i + lane)));
    }
  }
  for (std::int64_t lane = 0; lane < rest; ++lane) {
    lanes[lane] = Kind::step(lanes[lane], static_cast<Accumulator>(f(whole + lane)));
  }
  for (std::int64_t half = reduction_lanes / 2; half > 0; half /= 2) {
    for (std::int64_t lane = 0; lane < half; ++lane) {
      lanes[lane] = Kind::step(lanes[lane], lanes[lane + half]);
    }
  }
  return lanes[0];
}

/// Outer indices one at a time, the innermost over lanes.
template <class Kind, class F, class... Rest>
[[nodiscard]] typename Kind::Accumulator reduce(const F& f, std::int64_t count, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return reduce_axis<Kind>(f, count);
  } else {
    auto total = Kind::start();
    for (std::int64_t i = 0; i < count; ++i) {
      const auto inner = [&](auto... index) { return f(i, index...); };
      total = Kind::step(total, reduce<Kind>(inner, rest...));
    }
    return total;
  }
}

}  // namespace detail

/// f16 and bf16 accumulate in f32 and round once.
template <class T, class F, class... Counts>
[[nodiscard]] T sum(const F& f, Counts... counts) {
  return arith::cast<T>(detail::reduce<detail::Sum<T>>(f, static_cast<std::int64_t>(counts)...));
}

template <class T, class F, class... Counts>
[[nodiscard]] T prod(const F& f, Counts... counts) {
  return arith::cast<T>(
      detail::reduce<detail::Product<T>>(f, static_cast<std::int64_t>(counts)...));
}

/// NaN propagates; of nothing: the lowest value.
template <class T, class F, class... Counts>
[[nodiscard]] T max(const F& f, Counts... counts) {
  return detail::reduce<detail::Maximum<T>>(f, static_cast<std::int64_t>(counts)...);
}

/// NaN propagates; of nothing: the highest value.
template <class T, class F, class... Counts>
[[nodiscard]] T min(const F& f, Counts... counts) {
  return detail::reduce<detail::Minimum<T>>(f, static_cast<std::int64_t>(counts)...);
}

template <class T, class F, class... Counts>
[[nodiscard]] bool any(const F& f, Counts... counts) {
  return detail::reduce<detail::Any>(f, static_cast<std::int64_t>(counts)...);
}

template <class T, class F, class... Counts>
[[nodiscard]] bool all(const F& f, Counts... counts) {
  return detail::reduce<detail::All>(f, static_cast<std::int64_t>(counts)...);
}

}  // namespace linnet::ops
