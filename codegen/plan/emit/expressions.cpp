// Expressions, with no more parentheses than the grammar needs.

#include <algorithm>
#include <string_view>

#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/plan/emit/body.hpp"

namespace linnet::plan::detail {

using namespace ir;

Text BodyWriter::operand(int id) {
  if (const auto waiting = texts_.find(id); waiting != texts_.end()) {
    Text text = std::move(waiting->second);
    texts_.erase(waiting);
    pending_.erase(std::remove(pending_.begin(), pending_.end(), id), pending_.end());
    return text;
  }
  if (domains_.contains(id)) return {index_value(id)};
  if (const auto named = names_.find(id); named != names_.end()) return {named->second};
  if (const auto made = makers_.find(id); made != makers_.end()) {
    if (++depth_ > max_depth) refuse("is nested too deeply to be written out");
    Text text = problems_.empty() ? expression(*made->second) : Text{};
    --depth_;
    written_ += text.text.size();
    if (written_ > max_text) refuse("is too long to be written out");
    return text;
  }
  refuse("uses a value that has no name in source");
  return {"none"};
}

std::string BodyWriter::operand_at(int id, int strength) {
  const Text text = operand(id);
  return text.strength < strength ? "(" + text.text + ")" : text.text;
}

std::string BodyWriter::indexed(int id) {
  const std::string text = operand_at(id, primary);
  // `sum[i]` would be a reduction.
  return parse_reduce(text) ? "(" + text + ")" : text;
}

Text BodyWriter::with_own_type(const Text& text, const Type& type) {
  if (text.needs_context && type->kind == TypeKind::optional) {
    // `none` says nothing of its type; the branch not taken does.
    return {"(if true { " + text.text + " } else { some(" + any_value(type->elements[0]) + ") })"};
  }
  const bool takes_dtype = text.needs_context || text.compile_time;
  if (!takes_dtype || type->kind != TypeKind::scalar) return text;
  return {"cast<" + to_text(type->dtype) + ">(" + text.text + ")"};
}

Text BodyWriter::typed(int id) {
  const Text text = operand(id);
  if (!text.needs_context && !text.compile_time) return text;
  const Type& type = type_of(id);
  if (!binds_) return text.needs_context ? with_own_type(text, type) : text;
  flush();
  let_value({id, "", type}, text, true);
  return {names_.at(id)};
}

Text BodyWriter::expression(const Op& op) {
  switch (op.kind) {
    case OpKind::const_int:
    case OpKind::const_bool:
    case OpKind::const_float:
    case OpKind::const_dim:
      return literal(op);
    case OpKind::reshape:
    case OpKind::broadcast:
    case OpKind::fill:
    case OpKind::iota:
    case OpKind::permute:
    case OpKind::slice:
    case OpKind::concat:
    case OpKind::cumsum:
      return view(op);
    case OpKind::tensor_element:
      return element(op);
    case OpKind::reduce:
      return reduce(op);
    case OpKind::if_:
    case OpKind::option_match:
    case OpKind::enum_match:
      return branch(op);
    case OpKind::call:
    case OpKind::semantic_call:
      return function_call(op);
    case OpKind::block_param:
    case OpKind::block_sub:
    case OpKind::array_get:
    case OpKind::state_read:
      return member(op);
    case OpKind::kernel_program_id:
      return {"program_id(" + std::to_string(op.attrs.axis) + ")"};
    case OpKind::kernel_load:
      return load(op);
    default:
      return op.kind >= OpKind::add && op.kind <= OpKind::select ? elementwise(op) : aggregate(op);
  }
}

}  // namespace linnet::plan::detail
