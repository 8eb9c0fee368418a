// The vector vocabulary of the kernels on AVX-512: 16 floats or 32-bit integers a vector. Kernel
// bodies (*.inc) are written once against these names and compiled per instruction set.
#pragma once

#include "linnet/kernels/isa.hpp"

#if LINNET_X86_KERNELS

#include <immintrin.h>

#include <cstdint>

#include "linnet/kernels/simd/begin_avx512.inc"

namespace linnet::kernels::avx512 {

using vf = __m512;
using vi = __m512i;
inline constexpr int lanes = 16;
/// Accumulators that fit the register file: tokens of a packed tile and rows x columns of a tile of
/// the f32 product (in vectors).
inline constexpr int packed_tokens = 12;
inline constexpr int gemm_rows = 12;
inline constexpr int gemm_vectors = 2;

[[gnu::always_inline]] inline vf zero() {
  return _mm512_setzero_ps();
}
[[gnu::always_inline]] inline vf set(float x) {
  return _mm512_set1_ps(x);
}
[[gnu::always_inline]] inline vf load(const float* p) {
  return _mm512_loadu_ps(p);
}
[[gnu::always_inline]] inline void store(float* p, vf x) {
  _mm512_storeu_ps(p, x);
}
/// The first n (0..16) lanes; the others read as zero and are not touched in memory.
[[gnu::always_inline]] inline vf load_part(const float* p, int n) {
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1U << n) - 1U), p);
}
[[gnu::always_inline]] inline void store_part(float* p, vf x, int n) {
  _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1U << n) - 1U), x);
}
[[gnu::always_inline]] inline vf add(vf a, vf b) {
  return _mm512_add_ps(a, b);
}
[[gnu::always_inline]] inline vf sub(vf a, vf b) {
  return _mm512_sub_ps(a, b);
}
[[gnu::always_inline]] inline vf mul(vf a, vf b) {
  return _mm512_mul_ps(a, b);
}
[[gnu::always_inline]] inline vf div(vf a, vf b) {
  return _mm512_div_ps(a, b);
}
/// a * b + c, rounded once
[[gnu::always_inline]] inline vf fma(vf a, vf b, vf c) {
  return _mm512_fmadd_ps(a, b, c);
}
/// b where either is NaN
[[gnu::always_inline]] inline vf max(vf a, vf b) {
  return _mm512_maskz_max_ps(0xffff, a, b);
}
[[gnu::always_inline]] inline vf min(vf a, vf b) {
  return _mm512_maskz_min_ps(0xffff, a, b);
}
/// x where a < b, else y
[[gnu::always_inline]] inline vf select_less(vf a, vf b, vf x, vf y) {
  return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), y, x);
}
/// a's magnitude with NaN kept
[[gnu::always_inline]] inline vf abs(vf a) {
  return _mm512_abs_ps(a);
}
[[gnu::always_inline]] inline float sum(vf a) {
  return _mm512_reduce_add_ps(a);
}
/// Lane i of the result is the sum of v[i]; v is overwritten. 15 additions and 30 shuffles for 16
/// sums, where one at a time would take 4 of each per sum.
[[gnu::always_inline]] inline vf sums(vf* v) {
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {  // lanes 4 q + {0, 1, 2, 3}: halves of v[2 i], v[2 i + 1] in turn
    v[i] = _mm512_add_ps(_mm512_unpacklo_ps(v[2 * i], v[2 * i + 1]),
                         _mm512_unpackhi_ps(v[2 * i], v[2 * i + 1]));
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {  // quarter q of v[4 i .. 4 i + 3], one a lane
    v[i] = _mm512_add_ps(_mm512_shuffle_ps(v[2 * i], v[2 * i + 1], 0x44),
                         _mm512_shuffle_ps(v[2 * i], v[2 * i + 1], 0xee));
  }
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i) {  // 128-bit parts: quarters 0 + 1, 2 + 3 of both inputs
    v[i] = _mm512_add_ps(_mm512_shuffle_f32x4(v[2 * i], v[2 * i + 1], 0x88),
                         _mm512_shuffle_f32x4(v[2 * i], v[2 * i + 1], 0xdd));
  }
  return _mm512_add_ps(_mm512_shuffle_f32x4(v[0], v[1], 0x88),
                       _mm512_shuffle_f32x4(v[0], v[1], 0xdd));
}
/// to[k][j] = from[j][k] for a square of `lanes` rows; strides in elements.
inline void transpose(const float* from, std::int64_t stride, float* to, std::int64_t to_stride) {
  vf a[16];
  vf b[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) a[i] = load(from + i * stride);
#pragma GCC unroll 8
  for (int i = 0; i < 16; i += 2) {
    b[i] = _mm512_unpacklo_ps(a[i], a[i + 1]);
    b[i + 1] = _mm512_unpackhi_ps(a[i], a[i + 1]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 16; i += 4) {  // a[i + c]: column 4 q + c of rows i .. i + 3 in quarter q
    a[i] = _mm512_shuffle_ps(b[i], b[i + 2], 0x44);
    a[i + 1] = _mm512_shuffle_ps(b[i], b[i + 2], 0xee);
    a[i + 2] = _mm512_shuffle_ps(b[i + 1], b[i + 3], 0x44);
    a[i + 3] = _mm512_shuffle_ps(b[i + 1], b[i + 3], 0xee);
  }
#pragma GCC unroll 4
  for (int c = 0; c < 4; ++c) {  // gather each quarter of the four row groups
    const vf low = _mm512_shuffle_f32x4(a[c], a[4 + c], 0x88);
    const vf low_odd = _mm512_shuffle_f32x4(a[c], a[4 + c], 0xdd);
    const vf high = _mm512_shuffle_f32x4(a[8 + c], a[12 + c], 0x88);
    const vf high_odd = _mm512_shuffle_f32x4(a[8 + c], a[12 + c], 0xdd);
    store(to + c * to_stride, _mm512_shuffle_f32x4(low, high, 0x88));
    store(to + (4 + c) * to_stride, _mm512_shuffle_f32x4(low_odd, high_odd, 0x88));
    store(to + (8 + c) * to_stride, _mm512_shuffle_f32x4(low, high, 0xdd));
    store(to + (12 + c) * to_stride, _mm512_shuffle_f32x4(low_odd, high_odd, 0xdd));
  }
}
[[gnu::always_inline]] inline float largest(vf a) {
  return _mm512_reduce_max_ps(a);
}

[[gnu::always_inline]] inline vi zero_int() {
  return _mm512_setzero_si512();
}
[[gnu::always_inline]] inline vi set_int(std::int32_t x) {
  return _mm512_set1_epi32(x);
}
[[gnu::always_inline]] inline vi load_int(const void* p) {
  return _mm512_loadu_si512(p);
}
/// Keeps x in a register: GCC would load a value used four times four times over.
[[gnu::always_inline]] inline void keep(vi& x) {
  asm("" : "+v"(x));
}
[[gnu::always_inline]] inline void store_int(void* p, vi x) {
  _mm512_storeu_si512(p, x);
}
[[gnu::always_inline]] inline vi bit_and(vi a, vi b) {
  return _mm512_and_si512(a, b);
}
[[gnu::always_inline]] inline vi add_int(vi a, vi b) {
  return _mm512_add_epi32(a, b);
}
[[gnu::always_inline]] inline std::int32_t sum_int(vi a) {
  return _mm512_reduce_add_epi32(a);
}
/// To the nearest integer, ties to even; 0x80000000 where out of range.
[[gnu::always_inline]] inline vi to_int(vf a) {
  return _mm512_maskz_cvtps_epi32(0xffff, a);
}
[[gnu::always_inline]] inline vf to_float(vi a) {
  return _mm512_maskz_cvtepi32_ps(0xffff, a);
}
[[gnu::always_inline]] inline vf as_float(vi a) {
  return _mm512_castsi512_ps(a);
}
[[gnu::always_inline]] inline vi as_int(vf a) {
  return _mm512_castps_si512(a);
}
/// a * 2^n for the integers n that the float n holds; saturates and underflows gradually.
[[gnu::always_inline]] inline vf scale_by_power(vf a, vf n) {
  return _mm512_scalef_ps(a, n);
}
[[gnu::always_inline]] inline vf round_even(vf a) {
  return _mm512_roundscale_ps(a, 8);
}

/// Each lane's own number.
[[gnu::always_inline]] inline vi lane_numbers() {
  return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
/// Each lane shifted right, by one count and by a count of its own.
[[gnu::always_inline]] inline vi shift_right_32(vi a, unsigned n) {
  return _mm512_maskz_srl_epi32(0xffff, a, _mm_cvtsi32_si128(static_cast<int>(n)));
}
[[gnu::always_inline]] inline vi shift_right_each(vi a, vi n) {
  return _mm512_maskz_srlv_epi32(0xffff, a, n);
}
[[gnu::always_inline]] inline vi bit_or(vi a, vi b) {
  return _mm512_or_si512(a, b);
}
/// Shifts of 16-bit elements.
template <int N>
[[gnu::always_inline]] inline vi shift_right_16(vi a) {
  return _mm512_maskz_srli_epi16(0xffffffff, a, N);
}
template <int N>
[[gnu::always_inline]] inline vi shift_right_signed_16(vi a) {
  return _mm512_maskz_srai_epi16(0xffffffff, a, N);
}
template <int N>
[[gnu::always_inline]] inline vi shift_left_16(vi a) {
  return _mm512_maskz_slli_epi16(0xffffffff, a, N);
}
/// acc + a.lo * b.lo + a.hi * b.hi over signed 16-bit halves of each lane.
[[gnu::always_inline]] inline vi dot_pairs(vi acc, vi a, vi b) {
  return _mm512_dpwssd_epi32(acc, a, b);
}
/// One signed 16-bit integer a lane, in order.
[[gnu::always_inline]] inline void store_as_16(std::int16_t* p, vi a) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi32_epi16(a));
}

/// One byte a lane, unsigned and signed.
[[gnu::always_inline]] inline vi load_bytes(const void* p) {
  return _mm512_cvtepu8_epi32(_mm_loadu_si128(static_cast<const __m128i*>(p)));
}
[[gnu::always_inline]] inline vi load_signed_bytes(const void* p) {
  return _mm512_cvtepi8_epi32(_mm_loadu_si128(static_cast<const __m128i*>(p)));
}
[[gnu::always_inline]] inline float half_bits(std::uint16_t bits) {
  return _cvtsh_ss(bits);
}
[[gnu::always_inline]] inline vf load_half(const std::uint16_t* p) {
  return _mm512_maskz_cvtph_ps(0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
/// Rounded to nearest even.
[[gnu::always_inline]] inline void store_half(std::uint16_t* p, vf a) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p),
                      _mm512_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
[[gnu::always_inline]] inline vf load_bfloat(const std::uint16_t* p) {
  const __m512i wide =
      _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
}

[[gnu::always_inline]] inline void prefetch(const void* p) {
  _mm_prefetch(static_cast<const char*>(p), _MM_HINT_T0);
}

}  // namespace linnet::kernels::avx512

#include "linnet/kernels/simd/end.inc"

#endif
