// Calls, the members of blocks, and state.
#include <algorithm>
#include <cstddef>
#include <string>

#include "codegen/cpp/body.hpp"
#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"

namespace linnet::cpp {

using ir::OpKind;
using ir::TypeKind;

// --- blocks ----------------------------------------------------------------------------------

std::string BodyWriter::member_access(const RepPtr& block, const std::string& member) const {
  const auto found =
      names_.members.find(block->type->module + "::" + block->type->name + "." + member);
  if (found == names_.members.end()) {
    throw Unsupported{"the member `" + member + "` of `" + block->type->name + "`"};
  }
  return block->name.empty() ? found->second : block->name + "." + found->second;
}

std::string BodyWriter::member_path(const RepPtr& block, const std::string& member) {
  return block->path.empty() ? member : block->path + "." + member;
}

void BodyWriter::block_op(const ir::Op& op) {
  const ir::Value& value = op.results.at(0);
  const RepPtr from = get(op.operands.at(0));
  if (op.kind == OpKind::array_get) {
    if (from->kind != RepKind::array) throw Unsupported{"an element of something that is no array"};
    const std::string index = scalar(op.operands.at(1)).text;
    RepPtr rep = make_rep(RepKind::block, value.type);
    rep->name = from->name + "[static_cast<std::size_t>(" + index + ")]";
    rep->path = from->path + "[*]";
    set(value, rep);
    return;
  }
  if (from->kind != RepKind::block) throw Unsupported{"a member of something that is no block"};
  const std::string access = member_access(from, op.attrs.name);
  const std::string path = member_path(from, op.attrs.name);
  const auto make_block = [&](const ir::Type& type) {
    RepPtr rep = make_rep(type->kind == TypeKind::array ? RepKind::array : RepKind::block, type);
    rep->name = access;
    rep->path = path;
    return rep;
  };
  const bool optional = value.type->kind == TypeKind::optional;
  const ir::Type inner = optional ? value.type->elements.at(0) : value.type;
  RepPtr rep;
  if (op.kind == OpKind::block_sub) {
    rep = make_block(inner);
    if (optional) rep->name = "(*" + access + ")";
  } else {
    rep = make_rep(RepKind::memory, inner);
    rep->name = optional ? "(*" + access + ".view())" : access + ".view()";
    // Only floats are ever stored in another format than their own.
    const bool dense = !inner->dtype.is_variable && inner->dtype.scalar != ir::Scalar::f16 &&
                       inner->dtype.scalar != ir::Scalar::bf16 &&
                       inner->dtype.scalar != ir::Scalar::f32 &&
                       inner->dtype.scalar != ir::Scalar::f64;
    if (dense) rep->name += ".dense()";
    rep->stored = !dense;
  }
  if (optional) {
    RepPtr outer = make_rep(RepKind::optional, value.type);
    outer->code = {op.kind == OpKind::block_sub ? access + ".has_value()"
                                                : access + ".view().has_value()"};
    if (op.kind == OpKind::block_param) outer->name = access + ".view()";
    outer->parts = {rep};
    rep = outer;
  }
  set(value, rep);
}

// --- state -----------------------------------------------------------------------------------

/// The state that the only reader of this op's result stores it into, when the op may write it
/// there directly: nobody else reads the old state after, and the op itself reads it at most at
/// the element that it writes.
std::optional<BodyWriter::Destination> BodyWriter::in_place_state(const ir::Op& op) {
  if (op.results.size() != 1 || usage_.uses(op.results[0].id) != 1) return std::nullopt;
  const ir::Op* write = usage_.last_user(op.results[0].id);
  if (write == nullptr || write->kind != OpKind::state_write) return std::nullopt;
  if (write->operands.size() != 2 || write->operands[1] != op.results[0].id) return std::nullopt;
  if (usage_.repeated(op.results[0].id)) return std::nullopt;
  const int from = usage_.position(op);
  const int to = usage_.position(*write);
  for (const int effect : effects_) {
    if (effect > from && effect < to) return std::nullopt;
  }
  const auto block = values_.find(write->operands[0]);
  if (block == values_.end()) return std::nullopt;
  const std::string path = member_path(block->second, write->attrs.name);
  const auto reads = [&](int value) {
    const auto found = values_.find(value);
    return found != values_.end() && found->second->states.contains(path);
  };
  const auto is_state_itself = [&](int value) {
    const RepPtr rep = values_.at(value);
    return rep->kind == RepKind::memory && rep->states.size() == 1;
  };
  if (op.kind == OpKind::comprehension) {
    for (const int value : Usage::free_values(op)) {
      if (!reads(value)) continue;
      if (!is_state_itself(value) || !reads_only_own_element(op, value)) return std::nullopt;
    }
  } else if (op.kind == OpKind::semantic_call || op.kind == OpKind::call) {
    const ir::Function* callee = index_.function(op.attrs.callee);
    if (callee == nullptr || !callee->states.empty()) return std::nullopt;
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      if (!reads(op.operands[i])) continue;
      if (!is_state_itself(op.operands[i]) || !index_.writes_in_place(*callee, i)) {
        return std::nullopt;
      }
    }
  } else {
    return std::nullopt;
  }
  // What else waits for the old state gets it now.
  force_state_readers(path, from);
  return Destination{member_access(block->second, write->attrs.name) + ".view()", -1, path};
}

