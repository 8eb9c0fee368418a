#pragma once
// A callee's ops in the caller's symbols, for a call that is drawn open.

#include "codegen/ir/ir.hpp"

namespace linnet::diagram {

/// What `inner` binds, said in the symbols that `outer` binds. Dimensions that grow beyond
/// reading become `…`, so that calls within calls stay small.
[[nodiscard]] ir::Substitution compose(const ir::Substitution& inner,
                                       const ir::Substitution& outer);

/// A copy with every type, dimension and generic argument substituted.
[[nodiscard]] ir::Region instantiate(const ir::Region& region, const ir::Substitution& with);

}  // namespace linnet::diagram
