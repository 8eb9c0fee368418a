// Calls, members of blocks, tuples, structs, optionals, and a kernel's loads.

#include "codegen/plan/emit/body.hpp"

namespace linnet::plan::detail {

using namespace ir;

/// `layers[0].attention.weight`; members of the own block are bare names.
Text BodyWriter::member(const Op& op) {
  const int block = op.operands[0];
  if (op.kind == OpKind::array_get) {
    const std::string position = bound_text(op.operands[1]);
    if (position.empty()) refuse("picks a child by a position that is not known when compiling");
    return {operand_at(block, primary) + "[" + position + "]"};
  }
  if (block == own_block_) return {op.attrs.name};
  return {operand_at(block, primary) + "." + op.attrs.name};
}

Text BodyWriter::function_call(const Op& op) {
  const Function* callee = items_.lookup().function(op.attrs.callee);
  std::string name = split_name(op.attrs.callee).second;
  std::size_t first = 0;
  if (callee != nullptr && !callee->block.empty()) {
    name = name.substr(name.find('.') + 1);
    first = 1;
    if (op.operands.at(0) != own_block_) {
      name = operand_at(op.operands[0], primary) + "." + name;
    }
  } else {
    name = items_.function(op.attrs.callee);
  }
  // Arguments that are evaluated out of order are written by name.
  std::string list;
  std::size_t next = first;
  bool by_name = false;
  for (const std::size_t i : written_order(op.operands, first)) {
    by_name = by_name || i != next++;
    list += list.empty() ? "" : ", ";
    if (by_name && callee != nullptr) list += callee->body.args[i].name + " = ";
    list += operand(op.operands[i]).text;
  }
  return {name + items_.arguments_text(op.attrs.generics) + "(" + list + ")"};
}

Text BodyWriter::aggregate(const Op& op) {
  const Type& type = op.results[0].type;
  switch (op.kind) {
    case OpKind::tuple_make: {
      std::string list;
      bool needs_context = false;
      for (const int id : op.operands) {
        const Text part = operand(id);
        needs_context = needs_context || part.needs_context;
        list += (list.empty() ? "" : ", ") + part.text;
      }
      return {"(" + list + (op.operands.size() == 1 ? ",)" : ")"), primary, needs_context};
    }
    case OpKind::struct_make: {
      const Structure* structure = items_.lookup().structure(*type);
      if (structure == nullptr) {
        refuse("makes a `" + type->name + "`, which is not declared");
        return {};
      }
      std::string list;
      for (const std::size_t i : written_order(op.operands, 0)) {
        list += (list.empty() ? "" : ", ") + structure->fields[i].first + " = " +
                operand(op.operands[i]).text;
      }
      return {items_.type_text(type) + "(" + list + ")"};
    }
    case OpKind::struct_get: {
      const Type& value = type_of(op.operands[0]);
      const Structure* structure = items_.lookup().structure(*value);
      if (structure == nullptr) {
        refuse("reads a `" + value->name + "`, which is not declared");
        return {};
      }
      const auto position = static_cast<std::size_t>(std::get<std::int64_t>(op.attrs.value));
      return {operand_at(op.operands[0], primary) + "." + structure->fields[position].first};
    }
    case OpKind::option_some: {
      const Text inner = operand(op.operands[0]);
      return {"some(" + inner.text + ")", primary, inner.needs_context};
    }
    case OpKind::option_none:
      return {"none", primary, true};
    case OpKind::enum_const:
      return {items_.type(type->module, type->name) + "." + op.attrs.name, primary,
              !type->args.empty()};
    default:
      refuse("has a statement inside an expression");
      return {};
  }
}

Text BodyWriter::load(const Op& op) {
  std::string text = "load(" + names_[op.operands[0]] + "[";
  const auto indices = static_cast<std::size_t>(op.attrs.index_count);
  for (std::size_t i = 1; i <= indices; ++i) {
    text += (i == 1 ? "" : ", ") + typed(op.operands[i]).text;
  }
  text += "]";
  for (std::size_t i = indices + 1; i < op.operands.size(); ++i) {
    text += ", " + operand(op.operands[i]).text;
  }
  return {text + ")"};
}

}  // namespace linnet::plan::detail
