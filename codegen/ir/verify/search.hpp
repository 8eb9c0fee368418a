#pragma once
// Finding assignments of numbers to symbols and packs that satisfy constraints.

#include <vector>

#include "codegen/ir/ir.hpp"
#include "codegen/ir/verify/effort.hpp"

namespace linnet::ir::detail {

/// A few assignments to all dims and packs among `generics` under which every constraint holds;
/// fewer or none where they are hard to find. The same ones for the same question.
[[nodiscard]] std::vector<sema::dims::Bindings> find_witnesses(
    const std::vector<const Generic*>& generics, const std::vector<Constraint>& constraints,
    Effort& effort);

}  // namespace linnet::ir::detail
