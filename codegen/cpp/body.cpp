#include "codegen/cpp/body.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "codegen/ir/names.hpp"

namespace linnet::cpp {

using ir::OpKind;
using ir::TypeKind;

namespace {

/// Bounds the writer's own recursion, which goes with the nesting of regions.
constexpr int kMaxDepth = 200;

}  // namespace

void collect_leaves(const ProgramIndex& index, const ir::Type& type, const std::string& name,
                    bool as_results, std::vector<Leaf>& out) {
  switch (type->kind) {
    case TypeKind::scalar:
    case TypeKind::tensor:
    case TypeKind::enumeration:
      out.push_back({type, name, false});
      return;
    case TypeKind::optional: {
      const ir::Type& inner = type->elements.at(0);
      if (inner->kind != TypeKind::tensor && inner->kind != TypeKind::scalar &&
          inner->kind != TypeKind::enumeration) {
        throw Unsupported{"an optional tuple or struct across a call"};
      }
      if (!as_results) {
        out.push_back({type, name, false});
        return;
      }
      out.push_back({type, "has_" + name, true});
      out.push_back({inner, name, false});
      return;
    }
    case TypeKind::tuple:
      for (std::size_t i = 0; i < type->elements.size(); ++i) {
        collect_leaves(index, type->elements[i], name + "_" + std::to_string(i), as_results, out);
      }
      return;
    case TypeKind::structure: {
      const std::vector<ir::Type> fields = index.fields(*type);
      const std::vector<std::string> names = index.field_names(*type);
      if (fields.empty() && !names.empty()) return;
      if (fields.empty()) {
        throw Unsupported{"the struct `" + type->name + "`, whose fields the plan does not tell"};
      }
      for (std::size_t i = 0; i < fields.size(); ++i) {
        collect_leaves(index, fields[i], name + "_" + names[i], as_results, out);
      }
      return;
    }
    case TypeKind::unit:
      return;
    default:
      throw Unsupported{"a block as an argument or a result"};
  }
}

BodyWriter::BodyWriter(const ProgramIndex& index, const ProgramNames& names,
                       const Spelling& spelling, const ir::Function& function, Scope& scope)
    : index_(index),
      names_(names),
      spelling_(spelling),
      function_(function),
      scope_(&scope),
      usage_(function) {
  const auto collect = [&](const auto& self, const ir::Region& region) -> void {
    for (const ir::Op& op : region.ops) {
      if (index_.has_effects(op)) effects_.push_back(usage_.position(op));
      for (const ir::Region& inner : op.regions) self(self, inner);
    }
  };
  collect(collect, function.body);
}

void BodyWriter::write(const Signature& signature, int level) {
  text_ = Text(level);
  out_ = &text_;
  signature_ = &signature;
  bind_parameters(signature);
  plan_destinations(function_.body, signature);
  write_ops(function_.body);
  if (const ir::Op* end = terminator(function_.body)) write_return(*end, signature);
  done_ = text_.take();
}

const ir::Op* BodyWriter::terminator(const ir::Region& region) {
  if (region.ops.empty()) return nullptr;
  const OpKind kind = region.ops.back().kind;
  return kind == OpKind::yield || kind == OpKind::return_ ? &region.ops.back() : nullptr;
}

RepPtr BodyWriter::get(int value) const {
  const auto found = values_.find(value);
  if (found == values_.end()) throw Unsupported{"a value that is read before it is defined"};
  return found->second;
}

// --- parameters and results ---------------------------------------------------------------

RepPtr BodyWriter::bind_leaves(const ir::Type& type, const std::vector<Leaf>& leaves,
                               std::size_t& at) {
  switch (type->kind) {
    case TypeKind::scalar:
    case TypeKind::enumeration: {
      RepPtr rep = make_rep(RepKind::scalar, type);
      rep->code = {leaves.at(at++).name};
      return rep;
    }
    case TypeKind::tensor: {
      RepPtr rep = make_rep(RepKind::memory, type);
      rep->name = leaves.at(at++).name;
      return rep;
    }
    case TypeKind::optional: {
      RepPtr rep = make_rep(RepKind::optional, type);
      const std::string& name = leaves.at(at++).name;
      rep->code = {name + ".has_value()"};
      const ir::Type& inner = type->elements.at(0);
      RepPtr inside =
          make_rep(inner->kind == TypeKind::tensor ? RepKind::memory : RepKind::scalar, inner);
      inside->name = "(*" + name + ")";
      inside->code = {"(*" + name + ")"};
      rep->parts = {inside};
      return rep;
    }
    case TypeKind::tuple:
    case TypeKind::structure: {
      RepPtr rep = make_rep(RepKind::tuple, type);
      const std::vector<ir::Type> parts =
          type->kind == TypeKind::tuple ? type->elements : index_.fields(*type);
      for (const ir::Type& part : parts) rep->parts.push_back(bind_leaves(part, leaves, at));
      return rep;
    }
    default:
      return make_rep(RepKind::unit, type);
  }
}

void BodyWriter::bind_parameters(const Signature& signature) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < function_.body.args.size(); ++i) {
    const ir::Value& arg = function_.body.args[i];
    if (arg.type->kind == TypeKind::block) {
      // The block that a method belongs to: members are reached by their bare names.
      set(arg, make_rep(RepKind::block, arg.type));
      continue;
    }
    set(arg, bind_leaves(arg.type, signature.parameters, at));
  }
}

