// Scalars: literals, arithmetic, conditions that evaluate only what they need, reductions.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>

#include "codegen/cpp/body.hpp"
#include "codegen/ir/names.hpp"

namespace linnet::cpp {

using ir::OpKind;
using ir::Scalar;
using ir::TypeKind;

namespace {

bool is_plain_float(const ir::Dtype& dtype) {
  return !dtype.is_variable && (dtype.scalar == Scalar::f32 || dtype.scalar == Scalar::f64);
}

bool is_bool(const ir::Dtype& dtype) {
  return !dtype.is_variable && dtype.scalar == Scalar::boolean;
}

/// Comparison operators of C++ mean what the language means.
bool compares_plainly(const ir::Dtype& dtype) {
  return !dtype.is_variable && dtype.scalar != Scalar::f16 && dtype.scalar != Scalar::bf16;
}

bool same_dtype(const ir::Dtype& a, const ir::Dtype& b) {
  if (a.is_variable != b.is_variable) return false;
  return a.is_variable ? a.variable == b.variable : a.scalar == b.scalar;
}

/// The shortest decimal that reads back as `value`, with a point or an exponent.
template <class Float>
std::string float_text(Float value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string float_literal(double value, Scalar scalar) {
  const std::string type = scalar_type(scalar);
  if (std::isnan(value)) return "std::numeric_limits<" + type + ">::quiet_NaN()";
  if (scalar == Scalar::f32) {
    const auto narrow = static_cast<float>(value);
    if (std::isinf(narrow)) {
      return std::string(value < 0 ? "-" : "") + "std::numeric_limits<float>::infinity()";
    }
    return float_text(narrow) + "f";
  }
  if (std::isinf(value)) {
    return std::string(value < 0 ? "-" : "") + "std::numeric_limits<double>::infinity()";
  }
  return float_text(value);
}

std::string integer_literal(std::int64_t value, Scalar scalar) {
  const std::string digits =
      value == INT64_MIN ? "(-9223372036854775807 - 1)" : std::to_string(value);
  if (scalar == Scalar::i32 && value != INT32_MIN) return digits;
  if (scalar == Scalar::i32) return "std::int32_t(-2147483647 - 1)";
  return scalar_type(scalar) + "(" + digits + ")";
}

const char* binary_operator(OpKind kind) {
  switch (kind) {
    case OpKind::add:
      return " + ";
    case OpKind::sub:
      return " - ";
    case OpKind::mul:
      return " * ";
    case OpKind::div:
      return " / ";
    default:
      return nullptr;
  }
}

const char* arithmetic_name(OpKind kind) {
  switch (kind) {
    case OpKind::add:
      return "add";
    case OpKind::sub:
      return "sub";
    case OpKind::mul:
      return "mul";
    case OpKind::min:
      return "min";
    case OpKind::max:
      return "max";
    case OpKind::bitand_:
      return "bit_and";
    case OpKind::bitor_:
      return "bit_or";
    case OpKind::bitxor:
      return "bit_xor";
    case OpKind::shl:
      return "shl";
    case OpKind::shr:
      return "shr";
    case OpKind::neg:
      return "neg";
    case OpKind::abs:
      return "abs";
    case OpKind::exp:
      return "exp";
    case OpKind::log:
      return "log";
    case OpKind::sqrt:
      return "sqrt";
    case OpKind::rsqrt:
      return "rsqrt";
    case OpKind::sin:
      return "sin";
    case OpKind::cos:
      return "cos";
    case OpKind::tanh:
      return "tanh";
    default:
      return nullptr;
  }
}

}  // namespace

std::string BodyWriter::scalar_cpp_type(const ir::Type& type) const {
  if (type->kind == TypeKind::enumeration) {
    const auto found = names_.enums.find(type->module + "::" + type->name);
    if (found == names_.enums.end()) return "int";
    return found->second;
  }
  return spelling_.dtype(type->dtype);
}

Code BodyWriter::literal(const ir::Op& op) {
  const ir::Type& type = op.results.at(0).type;
  if (op.kind == OpKind::enum_const) {
    return {scalar_cpp_type(type) + "::" + identifier(op.attrs.name)};
  }
  if (op.kind == OpKind::const_dim) {
    const auto* dim = std::get_if<ir::Dim>(&op.attrs.value);
    if (dim == nullptr) throw Unsupported{"a `const.dim` without a dimension"};
    return {"std::int64_t(" + spelling_.value(*dim).text + ")"};
  }
  double number = 0;
  std::int64_t integer = 0;
  bool is_integer = false;
  if (const auto* value = std::get_if<std::int64_t>(&op.attrs.value)) {
    integer = *value;
    number = static_cast<double>(*value);
    is_integer = true;
  } else if (const auto* real = std::get_if<double>(&op.attrs.value)) {
    number = *real;
  }
  if (type->dtype.is_variable) {
    const std::string text =
        is_integer ? integer_literal(integer, Scalar::i64) : float_literal(number, Scalar::f64);
    return {"linnet::arith::cast<" + spelling_.dtype(type->dtype) + ">(" + text + ")"};
  }
  switch (type->dtype.scalar) {
    case Scalar::boolean:
      return {number != 0 ? "true" : "false"};
    case Scalar::f32:
    case Scalar::f64:
      return {float_literal(number, type->dtype.scalar), number >= 0};
    case Scalar::f16:
    case Scalar::bf16:
      return {spelling_.dtype(type->dtype) + "(" + float_literal(number, Scalar::f64) + ")"};
    default:
      return {integer_literal(integer, type->dtype.scalar), integer >= 0};
  }
}

Code BodyWriter::elementwise(const ir::Op& op, const std::vector<Code>& x, const ir::Dtype& operand,
                             const ir::Dtype& result) {
  const auto call = [&](const std::string& function) {
    std::string text = "linnet::" + function + "(";
    for (std::size_t i = 0; i < x.size(); ++i) text += (i == 0 ? "" : ", ") + x[i].text;
    return Code{text + ")"};
  };
  const auto infix = [&](const char* sign) {
    return Code{x.at(0).operand() + sign + x.at(1).operand(), false};
  };
  switch (op.kind) {
    case OpKind::cast:
      if (same_dtype(operand, result)) return x.at(0);
      return {"linnet::arith::cast<" + spelling_.dtype(result) + ">(" + x.at(0).text + ")"};
    case OpKind::select:
      return call("ops::select");
    case OpKind::not_:
      return {"!" + x.at(0).operand()};
    case OpKind::and_:
      return infix(" && ");
    case OpKind::or_:
      return infix(" || ");
    case OpKind::compare: {
      if (!compares_plainly(operand)) {
        return call("arith::" + std::string(ir::relation_name(op.attrs.compare)));
      }
      const std::string sign = " " + std::string(ir::relation_symbol(op.attrs.compare)) + " ";
      return infix(sign.c_str());
    }
    case OpKind::neg:
      if (is_plain_float(operand)) return {"-" + x.at(0).operand(), false};
      break;
    case OpKind::div:
    case OpKind::rem: {
      if (op.kind == OpKind::div && is_plain_float(operand)) return infix(" / ");
      const std::string function = op.kind == OpKind::div ? "arith::div" : "arith::rem";
      return {"linnet::" + function + "(context, " + x.at(0).text + ", " + x.at(1).text + ")"};
    }
    case OpKind::bitand_:
      if (is_bool(operand)) return infix(" && ");
      break;
    case OpKind::bitor_:
      if (is_bool(operand)) return infix(" || ");
      break;
    case OpKind::bitxor:
      if (is_bool(operand)) return infix(" != ");
      break;
    default:
      break;
  }
  if (is_plain_float(operand)) {
    if (const char* sign = binary_operator(op.kind)) return infix(sign);
  }
  const char* name = arithmetic_name(op.kind);
  if (name == nullptr) throw Unsupported{std::string(ir::op_name(op.kind))};
  return call("arith::" + std::string(name));
}

Code BodyWriter::short_circuit(const ir::Op& op) {
  const Code left = scalar(op.operands.at(0));
  Text* const before = out_;
  Text inner(before->level() + 1);
  out_ = &inner;
  const Code right = scalar(op.operands.at(1));
  out_ = before;
  const bool is_and = op.kind == OpKind::and_;
  if (inner.empty()) {
    return {left.operand() + (is_and ? " && " : " || ") + right.operand(), false};
  }
  const std::string name = fresh(is_and ? "both" : "either");
  out().line("bool " + name + " = " + left.text + ";");
  out().open(is_and ? "if (" + name + ")" : "if (!" + name + ")");
  out().raw(inner.take());
  out().line(name + " = " + right.text + ";");
  out().close();
  return {name};
}

Code BodyWriter::scalar_op(const ir::Op& op) {
  switch (op.kind) {
    case OpKind::and_:
    case OpKind::or_:
      return short_circuit(op);
    case OpKind::tensor_element:
      return access(op);
    case OpKind::reduce:
      return reduction(op);
    case OpKind::call:
    case OpKind::semantic_call:
      return call_text(op, {});
    case OpKind::if_:
      return conditional(op);
    case OpKind::slice: {
      // Every axis dropped: one element.
      RepPtr rep = make_rep(RepKind::lazy, op.results.at(0).type);
      rep->op = &op;
      return slice_element(rep, {});
    }
    case OpKind::reshape: {
      // One element of a tensor whose extents are all 1, or a pack that is empty.
      const RepPtr from = get(op.operands.at(0));
      if (from->type->kind != TypeKind::tensor) return scalar(from);
      return reads_flat(from, "0");
    }
    case OpKind::broadcast:
    case OpKind::fill:
    case OpKind::permute:
      return scalar(op.operands.at(0));
    default:
      break;
  }
  if (!is_elementwise(op.kind)) throw Unsupported{std::string(ir::op_name(op.kind))};
  std::vector<Code> operands;
  for (const int operand : op.operands) operands.push_back(scalar(operand));
  const ir::Type& type = get(op.operands.at(0))->type;
  const bool is_enum = type->kind == TypeKind::enumeration;
  const ir::Dtype dtype = is_enum ? ir::Dtype{false, Scalar::i32, 0, {}} : type->dtype;
  return elementwise(op, operands, dtype, op.results.at(0).type->dtype);
}

Code BodyWriter::scalar(const RepPtr& rep) {
  if (rep->kind == RepKind::index) {
    return rep->index.size() == 1 ? Code{rep->index[0], false}
                                  : throw Unsupported{"an index of several axes as a number"};
  }
  if (rep->kind != RepKind::scalar) {
    // A tensor whose axes are all dropped or of extent 1 never stands for a scalar in the IR.
    throw Unsupported{"a value that is no scalar where one is needed"};
  }
  if (rep->op == nullptr) return rep->code;
  return scalar_op(*rep->op);
}

std::string BodyWriter::name_scalar(const ir::Value& value, const Code& code) {
  const std::string name = fresh(value.name.empty() ? "t" : value.name);
  out().line("const " + scalar_cpp_type(value.type) + " " + name + " = " + code.text + ";");
  return name;
}

/// What reading a waiting value reads in turn: states, and how far it goes.
void BodyWriter::note_sources(const ir::Op& op, const RepPtr& rep) const {
  const auto note = [&](int value) {
    const RepPtr from = get(value);
    rep->states.insert(from->states.begin(), from->states.end());
    rep->depth = std::max(rep->depth, waiting_depth(*from) + 1);
  };
  rep->depth = 1;
  for (const int operand : op.operands) note(operand);
  for (const int value : Usage::free_values(op)) note(value);
}

void BodyWriter::define_scalar(const ir::Op& op, const ir::Value& value) {
  if (usage_.uses(value.id) == 0) {
    set(value, make_rep(RepKind::unit, value.type));
    return;
  }
  RepPtr rep = make_rep(RepKind::scalar, value.type);
  rep->name = value.name;
  rep->guarded = usage_.guarded(value.id);
  note_sources(op, rep);
  if (rep->guarded && rep->depth > 20 * kLongExpression) {
    throw Unsupported{"a condition of this many parts"};
  }
  const bool waits = rep->guarded || (usage_.uses(value.id) == 1 && !usage_.repeated(value.id) &&
                                      rep->depth <= kLongExpression);
  if (waits) {
    rep->op = &op;
  } else {
    rep->code = {name_scalar(value, scalar_op(op))};
    rep->states.clear();
  }
  set(value, rep);
}

Code BodyWriter::reduction(const ir::Op& op) {
  force_free(op);
  const ir::Value& result = op.results.at(0);
  const std::string kind(ir::reduce_name(op.attrs.reduce));
  std::string counts;
  std::string parameters;
  Scope* const outer = scope_;
  Scope inner(outer);
  scope_ = &inner;
  const ir::Region& region = op.regions.at(0);
  for (std::size_t i = 0; i < op.attrs.indices.size(); ++i) {
    RepPtr rep = make_rep(RepKind::index, region.args.at(i).type);
    for (const ir::Unit& unit : op.attrs.indices[i].domain) {
      const std::string name = fresh(op.attrs.indices[i].name);
      rep->index.push_back(name);
      counts += ", " + spelling_.value(unit).text;
      parameters += (parameters.empty() ? "" : ", ") + std::string("std::int64_t ") + name;
    }
    set(region.args[i], rep);
  }
  Text* const before = out_;
  Text body(before->level() + 1);
  out_ = &body;
  enter_loop();
  write_ops(region);
  const ir::Op* end = terminator(region);
  if (end == nullptr || end->operands.empty()) throw Unsupported{"a reduction without a value"};
  const Code value = scalar(end->operands[0]);
  leave_loop();
  out_ = before;
  scope_ = outer;
  const std::string type = spelling_.dtype(result.type->dtype);
  const std::string head = "linnet::ops::" + kind + "<" + type + ">([&](" + parameters + ") {";
  if (body.empty() && head.size() + value.text.size() < 90)
    return {head + " return " + value.text + "; }" + counts + ")"};
  const std::string name = fresh(result.name.empty() ? kind : result.name);
  out().line("const " + type + " " + name + " = " + head);
  out().raw(body.take());
  out().indent();
  out().line("return " + value.text + ";");
  out().outdent();
  out().line("}" + counts + ");");
  return {name};
}

}  // namespace linnet::cpp
