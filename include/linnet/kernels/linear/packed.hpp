// The packed copy of a block-quantised weight matrix, made once at load: 16 rows side by side, so
// that one layout serves the matrix-vector product of decoding and the product with many tokens of
// prefill without a horizontal sum, a shuffle or a scattered load.
//
// A panel holds 16 rows (the last one padded with rows of zeros): block after block, one sequential
// stream for the prefetcher. A block of 32 (or 16) elements of all rows is
//
//   scales  [16]   f16 as stored, or f32 where a format multiplies two scales
//   minima  [16]   likewise; only formats with an offset (value = scale * q + minimum)
//   quants  [...]  64-byte groups: 4 bytes of each of the 16 rows
//
// The 4 bytes of a row are two 16-bit words, and the quants are spread over the words so that
// masking or shifting both words at once yields pairs of neighbours in k, what a 16-bit
// multiply-add takes:
//
//   4 bits: group j, word w, nibble i (i = 0..3) holds k = 8 j + 2 i + w, unsigned
//   8 bits: group j, word w, byte h  (h = 0, 1)  holds k = 4 j + 2 h + w, signed
//
// Values are exactly those of the file: nothing is requantised.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "linnet/core/format.hpp"
#include "linnet/weights/block_formats.hpp"

namespace linnet::kernels {

/// How a block format is packed; `bits` 0 where there is no packed form.
struct PackedKind {
  std::uint8_t bits = 0;         // of a stored quant: 4 or 8
  std::uint8_t block = 32;       // elements that share a scale
  std::uint8_t scale_bytes = 2;  // 2: f16, 4: f32
  bool has_minimum = false;      // value = scale * q + minimum
  std::uint8_t zero_point = 0;   // value = scale * (q - zero_point)
};

[[nodiscard]] constexpr PackedKind packed_kind(Format format) {
  switch (format) {
    case Format::q8_0:
    case Format::q5_0:
      return {8, 32, 2, false, 0};
    case Format::q4_0:
      return {4, 32, 2, false, 8};
    case Format::q4_1:
      return {4, 32, 2, true, 0};
    case Format::q5_1:
      return {8, 32, 2, true, 0};
    case Format::q4_k:
      return {4, 32, 4, true, 0};
    case Format::q5_k:
      return {8, 32, 4, true, 0};
    case Format::q6_k:
      return {8, 16, 4, false, 0};
    default:
      return {};
  }
}

inline constexpr std::int64_t panel_rows = 16;

[[nodiscard]] constexpr std::int64_t round_up(std::int64_t n, std::int64_t step) {
  return (n + step - 1) / step * step;
}

/// Byte offsets inside a packed block and the sizes of a block and of a panel of `cols` columns.
struct PanelLayout {
  std::int64_t blocks;
  std::int64_t minima;
  std::int64_t quants;
  std::int64_t block_bytes;
  std::int64_t bytes;
};

[[nodiscard]] constexpr PanelLayout panel_layout(PackedKind kind, std::int64_t cols) {
  const std::int64_t blocks = cols / kind.block;
  const std::int64_t scales = panel_rows * kind.scale_bytes;
  const std::int64_t quants = kind.has_minimum ? 2 * scales : scales;
  const std::int64_t block = quants + panel_rows * kind.block * kind.bits / 8;
  return {blocks, scales, quants, block, round_up(blocks * block, 64)};
}

/// Whether a [rows, cols] matrix stored as `format` can be packed: the format has a packed form and
/// rows hold whole blocks.
[[nodiscard]] constexpr bool can_pack(Format format, std::int64_t rows, std::int64_t cols) {
  const PackedKind kind = packed_kind(format);
  return kind.bits != 0 && rows > 0 && cols > 0 &&
         cols % static_cast<std::int64_t>(weights::block_elements(format)) == 0;
}

/// Bytes of the packed copy, 0 where `can_pack` is false. The copy wants 64-byte alignment and, to
/// reach the memory's bandwidth, 2 MiB pages.
[[nodiscard]] constexpr std::int64_t packed_bytes(Format format, std::int64_t rows,
                                                  std::int64_t cols) {
  if (!can_pack(format, rows, cols)) return 0;
  return round_up(rows, panel_rows) / panel_rows * panel_layout(packed_kind(format), cols).bytes;
}

namespace detail {

/// One block of a row taken apart: quants as the packed form stores them, scales as raw f16 bits or
/// f32, 32 or 16 elements a group.
struct QuantGroups {
  std::int8_t quants[256];
  std::uint16_t half_scale;
  std::uint16_t half_minimum;
  float scale[16];
  float minimum[16];
};

template <class Block>
[[nodiscard]] inline Block read_block(const void* p) {
  Block block;
  std::memcpy(&block, p, sizeof(Block));
  return block;
}

/// Takes one stored block of `format` apart. `format` has a packed kind.
inline void split_block(Format format, const void* p, QuantGroups& out) {
  using namespace weights;
  switch (format) {
    case Format::q8_0: {
      const auto block = read_block<BlockQ8_0>(p);
      out.half_scale = block.d;
      std::memcpy(out.quants, block.qs, 32);
      return;
    }
    case Format::q4_0: {
      const auto block = read_block<BlockQ4_0>(p);
      out.half_scale = block.d;
      for (int j = 0; j < 16; ++j) {
        out.quants[j] = static_cast<std::int8_t>(block.qs[j] & 15);
        out.quants[j + 16] = static_cast<std::int8_t>(block.qs[j] >> 4);
      }
      return;
    }
    case Format::q4_1: {
      const auto block = read_block<BlockQ4_1>(p);
      out.half_scale = block.d;
      out.half_minimum = block.m;
      for (int j = 0; j < 16; ++j) {
        out.quants[j] = static_cast<std::int8_t>(block.qs[j] & 15);
        out.quants[j + 16] = static_cast<std::int8_t>(block.qs[j] >> 4);
      }
      return;
    }
    case Format::q5_0: {
      const auto block = read_block<BlockQ5_0>(p);
      out.half_scale = block.d;
      for (int j = 0; j < 16; ++j) {
        out.quants[j] =
            static_cast<std::int8_t>(((block.qs[j] & 15) | fifth_bit(block.qh, j)) - 16);
        out.quants[j + 16] =
            static_cast<std::int8_t>(((block.qs[j] >> 4) | fifth_bit(block.qh, j + 16)) - 16);
      }
      return;
    }
    case Format::q5_1: {
      const auto block = read_block<BlockQ5_1>(p);
      out.half_scale = block.d;
      out.half_minimum = block.m;
      for (int j = 0; j < 16; ++j) {
        out.quants[j] = static_cast<std::int8_t>((block.qs[j] & 15) | fifth_bit(block.qh, j));
        out.quants[j + 16] =
            static_cast<std::int8_t>((block.qs[j] >> 4) | fifth_bit(block.qh, j + 16));
      }
      return;
    }
    case Format::q4_k: {
      const auto block = read_block<BlockQ4K>(p);
      const float d = half_to_float(block.d);
      const float dmin = half_to_float(block.dmin);
      for (int g = 0; g < 8; ++g) {
        const ScaleMin sm = scale_min_k4(block.scales, g);
        out.scale[g] = d * static_cast<float>(sm.scale);
        out.minimum[g] = -(dmin * static_cast<float>(sm.min));
        for (int j = 0; j < 32; ++j) {
          out.quants[32 * g + j] =
              static_cast<std::int8_t>((block.qs[32 * (g / 2) + j] >> (4 * (g % 2))) & 15);
        }
      }
      return;
    }
    case Format::q5_k: {
      const auto block = read_block<BlockQ5K>(p);
      const float d = half_to_float(block.d);
      const float dmin = half_to_float(block.dmin);
      for (int g = 0; g < 8; ++g) {
        const ScaleMin sm = scale_min_k4(block.scales, g);
        out.scale[g] = d * static_cast<float>(sm.scale);
        out.minimum[g] = -(dmin * static_cast<float>(sm.min));
        for (int j = 0; j < 32; ++j) {
          const int low = (block.qs[32 * (g / 2) + j] >> (4 * (g % 2))) & 15;
          out.quants[32 * g + j] = static_cast<std::int8_t>(low | ((block.qh[j] >> g) & 1) << 4);
        }
      }
      return;
    }
    case Format::q6_k: {
      const auto block = read_block<BlockQ6K>(p);
      const float d = half_to_float(block.d);
      for (int g = 0; g < 16; ++g) {
        out.scale[g] = d * static_cast<float>(block.scales[g]);
        const int half = g / 8;
        const int k = g / 2 % 4;
        const std::uint8_t* ql = block.ql + 64 * half + 32 * (k % 2) + 16 * (g % 2);
        const std::uint8_t* qh = block.qh + 32 * half + 16 * (g % 2);
        for (int j = 0; j < 16; ++j) {
          const int q = ((ql[j] >> (4 * (k / 2))) & 15) | ((qh[j] >> (2 * k)) & 3) << 4;
          out.quants[16 * g + j] = static_cast<std::int8_t>(q - 32);
        }
      }
      return;
    }
    default:
      return;
  }
}

/// Puts the `count` quants of one packed block and `row` (0..15) into place.
inline void place_quants(int bits, const std::int8_t* quants, int count, int row,
                         std::uint8_t* section) {
  if (bits == 4) {
    for (int i = 0; i < count; i += 8) {
      std::uint8_t* group = section + i / 8 * 64 + 4 * row;
      const std::int8_t* q = quants + i;
      // byte b: word b / 2, nibbles 2 (b % 2) and the next
      group[0] = static_cast<std::uint8_t>(q[0] | q[2] << 4);
      group[1] = static_cast<std::uint8_t>(q[4] | q[6] << 4);
      group[2] = static_cast<std::uint8_t>(q[1] | q[3] << 4);
      group[3] = static_cast<std::uint8_t>(q[5] | q[7] << 4);
    }
  } else {
    for (int i = 0; i < count; i += 4) {
      std::uint8_t* group = section + i / 4 * 64 + 4 * row;
      group[0] = static_cast<std::uint8_t>(quants[i]);
      group[1] = static_cast<std::uint8_t>(quants[i + 2]);
      group[2] = static_cast<std::uint8_t>(quants[i + 1]);
      group[3] = static_cast<std::uint8_t>(quants[i + 3]);
    }
  }
}

}  // namespace detail

/// Packs rows [first_panel * 16, ...) of the panels [first_panel, last_panel) from `source`, the
/// matrix as stored, into `packed`, the start of the whole copy. Panels are independent: call it
/// from several threads for disjoint ranges.
inline void pack_panels(Format format, const void* source, std::int64_t rows, std::int64_t cols,
                        std::int64_t first_panel, std::int64_t last_panel, void* packed) {
  const PackedKind kind = packed_kind(format);
  const PanelLayout layout = panel_layout(kind, cols);
  const auto elements = static_cast<std::int64_t>(weights::block_elements(format));
  const auto bytes = static_cast<std::int64_t>(weights::block_bytes(format));
  const std::int64_t stored_row = cols / elements * bytes;
  const auto groups = elements / kind.block;
  detail::QuantGroups split{};
  for (std::int64_t panel = first_panel; panel < last_panel; ++panel) {
    auto* out = static_cast<std::uint8_t*>(packed) + panel * layout.bytes;
    std::memset(out, 0, static_cast<std::size_t>(layout.bytes));
    for (int r = 0; r < panel_rows; ++r) {
      const std::int64_t row = panel * panel_rows + r;
      if (row >= rows) break;
      const auto* in = static_cast<const std::uint8_t*>(source) + row * stored_row;
      for (std::int64_t b = 0; b < cols / elements; ++b) {
        detail::split_block(format, in + b * bytes, split);
        for (std::int64_t g = 0; g < groups; ++g) {
          std::uint8_t* block = out + (b * groups + g) * layout.block_bytes;
          std::uint8_t* scale = block + r * kind.scale_bytes;
          std::uint8_t* minimum = block + layout.minima + r * kind.scale_bytes;
          if (kind.scale_bytes == 2) {
            std::memcpy(scale, &split.half_scale, 2);
            if (kind.has_minimum) std::memcpy(minimum, &split.half_minimum, 2);
          } else {
            std::memcpy(scale, &split.scale[g], 4);
            if (kind.has_minimum) std::memcpy(minimum, &split.minimum[g], 4);
          }
          detail::place_quants(kind.bits, split.quants + g * kind.block, kind.block, r,
                               block + layout.quants);
        }
      }
    }
  }
}

/// Packs a whole matrix; `packed` has `packed_bytes(format, rows, cols)` bytes.
inline void pack(Format format, const void* source, std::int64_t rows, std::int64_t cols,
                 void* packed) {
  pack_panels(format, source, rows, cols, 0, round_up(rows, panel_rows) / panel_rows, packed);
}

}  // namespace linnet::kernels
