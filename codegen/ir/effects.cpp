#include "codegen/ir/effects.hpp"

#include <vector>

#include "codegen/ir/walk.hpp"

namespace linnet::ir {
namespace {

bool may_be_integer(const Type& type) {
  if (type->kind != TypeKind::scalar && type->kind != TypeKind::tensor) return false;
  return type->dtype.is_variable ||
         (type->dtype.scalar >= Scalar::i8 && type->dtype.scalar <= Scalar::u64);
}

bool is_call(const Op& op) {
  return op.kind == OpKind::call || op.kind == OpKind::semantic_call;
}

}  // namespace

Effects::Effects(const Program& program) {
  const auto note_indices = [this](const Op& op) {
    if (op.kind != OpKind::comprehension && op.kind != OpKind::reduce) return;
    for (const Value& index : op.regions[0].args) add_index(index.id);
  };
  // A function has effects by itself, or calls one that has: spread from callee to callers.
  std::unordered_map<std::string, std::vector<std::string>> callers;
  std::vector<std::string> found;
  for (const Function& function : program.functions) {
    functions_.insert(function.name);
    walk(function.body, note_indices);
    if (region_has_effects(function.body, false)) found.push_back(function.name);
    walk(function.body, [&](const Op& op) {
      if (is_call(op)) callers[op.attrs.callee].push_back(function.name);
    });
  }
  while (!found.empty()) {
    const std::string name = found.back();
    found.pop_back();
    if (!effectful_.insert(name).second) continue;
    for (const std::string& caller : callers[name]) found.push_back(caller);
  }
}

bool Effects::has_effects(const Op& op) const {
  return op_has_effects(op, true);
}

bool Effects::has_effects(const Region& region) const {
  return region_has_effects(region, true);
}

bool Effects::op_has_effects(const Op& op, bool calls_count) const {
  switch (op.kind) {
    case OpKind::state_read:
    case OpKind::state_write:
    case OpKind::while_:
    case OpKind::kernel_load:
    case OpKind::kernel_store:
    case OpKind::kernel_atomic_add:
    case OpKind::kernel_atomic_max:
    case OpKind::kernel_atomic_min:
      return true;
    case OpKind::call:
    case OpKind::semantic_call:
      return calls_count &&
             (!functions_.contains(op.attrs.callee) || effectful_.contains(op.attrs.callee));
    case OpKind::div:
    case OpKind::rem:
      return op.results.empty() || may_be_integer(op.results[0].type);
    case OpKind::slice:
      return op.operands.size() > 1;
    case OpKind::tensor_element:
      for (std::size_t i = 1; i < op.operands.size(); ++i) {
        if (!indices_.contains(op.operands[i])) return true;
      }
      return false;
    default:
      break;
  }
  for (const Region& region : op.regions) {
    if (region_has_effects(region, calls_count)) return true;
  }
  return false;
}

bool Effects::region_has_effects(const Region& region, bool calls_count) const {
  for (const Op& op : region.ops) {
    if (op_has_effects(op, calls_count)) return true;
  }
  return false;
}

}  // namespace linnet::ir
