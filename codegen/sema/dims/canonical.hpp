#pragma once
// One way to write what may be written in many orders.

#include "codegen/ir/types.hpp"

namespace linnet::sema::dims {

/// A total order of expressions by how they are written; names are ignored, numbers count. Both
/// must be `within_limits`.
[[nodiscard]] int compare(const ir::Dim& a, const ir::Dim& b);

/// Sums, products, minima and maxima flat and sorted, the operands of extrema once each: equal
/// for expressions that differ in the order of operands only. For one `within_limits`.
[[nodiscard]] ir::Dim canonical(const ir::Dim& dim);

/// By relation, then by sides.
[[nodiscard]] int compare(const ir::Constraint& a, const ir::Constraint& b);

/// The relation over canonical sides, the same for `A < B` and `B > A`.
[[nodiscard]] ir::Constraint canonical(const ir::Constraint& constraint);

}  // namespace linnet::sema::dims