void BodyWriter::plan_destinations(const ir::Region& region, const Signature& signature) {
  // A tensor that is returned once is written straight to the result.
  const ir::Op* end = terminator(region);
  if (end == nullptr || end->kind != OpKind::return_ || end->operands.size() != 1) return;
  const int returned = end->operands[0];
  std::vector<std::pair<int, const Leaf*>> pairs;
  std::size_t at = 0;
  const auto visit = [&](const auto& self, int value, const ir::Type& type) -> void {
    if (type->kind == TypeKind::tensor) {
      pairs.emplace_back(value, &signature.results.at(at++));
      return;
    }
    std::vector<Leaf> leaves;
    collect_leaves(index_, type, "r", true, leaves);
    const ir::Op* definition = usage_.definition(value);
    const bool made = definition != nullptr && (definition->kind == OpKind::tuple_make ||
                                                definition->kind == OpKind::struct_make);
    if (made) {
      const std::vector<ir::Type> parts =
          type->kind == TypeKind::tuple ? type->elements : index_.fields(*type);
      for (std::size_t i = 0; i < parts.size() && i < definition->operands.size(); ++i) {
        self(self, definition->operands[i], parts[i]);
      }
      return;
    }
    at += leaves.size();
  };
  if (function_.results.size() == 1) visit(visit, returned, function_.results[0]);
  std::map<int, int> times;
  for (const auto& [value, leaf] : pairs) ++times[value];
  for (const auto& [value, leaf] : pairs) {
    if (times[value] == 1) destinations_[value] = {leaf->name, -1, ""};
  }
}

void BodyWriter::write_return(const ir::Op& op, const Signature& signature) {
  std::size_t at = 0;
  const auto visit = [&](const auto& self, const RepPtr& rep) -> void {
    switch (rep->type->kind) {
      case TypeKind::tensor: {
        const Leaf& leaf = signature.results.at(at++);
        const Destination to{leaf.name, -1, ""};
        if (rep->kind == RepKind::memory && rep->name == leaf.name) return;
        if (rep->kind == RepKind::memory) {
          copy(rep, to);
        } else {
          fill_from(rep, to);
        }
        return;
      }
      case TypeKind::scalar:
      case TypeKind::enumeration: {
        const Leaf& leaf = signature.results.at(at++);
        const Code code = scalar(rep);
        out().line(signature.returns_scalar ? "return " + code.text + ";"
                                            : leaf.name + " = " + code.text + ";");
        return;
      }
      case TypeKind::optional: {
        const Leaf& presence = signature.results.at(at++);
        out().line(presence.name + " = " + rep->code.text + ";");
        if (rep->parts.empty()) {
          ++at;
          return;
        }
        out().open("if (" + presence.name + ")");
        self(self, rep->parts[0]);
        out().close();
        return;
      }
      case TypeKind::tuple:
      case TypeKind::structure:
        for (const RepPtr& part : rep->parts) self(self, part);
        return;
      default:
        return;
    }
  };
  for (const int value : op.operands) visit(visit, get(value));
}

// --- ops -----------------------------------------------------------------------------------

void BodyWriter::enter_loop() {
  ++clock_;
  loops_.emplace_back();
}

void BodyWriter::leave_loop() {
  ++clock_;
  const Loop loop = std::move(loops_.back());
  loops_.pop_back();
  for (const int slot : loop.slots) touch(slot);
}

void BodyWriter::touch(int slot) {
  if (slot < 0) return;
  Slot& entry = slots_[static_cast<std::size_t>(slot)];
  entry.last = std::max(entry.last, clock_);
  if (entry.depth < loops_.size()) loops_[entry.depth].slots.push_back(slot);
}

