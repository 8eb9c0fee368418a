#pragma once
// The weights that a call reads, directly or through the calls in it.

#include <string>
#include <vector>

#include "codegen/ir/lookup.hpp"

namespace linnet::diagram {

struct ParameterUse {
  std::string path;
  ir::Type type;  ///< in the caller's symbols
};

/// `attention` of a block at `layers[*]` is `layers[*].attention`.
[[nodiscard]] std::string member_path(const std::string& block, const std::string& name);
/// `layers[*]`, or `layers[2]` for a constant position.
[[nodiscard]] std::string element_path(const std::string& array, const std::string& position);

/// In the order of their first use. `path` is where the block of a method is, `with` what the
/// call binds.
[[nodiscard]] std::vector<ParameterUse> parameters_of(const ir::Lookup& lookup,
                                                      const ir::Function& callee,
                                                      const std::string& path,
                                                      const ir::Substitution& with);

}  // namespace linnet::diagram
