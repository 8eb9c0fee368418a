#pragma once
// One numbering for programs that differ only in theirs.

#include "codegen/ir/ir.hpp"

namespace linnet::ir {

/// Numbers values in order of definition and generics in order of declaration, so that two
/// programs that are equal up to numbering become equal.
void renumber(Program& program);

}  // namespace linnet::ir
