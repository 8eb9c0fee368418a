// rms_norm and layer_norm.
#pragma once

#include <cstdint>

#include "linnet/core/context.hpp"
#include "linnet/kernels/isa.hpp"
#include "linnet/kernels/norm/scalar.hpp"
#include "linnet/kernels/norm/simd.hpp"

namespace linnet::kernels {

/// The norm of every row, on the threads of the context where that pays.
inline void norm(Context& context, const NormArguments& a) {
  if (a.rows <= 0 || a.width <= 0) return;
  const std::int64_t grain = 1 + 32 * 1024 / a.width;  // rows worth a thread: about 4 us
  const Isa isa = active_isa();
  parallel_for(context, a.rows, grain, [&](std::int64_t first, std::int64_t last) {
#if LINNET_X86_KERNELS
    if (isa != Isa::scalar && a.width <= avx512::norm_max_width) {
      (isa == Isa::avx512 ? avx512::norm : avx2::norm)(a, first, last, thread_scratch());
      return;
    }
#endif
    scalar::norm(a, first, last);
  });
  (void)isa;
}

/// std.nn.norm.rms_norm over the last axis of x [*S, H]; weight [H].
template <class Out, class X, class Weight>
void rms_norm(Context& context, const Out& out, const X& x, const Weight& weight, float eps) {
  const std::int64_t width = weight.template extent<0>();
  norm(context, {operand(x),
                 operand(weight),
                 {},
                 output(out),
                 width > 0 ? out.size() / width : 0,
                 width,
                 eps,
                 false});
}

/// std.nn.norm.layer_norm over the last axis of x [*S, H]; weight and optional bias [H].
template <class Out, class X, class Weight, class Bias>
void layer_norm(Context& context, const Out& out, const X& x, const Weight& weight,
                const Bias& bias, float eps) {
  const std::int64_t width = weight.template extent<0>();
  norm(context, {operand(x), operand(weight), operand(bias), output(out),
                 width > 0 ? out.size() / width : 0, width, eps, true});
}

}  // namespace linnet::kernels
