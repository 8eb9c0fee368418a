#pragma once
// Dimensions, shapes and constraints as source text, for messages and for `linnet emit`.

#include <string>
#include <string_view>

#include "codegen/ir/types.hpp"

namespace linnet::sema::dims {

/// Source text with as few parentheses as the grammar allows; `a + (-1) * b` is `a - b`. The size
/// of a pack is `size(*S)`. Expressions beyond the limits of build.hpp end in `...`.
[[nodiscard]] std::string render(const ir::Dim& dim);
/// A dimension, or `*S`.
[[nodiscard]] std::string render(const ir::Unit& unit);
/// `B, *S, H`, without brackets.
[[nodiscard]] std::string render(const ir::ShapeUnits& units);
/// `lhs <= rhs`.
[[nodiscard]] std::string render(const ir::Constraint& constraint);
[[nodiscard]] std::string_view render(ir::Relation relation);

}  // namespace linnet::sema::dims
