// swiglu: down (silu(gate x) * (up x)).
#pragma once

#include <cstdint>

#include "linnet/core/context.hpp"
#include "linnet/kernels/activations/activations.hpp"
#include "linnet/kernels/isa.hpp"
#include "linnet/kernels/linear/linear.hpp"
#include "linnet/kernels/operand.hpp"
#include "linnet/kernels/parallel.hpp"
#include "linnet/kernels/scratch.hpp"
#include "linnet/kernels/swiglu/scalar.hpp"

namespace linnet::kernels {

namespace detail {

#if LINNET_X86_KERNELS

/// Whether the inner activations of one token fit the shared scratch.
[[nodiscard]] inline bool swiglu_fits(const SwigluArguments& a) {
  return 2 * a.inner * element_bytes(a.x.format) <= static_cast<std::int64_t>(shared_scratch_bytes);
}

/// y[i] *= gates[i], rounded to the dtype.
inline void multiply(Format format, void* y, const void* gates, std::int64_t n) {
  if (format == Format::f32) {
    auto* const to = static_cast<float*>(y);
    const auto* const by = static_cast<const float*>(gates);
    for (std::int64_t i = 0; i < n; ++i) to[i] *= by[i];
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    scalar::write(format, y, i, scalar::read(format, y, i) * scalar::read(format, gates, i));
  }
}

/// Passes over as many tokens as the shared scratch holds inner activations for (170 of 1536
/// elements of f32). Packed gate and up weights share one reading of x and never store the gates.
inline void swiglu_passes(Context& context, const SwigluArguments& a) {
  const Format format = a.x.format;
  const std::int64_t token_bytes = 2 * a.inner * element_bytes(format);
  const std::int64_t step =
      token_bytes > 0 ? static_cast<std::int64_t>(shared_scratch_bytes) / token_bytes : a.m;
  void* const gates = shared_scratch();
  for (std::int64_t m = 0; m < a.m; m += step) {
    const std::int64_t tokens = a.m - m < step ? a.m - m : step;
    const std::int64_t size = tokens * a.inner;
    void* const ups = element_at(gates, format, size);
    const Operand x{element_at(a.x.data, format, m * a.width), format, nullptr};
    const LinearArguments gate{x, a.gate, {}, {gates, format}, tokens, a.inner, a.width};
    LinearArguments up{x, a.up, {}, {ups, format}, tokens, a.inner, a.width};
    if (a.gate.format == a.up.format && use_packed(gate) && use_packed(up)) {
      up.gate = a.gate;
      linear(context, up);
    } else {
      linear(context, gate);
      linear(context, up);
      activations(context, {{gates, format, nullptr}, {gates, format}, size, Activation::silu});
      multiply(format, ups, gates, size);
    }
    const Output out{element_at(a.out.data, a.out.format, m * a.width), a.out.format};
    linear(context,
           LinearArguments{{ups, format, nullptr}, a.down, {}, out, tokens, a.width, a.inner});
  }
}

#endif

}  // namespace detail

inline void swiglu(Context& context, const SwigluArguments& a) {
  if (a.m <= 0 || a.width <= 0) return;
#if LINNET_X86_KERNELS
  if (active_isa() != Isa::scalar && detail::swiglu_fits(a)) {
    detail::swiglu_passes(context, a);
    return;
  }
#endif
  const bool alone = a.width * a.inner < parallel_products;
  parallel_for(context, a.m, alone ? a.m : 1,
               [&](std::int64_t first, std::int64_t last) { scalar::swiglu(a, first, last); });
}

/// std.nn.mlp.swiglu: x [*S, H], gate and up [Inner, H], down [H, Inner].
template <class Out, class X, class Gate, class Up, class Down>
void swiglu(Context& context, const Out& out, const X& x, const Gate& gate, const Up& up,
            const Down& down) {
  const std::int64_t width = gate.template extent<1>();
  swiglu(context,
         SwigluArguments{operand(x), operand(gate), operand(up), operand(down), output(out),
                         width > 0 ? out.size() / width : 0, width, gate.template extent<0>()});
}

}  // namespace linnet::kernels
