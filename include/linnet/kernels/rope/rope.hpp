// rope and rope_rows: rotary position embedding.
#pragma once

#include <cstdint>

#include "linnet/core/context.hpp"
#include "linnet/kernels/isa.hpp"
#include "linnet/kernels/rope/scalar.hpp"
#include "linnet/kernels/rope/simd.hpp"

namespace linnet::kernels {

inline void rope(Context& context, const RopeArguments& a) {
  const std::int64_t rows = a.batch * a.heads * a.positions;
  if (rows <= 0 || a.width <= 0) return;
  const bool wide = a.x.format == Format::f32 && a.out.format == Format::f32 &&
                    a.cos.format == Format::f32 && a.sin.format == Format::f32;
  const Isa isa = wide ? active_isa() : Isa::scalar;
  parallel_for(context, rows, 1 + 32 * 1024 / a.width, [&](std::int64_t first, std::int64_t last) {
#if LINNET_X86_KERNELS
    if (isa != Isa::scalar) {
      (isa == Isa::avx512 ? avx512::rope : avx2::rope)(a, first, last);
      return;
    }
#endif
    scalar::rope(a, first, last);
  });
  (void)isa;
}

/// std.nn.rope.rope: x [B, H, S, D] with tables [S, D].
template <class Out, class X, class Cos, class Sin>
void rope(Context& context, const Out& out, const X& x, const Cos& cos_table,
          const Sin& sin_table) {
  rope(context,
       {operand(x), operand(cos_table), operand(sin_table), output(out), out.template extent<0>(),
        out.template extent<1>(), out.template extent<2>(), out.template extent<3>(), false});
}

/// std.nn.rope.rope_rows: x [B, H, S, D] with tables [B, S, D].
template <class Out, class X, class Cos, class Sin>
void rope_rows(Context& context, const Out& out, const X& x, const Cos& cos_table,
               const Sin& sin_table) {
  rope(context,
       {operand(x), operand(cos_table), operand(sin_table), output(out), out.template extent<0>(),
        out.template extent<1>(), out.template extent<2>(), out.template extent<3>(), true});
}

}  // namespace linnet::kernels
