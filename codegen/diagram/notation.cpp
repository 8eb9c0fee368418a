#include "codegen/diagram/notation.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "codegen/diagram/label.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"

namespace linnet::diagram {
namespace {

using ir::Op;
using ir::OpKind;

/// Every text is cut to this, so that a body takes time in proportion to its ops.
constexpr std::size_t max_text = 96;
constexpr int max_nesting = 8;

constexpr int branch_precedence = 0;
constexpr int additive = 6;
constexpr int unary = 8;

/// language.md section 5, loosest first; `Text::primary` for what is written as a call.
int precedence_of(OpKind kind) {
  switch (kind) {
    case OpKind::or_:
      return 1;
    case OpKind::and_:
      return 2;
    case OpKind::compare:
      return 3;
    case OpKind::bitor_:
    case OpKind::bitxor:
    case OpKind::bitand_:
      return 4;
    case OpKind::add:
    case OpKind::sub:
      return additive;
    case OpKind::mul:
    case OpKind::div:
    case OpKind::rem:
      return 7;
    case OpKind::not_:
    case OpKind::neg:
      return unary;
    default:
      return Text::primary;
  }
}

std::string enclosed(const Text& text, int at_least) {
  return text.precedence < at_least ? "(" + text.text + ")" : text.text;
}

std::string joined(const std::vector<Text>& texts, std::size_t from = 0) {
  std::string text;
  for (std::size_t i = from; i < texts.size(); ++i) {
    if (i > from) text += ", ";
    text += texts[i].text;
  }
  return text;
}

/// The texts of one body. Values are written once each and cut, never expanded on the way back.
class Body {
 public:
  explicit Body(const OuterText& outer) : outer_(outer) {}

  std::string whole(const Op& op) {
    if (op.kind == OpKind::reduce) return reduction(op, 0);
    return "[" + index_names(op) + "] = " + region(op.regions[0], 1);
  }

 private:
  const OuterText& outer_;
  std::unordered_map<int, Text> inner_;

  Text value(int id) const {
    const auto found = inner_.find(id);
    return found == inner_.end() ? outer_(id) : found->second;
  }

  static std::string index_names(const Op& op) {
    std::string names;
    for (std::size_t i = 0; i < op.attrs.indices.size() && names.size() < max_text; ++i) {
      if (i > 0) names += ", ";
      const ir::Region& body = op.regions[0];
      const bool run = i < body.args.size() && body.args[i].type->kind == ir::TypeKind::shape;
      names += (run ? "*" : "") + shortened(op.attrs.indices[i].name, max_title);
    }
    return names;
  }

  std::string reduction(const Op& op, int depth) {
    return std::string(ir::reduce_name(op.attrs.reduce)) + "[" + index_names(op) + "] " +
           region(op.regions[0], depth + 1);
  }

  /// What a region yields.
  std::string region(const ir::Region& body, int depth) {
    if (depth > max_nesting) return "…";
    for (std::size_t i = 0; i < body.args.size(); ++i) {
      const bool run = body.args[i].type->kind == ir::TypeKind::shape;
      inner_[body.args[i].id] = {(run ? "*" : "") + body.args[i].name};
    }
    for (const Op& op : body.ops) {
      if (op.kind == OpKind::yield) return op.operands.empty() ? "" : value(op.operands[0]).text;
      Text text = expression(op, depth);
      text.text = shortened(text.text, max_text);
      for (const ir::Value& result : op.results) inner_[result.id] = text;
    }
    return {};
  }

