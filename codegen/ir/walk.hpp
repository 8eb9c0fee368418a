#pragma once
// Visiting every op of a region, nested regions included.

#include "codegen/ir/ir.hpp"

namespace linnet::ir {

/// Calls `visit(op)` for each op, an op before the ops inside it.
template <class Visit>
void walk(const Region& region, const Visit& visit) {
  for (const Op& op : region.ops) {
    visit(op);
    for (const Region& inner : op.regions) walk(inner, visit);
  }
}

template <class Visit>
void walk(Region& region, const Visit& visit) {
  for (Op& op : region.ops) {
    visit(op);
    for (Region& inner : op.regions) walk(inner, visit);
  }
}

/// Calls `visit(region)` for every region of a program that holds ops.
template <class AnyProgram, class Visit>
void for_each_body(AnyProgram& program, const Visit& visit) {
  for (auto& function : program.functions) {
    visit(function.body);
    if (function.grad) visit(*function.grad);
    for (auto& [position, region] : function.defaults) visit(region);
  }
  for (auto& constant : program.constants) visit(constant.body);
}

}  // namespace linnet::ir
