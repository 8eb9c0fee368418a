// Packed layouts of the GGML block formats and their scalar decoders, the reference for every
// kernel that reads them. Layouts: the GGML/GGUF specification; little-endian.
//
// A row of a block-format tensor is a sequence of blocks; `d` is the block's scale, `m`/`dmin` an
// offset, `qs` the low bits. In the formats of 32 elements byte j of `qs` holds elements j (low
// nibble) and j + 16 (high nibble).
//
// Every product below is exact in f32 (an f16 scale has 11 significant bits, and no more than 13
// bits of integers are multiplied to it), so only the final subtraction or addition rounds: the
// decoded values do not depend on whether the compiler contracts to fused multiply-adds.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "linnet/core/format.hpp"

namespace linnet::weights {

using linnet::block_bytes;
using linnet::block_elements;

/// value = d * q
struct BlockQ8_0 {
  std::uint16_t d;
  std::int8_t qs[32];
};

/// value = d * (q - 8)
struct BlockQ4_0 {
  std::uint16_t d;
  std::uint8_t qs[16];
};

/// value = d * q + m
struct BlockQ4_1 {
  std::uint16_t d;
  std::uint16_t m;
  std::uint8_t qs[16];
};

/// value = d * (q - 16); bit j of `qh` is the fifth bit of element j
struct BlockQ5_0 {
  std::uint16_t d;
  std::uint8_t qh[4];
  std::uint8_t qs[16];
};

/// value = d * q + m; `qh` as in Q5_0
struct BlockQ5_1 {
  std::uint16_t d;
  std::uint16_t m;
  std::uint8_t qh[4];
  std::uint8_t qs[16];
};

/// 16 groups of 16; value = d * (scales[g] & 15) * q - dmin * (scales[g] >> 4).
/// Byte l of 32-byte half h holds elements 128 h + 32 k + l in bits 2k, 2k + 1.
struct BlockQ2K {
  std::uint8_t scales[16];
  std::uint8_t qs[64];
  std::uint16_t d;
  std::uint16_t dmin;
};

/// 16 groups of 16 with 6-bit signed scales; value = d * scale * q, q in [-4, 3]: two bits as in
/// Q2_K, and minus 4 where bit 4 h + k of hmask[l] is clear. Scales: low four bits of 0..7 and
/// 8..15 in the nibbles of bytes 0..7, high two bits in bytes 8..11; biased by 32.
struct BlockQ3K {
  std::uint8_t hmask[32];
  std::uint8_t qs[64];
  std::uint8_t scales[12];
  std::uint16_t d;
};

/// 8 groups of 32; value = d * sc * q - dmin * mn, with 6-bit sc, mn (see `scale_min_k4`).
/// Byte l of 32-byte quarter c holds element l of groups 2c (low nibble) and 2c + 1 (high).
struct BlockQ4K {
  std::uint16_t d;
  std::uint16_t dmin;
  std::uint8_t scales[12];
  std::uint8_t qs[128];
};

/// As Q4_K, with bit g of qh[l] the fifth bit of element l of group g.
struct BlockQ5K {
  std::uint16_t d;
  std::uint16_t dmin;
  std::uint8_t scales[12];
  std::uint8_t qh[32];
  std::uint8_t qs[128];
};

/// 16 groups of 16 with 8-bit scales; value = d * scale * (q - 32). In 128-element half h, element
/// 32 k + l has its low four bits in ql[64 h + 32 (k & 1) + l], low nibble for k < 2, and its high
/// two in bits 2k, 2k + 1 of qh[32 h + l].
struct BlockQ6K {
  std::uint8_t ql[128];
  std::uint8_t qh[64];
  std::int8_t scales[16];
  std::uint16_t d;
};

/// OCP Microscaling FP4: value = 2^(e - 127) * e2m1(q), nibbles as in Q4_0
struct BlockMxfp4 {
  std::uint8_t e;
  std::uint8_t qs[16];
};

static_assert(sizeof(BlockQ8_0) == block_bytes(Format::q8_0));
static_assert(sizeof(BlockQ4_0) == block_bytes(Format::q4_0));
static_assert(sizeof(BlockQ4_1) == block_bytes(Format::q4_1));
static_assert(sizeof(BlockQ5_0) == block_bytes(Format::q5_0));
static_assert(sizeof(BlockQ5_1) == block_bytes(Format::q5_1));
static_assert(sizeof(BlockQ2K) == block_bytes(Format::q2_k));
static_assert(sizeof(BlockQ3K) == block_bytes(Format::q3_k));
static_assert(sizeof(BlockQ4K) == block_bytes(Format::q4_k));
static_assert(sizeof(BlockQ5K) == block_bytes(Format::q5_k));
static_assert(sizeof(BlockQ6K) == block_bytes(Format::q6_k));
static_assert(sizeof(BlockMxfp4) == block_bytes(Format::mxfp4));

/// The f32 value of an IEEE binary16 bit pattern; exact, NaN payloads kept.
[[nodiscard]] constexpr float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16U;
  const std::uint32_t magnitude = bits & 0x7fffU;
  if (magnitude >= 0x7c00U) {  // infinity, NaN
    return std::bit_cast<float>(sign | 0x7f800000U | (magnitude & 0x3ffU) << 13U);
  }
  if (magnitude >= 0x0400U) {  // normal: rebias the exponent from 15 to 127
    return std::bit_cast<float>(sign | ((magnitude << 13U) + (112U << 23U)));
  }
  // Subnormal: magnitude * 2^-24, exact in f32.
  const float value = static_cast<float>(magnitude) * 0x1p-24F;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(value));
}

