#include "codegen/cpp/usage.hpp"

#include <algorithm>
#include <cstddef>

#include "codegen/ir/build.hpp"

namespace linnet::cpp {

using ir::OpKind;

bool is_loop(OpKind kind) {
  switch (kind) {
    case OpKind::comprehension:
    case OpKind::reduce:
    case OpKind::static_for:
    case OpKind::static_range:
    case OpKind::for_:
    case OpKind::while_:
      return true;
    default:
      return false;
  }
}

bool is_elementwise(OpKind kind) {
  switch (kind) {
    case OpKind::add:
    case OpKind::sub:
    case OpKind::mul:
    case OpKind::div:
    case OpKind::rem:
    case OpKind::min:
    case OpKind::max:
    case OpKind::bitand_:
    case OpKind::bitor_:
    case OpKind::bitxor:
    case OpKind::shl:
    case OpKind::shr:
    case OpKind::and_:
    case OpKind::or_:
    case OpKind::not_:
    case OpKind::neg:
    case OpKind::exp:
    case OpKind::log:
    case OpKind::sqrt:
    case OpKind::rsqrt:
    case OpKind::sin:
    case OpKind::cos:
    case OpKind::tanh:
    case OpKind::abs:
    case OpKind::compare:
    case OpKind::cast:
    case OpKind::select:
      return true;
    default:
      return false;
  }
}

bool contains(const ir::Region& region, OpKind kind) {
  return std::any_of(region.ops.begin(), region.ops.end(), [&](const ir::Op& op) {
    return op.kind == kind ||
           std::any_of(op.regions.begin(), op.regions.end(),
                       [&](const ir::Region& inner) { return contains(inner, kind); });
  });
}

namespace {

/// Every read of `value` in the region is an element access at exactly `indices`.
bool only_reads_at(const ir::Region& region, int value, const std::vector<int>& indices) {
  for (const ir::Op& op : region.ops) {
    const auto reads = std::count(op.operands.begin(), op.operands.end(), value);
    if (reads > 0) {
      const bool own = op.kind == OpKind::tensor_element && reads == 1 &&
                       op.operands.size() == indices.size() + 1 && op.operands[0] == value &&
                       std::equal(indices.begin(), indices.end(), op.operands.begin() + 1);
      if (!own) return false;
    }
    for (const ir::Region& inner : op.regions) {
      if (!only_reads_at(inner, value, indices)) return false;
    }
  }
  return true;
}

bool touches(const ir::Region& region, int value) {
  return std::any_of(region.ops.begin(), region.ops.end(), [&](const ir::Op& op) {
    return std::find(op.operands.begin(), op.operands.end(), value) != op.operands.end() ||
           std::any_of(op.regions.begin(), op.regions.end(),
                       [&](const ir::Region& inner) { return touches(inner, value); });
  });
}

}  // namespace

bool reads_only_own_element(const ir::Op& comprehension, int value) {
  std::vector<int> indices;
  for (const ir::Value& arg : comprehension.regions[0].args) indices.push_back(arg.id);
  return only_reads_at(comprehension.regions[0], value, indices);
}

ProgramIndex::ProgramIndex(const ir::Program& program) : program_(program) {
  for (const ir::Function& function : program.functions) {
    functions_.emplace(function.name, &function);
  }
  for (const auto& [name, block] : program.blocks) blocks_.emplace(name, &block);
}

const ir::Function* ProgramIndex::function(std::string_view name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : found->second;
}

const ir::Block* ProgramIndex::block(std::string_view name) const {
  const auto found = blocks_.find(name);
  return found == blocks_.end() ? nullptr : found->second;
}

std::vector<ir::Type> ProgramIndex::fields(const ir::TypeNode& type) const {
  std::vector<ir::Type> result;
  for (const ir::Structure& each : program_.structures) {
    if (each.name != type.name || each.module != type.module) continue;
    const ir::Substitution map = ir::bind(each.generics, type.args);
    for (const auto& [name, field] : each.fields) result.push_back(ir::substitute(field, map));
    break;
  }
  return result;
}

std::vector<std::string> ProgramIndex::field_names(const ir::TypeNode& type) const {
  std::vector<std::string> result;
  for (const ir::Structure& each : program_.structures) {
    if (each.name != type.name || each.module != type.module) continue;
    for (const auto& [name, field] : each.fields) result.push_back(name);
    break;
  }
  return result;
}

bool ProgramIndex::has_effects(const ir::Op& op) const {
  switch (op.kind) {
    case OpKind::state_read:
    case OpKind::state_write:
    case OpKind::kernel_store:
    case OpKind::kernel_atomic_add:
    case OpKind::kernel_atomic_max:
    case OpKind::kernel_atomic_min:
      return true;
    case OpKind::call:
    case OpKind::semantic_call: {
      const ir::Function* callee = function(op.attrs.callee);
      return callee == nullptr || !callee->states.empty();
    }
    default:
      break;
  }
  return std::any_of(op.regions.begin(), op.regions.end(), [&](const ir::Region& region) {
    return std::any_of(region.ops.begin(), region.ops.end(),
                       [&](const ir::Op& inner) { return has_effects(inner); });
  });
}

bool ProgramIndex::writes_in_place(const ir::Function& function, std::size_t position) const {
  if (position >= function.body.args.size() || function.results.size() != 1) return false;
  const std::vector<ir::Op>& ops = function.body.ops;
  if (ops.empty() || ops.back().kind != OpKind::return_ || ops.back().operands.size() != 1) {
    return false;
  }
  const int parameter = function.body.args[position].id;
  const int result = ops.back().operands[0];
  for (const ir::Op& op : ops) {
    const bool defines = op.results.size() == 1 && op.results[0].id == result;
    if (defines) {
      if (op.kind != OpKind::comprehension) return false;
      if (!ir::equal(op.results[0].type, function.body.args[position].type)) return false;
      if (!reads_only_own_element(op, parameter)) return false;
    } else if (std::find(op.operands.begin(), op.operands.end(), parameter) != op.operands.end()) {
      return false;
    } else if (std::any_of(op.regions.begin(), op.regions.end(),
                           [&](const ir::Region& region) { return touches(region, parameter); })) {
      return false;
    }
  }
  return true;
}

Usage::Usage(const ir::Function& function) : Usage(function.body) {}

Usage::Usage(const ir::Region& region) {
  walk(region, next_loop_++);
  find_guarded();
}

void Usage::walk(const ir::Region& region, int loop) {
  for (const ir::Value& arg : region.args) facts_[arg.id].loop = loop;
  for (const ir::Op& op : region.ops) {
    const int position = static_cast<int>(positions_.size());
    positions_[&op] = position;
    for (const int operand : op.operands) {
      Facts& facts = facts_[operand];
      ++facts.uses;
      facts.last = position;
      facts.users.push_back(&op);
      if (facts.loop != loop) facts.repeated = true;
    }
    if (op.kind == OpKind::and_ || op.kind == OpKind::or_) conditionals_.push_back(&op);
    for (const ir::Value& result : op.results) {
      facts_[result.id].loop = loop;
      facts_[result.id].definition = &op;
    }
    for (const ir::Region& inner : op.regions) {
      walk(inner, is_loop(op.kind) ? next_loop_++ : loop);
    }
    // What a loop reads from outside is read again until the loop ends.
    if (is_loop(op.kind)) {
      const int end = static_cast<int>(positions_.size()) - 1;
      for (const int value : free_values(op)) {
        facts_[value].last = std::max(facts_[value].last, end);
      }
    }
  }
}

bool Usage::only_guarded_users(int value) const {
  const auto found = facts_.find(value);
  if (found == facts_.end() || found->second.users.empty()) return false;
  return std::all_of(
      found->second.users.begin(), found->second.users.end(), [&](const ir::Op* user) {
        const bool conditional = user->kind == OpKind::and_ || user->kind == OpKind::or_;
        if (conditional && user->operands.size() == 2) {
          if (user->operands[0] != value) return true;
        }
        return user->results.size() == 1 && guarded_.contains(user->results[0].id);
      });
}

void Usage::find_guarded() {
  std::vector<int> pending;
  for (const ir::Op* op : conditionals_) {
    if (op->operands.size() == 2) pending.push_back(op->operands[1]);
  }
  while (!pending.empty()) {
    const int value = pending.back();
    pending.pop_back();
    const auto found = facts_.find(value);
    if (found == facts_.end() || found->second.repeated || guarded_.contains(value)) continue;
    const ir::Op* definition = found->second.definition;
    if (definition == nullptr || definition->results.size() != 1) continue;
    if (definition->results[0].type->kind != ir::TypeKind::scalar) continue;
    const bool plain = definition->regions.empty() || definition->kind == OpKind::reduce ||
                       definition->kind == OpKind::if_;
    if (!plain || !only_guarded_users(value)) continue;
    guarded_.insert(value);
    // An operand that was met before all of its users were is met again here.
    pending.insert(pending.end(), definition->operands.begin(), definition->operands.end());
  }
}

int Usage::uses(int value) const {
  const auto found = facts_.find(value);
  return found == facts_.end() ? 0 : found->second.uses;
}

bool Usage::repeated(int value) const {
  const auto found = facts_.find(value);
  return found != facts_.end() && found->second.repeated;
}

int Usage::last_use(int value) const {
  const auto found = facts_.find(value);
  return found == facts_.end() ? -1 : found->second.last;
}

int Usage::position(const ir::Op& op) const {
  const auto found = positions_.find(&op);
  return found == positions_.end() ? 0 : found->second;
}

const ir::Op* Usage::definition(int value) const {
  const auto found = facts_.find(value);
  return found == facts_.end() ? nullptr : found->second.definition;
}

const ir::Op* Usage::last_user(int value) const {
  const auto found = facts_.find(value);
  return found == facts_.end()
             ? nullptr
             : (found->second.users.empty() ? nullptr : found->second.users.back());
}

namespace {

void collect_free(const ir::Region& region, std::set<int>& defined, std::vector<int>& found,
                  std::set<int>& seen) {
  for (const ir::Value& arg : region.args) defined.insert(arg.id);
  for (const ir::Op& op : region.ops) {
    for (const int operand : op.operands) {
      if (!defined.contains(operand) && seen.insert(operand).second) found.push_back(operand);
    }
    for (const ir::Region& inner : op.regions) collect_free(inner, defined, found, seen);
    for (const ir::Value& result : op.results) defined.insert(result.id);
  }
}

}  // namespace

std::vector<int> Usage::free_values(const ir::Op& op) {
  std::set<int> defined;
  std::set<int> seen;
  std::vector<int> found;
  for (const ir::Region& region : op.regions) collect_free(region, defined, found, seen);
  return found;
}

}  // namespace linnet::cpp
