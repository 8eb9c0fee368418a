// softmax over the last axis.
#pragma once

#include <cstdint>

#include "linnet/core/context.hpp"
#include "linnet/kernels/isa.hpp"
#include "linnet/kernels/softmax/scalar.hpp"
#include "linnet/kernels/softmax/simd.hpp"

namespace linnet::kernels {

/// The softmax of every row, on the threads of the context where that pays.
inline void softmax(Context& context, const SoftmaxArguments& a) {
  if (a.rows <= 0 || a.width <= 0) return;
  const std::int64_t grain = 1 + 8 * 1024 / a.width;
  const Isa isa = active_isa();
  parallel_for(context, a.rows, grain, [&](std::int64_t first, std::int64_t last) {
#if LINNET_X86_KERNELS
    if (isa != Isa::scalar &&
        (a.out.format == Format::f32 || a.width <= avx512::softmax_max_width)) {
      (isa == Isa::avx512 ? avx512::softmax : avx2::softmax)(a, first, last, thread_scratch());
      return;
    }
#endif
    scalar::softmax(a, first, last);
  });
  (void)isa;
}

/// std.nn.softmax.softmax over the last axis of x [*S, N].
template <class Out, class X>
void softmax(Context& context, const Out& out, const X& x) {
  const std::int64_t width = out.template extent<Out::rank - 1>();
  softmax(context, {operand(x), output(out), width > 0 ? out.size() / width : 0, width});
}

}  // namespace linnet::kernels