/// Half of the value of an E8M0 exponent, 2^(e - 128): MXFP4 tables hold doubled values, which are
/// integers. e < 2 gives a subnormal.
[[nodiscard]] constexpr float e8m0_half(std::uint8_t e) {
  const std::uint32_t bits = e < 2 ? 0x00200000U << e : (e - 1U) << 23U;
  return std::bit_cast<float>(bits);
}

/// Doubled e2m1 values by code.
inline constexpr std::int8_t mxfp4_values[16] = {0, 1,  2,  3,  4,  6,  8,  12,
                                                 0, -1, -2, -3, -4, -6, -8, -12};

struct ScaleMin {
  std::uint8_t scale;
  std::uint8_t min;
};

/// The 6-bit scale and minimum of `group` (0..7) of a Q4_K or Q5_K block. Bytes 0..3 and 4..7 hold
/// those of groups 0..3 and, in their top two bits, bits 4, 5 of groups 4..7; bytes 8..11 hold the
/// low four bits of groups 4..7.
[[nodiscard]] constexpr ScaleMin scale_min_k4(const std::uint8_t (&scales)[12], int group) {
  if (group < 4) {
    return {static_cast<std::uint8_t>(scales[group] & 63U),
            static_cast<std::uint8_t>(scales[group + 4] & 63U)};
  }
  const unsigned low = scales[group + 4];
  const unsigned scale_top = scales[group - 4] >> 6U;
  const unsigned min_top = scales[group] >> 6U;
  return {static_cast<std::uint8_t>((low & 15U) | scale_top << 4U),
          static_cast<std::uint8_t>((low >> 4U) | min_top << 4U)};
}

/// The scale of `group` (0..15) of a Q3_K block, in [-32, 31].
[[nodiscard]] constexpr int scale_q3k(const std::uint8_t (&scales)[12], int group) {
  const unsigned low = (scales[group & 7] >> (group < 8 ? 0U : 4U)) & 15U;
  const unsigned high = (scales[8 + (group & 3)] >> (2U * static_cast<unsigned>(group >> 2))) & 3U;
  return static_cast<int>(low | high << 4U) - 32;
}

constexpr void decode(const BlockQ8_0& block, float* out) {
  const float d = half_to_float(block.d);
  for (int j = 0; j < 32; ++j) out[j] = d * static_cast<float>(block.qs[j]);
}

constexpr void decode(const BlockQ4_0& block, float* out) {
  const float d = half_to_float(block.d);
  for (int j = 0; j < 16; ++j) {
    out[j] = d * static_cast<float>((block.qs[j] & 15) - 8);
    out[j + 16] = d * static_cast<float>((block.qs[j] >> 4) - 8);
  }
}

constexpr void decode(const BlockQ4_1& block, float* out) {
  const float d = half_to_float(block.d);
  const float m = half_to_float(block.m);
  for (int j = 0; j < 16; ++j) {
    out[j] = d * static_cast<float>(block.qs[j] & 15) + m;
    out[j + 16] = d * static_cast<float>(block.qs[j] >> 4) + m;
  }
}

/// Bit j (0..31) of a little-endian bit field, shifted to bit 4.
[[nodiscard]] constexpr int fifth_bit(const std::uint8_t (&bits)[4], int j) {
  return ((bits[j >> 3] >> (j & 7)) & 1) << 4;
}

constexpr void decode(const BlockQ5_0& block, float* out) {
  const float d = half_to_float(block.d);
  for (int j = 0; j < 16; ++j) {
    const int low = (block.qs[j] & 15) | fifth_bit(block.qh, j);
    const int high = (block.qs[j] >> 4) | fifth_bit(block.qh, j + 16);
    out[j] = d * static_cast<float>(low - 16);
    out[j + 16] = d * static_cast<float>(high - 16);
  }
}

