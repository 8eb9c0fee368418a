// Conditionals, matches and loops, and where they leave their values.
#include <cstddef>
#include <string>

#include "codegen/cpp/body.hpp"
#include "codegen/ir/names.hpp"

namespace linnet::cpp {

using ir::OpKind;
using ir::TypeKind;

namespace {}  // namespace

bool BodyWriter::defines(const ir::Region& region, int value) {
  for (const ir::Op& op : region.ops) {
    for (const ir::Value& result : op.results) {
      if (result.id == value) return true;
    }
  }
  return false;
}

// --- targets ---------------------------------------------------------------------------------

BodyWriter::Target BodyWriter::make_target(const ir::Type& type, std::string_view name,
                                           const ir::Value* value) {
  Target target;
  switch (type->kind) {
    case TypeKind::scalar:
    case TypeKind::enumeration:
      target.name = fresh(name.empty() ? "t" : name);
      out().line(scalar_cpp_type(type) + " " + target.name + "{};");
      break;
    case TypeKind::tensor:
      target.tensor = value != nullptr ? destination(*value) : allocate(type, name);
      break;
    case TypeKind::optional:
      target.name = fresh("has_" + std::string(name.empty() ? "value" : name));
      out().line("bool " + target.name + " = false;");
      target.parts.push_back(make_target(type->elements.at(0), name, nullptr));
      break;
    case TypeKind::tuple:
    case TypeKind::structure: {
      const std::vector<ir::Type> parts =
          type->kind == TypeKind::tuple ? type->elements : index_.fields(*type);
      if (type->kind == TypeKind::structure && parts.empty()) {
        throw Unsupported{"the struct `" + type->name + "`, whose fields the plan does not tell"};
      }
      for (std::size_t i = 0; i < parts.size(); ++i) {
        target.parts.push_back(
            make_target(parts[i], std::string(name) + "_" + std::to_string(i), nullptr));
      }
      break;
    }
    case TypeKind::unit:
      break;
    default:
      throw Unsupported{"a block as the value of a branch"};
  }
  return target;
}

/// Lets the branch write a value that it defines straight to the target.
void BodyWriter::aim(const Target& target, const ir::Type& type, int value,
                     const ir::Region& region) {
  if (!defines(region, value) || usage_.uses(value) != 1) return;
  if (type->kind == TypeKind::tensor) {
    destinations_[value] = target.tensor;
    return;
  }
  const ir::Op* made = usage_.definition(value);
  if (made == nullptr) return;
  const bool is_tuple = made->kind == OpKind::tuple_make || made->kind == OpKind::struct_make ||
                        made->kind == OpKind::option_some;
  if (!is_tuple) return;
  std::vector<ir::Type> parts = type->elements;
  if (type->kind == TypeKind::structure) parts = index_.fields(*type);
  for (std::size_t i = 0; i < parts.size() && i < made->operands.size(); ++i) {
    if (i < target.parts.size()) aim(target.parts[i], parts[i], made->operands[i], region);
  }
}

void BodyWriter::assign(const Target& target, const RepPtr& rep) {
  switch (rep->type->kind) {
    case TypeKind::tensor:
      if (rep->kind == RepKind::memory && rep->name == target.tensor.name) return;
      fill_from(rep, target.tensor);
      return;
    case TypeKind::optional:
      out().line(target.name + " = " + rep->code.text + ";");
      if (rep->parts.empty()) return;
      if (rep->code.text == "true") return assign(target.parts.at(0), rep->parts[0]);
      out().open("if (" + target.name + ")");
      assign(target.parts.at(0), rep->parts[0]);
      out().close();
      return;
    case TypeKind::tuple:
    case TypeKind::structure:
      for (std::size_t i = 0; i < rep->parts.size(); ++i) {
        assign(target.parts.at(i), rep->parts[i]);
      }
      return;
    case TypeKind::unit:
      return;
    default:
      out().line(target.name + " = " + scalar(rep).text + ";");
  }
}

RepPtr BodyWriter::target_rep(const Target& target, const ir::Type& type) {
  switch (type->kind) {
    case TypeKind::tensor:
      return as_memory(type, target.tensor);
    case TypeKind::optional: {
      RepPtr rep = make_rep(RepKind::optional, type);
      rep->code = {target.name};
      rep->parts = {target_rep(target.parts.at(0), type->elements.at(0))};
      return rep;
    }
    case TypeKind::tuple:
    case TypeKind::structure: {
      RepPtr rep = make_rep(RepKind::tuple, type);
      const std::vector<ir::Type> parts =
          type->kind == TypeKind::tuple ? type->elements : index_.fields(*type);
      for (std::size_t i = 0; i < target.parts.size() && i < parts.size(); ++i) {
        rep->parts.push_back(target_rep(target.parts[i], parts[i]));
      }
      return rep;
    }
    case TypeKind::unit:
      return make_rep(RepKind::unit, type);
    default: {
      RepPtr rep = make_rep(RepKind::scalar, type);
      rep->code = {target.name};
      return rep;
    }
  }
}

std::vector<BodyWriter::Target> BodyWriter::make_targets(const ir::Op& op) {
  std::vector<Target> targets;
  for (const ir::Value& result : op.results) {
    targets.push_back(make_target(result.type, result.name, &result));
  }
  return targets;
}

void BodyWriter::bind_targets(const ir::Op& op, const std::vector<Target>& targets) {
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    set(op.results[i], target_rep(targets[i], op.results[i].type));
  }
}

