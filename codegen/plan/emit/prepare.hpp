#pragma once
// What a plan lacks before it can be written as source: names that the language accepts, and
// declarations that it does not carry (complete.hpp). Private to codegen/plan/emit.

#include "codegen/ir/ir.hpp"
#include "codegen/plan/complete.hpp"

namespace linnet::plan::detail {

/// Renames what has the name of a keyword or of the prelude, and generics and parameters that
/// would hide what their function uses. Numbers the program anew, so that every use of a
/// generic has the name of its declaration.
void make_names_legal(ir::Program& program);

}  // namespace linnet::plan::detail
