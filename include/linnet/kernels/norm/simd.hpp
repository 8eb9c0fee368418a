// Norms of rows on AVX2 and AVX-512.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "linnet/kernels/norm/scalar.hpp"
#include "linnet/kernels/simd/common.hpp"

#if LINNET_X86_KERNELS

#include "linnet/kernels/simd/begin_avx2.inc"

#include "linnet/kernels/norm/norm.inc"

#include "linnet/kernels/simd/end.inc"

#include "linnet/kernels/simd/begin_avx512.inc"

#include "linnet/kernels/norm/norm.inc"

#include "linnet/kernels/simd/end.inc"

#endif
