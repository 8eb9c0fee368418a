#pragma once
// The entry that a command line means.

#include <string>
#include <string_view>

#include "codegen/ir/ir.hpp"

namespace linnet::diagram {

struct FoundEntry {
  const ir::Function* entry = nullptr;
  std::string error;  ///< when there is none, or more than one
};

/// By name (`forward`), name in its block (`Model.forward`) or full name
/// (`llama::Model.forward`).
[[nodiscard]] FoundEntry find_entry(const ir::Program& program, std::string_view name);

}  // namespace linnet::diagram