  Text expression(const Op& op, int depth) {
    if (std::string constant = constant_text(op); !constant.empty()) {
      const bool simple = constant.find(' ') == std::string::npos;
      return {std::move(constant), simple ? Text::primary : additive};
    }
    std::vector<Text> operands;
    for (const int id : op.operands) operands.push_back(value(id));
    if (!operator_sign(op, false).empty()) return arithmetic_text(op, operands);
    switch (op.kind) {
      case OpKind::tensor_element:
        return {enclosed(operands[0], Text::primary) + "[" + joined(operands, 1) + "]"};
      case OpKind::reduce:
        return {reduction(op, depth), branch_precedence};
      case OpKind::comprehension:
        return {"[" + index_names(op) + "] " + region(op.regions[0], depth + 1), branch_precedence};
      case OpKind::if_:
        return {"if " + operands[0].text + " { " + region(op.regions[0], depth + 1) + " } else { " +
                    region(op.regions[1], depth + 1) + " }",
                branch_precedence};
      case OpKind::option_match:
      case OpKind::enum_match:
        return {"match " + operands[0].text + " { … }", branch_precedence};
      case OpKind::call:
      case OpKind::semantic_call:
        return {std::string(bare_name(op.attrs.callee)) + "(" + joined(operands) + ")"};
      case OpKind::iota:
        return {"iota(" + units_label(op.attrs.shape) + ")"};
      case OpKind::slice:
        return {enclosed(operands[0], Text::primary) + slice_label(op.attrs.axes, rest(operands))};
      case OpKind::block_param:
      case OpKind::state_read:
        return {operands[0].text + (operands[0].text.empty() ? "" : ".") + op.attrs.name};
      default:
        return {std::string(ir::op_name(op.kind)) + "(" + joined(operands) + ")"};
    }
  }

  static std::vector<std::string> rest(const std::vector<Text>& operands) {
    std::vector<std::string> texts;
    for (std::size_t i = 1; i < operands.size(); ++i) texts.push_back(operands[i].text);
    return texts;
  }
};

}  // namespace

bool is_infix(OpKind kind) {
  return precedence_of(kind) < unary;
}

std::string operator_sign(const Op& op, bool print) {
  switch (op.kind) {
    case OpKind::add:
      return "+";
    case OpKind::sub:
      return print ? "−" : "-";
    case OpKind::mul:
      return print ? "×" : "*";
    case OpKind::div:
      return print ? "÷" : "/";
    case OpKind::rem:
      return "%";
    case OpKind::bitand_:
      return "&";
    case OpKind::bitor_:
      return "|";
    case OpKind::bitxor:
      return "^";
    case OpKind::and_:
      return "&&";
    case OpKind::or_:
      return "||";
    case OpKind::not_:
      return print ? "not" : "!";
    case OpKind::neg:
      return print ? "negate" : "-";
    case OpKind::compare:
      return std::string(ir::relation_symbol(op.attrs.compare));
    case OpKind::cast:
      return "cast<" + shortened(ir::to_text(op.results[0].type->dtype), max_title) + ">";
    case OpKind::min:
    case OpKind::max:
    case OpKind::shl:
    case OpKind::shr:
    case OpKind::exp:
    case OpKind::log:
    case OpKind::sqrt:
    case OpKind::rsqrt:
    case OpKind::sin:
    case OpKind::cos:
    case OpKind::tanh:
    case OpKind::abs:
    case OpKind::select:
      return std::string(ir::op_name(op.kind));
    default:
      return {};
  }
}

std::string constant_text(const Op& op) {
  switch (op.kind) {
    case OpKind::const_int:
    case OpKind::const_bool:
    case OpKind::const_float:
    case OpKind::const_dim:
      break;
    case OpKind::enum_const:
      return shortened(op.attrs.name, max_title);
    case OpKind::option_none:
      return "none";
    default:
      return {};
  }
  if (const auto* integer = std::get_if<std::int64_t>(&op.attrs.value)) {
    if (op.kind == OpKind::const_bool) return *integer != 0 ? "true" : "false";
    return fmt::format("{}", *integer);
  }
  if (const auto* number = std::get_if<double>(&op.attrs.value)) return fmt::format("{}", *number);
  if (const auto* dim = std::get_if<ir::Dim>(&op.attrs.value)) return dim_text(*dim);
  return {};
}

Text arithmetic_text(const Op& op, const std::vector<Text>& operands) {
  const std::string sign = operator_sign(op, false);
  const int precedence = precedence_of(op.kind);
  if (precedence == unary) return {sign + enclosed(operands[0], unary), unary};
  if (is_infix(op.kind)) {
    return {enclosed(operands[0], precedence) + " " + sign + " " +
                enclosed(operands[1], precedence + 1),
            precedence};
  }
  return {sign + "(" + joined(operands) + ")"};
}

std::string index_notation(const Op& op, const OuterText& outer) {
  return Body(outer).whole(op);
}

}  // namespace linnet::diagram
