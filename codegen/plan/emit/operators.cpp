// Literals, operators and the prelude's elementwise functions.

#include <charconv>
#include <cmath>
#include <limits>

#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/plan/emit/body.hpp"

namespace linnet::plan::detail {

using namespace ir;

namespace {

bool is_scalar(const Type& type, Scalar scalar) {
  return type->kind == TypeKind::scalar && !type->dtype.is_variable && type->dtype.scalar == scalar;
}

/// A literal of the language: digits around the point, no plus sign or leading zero in the
/// exponent.
std::string float_text(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  std::string text(buffer, error == std::errc{} ? end : buffer);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text.find('.') == std::string::npos ? text + ".0" : text;
  std::string exponent = text.substr(e + 1);
  const bool negative = exponent[0] == '-';
  exponent.erase(0, std::min(exponent.find_first_not_of("+-0"), exponent.size() - 1));
  return text.substr(0, e) + "e" + (negative ? "-" : "") + exponent;
}

/// Whether a dtype holds an integer as it is; a variable holds what its program gives it.
bool fits(std::int64_t value, const Dtype& dtype) {
  if (dtype.is_variable) return true;
  const auto within = [value](auto least, auto greatest) {
    return value >= std::int64_t{least} && value <= std::int64_t{greatest};
  };
  switch (dtype.scalar) {
    case Scalar::i8:
      return within(INT8_MIN, INT8_MAX);
    case Scalar::i16:
      return within(INT16_MIN, INT16_MAX);
    case Scalar::i32:
      return within(INT32_MIN, INT32_MAX);
    case Scalar::u8:
      return within(0, UINT8_MAX);
    case Scalar::u16:
      return within(0, UINT16_MAX);
    case Scalar::u32:
      return within(0, UINT32_MAX);
    case Scalar::u64:
      return value >= 0;
    default:
      return true;
  }
}

/// Whether a finite number stays finite when a dtype rounds it.
bool stays_finite(double value, const Dtype& dtype) {
  if (dtype.is_variable) return true;
  // Halfway from the largest number to what would follow it.
  switch (dtype.scalar) {
    case Scalar::f16:
      return std::fabs(value) < 65520.0;
    case Scalar::bf16:
      return std::fabs(value) < 0x1.ffp127;
    case Scalar::f32:
      return std::fabs(value) < 0x1.ffffffp127;
    default:
      return true;
  }
}

const char* comparison_sign(Relation relation) {
  switch (relation) {
    case Relation::eq:
      return "==";
    case Relation::ne:
      return "!=";
    case Relation::lt:
      return "<";
    case Relation::le:
      return "<=";
    case Relation::gt:
      return ">";
    case Relation::ge:
      return ">=";
  }
  return "==";
}

}  // namespace

Text BodyWriter::literal(const Op& op) {
  const Type& type = op.results[0].type;
  Text text;
  if (const auto* dim = std::get_if<Dim>(&op.attrs.value)) {
    const bool is_leaf = (*dim)->args.empty() && constant_value(*dim).value_or(0) >= 0;
    text.text = to_text(*dim);
    text.strength = is_leaf ? primary : additive;
    text.compile_time = true;
    if (text.text.find("size(") != std::string::npos) {
      refuse("uses the number of elements of a pack as a value");
    }
    return is_scalar(type, Scalar::i64) ? text : with_own_type(text, type);
  }
  if (std::holds_alternative<double>(op.attrs.value)) return float_literal(op);
  const auto integer = std::get<std::int64_t>(op.attrs.value);
  if (op.kind == OpKind::const_bool) return {integer != 0 ? "true" : "false"};
  text.text = std::to_string(integer);
  text.strength = integer < 0 ? unary : primary;
  text.needs_context = !is_scalar(type, Scalar::i64);
  text.compile_time = is_scalar(type, Scalar::i64);
  return fits(integer, type->dtype) ? text : with_own_type(text, type);
}

Text BodyWriter::float_literal(const Op& op) {
  const Type& type = op.results[0].type;
  const double value = std::get<double>(op.attrs.value);
  const bool is_default = is_scalar(type, Scalar::f64);
  if (std::isnan(value)) return {"0.0 / 0.0", multiplicative, !is_default};
  if (std::isinf(value)) {
    return {value > 0 ? "1.0 / 0.0" : "-1.0 / 0.0", multiplicative, !is_default};
  }
  const Text text{float_text(value), std::signbit(value) ? unary : primary, !is_default};
  return stays_finite(value, type->dtype) ? text : with_own_type(text, type);
}

Text BodyWriter::binary(const Op& op, const char* sign, int strength) {
  Text left = operand(op.operands[0]);
  Text right = operand(op.operands[1]);
  const bool is_comparison = op.kind == OpKind::compare;
  // Two literals: one must say what they are, unless what is around does. Compile-time integers
  // would be computed; comparing them is not.
  const bool loses_context = is_comparison && left.needs_context && right.needs_context;
  const bool folds = !is_comparison && left.compile_time && right.compile_time;
  if (folds || loses_context) {
    const Type& type = type_of(op.operands[0]);
    if (binds_) {
      const int id = op.operands[0];
      let_value({id, "", type}, left, true);
      left = {names_.at(id)};
    } else if (type->kind == TypeKind::scalar) {
      left = {"cast<" + to_text(type->dtype) + ">(" + left.text + ")"};
    }
  }
  Text text;
  text.strength = strength;
  text.needs_context = !is_comparison && left.needs_context && right.needs_context;
  const auto side = [&](const Text& t, int minimum) {
    return t.strength < minimum ? "(" + t.text + ")" : t.text;
  };
  text.text = side(left, strength) + " " + sign + " " + side(right, strength + 1);
  return text;
}

/// Literals take their dtype from the other operands; when all are literals, each says its own.
Text BodyWriter::broadcasting_call(const Op& op) {
  std::string list;
  bool anchored = false;
  std::vector<Text> parts;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    parts.push_back(operand(op.operands[i]));
    const bool counts = op.kind != OpKind::select || i > 0;
    anchored = anchored || (counts && !parts[i].needs_context && !parts[i].compile_time);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool says = !anchored && (parts[i].needs_context || parts[i].compile_time);
    list += i == 0 ? "" : ", ";
    list += says ? with_own_type(parts[i], type_of(op.operands[i])).text : parts[i].text;
  }
  return {std::string(op_name(op.kind)) + "(" + list + ")"};
}

