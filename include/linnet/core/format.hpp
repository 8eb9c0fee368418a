#pragma once
// How a weight is stored: densely as one of the dtypes, or in blocks of quantised values.

#include <cstdint>
#include <string_view>

#include "linnet/core/dtype.hpp"

namespace linnet {

/// The dense formats have the numbers of their dtypes. The block formats are those of GGML
/// (decoding: `linnet/weights/block_formats.hpp`).
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
  q8_0 = 32,
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

[[nodiscard]] constexpr bool is_dense(Format format) {
  return static_cast<int>(format) < dtype_count;
}

[[nodiscard]] constexpr Format dense_format(DType dtype) {
  return static_cast<Format>(dtype);
}

/// The dtype of a dense format.
[[nodiscard]] constexpr DType dense_dtype(Format format) {
  return static_cast<DType>(format);
}

/// As files and messages spell it: "f32", "Q4_1".
[[nodiscard]] constexpr std::string_view format_name(Format format) {
  if (is_dense(format)) return dtype_name(dense_dtype(format));
  switch (format) {
    case Format::q8_0:
      return "Q8_0";
    case Format::q4_0:
      return "Q4_0";
    case Format::q4_1:
      return "Q4_1";
    case Format::q5_0:
      return "Q5_0";
    case Format::q5_1:
      return "Q5_1";
    case Format::q2_k:
      return "Q2_K";
    case Format::q3_k:
      return "Q3_K";
    case Format::q4_k:
      return "Q4_K";
    case Format::q5_k:
      return "Q5_K";
    case Format::q6_k:
      return "Q6_K";
    case Format::mxfp4:
      return "MXFP4";
    default:
      return "unknown";
  }
}

}  // namespace linnet