void BodyWriter::write_state(const ir::Op& op) {
  const RepPtr block = get(op.operands.at(0));
  if (block->kind != RepKind::block) throw Unsupported{"state of something that is no block"};
  const std::string view = member_access(block, op.attrs.name) + ".view()";
  const std::string path = member_path(block, op.attrs.name);
  if (op.kind == OpKind::state_read) {
    RepPtr rep = make_rep(RepKind::memory, op.results.at(0).type);
    rep->name = view;
    rep->states = {path};
    set(op.results[0], rep);
    return;
  }
  const int value = op.operands.at(1);
  RepPtr rep = get(value);
  if (rep->kind == RepKind::memory && rep->name == view) return;  // written in place already
  const Destination state{view, -1, path};
  const int position = usage_.position(op);
  const bool reads_itself = rep->states.contains(path);
  // Elementwise on the old state at its own place: each element is read before it is written.
  if (reads_itself && !is_flat(rep, rep->type->shape)) {
    force(rep, "updated");
    if (rep->kind == RepKind::memory && rep->states.contains(path)) {
      const Destination to = allocate(rep->type, "updated");
      copy(rep, to);
      rep = as_memory(rep->type, to);
    }
  }
  force_state_readers(path, position);
  fill_from(rep, state);
  if (usage_.last_use(value) > position) {
    RepPtr stored = make_rep(RepKind::memory, rep->type);
    stored->name = view;
    stored->states = {path};
    set({value, "", rep->type}, stored);
  }
}

// --- calls -----------------------------------------------------------------------------------

std::string BodyWriter::callee_arguments(const ir::Op& op, const ir::Function& callee) const {
  std::string text = "P";
  for (const ir::Generic& generic : callee.generics) {
    text += ", ";
    const ir::Substitution& map = op.attrs.substitution;
    const auto missing = [&]() -> Unsupported {
      return {"a call of `" + callee.name + "` that does not bind `" + generic.name + "`"};
    };
    switch (generic.kind) {
      case ir::GenericKind::dim: {
        const auto found = map.dims.find(generic.id);
        if (found == map.dims.end()) throw missing();
        text += spelling_.extent(found->second);
        break;
      }
      case ir::GenericKind::shape: {
        const auto found = map.packs.find(generic.id);
        if (found == map.packs.end()) throw missing();
        text += spelling_.shape(found->second);
        break;
      }
      case ir::GenericKind::dtype: {
        const auto found = map.dtypes.find(generic.id);
        if (found == map.dtypes.end()) throw missing();
        text += spelling_.dtype(found->second);
        break;
      }
    }
  }
  return text;
}

