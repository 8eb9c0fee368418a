#include "codegen/ir/effects.hpp"

#include <algorithm>
#include <utility>
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
  // What a function does by itself spreads to those that call it.
  std::unordered_map<std::string, std::vector<std::string>> callers;
  std::vector<std::pair<std::string, Effect>> found;
  for (const Function& function : program.functions) functions_[function.name] = Effect::none;
  for (const Function& function : program.functions) {
    walk(function.body, note_indices);
    const Effect own = of(function.body);
    if (own != Effect::none) found.emplace_back(function.name, own);
    walk(function.body, [&](const Op& op) {
      if (is_call(op)) callers[op.attrs.callee].push_back(function.name);
    });
  }
  std::unordered_map<std::string, Effect> effects = functions_;
  while (!found.empty()) {
    const auto [name, effect] = found.back();
    found.pop_back();
    Effect& known = effects[name];
    if (effect <= known) continue;
    known = effect;
    for (const std::string& caller : callers[name]) found.emplace_back(caller, effect);
  }
  functions_ = std::move(effects);
}

Effect Effects::of(const Op& op) const {
  switch (op.kind) {
    case OpKind::state_read:
    case OpKind::state_write:
    case OpKind::while_:
    case OpKind::kernel_load:
    case OpKind::kernel_store:
    case OpKind::kernel_atomic_add:
    case OpKind::kernel_atomic_max:
    case OpKind::kernel_atomic_min:
      return Effect::state;
    case OpKind::call:
    case OpKind::semantic_call: {
      const auto found = functions_.find(op.attrs.callee);
      return found == functions_.end() ? Effect::state : found->second;
    }
    case OpKind::div:
    case OpKind::rem:
      return op.results.empty() || may_be_integer(op.results[0].type) ? Effect::failure
                                                                      : Effect::none;
    case OpKind::slice:
      return op.operands.size() > 1 ? Effect::failure : Effect::none;
    case OpKind::tensor_element:
      for (std::size_t i = 1; i < op.operands.size(); ++i) {
        if (!indices_.contains(op.operands[i])) return Effect::failure;
      }
      return Effect::none;
    default:
      break;
  }
  Effect strongest = Effect::none;
  for (const Region& region : op.regions) strongest = std::max(strongest, of(region));
  return strongest;
}

Effect Effects::of(const Region& region) const {
  Effect strongest = Effect::none;
  for (const Op& op : region.ops) strongest = std::max(strongest, of(op));
  return strongest;
}

}  // namespace linnet::ir
