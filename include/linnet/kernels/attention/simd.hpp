// Attention on AVX2 and AVX-512: few.inc for decoding, tile.inc for prefill.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "linnet/kernels/attention/arguments.hpp"
#include "linnet/kernels/linear/simd.hpp"
#include "linnet/kernels/simd/common.hpp"
#include "linnet/kernels/softmax/simd.hpp"

#if LINNET_X86_KERNELS

#include "linnet/kernels/simd/begin_avx2.inc"

#include "linnet/kernels/attention/few.inc"
#include "linnet/kernels/attention/tile.inc"

#include "linnet/kernels/simd/end.inc"

#include "linnet/kernels/simd/begin_avx512.inc"

#include "linnet/kernels/attention/few.inc"
#include "linnet/kernels/attention/tile.inc"

#include "linnet/kernels/simd/end.inc"

#endif
