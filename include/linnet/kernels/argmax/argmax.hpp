// argmax over the last axis.
#pragma once

#include <cstdint>
#include <type_traits>

#include "linnet/core/context.hpp"
#include "linnet/kernels/argmax/scalar.hpp"
#include "linnet/kernels/argmax/simd.hpp"
#include "linnet/kernels/isa.hpp"

namespace linnet::kernels {

/// The first position of the largest of n >= 1 floats; a NaN counts as the largest.
[[nodiscard]] inline std::int32_t argmax(const float* x, std::int64_t n) {
#if LINNET_X86_KERNELS
  const Isa isa = active_isa();
  if (isa != Isa::scalar) return isa == Isa::avx512 ? avx512::argmax(x, n) : avx2::argmax(x, n);
#endif
  return scalar::argmax(x, n);
}

/// std.nn.decoding.argmax: x [*S, N] of any numeric dtype, out [*S] of i32.
template <class Out, class X>
void argmax(Context&, const Out& out, const X& x) {
  const std::int64_t rows = out.size();
  const std::int64_t width = x.template extent<X::rank - 1>();
  for (std::int64_t r = 0; r < rows; ++r) {
    if (width <= 0) {
      out.data()[r] = 0;
    } else if constexpr (std::is_same_v<typename X::value_type, float>) {
      out.data()[r] = argmax(x.data() + r * width, width);
    } else {
      out.data()[r] = scalar::argmax(x.data() + r * width, width);
    }
  }
}

}  // namespace linnet::kernels
