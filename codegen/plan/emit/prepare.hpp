#pragma once
// What a plan lacks before it can be written as source: declarations that it does not carry,
// names that the language accepts. Private to codegen/plan/emit.

#include <map>
#include <vector>

#include "codegen/ir/ir.hpp"
#include "codegen/ir/verify.hpp"

namespace linnet::plan::detail {

/// Declares the structs and enums that the program uses and the plan, written by another
/// compiler, does not declare: an enum has the variants that are matched or made, a struct the
/// fields that are made or read, with types that give those of every use. What cannot be told
/// so is a problem.
void declare_missing(ir::Program& program, std::vector<ir::Problem>& problems);

/// Renames what has the name of a keyword or of the prelude, and generics and parameters that
/// would hide what their function uses. Numbers the program anew, so that every use of a
/// generic has the name of its declaration.
void make_names_legal(ir::Program& program);

/// The types of all values of a program.
[[nodiscard]] std::map<int, ir::Type> value_types(const ir::Program& program);

/// Calls `visit` for a type and every type inside it.
template <class Visit>
void each_type(const ir::Type& type, const Visit& visit) {
  visit(type);
  for (const ir::Type& element : type->elements) each_type(element, visit);
}

}  // namespace linnet::plan::detail