// --- branches --------------------------------------------------------------------------------

/// A branch inside braces that are open already.
void BodyWriter::write_branch(const ir::Region& region, const std::vector<Target>& targets,
                              const std::vector<ir::Value>& results) {
  const ir::Op* end = terminator(region);
  if (end == nullptr || end->operands.size() < targets.size()) {
    throw Unsupported{"a branch without its values"};
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    aim(targets[i], results[i].type, end->operands[i], region);
  }
  write_ops(region);
  for (std::size_t i = 0; i < targets.size(); ++i) assign(targets[i], get(end->operands[i]));
}

/// A branch that is known to be the one: its values are the op's.
void BodyWriter::inline_branch(const ir::Region& region, const ir::Op& op) {
  const ir::Op* end = terminator(region);
  if (end == nullptr || end->operands.size() < op.results.size()) {
    throw Unsupported{"a branch without its values"};
  }
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    const auto wanted = destinations_.find(op.results[i].id);
    if (wanted != destinations_.end() && defines(region, end->operands[i]) &&
        usage_.uses(end->operands[i]) == 1) {
      destinations_[end->operands[i]] = wanted->second;
    }
  }
  write_ops(region);
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    RepPtr rep = get(end->operands[i]);
    // What waits has one reader in mind; the op's value may have more.
    const bool again = usage_.uses(op.results[i].id) > 1 || usage_.repeated(op.results[i].id);
    if (again && (rep->kind == RepKind::scalar || rep->kind == RepKind::lazy)) {
      force(rep, op.results[i].name);
    }
    set(op.results[i], rep);
  }
}

/// The value of a branch as an expression, with the statements that it needs before it.
Code BodyWriter::branch_code(const ir::Region& region, std::string& statements, int level) {
  Text* const before = out_;
  Text body(level);
  out_ = &body;
  write_ops(region);
  const ir::Op* end = terminator(region);
  if (end == nullptr || end->operands.size() != 1) throw Unsupported{"a branch without its value"};
  const Code code = scalar(end->operands[0]);
  out_ = before;
  statements = body.take();
  return code;
}

/// An `if` with one scalar value: `c ? a : b`, or statements around a variable.
Code BodyWriter::conditional(const ir::Op& op) {
  const Code condition = scalar(op.operands.at(0));
  force_free(op);
  std::string then_text;
  std::string else_text;
  const Code then_code = branch_code(op.regions.at(0), then_text, out().level() + 1);
  const Code else_code = branch_code(op.regions.at(1), else_text, out().level() + 1);
  if (then_text.empty() && else_text.empty()) {
    return {condition.operand() + " ? " + then_code.operand() + " : " + else_code.operand(), false};
  }
  const ir::Value& result = op.results.at(0);
  const std::string name = fresh(result.name.empty() ? "picked" : result.name);
  out().line(scalar_cpp_type(result.type) + " " + name + "{};");
  out().open("if (" + condition.text + ")");
  out().raw(then_text);
  out().line(name + " = " + then_code.text + ";");
  out().reopen("else");
  out().raw(else_text);
  out().line(name + " = " + else_code.text + ";");
  out().close();
  return {name};
}

void BodyWriter::write_if(const ir::Op& op) {
  const bool one_scalar =
      op.results.size() == 1 && (op.results[0].type->kind == TypeKind::scalar ||
                                 op.results[0].type->kind == TypeKind::enumeration);
  if (one_scalar && !index_.has_effects(op)) {
    define_scalar(op, op.results[0]);
    return;
  }
  const Code condition = scalar(op.operands.at(0));
  force_free(op);
  if (index_.has_effects(op)) force_state_readers("", usage_.position(op));
  const std::vector<Target> targets = make_targets(op);
  out().open("if (" + condition.text + ")");
  write_branch(op.regions.at(0), targets, op.results);
  Text* const before = out_;
  Text other(out().level());
  out_ = &other;
  write_branch(op.regions.at(1), targets, op.results);
  out_ = before;
  if (!other.empty()) {
    out().reopen("else");
    out().raw(other.take());
  }
  out().close();
  bind_targets(op, targets);
}