constexpr void decode(const BlockQ5_1& block, float* out) {
  const float d = half_to_float(block.d);
  const float m = half_to_float(block.m);
  for (int j = 0; j < 16; ++j) {
    const int low = (block.qs[j] & 15) | fifth_bit(block.qh, j);
    const int high = (block.qs[j] >> 4) | fifth_bit(block.qh, j + 16);
    out[j] = d * static_cast<float>(low) + m;
    out[j + 16] = d * static_cast<float>(high) + m;
  }
}

constexpr void decode(const BlockQ2K& block, float* out) {
  const float d = half_to_float(block.d);
  const float dmin = half_to_float(block.dmin);
  for (int group = 0; group < 16; ++group) {
    const float scale = d * static_cast<float>(block.scales[group] & 15);
    const float min = dmin * static_cast<float>(block.scales[group] >> 4);
    const std::uint8_t* qs = block.qs + 32 * (group / 8) + 16 * (group % 2);
    const int shift = 2 * (group / 2 % 4);
    for (int j = 0; j < 16; ++j) {
      out[16 * group + j] = scale * static_cast<float>((qs[j] >> shift) & 3) - min;
    }
  }
}

constexpr void decode(const BlockQ3K& block, float* out) {
  const float d = half_to_float(block.d);
  for (int group = 0; group < 16; ++group) {
    const float scale = d * static_cast<float>(scale_q3k(block.scales, group));
    const int first = 16 * (group % 2);
    const std::uint8_t* qs = block.qs + 32 * (group / 8) + first;
    const std::uint8_t* hmask = block.hmask + first;
    const int shift = 2 * (group / 2 % 4);
    const int bit = group / 2;
    for (int j = 0; j < 16; ++j) {
      const int q = ((qs[j] >> shift) & 3) - (((hmask[j] >> bit) & 1) != 0 ? 0 : 4);
      out[16 * group + j] = scale * static_cast<float>(q);
    }
  }
}

constexpr void decode(const BlockQ4K& block, float* out) {
  const float d = half_to_float(block.d);
  const float dmin = half_to_float(block.dmin);
  for (int group = 0; group < 8; ++group) {
    const ScaleMin sm = scale_min_k4(block.scales, group);
    const float scale = d * static_cast<float>(sm.scale);
    const float min = dmin * static_cast<float>(sm.min);
    const std::uint8_t* qs = block.qs + 32 * (group / 2);
    const int shift = 4 * (group % 2);
    for (int j = 0; j < 32; ++j) {
      out[32 * group + j] = scale * static_cast<float>((qs[j] >> shift) & 15) - min;
    }
  }
}

constexpr void decode(const BlockQ5K& block, float* out) {
  const float d = half_to_float(block.d);
  const float dmin = half_to_float(block.dmin);
  for (int group = 0; group < 8; ++group) {
    const ScaleMin sm = scale_min_k4(block.scales, group);
    const float scale = d * static_cast<float>(sm.scale);
    const float min = dmin * static_cast<float>(sm.min);
    const std::uint8_t* qs = block.qs + 32 * (group / 2);
    const int shift = 4 * (group % 2);
    for (int j = 0; j < 32; ++j) {
      const int q = ((qs[j] >> shift) & 15) | ((block.qh[j] >> group) & 1) << 4;
      out[32 * group + j] = scale * static_cast<float>(q) - min;
    }
  }
}

constexpr void decode(const BlockQ6K& block, float* out) {
  const float d = half_to_float(block.d);
  for (int group = 0; group < 16; ++group) {
    const float scale = d * static_cast<float>(block.scales[group]);
    const int half = group / 8;
    const int k = group / 2 % 4;
    const int first = 16 * (group % 2);
    const std::uint8_t* ql = block.ql + 64 * half + 32 * (k % 2) + first;
    const std::uint8_t* qh = block.qh + 32 * half + first;
    for (int j = 0; j < 16; ++j) {
      const int q = ((ql[j] >> (4 * (k / 2))) & 15) | ((qh[j] >> (2 * k)) & 3) << 4;
      out[16 * group + j] = scale * static_cast<float>(q - 32);
    }
  }
}

constexpr void decode(const BlockMxfp4& block, float* out) {
  const float d = e8m0_half(block.e);
  for (int j = 0; j < 16; ++j) {
    out[j] = d * static_cast<float>(mxfp4_values[block.qs[j] & 15]);
    out[j + 16] = d * static_cast<float>(mxfp4_values[block.qs[j] >> 4]);
  }
}

