#pragma once
// Writes what a program calls: the typed entry, the size of its workspace, and the same entry
// for tensors that are described at run time.

#include "codegen/cpp/function.hpp"

namespace linnet::cpp {

/// For an entry whose body is the function template `names.functions` says. `entry_name` is
/// what the program calls it. Throws Unsupported.
void write_entry(const ProgramIndex& index, const ProgramNames& names, const Surroundings& around,
                 const ir::Function& function, const std::string& entry_name, Text& out);

}  // namespace linnet::cpp