/// A tensor argument: a view that lies in memory.
std::string BodyWriter::pass_tensor(const ir::Type& type, const RepPtr& rep) {
  if (rep->kind != RepKind::memory) force(rep, rep->name.empty() ? "argument" : rep->name);
  if (rep->reshaped) {
    const Destination to = allocate(type, "dense");
    copy(rep, to);
    *rep = *as_memory(type, to);
  }
  return use(rep);
}

void BodyWriter::pass(const ir::Type& type, const RepPtr& rep,
                      std::vector<std::string>& arguments) {
  switch (type->kind) {
    case TypeKind::tensor:
      arguments.push_back(pass_tensor(type, rep));
      return;
    case TypeKind::optional: {
      const ir::Type& inner = rep->type->elements.at(0);
      const bool tensor = inner->kind == TypeKind::tensor;
      if (rep->parts.empty()) {
        arguments.push_back(
            "std::optional<" +
            (tensor ? spelling_.view(inner->shape, inner->dtype, true) : scalar_cpp_type(inner)) +
            ">()");
        return;
      }
      if (!rep->name.empty()) {  // an optional parameter or weight, passed on
        arguments.push_back(rep->name);
        return;
      }
      const std::string inside =
          tensor ? pass_tensor(inner, rep->parts[0]) : scalar(rep->parts[0]).text;
      if (rep->code.text == "true") {
        arguments.push_back("std::optional(" + inside + ")");
      } else {
        arguments.push_back("linnet::ops::optional(" + rep->code.text + ", " + inside + ")");
      }
      return;
    }
    case TypeKind::tuple:
    case TypeKind::structure:
      for (const RepPtr& part : rep->parts) pass(part->type, part, arguments);
      return;
    case TypeKind::unit:
      return;
    default:
      arguments.push_back(scalar(rep).text);
  }
}

/// The text of a call whose tensor results go to `results` (and scalars, unless it returns its
/// only one).
Code BodyWriter::call_text(const ir::Op& op, const std::vector<std::string>& results) {
  const ir::Function* callee = index_.function(op.attrs.callee);
  if (callee == nullptr)
    throw Unsupported{"a call of `" + op.attrs.callee + "`, which is not there"};
  const auto name = names_.functions.find(callee->name);
  const auto frame = names_.frames.find(callee->name);
  if (name == names_.functions.end() || frame == names_.frames.end()) {
    throw Unsupported{"a call of `" + callee->name + "`"};
  }
  const std::string generics = callee_arguments(op, *callee);
  std::string target = name->second;
  std::string frame_type = frame->second;
  std::size_t first = 0;
  if (!callee->block.empty()) {
    const RepPtr block = get(op.operands.at(0));
    first = 1;
    if (block->kind != RepKind::block) throw Unsupported{"a method of something that is no block"};
    if (!block->name.empty()) {
      target = block->name + ".template " + target;
      const auto type = names_.blocks.find(block->type->module + "::" + block->type->name);
      if (type == names_.blocks.end()) throw Unsupported{"the block `" + block->type->name + "`"};
      std::string spelled = type->second;
      const std::string arguments = spelling_.arguments(block->type->args);
      if (!arguments.empty()) spelled += "<" + arguments + ">";
      frame_type = "typename " + spelled + "::template " + frame_type;
    }
  }
  std::vector<std::string> arguments;
  for (std::size_t i = first; i < op.operands.size(); ++i) {
    const RepPtr rep = get(op.operands[i]);
    pass(rep->type, rep, arguments);
  }
  // Making a later argument takes time over which the earlier ones stay alive.
  for (std::size_t i = first; i < op.operands.size(); ++i) touch_all(get(op.operands[i]));
  const int slot = static_cast<int>(slots_.size());
  slots_.push_back({"linnet::ops::frame_of<" + frame_type + "<" + generics + ">>",
                    "frame of " + split_name(callee->name).name, clock_, clock_, loops_.size()});
  std::string text = target + "<" + generics + ">(context, symbols, frame + Frame::at(" +
                     std::to_string(slot) + ")";
  for (const std::string& result : results) text += ", " + result;
  for (const std::string& argument : arguments) text += ", " + argument;
  return {text + ")"};
}

