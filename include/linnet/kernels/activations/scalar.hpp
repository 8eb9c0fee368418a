// Elementwise activations: the oracle and the portable kernel.
#pragma once

#include <cmath>
#include <cstdint>

#include "linnet/kernels/dense.hpp"
#include "linnet/kernels/operand.hpp"

namespace linnet::kernels {

/// The functions of std.nn.activations, in f32.
enum class Activation : std::uint8_t {
  sigmoid,   // 1 / (1 + e^-x)
  silu,      // x / (1 + e^-x)
  gelu,      // x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
  gelu_erf,  // x P(x), P the normal cumulative distribution
};

/// out[i] = f(x[i]), rounded once.
struct ActivationArguments {
  Operand x;
  Output out;  // may be x
  std::int64_t size = 0;
  Activation function = Activation::silu;
};

namespace scalar {

[[nodiscard]] inline float activate(Activation function, float x) {
  switch (function) {
    case Activation::sigmoid:
      return 1.0F / (1.0F + std::exp(-x));
    case Activation::silu:
      return x / (1.0F + std::exp(-x));
    case Activation::gelu:
      return 0.5F * x * (1.0F + std::tanh(0.7978845608F * (x + 0.044715F * x * x * x)));
    case Activation::gelu_erf:
      return x * 0.5F * std::erfc(-0.70710678F * x);
  }
  return x;
}

/// Elements [first, last).
inline void activations(const ActivationArguments& a, std::int64_t first, std::int64_t last) {
  for (std::int64_t i = first; i < last; ++i) {
    write(a.out.format, a.out.data, i, activate(a.function, read(a.x.format, a.x.data, i)));
  }
}

}  // namespace scalar
}  // namespace linnet::kernels
