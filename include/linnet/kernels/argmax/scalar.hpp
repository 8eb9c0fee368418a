// argmax of a row: the oracle and the portable kernel.
#pragma once

#include <cstdint>

namespace linnet::kernels::scalar {

/// The first position of the largest of n >= 1 elements; a NaN counts as the largest.
template <class T>
[[nodiscard]] std::int32_t argmax(const T* x, std::int64_t n) {
  const auto larger = [](const T& a, const T& b) {
    if constexpr (
        requires { static_cast<float>(a) > static_cast<float>(b); } && !requires { a > b; }) {
      const auto fa = static_cast<float>(a);
      const auto fb = static_cast<float>(b);
      return fa > fb || (fa != fa && fb == fb);
    } else {
      return a > b || (a != a && b == b);
    }
  };
  std::int64_t best = 0;
  for (std::int64_t i = 1; i < n; ++i) {
    if (larger(x[i], x[best])) best = i;
  }
  return static_cast<std::int32_t>(best);
}

}  // namespace linnet::kernels::scalar
