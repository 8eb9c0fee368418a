#pragma once
// The numerics policy of generated code (language.md section 12).

#include <cstdint>

namespace linnet {

enum class Numerics : std::uint8_t {
  exact,       ///< every op runs as its Linnet body says
  equivalent,  ///< kernels that agree up to rounding, with the stated accumulation dtypes
  fast,        ///< kernels may also accumulate in their own way and reorder
};

}  // namespace linnet
