// The vector vocabulary of the kernels on AVX2, FMA and F16C: 8 floats or 32-bit integers a vector
// (what each name means: simd/avx512.hpp).
#pragma once

#include "linnet/kernels/isa.hpp"

#if LINNET_X86_KERNELS

#include <immintrin.h>

#include <cstdint>

#include "linnet/kernels/simd/begin_avx2.inc"

namespace linnet::kernels::avx2 {

using vf = __m256;
using vi = __m256i;
inline constexpr int lanes = 8;
inline constexpr int packed_tokens = 4;
inline constexpr int gemm_rows = 6;
inline constexpr int gemm_vectors = 2;

/// All ones in the first n (0..8) lanes.
[[gnu::always_inline]] inline vi first_lanes(int n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

[[gnu::always_inline]] inline vf zero() {
  return _mm256_setzero_ps();
}
[[gnu::always_inline]] inline vf set(float x) {
  return _mm256_set1_ps(x);
}
[[gnu::always_inline]] inline vf load(const float* p) {
  return _mm256_loadu_ps(p);
}
[[gnu::always_inline]] inline void store(float* p, vf x) {
  _mm256_storeu_ps(p, x);
}
[[gnu::always_inline]] inline vf load_part(const float* p, int n) {
  return _mm256_maskload_ps(p, first_lanes(n));
}
[[gnu::always_inline]] inline void store_part(float* p, vf x, int n) {
  _mm256_maskstore_ps(p, first_lanes(n), x);
}
[[gnu::always_inline]] inline vf add(vf a, vf b) {
  return _mm256_add_ps(a, b);
}
[[gnu::always_inline]] inline vf sub(vf a, vf b) {
  return _mm256_sub_ps(a, b);
}
[[gnu::always_inline]] inline vf mul(vf a, vf b) {
  return _mm256_mul_ps(a, b);
}
[[gnu::always_inline]] inline vf div(vf a, vf b) {
  return _mm256_div_ps(a, b);
}
[[gnu::always_inline]] inline vf fma(vf a, vf b, vf c) {
  return _mm256_fmadd_ps(a, b, c);
}
[[gnu::always_inline]] inline vf max(vf a, vf b) {
  return _mm256_max_ps(a, b);
}
[[gnu::always_inline]] inline vf min(vf a, vf b) {
  return _mm256_min_ps(a, b);
}
[[gnu::always_inline]] inline vf select_less(vf a, vf b, vf x, vf y) {
  return _mm256_blendv_ps(y, x, _mm256_cmp_ps(a, b, _CMP_LT_OQ));
}
[[gnu::always_inline]] inline vf abs(vf a) {
  return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), a);
}
[[gnu::always_inline]] inline float sum(vf a) {
  __m128 x = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
  x = _mm_add_ps(x, _mm_movehl_ps(x, x));
  x = _mm_add_ss(x, _mm_shuffle_ps(x, x, 1));
  return _mm_cvtss_f32(x);
}
[[gnu::always_inline]] inline vf sums(vf* v) {
  const vf a = _mm256_hadd_ps(_mm256_hadd_ps(v[0], v[1]), _mm256_hadd_ps(v[2], v[3]));
  const vf b = _mm256_hadd_ps(_mm256_hadd_ps(v[4], v[5]), _mm256_hadd_ps(v[6], v[7]));
  return _mm256_add_ps(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31));
}
inline void transpose(const float* from, std::int64_t stride, float* to, std::int64_t to_stride) {
  vf a[8];
  vf b[8];
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) a[i] = load(from + i * stride);
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2) {
    b[i] = _mm256_unpacklo_ps(a[i], a[i + 1]);
    b[i + 1] = _mm256_unpackhi_ps(a[i], a[i + 1]);
  }
#pragma GCC unroll 2
  for (int i = 0; i < 8; i += 4) {
    a[i] = _mm256_shuffle_ps(b[i], b[i + 2], 0x44);
    a[i + 1] = _mm256_shuffle_ps(b[i], b[i + 2], 0xee);
    a[i + 2] = _mm256_shuffle_ps(b[i + 1], b[i + 3], 0x44);
    a[i + 3] = _mm256_shuffle_ps(b[i + 1], b[i + 3], 0xee);
  }
#pragma GCC unroll 4
  for (int c = 0; c < 4; ++c) {
    store(to + c * to_stride, _mm256_permute2f128_ps(a[c], a[4 + c], 0x20));
    store(to + (4 + c) * to_stride, _mm256_permute2f128_ps(a[c], a[4 + c], 0x31));
  }
}
[[gnu::always_inline]] inline float largest(vf a) {
  __m128 x = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
  x = _mm_max_ps(x, _mm_movehl_ps(x, x));
  x = _mm_max_ss(x, _mm_shuffle_ps(x, x, 1));
  return _mm_cvtss_f32(x);
}