void BodyWriter::force_free(const ir::Op& op) {
  for (const int value : Usage::free_values(op)) {
    const auto found = values_.find(value);
    if (found == values_.end()) continue;
    const RepPtr rep = found->second;
    if (rep->guarded) continue;
    const bool loop = is_loop(op.kind);
    if (rep->kind == RepKind::scalar && rep->op != nullptr && (loop || usage_.uses(value) > 1)) {
      force(rep, rep->name);
    } else if (rep->kind == RepKind::lazy && (loop || usage_.uses(value) > 1) &&
               cost(rep) > kCheap) {
      force(rep, rep->name);
    }
  }
}

/// Everything that still waits to read `state`, and will be read after `position`, is computed
/// now, before the state changes. An empty name stands for every state.
void BodyWriter::force_state_readers(const std::string& state, int position) {
  for (auto& [id, rep] : values_) {
    if (rep->states.empty() || usage_.last_use(id) <= position) continue;
    if (!state.empty() && !rep->states.contains(state)) continue;
    if (rep->kind == RepKind::lazy || (rep->kind == RepKind::scalar && rep->op != nullptr)) {
      force(rep, rep->name);
    } else if (rep->kind == RepKind::memory) {
      const Destination to = allocate(rep->type, "old_" + identifier(rep->name));
      copy(rep, to);
      rep = as_memory(rep->type, to);
    }
  }
}

void BodyWriter::write_ops(const ir::Region& region) {
  for (const ir::Op& op : region.ops) {
    if (op.kind == OpKind::yield || op.kind == OpKind::return_) return;
    write_op(op);
  }
}

void BodyWriter::write_op(const ir::Op& op) {
  if (++depth_ > kMaxDepth) throw Unsupported{"regions nested this deeply"};
  ++clock_;
  const auto one = [&]() -> const ir::Value& { return op.results.at(0); };
  switch (op.kind) {
    case OpKind::const_int:
    case OpKind::const_bool:
    case OpKind::const_float:
    case OpKind::const_dim:
    case OpKind::enum_const: {
      RepPtr rep = make_rep(RepKind::scalar, one().type);
      rep->code = literal(op);
      set(one(), rep);
      break;
    }
    case OpKind::tuple_make:
    case OpKind::struct_make: {
      RepPtr rep = make_rep(RepKind::tuple, one().type);
      for (const int operand : op.operands) {
        rep->parts.push_back(get(operand));
        const std::set<std::string>& states = rep->parts.back()->states;
        // Parts outlive their own readers: what waits on state is computed before it is kept.
        if (!states.empty()) force(rep->parts.back(), one().name);
      }
      set(one(), rep);
      break;
    }
    case OpKind::tuple_get:
    case OpKind::struct_get: {
      const RepPtr from = get(op.operands.at(0));
      const auto* position = std::get_if<std::int64_t>(&op.attrs.value);
      if (position == nullptr || *position < 0 ||
          static_cast<std::size_t>(*position) >= from->parts.size()) {
        throw Unsupported{"a tuple position that does not exist"};
      }
      set(one(), from->parts[static_cast<std::size_t>(*position)]);
      break;
    }
    case OpKind::option_some: {
      RepPtr rep = make_rep(RepKind::optional, one().type);
      rep->code = {"true"};
      rep->parts = {get(op.operands.at(0))};
      set(one(), rep);
      break;
    }
    case OpKind::option_none: {
      RepPtr rep = make_rep(RepKind::optional, one().type);
      rep->code = {"false"};
      set(one(), rep);
      break;
    }
    case OpKind::if_:
      write_if(op);
      break;
    case OpKind::option_match:
      write_option_match(op);
      break;
    case OpKind::enum_match:
      write_enum_match(op);
      break;
    case OpKind::static_for:
    case OpKind::static_range:
    case OpKind::for_:
      write_loop(op);
      break;
    case OpKind::while_:
      write_while(op);
      break;
    case OpKind::call:
    case OpKind::semantic_call:
      write_call(op);
      break;
    case OpKind::block_param:
    case OpKind::block_sub:
    case OpKind::array_get:
      block_op(op);
      break;
    case OpKind::state_read:
    case OpKind::state_write:
      write_state(op);
      break;
    case OpKind::kernel_program_id:
    case OpKind::kernel_load:
    case OpKind::kernel_store:
    case OpKind::kernel_atomic_add:
    case OpKind::kernel_atomic_max:
    case OpKind::kernel_atomic_min:
      throw Unsupported{"the tile kernel op `" + std::string(ir::op_name(op.kind)) + "`"};
    default:
      if (op.results.size() != 1) throw Unsupported{std::string(ir::op_name(op.kind))};
      if (one().type->kind == TypeKind::tensor) {
        define_tensor(op, one());
      } else {
        define_scalar(op, one());
      }
  }
  --depth_;
}

}  // namespace linnet::cpp
