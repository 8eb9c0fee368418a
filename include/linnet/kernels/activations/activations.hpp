// sigmoid, silu, gelu and gelu_erf of every element.
#pragma once

#include <cstdint>

#include "linnet/core/context.hpp"
#include "linnet/kernels/activations/scalar.hpp"
#include "linnet/kernels/activations/simd.hpp"
#include "linnet/kernels/isa.hpp"

namespace linnet::kernels {

inline void activations(Context& context, const ActivationArguments& a) {
  const Isa isa = active_isa();
  parallel_for(context, a.size, 16 * 1024, [&](std::int64_t first, std::int64_t last) {
#if LINNET_X86_KERNELS
    if (isa != Isa::scalar) {
      (isa == Isa::avx512 ? avx512::activations : avx2::activations)(a, first, last);
      return;
    }
#endif
    scalar::activations(a, first, last);
  });
  (void)isa;
}

/// std.nn.activations.sigmoid
template <class Out, class X>
void sigmoid(Context& context, const Out& out, const X& x) {
  activations(context, {operand(x), output(out), out.size(), Activation::sigmoid});
}

/// std.nn.activations.silu
template <class Out, class X>
void silu(Context& context, const Out& out, const X& x) {
  activations(context, {operand(x), output(out), out.size(), Activation::silu});
}

/// std.nn.activations.gelu
template <class Out, class X>
void gelu(Context& context, const Out& out, const X& x) {
  activations(context, {operand(x), output(out), out.size(), Activation::gelu});
}

/// std.nn.activations.gelu_erf
template <class Out, class X>
void gelu_erf(Context& context, const Out& out, const X& x) {
  activations(context, {operand(x), output(out), out.size(), Activation::gelu_erf});
}

}  // namespace linnet::kernels