void BodyWriter::write_call(const ir::Op& op) {
  const ir::Function* callee = index_.function(op.attrs.callee);
  if (callee == nullptr)
    throw Unsupported{"a call of `" + op.attrs.callee + "`, which is not there"};
  if (callee->kind == ir::FunctionKind::kernel) throw Unsupported{"a call of a tile kernel"};
  const bool effects = !callee->states.empty();
  if (op.results.empty()) {
    const Code call = call_text(op, {});
    if (effects) out().line(call.text + ";");
    return;
  }
  const ir::Value& value = op.results.at(0);
  const bool one_scalar =
      value.type->kind == TypeKind::scalar || value.type->kind == TypeKind::enumeration;
  if (!effects && usage_.uses(value.id) == 0) {
    set(value, make_rep(RepKind::unit, value.type));
    return;
  }
  if (!effects && one_scalar) {
    define_scalar(op, value);
    return;
  }
  if (effects) {
    // Whatever waits to read what the callee changes is computed first.
    const RepPtr block = callee->block.empty() ? nullptr : get(op.operands.at(0));
    for (const std::string& state : callee->states) {
      std::string path = block == nullptr ? state : member_path(block, state);
      force_state_readers(path, usage_.position(op));
    }
  }
  if (one_scalar) {
    const Code call = call_text(op, {});
    RepPtr rep = make_rep(RepKind::scalar, value.type);
    if (usage_.uses(value.id) == 0) {
      out().line("static_cast<void>(" + call.text + ");");
    } else {
      rep->code = {name_scalar(value, call)};
    }
    set(value, rep);
    return;
  }
  // The arguments' buffers come first, then those of the results.
  std::vector<Leaf> leaves;
  collect_leaves(index_, value.type, value.name.empty() ? "result" : value.name, true, leaves);
  std::vector<std::string> results;
  std::vector<Destination> places;
  for (const Leaf& leaf : leaves) {
    if (leaf.type->kind == TypeKind::tensor && !leaf.presence) {
      Destination to;
      if (value.type->kind == TypeKind::tensor) {
        const std::optional<Destination> state = in_place_state(op);
        to = state ? *state : destination(value);
      } else {
        to = allocate(leaf.type, leaf.name);
      }
      results.push_back(to.name);
      places.push_back(to);
      continue;
    }
    const std::string local = fresh(leaf.name);
    out().line((leaf.presence ? "bool" : scalar_cpp_type(leaf.type)) + " " + local + "{};");
    results.push_back(local);
    places.push_back({local, -1, ""});
  }
  const Code call = call_text(op, results);
  for (const Destination& place : places) touch(place.slot);
  const bool returns_scalar = leaves.size() == 1 && leaves[0].type->kind != TypeKind::tensor;
  if (returns_scalar) {
    // A tuple or struct of one scalar.
    Code inner = call_text(op, {});
    out().line(results[0] + " = " + inner.text + ";");
  } else {
    out().line(call.text + ";");
  }
  std::size_t at = 0;
  const auto build = [&](const auto& self, const ir::Type& type) -> RepPtr {
    switch (type->kind) {
      case TypeKind::tensor:
        return as_memory(type, places.at(at++));
      case TypeKind::optional: {
        RepPtr rep = make_rep(RepKind::optional, type);
        rep->code = {places.at(at++).name};
        rep->parts = {self(self, type->elements.at(0))};
        return rep;
      }
      case TypeKind::tuple:
      case TypeKind::structure: {
        RepPtr rep = make_rep(RepKind::tuple, type);
        const std::vector<ir::Type> parts =
            type->kind == TypeKind::tuple ? type->elements : index_.fields(*type);
        for (const ir::Type& part : parts) rep->parts.push_back(self(self, part));
        return rep;
      }
      default: {
        RepPtr rep = make_rep(RepKind::scalar, type);
        rep->code = {places.at(at++).name};
        return rep;
      }
    }
  };
  set(value, build(build, value.type));
}

}  // namespace linnet::cpp