namespace detail {

template <Format Stored, class Block>
inline void decode_blocks(const void* row, std::int64_t n, float* out) {
  static_assert(sizeof(Block) == block_bytes(Stored));
  constexpr auto elements = static_cast<std::int64_t>(block_elements(Stored));
  const auto* bytes = static_cast<const unsigned char*>(row);
  Block block;
  for (; n >= elements; n -= elements, out += elements, bytes += sizeof(Block)) {
    std::memcpy(&block, bytes, sizeof(Block));  // a row may start at any address
    decode(block, out);
  }
  if (n > 0) {
    float tail[elements];
    std::memcpy(&block, bytes, sizeof(Block));
    decode(block, tail);
    std::memcpy(out, tail, static_cast<std::size_t>(n) * sizeof(float));
  }
}

template <class Stored>
inline void decode_dense(const void* row, std::int64_t n, float* out) {
  const auto* bytes = static_cast<const unsigned char*>(row);
  for (std::int64_t i = 0; i < n; ++i, bytes += sizeof(Stored)) {
    Stored value;
    std::memcpy(&value, bytes, sizeof(Stored));
    out[i] = static_cast<float>(value);
  }
}

}  // namespace detail

/// Bytes that a row of `n` elements takes: whole blocks.
[[nodiscard]] constexpr std::int64_t row_bytes(Format format, std::int64_t n) {
  const auto elements = static_cast<std::int64_t>(block_elements(format));
  return (n + elements - 1) / elements * static_cast<std::int64_t>(block_bytes(format));
}

/// Writes the first `n` elements of a stored row to `out` as f32. Exact for the block formats
/// (equal to gguf.quants.dequantize), f16, bf16 and f32; f64 and integers are rounded once. `row`
/// needs no alignment and `row_bytes(format, n)` readable bytes.
inline void decode_row(Format format, const void* row, std::int64_t n, float* out) {
  switch (format) {
    case Format::boolean:
    case Format::u8:
      return detail::decode_dense<std::uint8_t>(row, n, out);
    case Format::i8:
      return detail::decode_dense<std::int8_t>(row, n, out);
    case Format::i16:
      return detail::decode_dense<std::int16_t>(row, n, out);
    case Format::i32:
      return detail::decode_dense<std::int32_t>(row, n, out);
    case Format::i64:
      return detail::decode_dense<std::int64_t>(row, n, out);
    case Format::u16:
      return detail::decode_dense<std::uint16_t>(row, n, out);
    case Format::u32:
      return detail::decode_dense<std::uint32_t>(row, n, out);
    case Format::u64:
      return detail::decode_dense<std::uint64_t>(row, n, out);
    case Format::f16: {
      const auto* bytes = static_cast<const unsigned char*>(row);
      for (std::int64_t i = 0; i < n; ++i) {
        std::uint16_t bits;
        std::memcpy(&bits, bytes + 2 * i, 2);
        out[i] = half_to_float(bits);
      }
      return;
    }
    case Format::bf16: {
      const auto* bytes = static_cast<const unsigned char*>(row);
      for (std::int64_t i = 0; i < n; ++i) {
        std::uint16_t bits;
        std::memcpy(&bits, bytes + 2 * i, 2);
        out[i] = std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
      }
      return;
    }
    case Format::f32:
      if (n > 0) std::memcpy(out, row, static_cast<std::size_t>(n) * sizeof(float));
      return;
    case Format::f64:
      return detail::decode_dense<double>(row, n, out);
    case Format::q8_0:
      return detail::decode_blocks<Format::q8_0, BlockQ8_0>(row, n, out);
    case Format::q4_0:
      return detail::decode_blocks<Format::q4_0, BlockQ4_0>(row, n, out);
    case Format::q4_1:
      return detail::decode_blocks<Format::q4_1, BlockQ4_1>(row, n, out);
    case Format::q5_0:
      return detail::decode_blocks<Format::q5_0, BlockQ5_0>(row, n, out);
    case Format::q5_1:
      return detail::decode_blocks<Format::q5_1, BlockQ5_1>(row, n, out);
    case Format::q2_k:
      return detail::decode_blocks<Format::q2_k, BlockQ2K>(row, n, out);
    case Format::q3_k:
      return detail::decode_blocks<Format::q3_k, BlockQ3K>(row, n, out);
    case Format::q4_k:
      return detail::decode_blocks<Format::q4_k, BlockQ4K>(row, n, out);
    case Format::q5_k:
      return detail::decode_blocks<Format::q5_k, BlockQ5K>(row, n, out);
    case Format::q6_k:
      return detail::decode_blocks<Format::q6_k, BlockQ6K>(row, n, out);
    case Format::mxfp4:
      return detail::decode_blocks<Format::mxfp4, BlockMxfp4>(row, n, out);
  }
}

}  // namespace linnet::weights