[[gnu::always_inline]] inline vi zero_int() {
  return _mm256_setzero_si256();
}
[[gnu::always_inline]] inline vi set_int(std::int32_t x) {
  return _mm256_set1_epi32(x);
}
[[gnu::always_inline]] inline vi load_int(const void* p) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(p));
}
[[gnu::always_inline]] inline void keep(vi& x) {
  asm("" : "+x"(x));
}
[[gnu::always_inline]] inline void store_int(void* p, vi x) {
  _mm256_storeu_si256(static_cast<__m256i*>(p), x);
}
[[gnu::always_inline]] inline vi bit_and(vi a, vi b) {
  return _mm256_and_si256(a, b);
}
[[gnu::always_inline]] inline vi add_int(vi a, vi b) {
  return _mm256_add_epi32(a, b);
}
[[gnu::always_inline]] inline std::int32_t sum_int(vi a) {
  __m128i x = _mm_add_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
  x = _mm_add_epi32(x, _mm_shuffle_epi32(x, 0x4e));
  x = _mm_add_epi32(x, _mm_shuffle_epi32(x, 0xb1));
  return _mm_cvtsi128_si32(x);
}
[[gnu::always_inline]] inline vi to_int(vf a) {
  return _mm256_cvtps_epi32(a);
}
[[gnu::always_inline]] inline vf to_float(vi a) {
  return _mm256_cvtepi32_ps(a);
}
[[gnu::always_inline]] inline vf as_float(vi a) {
  return _mm256_castsi256_ps(a);
}
[[gnu::always_inline]] inline vi as_int(vf a) {
  return _mm256_castps_si256(a);
}
/// In two steps, so that results down to the subnormals come out for n in [-252, 254].
[[gnu::always_inline]] inline vf scale_by_power(vf a, vf n) {
  const __m256i whole = _mm256_cvtps_epi32(n);
  const __m256i half = _mm256_srai_epi32(whole, 1);
  const __m256i rest = _mm256_sub_epi32(whole, half);
  const __m256i bias = _mm256_set1_epi32(127);
  const __m256 first = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(half, bias), 23));
  const __m256 second = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(rest, bias), 23));
  return _mm256_mul_ps(_mm256_mul_ps(a, first), second);
}
[[gnu::always_inline]] inline vf round_even(vf a) {
  return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

[[gnu::always_inline]] inline vi lane_numbers() {
  return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
}
[[gnu::always_inline]] inline vi shift_right_32(vi a, unsigned n) {
  return _mm256_srl_epi32(a, _mm_cvtsi32_si128(static_cast<int>(n)));
}
[[gnu::always_inline]] inline vi shift_right_each(vi a, vi n) {
  return _mm256_srlv_epi32(a, n);
}
[[gnu::always_inline]] inline vi bit_or(vi a, vi b) {
  return _mm256_or_si256(a, b);
}

template <int N>
[[gnu::always_inline]] inline vi shift_right_16(vi a) {
  return _mm256_srli_epi16(a, N);
}
template <int N>
[[gnu::always_inline]] inline vi shift_right_signed_16(vi a) {
  return _mm256_srai_epi16(a, N);
}
template <int N>
[[gnu::always_inline]] inline vi shift_left_16(vi a) {
  return _mm256_slli_epi16(a, N);
}
[[gnu::always_inline]] inline vi dot_pairs(vi acc, vi a, vi b) {
  return _mm256_add_epi32(acc, _mm256_madd_epi16(a, b));
}
[[gnu::always_inline]] inline void store_as_16(std::int16_t* p, vi a) {
  const __m128i packed = _mm_packs_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), packed);
}

[[gnu::always_inline]] inline vi load_bytes(const void* p) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(p)));
}
[[gnu::always_inline]] inline vi load_signed_bytes(const void* p) {
  return _mm256_cvtepi8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(p)));
}
[[gnu::always_inline]] inline float half_bits(std::uint16_t bits) {
  return _cvtsh_ss(bits);
}
[[gnu::always_inline]] inline vf load_half(const std::uint16_t* p) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
[[gnu::always_inline]] inline void store_half(std::uint16_t* p, vf a) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p),
                   _mm256_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
[[gnu::always_inline]] inline vf load_bfloat(const std::uint16_t* p) {
  const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  return _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16));
}

[[gnu::always_inline]] inline void prefetch(const void* p) {
  _mm_prefetch(static_cast<const char*>(p), _MM_HINT_T0);
}

}  // namespace linnet::kernels::avx2

#include "linnet/kernels/simd/end.inc"

#endif
