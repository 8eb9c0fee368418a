#pragma once
// How the numbers of a weight are stored: dense in a dtype, or in blocks that share scales.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "linnet/core/dtype.hpp"

namespace linnet {

/// Storage of a weight. The dense formats have the numbers of their dtypes. Dense formats hold one
/// element after another; block formats hold runs of `block_elements(format)` consecutive elements
/// of the last axis in `block_bytes(format)` bytes (layouts: weights/block_formats.hpp).
enum class Format : std::uint8_t {
  boolean,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  f16,
  bf16,
  f32,
  f64,
  q8_0,
  q4_0,
  q4_1,
  q5_0,
  q5_1,
  q2_k,
  q3_k,
  q4_k,
  q5_k,
  q6_k,
  mxfp4,
};

inline constexpr std::size_t format_count = static_cast<std::size_t>(Format::mxfp4) + 1;

struct FormatInfo {
  std::string_view name;         // as GGML prints it; dense dtypes as the language writes them
  std::uint16_t block_elements;  // 1 for dense formats
  std::uint16_t block_bytes;     // bytes of one block; of one element for dense formats
  std::uint8_t alignment;        // that reading a block through its struct needs
};

namespace detail {
inline constexpr FormatInfo format_table[format_count] = {
    {"bool", 1, 1, 1},     {"i8", 1, 1, 1},       {"i16", 1, 2, 2},      {"i32", 1, 4, 4},
    {"i64", 1, 8, 8},      {"u8", 1, 1, 1},       {"u16", 1, 2, 2},      {"u32", 1, 4, 4},
    {"u64", 1, 8, 8},      {"f16", 1, 2, 2},      {"bf16", 1, 2, 2},     {"f32", 1, 4, 4},
    {"f64", 1, 8, 8},      {"Q8_0", 32, 34, 2},   {"Q4_0", 32, 18, 2},   {"Q4_1", 32, 20, 2},
    {"Q5_0", 32, 22, 2},   {"Q5_1", 32, 24, 2},   {"Q2_K", 256, 84, 2},  {"Q3_K", 256, 110, 2},
    {"Q4_K", 256, 144, 2}, {"Q5_K", 256, 176, 2}, {"Q6_K", 256, 210, 2}, {"MXFP4", 32, 17, 1},
};
}  // namespace detail

[[nodiscard]] constexpr const FormatInfo& format_info(Format format) {
  return detail::format_table[static_cast<std::size_t>(format)];
}

[[nodiscard]] constexpr std::size_t block_elements(Format format) {
  return format_info(format).block_elements;
}

[[nodiscard]] constexpr std::size_t block_bytes(Format format) {
  return format_info(format).block_bytes;
}

[[nodiscard]] constexpr std::string_view format_name(Format format) {
  return format_info(format).name;
}

[[nodiscard]] constexpr bool is_block_format(Format format) {
  return format >= Format::q8_0;
}

/// Whether the format is one element of a dtype after another.
[[nodiscard]] constexpr bool is_dense(Format format) {
  return !is_block_format(format);
}

[[nodiscard]] constexpr Format dense_format(DType dtype) {
  return static_cast<Format>(dtype);
}

/// The dtype of a dense format.
[[nodiscard]] constexpr DType dense_dtype(Format format) {
  return static_cast<DType>(format);
}

/// Whether the format stores real numbers: dense floats and every block format.
[[nodiscard]] constexpr bool is_float_format(Format format) {
  return format >= Format::f16;
}

}  // namespace linnet
