#pragma once
// What the plan of another compiler may leave off, told from the rest of it. Private to
// codegen/plan.

#include <map>
#include <vector>

#include "codegen/ir/ir.hpp"
#include "codegen/ir/verify.hpp"

namespace linnet::plan::detail {

/// Gives every call the list of its callee's own generics, and a call of a method the bindings of
/// its block's. Changes no binding that is there, and needs no valid program.
void complete_calls(ir::Program& program);

/// Declares the structs and enums that a valid program uses and does not declare: an enum has the
/// variants that are matched or made, a struct the fields that are made or read, with types that
/// give those of every use. What cannot be told so is a problem and stays undeclared. Returns
/// whether it declared anything.
bool declare_missing(ir::Program& program, std::vector<ir::Problem>& problems);

/// The types of all values of a program.
[[nodiscard]] std::map<int, ir::Type> value_types(const ir::Program& program);

/// Calls `visit` for a type and every type inside it.
template <class Visit>
void each_type(const ir::Type& type, const Visit& visit) {
  visit(type);
  for (const ir::Type& element : type->elements) each_type(element, visit);
}

}  // namespace linnet::plan::detail
