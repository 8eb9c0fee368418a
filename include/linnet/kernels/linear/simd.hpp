// The products for AVX2 and AVX-512: packed quantised weights (packed.inc), rows as they lie for
// few tokens (dense.inc), f32 tiles for many (gemm.inc).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "linnet/core/context.hpp"
#include "linnet/kernels/linear/activation_tile.hpp"
#include "linnet/kernels/linear/arguments.hpp"
#include "linnet/kernels/linear/packed.hpp"
#include "linnet/kernels/simd/common.hpp"

#if LINNET_X86_KERNELS

#include "linnet/kernels/simd/begin_avx2.inc"

#include "linnet/kernels/linear/finish.inc"

#include "linnet/kernels/linear/dense.inc"
#include "linnet/kernels/linear/gemm.inc"
#include "linnet/kernels/linear/packed.inc"

#include "linnet/kernels/simd/end.inc"

#include "linnet/kernels/simd/begin_avx512.inc"

#include "linnet/kernels/linear/finish.inc"

#include "linnet/kernels/linear/dense.inc"
#include "linnet/kernels/linear/gemm.inc"
#include "linnet/kernels/linear/packed.inc"

#include "linnet/kernels/simd/end.inc"

#endif
