#pragma once
// Which inputs of an entry are positions, whatever happens inside: they are checked before
// anything is computed or written, so that a refused call leaves the state as it was.

#include <vector>

#include "codegen/cpp/usage.hpp"
#include "codegen/ir/ir.hpp"

namespace linnet::cpp {

/// Every element of parameter `parameter` must lie in `0 .. extent`.
struct PositionUse {
  std::size_t parameter = 0;  ///< position in `function.body.args`
  ir::Dim extent;             ///< in the generics of the function and its block
};

[[nodiscard]] std::vector<PositionUse> find_positions(const ProgramIndex& index,
                                                      const ir::Function& function);

}  // namespace linnet::cpp
