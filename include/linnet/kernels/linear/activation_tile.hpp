// Activations as the packed kernels read them: 16-bit integers with one scale per block and token.
//
// 15 bits and a scale of their own for each block leave an error of at most 2^-16 of the block's
// largest value per element (2e-5 to 5e-5 of the result, on normal data with outliers), where 8-bit
// activations leave 4e-3; the 16-bit multiply-add costs memory-bound decoding nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "linnet/kernels/linear/packed.hpp"

namespace linnet::kernels {

/// Up to 12 tokens side by side. `offsets` is the block's sum of activations where the format has
/// minima (f32) and -zero_point times its sum of quants where it has a zero point (i32).
struct ActivationTile {
  std::int16_t* quants;   // [blocks][tokens][block]
  float* scales;          // [blocks][tokens]
  std::int32_t* offsets;  // [blocks][tokens], bits of a float for minima
  std::int64_t blocks;
};

[[nodiscard]] constexpr std::int64_t activation_tile_bytes(PackedKind kind, std::int64_t cols,
                                                           int tokens) {
  const std::int64_t blocks = cols / kind.block;
  return round_up(cols * tokens * 2, 64) + 2 * round_up(blocks * tokens * 4, 64);
}

/// The tile whose memory starts at `at` (64-byte aligned, `activation_tile_bytes`).
[[nodiscard]] inline ActivationTile activation_tile(PackedKind kind, std::int64_t cols, int tokens,
                                                    std::byte* at) {
  const std::int64_t blocks = cols / kind.block;
  std::byte* scales = at + round_up(cols * tokens * 2, 64);
  std::byte* offsets = scales + round_up(blocks * tokens * 4, 64);
  return {reinterpret_cast<std::int16_t*>(at), reinterpret_cast<float*>(scales),
          reinterpret_cast<std::int32_t*>(offsets), blocks};
}

}  // namespace linnet::kernels
