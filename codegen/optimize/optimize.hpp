#pragma once
// The optimiser: passes over Core IR that keep what a program computes, bit for bit under
// `exact` numerics, and the order of its effects on state.

#include <initializer_list>
#include <string_view>

#include "codegen/ir/ir.hpp"

namespace linnet::optimize {

/// Runs every pass. In debug builds the verifier runs after each, and a pass that breaks the
/// program stops with its name and the first problem.
void run(ir::Program& program);

// The passes, each in the file of its name. All give valid programs from valid programs.

/// Drops what does nothing (`x * 1`, a cast to the own dtype, a reshape to the own shape),
/// composes views of views, and takes the known arm of branches.
/// Returns whether anything changed.
bool simplify(ir::Program& program);
/// Evaluates ops on constants of a known dtype. Returns whether anything changed.
bool fold_constants(ir::Program& program);
/// Uses the first of equal values wherever it is in scope.
void merge_common(ir::Program& program);
/// Moves what does not depend on an index out of comprehensions and reductions.
void hoist_invariants(ir::Program& program);
/// Puts a constant of its own right in front of each op that uses one, wherever it was made.
void place_constants(ir::Program& program);
/// Drops values that nothing uses and that can neither fail nor touch state.
void drop_dead(ir::Program& program);

}  // namespace linnet::optimize