void BodyWriter::write_option_match(const ir::Op& op) {
  const RepPtr scrutinee = get(op.operands.at(0));
  const ir::Region& some = op.regions.at(0);
  const ir::Region& none = op.regions.at(1);
  if (!scrutinee->parts.empty() && !some.args.empty()) set(some.args[0], scrutinee->parts[0]);
  if (scrutinee->code.text == "true") return inline_branch(some, op);
  if (scrutinee->code.text == "false") return inline_branch(none, op);
  force_free(op);
  if (index_.has_effects(op)) force_state_readers("", usage_.position(op));
  const std::vector<Target> targets = make_targets(op);
  out().open("if (" + scrutinee->code.text + ")");
  write_branch(some, targets, op.results);
  out().reopen("else");
  write_branch(none, targets, op.results);
  out().close();
  bind_targets(op, targets);
}

void BodyWriter::write_enum_match(const ir::Op& op) {
  const int value = op.operands.at(0);
  const ir::Op* definition = usage_.definition(value);
  if (op.regions.empty() || op.regions.size() != op.attrs.variants.size()) {
    throw Unsupported{"a match without an arm for each variant"};
  }
  if (definition != nullptr && definition->kind == OpKind::enum_const) {
    for (std::size_t i = 0; i < op.regions.size(); ++i) {
      if (op.attrs.variants[i] == definition->attrs.name) return inline_branch(op.regions[i], op);
    }
  }
  const RepPtr scrutinee = get(value);
  if (scrutinee->op != nullptr) force(scrutinee, scrutinee->name);
  const std::string subject = scalar(scrutinee).operand();
  const std::string type = scalar_cpp_type(scrutinee->type);
  force_free(op);
  if (index_.has_effects(op)) force_state_readers("", usage_.position(op));
  const std::vector<Target> targets = make_targets(op);
  for (std::size_t i = 0; i < op.regions.size(); ++i) {
    const std::string condition =
        "if (" + subject + " == " + type + "::" + identifier(op.attrs.variants[i]) + ")";
    if (op.regions.size() == 1) {
      out().open("");
    } else if (i == 0) {
      out().open(condition);
    } else {
      out().reopen(i + 1 == op.regions.size() ? "else" : "else " + condition);
    }
    write_branch(op.regions[i], targets, op.results);
  }
  out().close();
  bind_targets(op, targets);
}

// --- loops -----------------------------------------------------------------------------------

BodyWriter::Carried BodyWriter::begin_carry(const ir::Type& type, std::string_view name,
                                            const RepPtr& initial) {
  Carried carried;
  switch (type->kind) {
    case TypeKind::scalar:
    case TypeKind::enumeration:
      carried.name = fresh(name.empty() ? "carried" : name);
      out().line(scalar_cpp_type(type) + " " + carried.name + " = " + scalar(initial).text + ";");
      break;
    case TypeKind::tensor: {
      // State may change under the loop: what starts it is a copy of its own.
      RepPtr start = initial;
      if (initial->kind != RepKind::memory) {
        start = materialise(initial, std::string(name) + "_start", nullptr);
      } else if (!initial->states.empty() || initial->stored) {
        const Destination to = allocate(type, std::string(name) + "_start");
        copy(initial, to);
        start = as_memory(type, to);
      }
      const Destination next = allocate(type, std::string(name) + "_next");
      const Destination spare = allocate(type, std::string(name) + "_spare");
      carried.name = fresh(name.empty() ? "carried" : name);
      carried.next = fresh(std::string(name) + "_write");
      carried.spare = fresh(std::string(name) + "_other");
      out().line("auto " + carried.name + " = linnet::ops::as<" +
                 spelling_.view(type->shape, type->dtype, true) + ">(" + use(start) +
                 ", symbols);");
      out().line("auto " + carried.next + " = " + next.name + ";");
      out().line("auto " + carried.spare + " = " + spare.name + ";");
      carried.slot = next.slot;
      carried.other_slot = spare.slot;
      carried.parts.push_back({});
      carried.parts.back().slot = start->slot;
      carried.parts.back().other_slot = start->other_slot;
      break;
    }
    case TypeKind::tuple:
    case TypeKind::structure: {
      const std::vector<ir::Type> parts =
          type->kind == TypeKind::tuple ? type->elements : index_.fields(*type);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        carried.parts.push_back(begin_carry(parts[i], std::string(name) + "_" + std::to_string(i),
                                            initial->parts.at(i)));
      }
      break;
    }
    default:
      throw Unsupported{"an optional value that a loop carries"};
  }
  return carried;
}

