#pragma once
// Writes a block as a class template: constraints, members, their accessors, methods.

#include "codegen/cpp/function.hpp"

namespace linnet::cpp {

/// A method that could not be generated, and what stood in the way.
struct Refusal {
  std::string function;
  std::string reason;
};

/// Writes the class; methods that cannot be generated are left out and told.
void write_block(const ProgramIndex& index, const ProgramNames& names, const Scope& module_scope,
                 const std::string& key, const ir::Block& block, Text& out,
                 std::vector<Refusal>& refused);

}  // namespace linnet::cpp
