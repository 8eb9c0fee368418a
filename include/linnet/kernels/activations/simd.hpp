// Elementwise activations on AVX2 and AVX-512.
#pragma once

#include <cstdint>

#include "linnet/kernels/activations/scalar.hpp"
#include "linnet/kernels/simd/common.hpp"

#if LINNET_X86_KERNELS

#include "linnet/kernels/simd/begin_avx2.inc"

#include "linnet/kernels/activations/activations.inc"

#include "linnet/kernels/simd/end.inc"

#include "linnet/kernels/simd/begin_avx512.inc"

#include "linnet/kernels/activations/activations.inc"

#include "linnet/kernels/simd/end.inc"

#endif
