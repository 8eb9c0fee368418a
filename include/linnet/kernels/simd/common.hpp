// Conversions and functions of vectors for both instruction sets (convert.inc, math.inc).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "linnet/core/dtype.hpp"
#include "linnet/core/format.hpp"
#include "linnet/kernels/isa.hpp"
#include "linnet/kernels/scratch.hpp"
#include "linnet/kernels/simd/avx2.hpp"
#include "linnet/kernels/simd/avx512.hpp"
#include "linnet/weights/block_formats.hpp"

#if LINNET_X86_KERNELS

#include "linnet/kernels/simd/begin_avx2.inc"

#include "linnet/kernels/simd/convert.inc"
#include "linnet/kernels/simd/math.inc"

#include "linnet/kernels/simd/end.inc"

#include "linnet/kernels/simd/begin_avx512.inc"

#include "linnet/kernels/simd/convert.inc"
#include "linnet/kernels/simd/math.inc"

#include "linnet/kernels/simd/end.inc"

#endif
