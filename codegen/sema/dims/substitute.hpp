#pragma once
// Replacing a callee's symbols, packs and dtype variables by the caller's expressions.

#include "codegen/ir/ir.hpp"
#include "codegen/ir/types.hpp"

namespace linnet::sema::dims {

/// Everything that the substitution does not mention stays as it is. All replacements happen at
/// once: what comes in is not substituted again.
[[nodiscard]] ir::Dim substitute(const ir::Dim& dim, const ir::Substitution& with);
/// A pack becomes the units that it is bound to.
[[nodiscard]] ir::ShapeUnits substitute(const ir::ShapeUnits& units, const ir::Substitution& with);
[[nodiscard]] ir::Dtype substitute(const ir::Dtype& dtype, const ir::Substitution& with);
[[nodiscard]] ir::Type substitute(const ir::Type& type, const ir::Substitution& with);
[[nodiscard]] ir::GenericArgument substitute(const ir::GenericArgument& argument,
                                             const ir::Substitution& with);
[[nodiscard]] ir::Constraint substitute(const ir::Constraint& constraint,
                                        const ir::Substitution& with);

}  // namespace linnet::sema::dims
