#pragma once
// The declared type of a struct's field, told from its types in the struct's instances. Private
// to codegen/plan.

#include <optional>
#include <vector>

#include "codegen/ir/ir.hpp"

namespace linnet::plan::detail {

/// The type of a field where the struct has these arguments.
struct FieldUse {
  std::vector<ir::GenericArgument> arguments;
  ir::Type type;
};

/// One type over the struct's generics, and no others, that gives the type of every use. There is
/// at least one use, and all have one argument of the right kind for each generic.
[[nodiscard]] std::optional<ir::Type> find_field_type(const std::vector<ir::Generic>& generics,
                                                      const std::vector<FieldUse>& uses);

}  // namespace linnet::plan::detail