RepPtr BodyWriter::carried_rep(const Carried& carried, const ir::Type& type) const {
  switch (type->kind) {
    case TypeKind::tensor: {
      RepPtr rep = make_rep(RepKind::memory, type);
      rep->name = carried.name;
      rep->slot = carried.slot;
      rep->other_slot = carried.other_slot;
      return rep;
    }
    case TypeKind::tuple:
    case TypeKind::structure: {
      RepPtr rep = make_rep(RepKind::tuple, type);
      const std::vector<ir::Type> parts =
          type->kind == TypeKind::tuple ? type->elements : index_.fields(*type);
      for (std::size_t i = 0; i < parts.size() && i < carried.parts.size(); ++i) {
        rep->parts.push_back(carried_rep(carried.parts[i], parts[i]));
      }
      return rep;
    }
    default: {
      RepPtr rep = make_rep(RepKind::scalar, type);
      rep->code = {carried.name};
      return rep;
    }
  }
}

void BodyWriter::aim_carry(const Carried& carried, const ir::Type& type, int value,
                           const ir::Region& region) {
  if (type->kind != TypeKind::tensor) return;
  if (!defines(region, value) || usage_.uses(value) != 1) return;
  destinations_[value] = {carried.next, carried.slot, ""};
}

/// Writes the next value of a carried one; `after` changes over once all are written.
void BodyWriter::prepare_step(const Carried& carried, const RepPtr& rep,
                              std::vector<std::string>& after) {
  switch (rep->type->kind) {
    case TypeKind::tensor: {
      if (rep->kind == RepKind::memory && rep->name == carried.name) return;  // unchanged
      touch(carried.slot);
      touch(carried.other_slot);
      for (const Carried& start : carried.parts) {
        touch(start.slot);
        touch(start.other_slot);
      }
      if (rep->kind != RepKind::memory || rep->name != carried.next) {
        fill_from(rep, {carried.next, carried.slot, ""});
      }
      after.push_back("linnet::ops::rotate(" + carried.name + ", " + carried.next + ", " +
                      carried.spare + ");");
      return;
    }
    case TypeKind::tuple:
    case TypeKind::structure:
      for (std::size_t i = 0; i < rep->parts.size(); ++i) {
        prepare_step(carried.parts.at(i), rep->parts[i], after);
      }
      return;
    default: {
      const std::string value = scalar(rep).text;
      if (value == carried.name) return;
      const std::string next = fresh(carried.name + "_next");
      out().line("const auto " + next + " = " + value + ";");
      after.push_back(carried.name + " = " + next + ";");
    }
  }
}

/// Writes one step's element of a scan into its place of the stack.
void BodyWriter::stack_element(const Target& target, const ir::Type& type, const RepPtr& rep,
                               const std::string& step) {
  if (type->kind == TypeKind::tuple || type->kind == TypeKind::structure) {
    for (std::size_t i = 0; i < rep->parts.size(); ++i) {
      stack_element(target.parts.at(i), rep->parts[i]->type, rep->parts[i], step);
    }
    return;
  }
  if (type->kind != TypeKind::tensor) {
    out().line("linnet::ops::at(" + target.tensor.name + ", " + step + ") = " + scalar(rep).text +
               ";");
    touch(target.tensor.slot);
    return;
  }
  const std::string part = fresh(target.tensor.name + "_part");
  out().line("const auto " + part + " = " + target.tensor.name + "[" + step + "];");
  fill_from(rep, {part, target.tensor.slot, ""});
}