Text BodyWriter::prelude_call(const std::string& name, const std::vector<int>& operands,
                              const std::string& extra) {
  std::string list;
  for (const int id : operands) list += (list.empty() ? "" : ", ") + typed(id).text;
  return {name + "(" + list + extra + ")"};
}

Text BodyWriter::elementwise(const Op& op) {
  const Type& type = op.results.at(0).type;
  const bool scalar = type->kind == TypeKind::scalar;
  switch (op.kind) {
    case OpKind::add:
      return binary(op, "+", additive);
    case OpKind::sub:
      return binary(op, "-", additive);
    case OpKind::mul:
      return binary(op, "*", multiplicative);
    case OpKind::div:
      return binary(op, "/", multiplicative);
    case OpKind::rem:
      return binary(op, "%", multiplicative);
    case OpKind::bitand_:
      return binary(op, "&", bit_and);
    case OpKind::bitor_:
      return binary(op, "|", bit_or);
    case OpKind::bitxor:
      return binary(op, "^", bit_xor);
    case OpKind::and_:
      return scalar ? binary(op, "&&", logical_and) : binary(op, "&", bit_and);
    case OpKind::or_:
      return scalar ? binary(op, "||", logical_or) : binary(op, "|", bit_or);
    case OpKind::compare: {
      const bool is_equality = op.attrs.compare == Relation::eq || op.attrs.compare == Relation::ne;
      return binary(op, comparison_sign(op.attrs.compare), is_equality ? equality : comparison);
    }
    case OpKind::not_:
      if (!scalar) return {"true ^ " + operand_at(op.operands[0], bit_xor + 1), bit_xor};
      return {"!" + operand_at(op.operands[0], unary), unary};
    case OpKind::neg: {
      const Text value = typed(op.operands[0]);
      return {"-" + (value.strength < primary ? "(" + value.text + ")" : value.text), unary};
    }
    case OpKind::cast: {
      // A literal here has no context, so it must have the default dtype.
      Text value = operand(op.operands[0]);
      if (value.needs_context) value = with_own_type(value, type_of(op.operands[0]));
      return {"cast<" + to_text(type->dtype) + ">(" + value.text + ")"};
    }
    case OpKind::min:
    case OpKind::max:
    case OpKind::shl:
    case OpKind::shr:
    case OpKind::select:
      return broadcasting_call(op);
    default:
      return prelude_call(std::string(op_name(op.kind)), op.operands);
  }
}

}  // namespace linnet::plan::detail
