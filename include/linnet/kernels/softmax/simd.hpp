// Softmax of rows on AVX2 and AVX-512.
#pragma once

#include <cstddef>
#include <cstdint>

#include "linnet/kernels/simd/common.hpp"
#include "linnet/kernels/softmax/scalar.hpp"

#if LINNET_X86_KERNELS

#include "linnet/kernels/simd/begin_avx2.inc"

#include "linnet/kernels/softmax/softmax.inc"

#include "linnet/kernels/simd/end.inc"

#include "linnet/kernels/simd/begin_avx512.inc"

#include "linnet/kernels/softmax/softmax.inc"

#include "linnet/kernels/simd/end.inc"

#endif