void BodyWriter::write_loop(const ir::Op& op) {
  const bool over_array = op.kind == OpKind::static_for;
  const std::size_t leading = over_array ? 1 : 2;
  if (op.regions.size() != 1 || op.operands.size() < leading) throw Unsupported{"a malformed loop"};
  const ir::Region& region = op.regions[0];
  const std::size_t count = op.operands.size() - leading;
  force_free(op);
  if (index_.has_effects(op)) force_state_readers("", usage_.position(op));
  std::vector<Carried> carried;
  for (std::size_t i = 0; i < count; ++i) {
    const ir::Value& arg = region.args.at(i + 1);
    carried.push_back(begin_carry(arg.type, arg.name, get(op.operands[leading + i])));
  }
  std::vector<Target> stacks;
  for (std::size_t i = count; i < op.results.size(); ++i) {
    stacks.push_back(make_target(op.results[i].type, op.results[i].name, &op.results[i]));
  }
  std::string start;
  std::string stop;
  if (!over_array) {
    start = scalar(op.operands[0]).text;
    stop = scalar(op.operands[1]).text;
  }
  enter_loop();
  const ir::Value& variable = region.args.at(0);
  const std::string name = fresh(variable.name.empty() ? "step" : variable.name);
  if (over_array) {
    const RepPtr array = get(op.operands[0]);
    out().open("for (auto& " + name + " : " + array->name + ")");
    RepPtr element = make_rep(RepKind::block, variable.type);
    element->name = name;
    element->path = array->path + "[*]";
    set(variable, element);
  } else {
    out().open("for (std::int64_t " + name + " = " + start + "; " + name + " < " + stop + "; ++" +
               name + ")");
    RepPtr element = make_rep(RepKind::scalar, variable.type);
    element->code = {name};
    set(variable, element);
  }
  const ir::Op* end = terminator(region);
  if (end == nullptr || end->operands.size() < count + stacks.size()) {
    throw Unsupported{"a loop that does not yield what it carries"};
  }
  for (std::size_t i = 0; i < count; ++i) {
    set(region.args.at(i + 1), carried_rep(carried[i], region.args[i + 1].type));
    aim_carry(carried[i], region.args[i + 1].type, end->operands[i], region);
  }
  write_ops(region);
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    const RepPtr rep = get(end->operands[count + i]);
    const std::string step = start == "0" ? name : name + " - (" + start + ")";
    stack_element(stacks[i], rep->type, rep, step);
  }
  std::vector<std::string> after;
  for (std::size_t i = 0; i < count; ++i) prepare_step(carried[i], get(end->operands[i]), after);
  for (const std::string& line : after) out().line(line);
  out().close();
  leave_loop();
  for (std::size_t i = 0; i < count; ++i) {
    set(op.results.at(i), carried_rep(carried[i], op.results[i].type));
    // The start may still be the value, when the loop never ran.
    if (op.results[i].type->kind == TypeKind::tensor && !carried[i].parts.empty()) {
      get(op.results[i].id)->guards = {carried[i].parts[0].slot, carried[i].parts[0].other_slot};
    }
  }
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    set(op.results[count + i], target_rep(stacks[i], op.results[count + i].type));
  }
}

void BodyWriter::write_while(const ir::Op& op) {
  if (op.regions.size() != 2) throw Unsupported{"a malformed `while`"};
  const ir::Region& condition = op.regions[0];
  const ir::Region& body = op.regions[1];
  force_free(op);
  if (index_.has_effects(op)) force_state_readers("", usage_.position(op));
  std::vector<Carried> carried;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const ir::Value& arg = body.args.at(i);
    carried.push_back(begin_carry(arg.type, arg.name, get(op.operands[i])));
  }
  enter_loop();
  // A failed call computes on zeros, which might never end the loop.
  out().open("while (!context.failed())");
  for (std::size_t i = 0; i < carried.size(); ++i) {
    set(condition.args.at(i), carried_rep(carried[i], condition.args[i].type));
    set(body.args.at(i), carried_rep(carried[i], body.args[i].type));
  }
  write_ops(condition);
  const ir::Op* test = terminator(condition);
  if (test == nullptr || test->operands.empty()) throw Unsupported{"a `while` without a condition"};
  out().line("if (!" + scalar(test->operands[0]).operand() + ") break;");
  const ir::Op* end = terminator(body);
  if (end == nullptr || end->operands.size() < carried.size()) {
    throw Unsupported{"a loop that does not yield what it carries"};
  }
  for (std::size_t i = 0; i < carried.size(); ++i) {
    aim_carry(carried[i], body.args[i].type, end->operands[i], body);
  }
  write_ops(body);
  std::vector<std::string> after;
  for (std::size_t i = 0; i < carried.size(); ++i) {
    prepare_step(carried[i], get(end->operands[i]), after);
  }
  for (const std::string& line : after) out().line(line);
  out().close();
  leave_loop();
  for (std::size_t i = 0; i < carried.size(); ++i) {
    set(op.results.at(i), carried_rep(carried[i], op.results[i].type));
    if (op.results[i].type->kind == TypeKind::tensor && !carried[i].parts.empty()) {
      get(op.results[i].id)->guards = {carried[i].parts[0].slot, carried[i].parts[0].other_slot};
    }
  }
}

}  // namespace linnet::cpp
