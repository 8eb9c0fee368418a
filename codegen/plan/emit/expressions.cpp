// Expressions, with no more parentheses than the grammar needs.

#include <algorithm>
#include <charconv>
#include <cmath>

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

/// A bound of a slice before the language clamped it to the extent, which it does again.
Dim unclamped(const Dim& bound, const Dim& extent) {
  if (bound->kind != DimKind::min || bound->args.size() != 2) return bound;
  if (equal(bound->args[0], extent)) return bound->args[1];
  return equal(bound->args[1], extent) ? bound->args[0] : bound;
}

}  // namespace

// --- operands ------------------------------------------------------------------------------

Text BodyWriter::operand(int id) {
  if (const auto waiting = texts_.find(id); waiting != texts_.end()) {
    Text text = std::move(waiting->second);
    texts_.erase(waiting);
    pending_.erase(std::remove(pending_.begin(), pending_.end(), id), pending_.end());
    return text;
  }
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

Text BodyWriter::typed(int id) {
  Text text = operand(id);
  const bool plain = !text.needs_context && !text.compile_time;
  if (plain) return text;
  const Type& type = type_of(id);
  if (binds_) {
    flush();
    let_value({id, "", type}, text, true);
    return {names_.at(id)};
  }
  if (text.needs_context && type->kind == TypeKind::scalar) {
    return {"cast<" + to_text(type->dtype) + ">(" + text.text + ")"};
  }
  return text;
}

Text BodyWriter::region_expression(const Region& region) {
  for (const Op& op : region.ops) {
    note_order(op);
    for (const Value& result : op.results) makers_[result.id] = &op;
  }
  if (region.ops.empty() || region.ops.back().operands.size() != 1) {
    refuse("has a region that is no expression");
    return {};
  }
  const bool binds = binds_;
  binds_ = false;
  Text text = operand(region.ops.back().operands[0]);
  binds_ = binds;
  return text;
}

// --- literals and members --------------------------------------------------------------------

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
    return text;
  }
  if (const auto* integer = std::get_if<std::int64_t>(&op.attrs.value)) {
    if (op.kind == OpKind::const_bool) return {*integer != 0 ? "true" : "false"};
    text.text = std::to_string(*integer);
    text.strength = *integer < 0 ? unary : primary;
    text.needs_context = !is_scalar(type, Scalar::i64);
    text.compile_time = is_scalar(type, Scalar::i64);
    return text;
  }
  const double value = std::get<double>(op.attrs.value);
  if (!std::isfinite(value)) {
    refuse("holds a constant that is no finite number");
    return {"0.0"};
  }
  text.text = float_text(value);
  text.strength = std::signbit(value) ? unary : primary;
  text.needs_context = !is_scalar(type, Scalar::f64);
  return text;
}

/// `layers[0].attention.weight`; members of the own block are bare names.
Text BodyWriter::member(const Op& op) {
  const int block = op.operands[0];
  if (op.kind == OpKind::array_get) {
    return {operand_at(block, primary) + "[" + bound_text(op.operands[1]) + "]"};
  }
  if (block == own_block_) return {op.attrs.name};
  return {operand_at(block, primary) + "." + op.attrs.name};
}

// --- calls -------------------------------------------------------------------------------------

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

Text BodyWriter::prelude_call(const std::string& name, const std::vector<int>& operands,
                              const std::string& extra) {
  std::string list;
  for (const int id : operands) list += (list.empty() ? "" : ", ") + typed(id).text;
  return {name + "(" + list + extra + ")"};
}

std::string BodyWriter::axis_text(const Op& op) const {
  // Counted from the back when a pack stands before the axis.
  const ShapeUnits& shape = types_.at(op.operands[0])->shape;
  const auto axis = static_cast<std::size_t>(op.attrs.axis);
  for (std::size_t i = 0; i < axis && i < shape.size(); ++i) {
    if (shape[i].is_pack()) {
      return ", axis = " + std::to_string(op.attrs.axis - static_cast<int>(shape.size()));
    }
  }
  return ", axis = " + std::to_string(op.attrs.axis);
}

Text BodyWriter::slice(const Op& op) {
  std::string text = operand_at(op.operands[0], primary) + "[";
  std::size_t next = 1;
  std::size_t covered = 0;
  bool first = true;
  for (const SliceAxis& axis : op.attrs.axes) {
    if (!first) text += ", ";
    first = false;
    const std::size_t position = covered;
    covered += axis.whole ? axis.whole_units.size() : 1;
    if (axis.whole) {
      const bool has_pack = std::any_of(axis.whole_units.begin(), axis.whole_units.end(),
                                        [](const Unit& unit) { return unit.is_pack(); });
      if (has_pack) {
        text += "...";
        continue;
      }
      for (std::size_t i = 0; i < axis.whole_units.size(); ++i) text += i == 0 ? ":" : ", :";
    } else if (axis.squeeze) {
      text += axis.start ? to_text(axis.start) : typed(op.operands.at(next++)).text;
    } else {
      const Dim& extent = type_of(op.operands[0])->shape.at(position).dim;
      const std::string start = to_text(unclamped(axis.start, extent));
      // All of the axis is still a range: `:` alone would keep it whole.
      const bool to_end = equal(axis.stop, extent) && start != "0";
      text += start + ":";
      text += to_end ? "" : to_text(unclamped(axis.stop, extent));
      const std::string step = to_text(axis.step);
      if (step != "1") text += ":" + step;
    }
  }
  return {text + "]"};
}

// --- index notation
// -------------------------------------------------------------------------------

/// Declares the indices of a comprehension or reduction; `i, *s`.
std::string BodyWriter::index_names(const Op& op) {
  std::string list;
  const Region& region = op.regions[0];
  for (std::size_t i = 0; i < region.args.size(); ++i) {
    const Value& index = region.args[i];
    const ShapeUnits& domain = op.attrs.indices[i].domain;
    const bool is_run =
        index.type->kind == TypeKind::shape || domain.size() != 1 || domain[0].is_pack();
    const std::string base = index.name.empty() ? op.attrs.indices[i].name : index.name;
    // One per index op: siblings may share a name, an index hides nothing that is used.
    const std::string name = unique_name(base.empty() ? "i" : base, taken_);
    names_[index.id] = (is_run ? "*" : "") + name;
    list += (list.empty() ? "" : ", ") + (op.kind == OpKind::reduce ? name : names_[index.id]);
  }
  return list;
}

Text BodyWriter::element(const Op& op) {
  std::string text = operand_at(op.operands[0], primary) + "[";
  for (std::size_t i = 1; i < op.operands.size(); ++i) {
    text += (i == 1 ? "" : ", ") + operand(op.operands[i]).text;
  }
  return {text + "]"};
}

Text BodyWriter::reduce(const Op& op) {
  // The names of the indices are only taken inside.
  const std::set<std::string> taken = taken_;
  const std::string indices = index_names(op);
  const Region& region = op.regions[0];
  for (const Op& inner : region.ops) {
    note_order(inner);
    for (const Value& result : inner.results) makers_[result.id] = &inner;
  }
  const bool binds = binds_;
  binds_ = false;
  const Text body = typed(region.ops.back().operands[0]);
  binds_ = binds;
  taken_ = taken;
  return {std::string(reduce_name(op.attrs.reduce)) + "[" + indices + "] " + body.text, loosest};
}

// --- branches ---------------------------------------------------------------------------------

Text BodyWriter::branch(const Op& op) {
  if (op.kind == OpKind::option_match) return option_match(op);
  Text text;
  text.strength = loosest;
  text.needs_context = true;
  const auto arm = [&](const Region& region) {
    const Text value = region_expression(region);
    text.needs_context = text.needs_context && value.needs_context;
    return value.text;
  };
  if (op.kind == OpKind::if_) {
    text.text = "if " + operand(op.operands[0]).text + " { ";
    text.text += arm(op.regions[0]) + " } else { ";
    text.text += arm(op.regions[1]) + " }";
    return text;
  }
  text.text = "match " + operand(op.operands[0]).text + " { ";
  for (std::size_t i = 0; i < op.regions.size(); ++i) {
    text.text += op.attrs.variants[i] + " => " + arm(op.regions[i]) + ", ";
  }
  text.text.replace(text.text.size() - 2, 2, " }");
  return text;
}

/// The pattern that names a value, or its parts when only they are used.
std::string BodyWriter::pattern(const Value& value, const Region& region) {
  std::vector<const Op*> parts;
  for (const Op& op : region.ops) {
    const bool is_part = op.kind == OpKind::tuple_get && op.operands[0] == value.id;
    if (is_part) parts.push_back(&op);
  }
  if (parts.empty()) {
    names_[value.id] = fresh(value);
    return names_[value.id];
  }
  std::vector<std::string> names(value.type->elements.size(), "_");
  for (const Op* part : parts) {
    const auto position = static_cast<std::size_t>(std::get<std::int64_t>(part->attrs.value));
    names[position] = pattern(part->results[0], region);
  }
  if (uses_[value.id] > static_cast<int>(parts.size())) {
    refuse("uses a tuple and its parts in one expression");
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return "(" + list + (names.size() == 1 ? ",)" : ")");
}

Text BodyWriter::option_match(const Op& op) {
  Text text;
  text.strength = loosest;
  const std::string value = operand(op.operands[0]).text;
  const Region& some = op.regions[0];
  const std::string inside = pattern(some.args[0], some);
  for (const Op& inner : some.ops) {
    // Parts are named by the pattern already.
    for (const Value& result : inner.results) {
      if (!names_.contains(result.id)) makers_[result.id] = &inner;
    }
  }
  const Text taken = region_expression(some);
  const Text other = region_expression(op.regions[1]);
  text.needs_context = taken.needs_context && other.needs_context;
  text.text = "match " + value + " { some(" + inside + ") => " + taken.text + ", none => " +
              other.text + " }";
  return text;
}

// --- everything else ----------------------------------------------------------------------------

Text BodyWriter::binary(const Op& op, const char* sign, int strength) {
  Text left = operand(op.operands[0]);
  Text right = operand(op.operands[1]);
  const bool is_comparison = op.kind == OpKind::compare;
  // Two literals: one must say what they are, unless what is around does.
  const bool loses_context = is_comparison && left.needs_context && right.needs_context;
  if ((left.compile_time && right.compile_time) || loses_context) {
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
        refuse("makes a `" + type->name + "`, whose declaration the plan does not carry");
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
        refuse("reads a `" + value->name + "`, whose declaration the plan does not carry");
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
      return {items_.type(type->module, type->name) + "." + op.attrs.name};
    default:  // tuple.get outside a pattern
      refuse("takes a tuple apart inside an expression");
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

Text BodyWriter::expression(const Op& op) {
  if (binds_) {
    // Values made before and used inside regions are bound; direct operands may be inlined.
    if (op.regions.empty()) {
      std::vector<int> operands = op.operands;
      const bool by_name = op.kind == OpKind::struct_make || !op.attrs.callee.empty();
      if (by_name) {
        operands.clear();
        for (const std::size_t i : written_order(op.operands, 0)) {
          operands.push_back(op.operands[i]);
        }
      }
      flush_unless_last(operands);
    } else {
      const bool one =
          op.operands.size() == 1 && pending_.size() == 1 && pending_[0] == op.operands[0];
      if (!one) flush();
    }
  }
  const Type& type = op.results.at(0).type;
  const auto shape_call = [&](const char* name) {
    return prelude_call(name, {op.operands[0]}, ", [" + to_text(op.attrs.shape) + "]");
  };
  const bool scalar = type->kind == TypeKind::scalar;
  switch (op.kind) {
    case OpKind::const_int:
    case OpKind::const_bool:
    case OpKind::const_float:
    case OpKind::const_dim:
      return literal(op);
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
    case OpKind::exp:
    case OpKind::log:
    case OpKind::sqrt:
    case OpKind::rsqrt:
    case OpKind::sin:
    case OpKind::cos:
    case OpKind::tanh:
    case OpKind::abs:
      return prelude_call(std::string(op_name(op.kind)), op.operands);
    case OpKind::min:
    case OpKind::max:
    case OpKind::shl:
    case OpKind::shr:
    case OpKind::select: {
      // Literals take their dtype from the others; when all are literals, each says its own.
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
        list += says
                    ? "cast<" + to_text(type_of(op.operands[i])->dtype) + ">(" + parts[i].text + ")"
                    : parts[i].text;
      }
      return {std::string(op_name(op.kind)) + "(" + list + ")"};
    }
    case OpKind::cast: {
      // A literal here has no context, so it must have the default dtype.
      Text value = operand(op.operands[0]);
      if (value.needs_context && type_of(op.operands[0])->kind == TypeKind::scalar) {
        value.text = "cast<" + to_text(type_of(op.operands[0])->dtype) + ">(" + value.text + ")";
      }
      return {"cast<" + to_text(type->dtype) + ">(" + value.text + ")"};
    }
    case OpKind::reshape:
      return shape_call("reshape");
    case OpKind::broadcast:
      return shape_call("broadcast_to");
    case OpKind::fill:
      return {"fill<" + to_text(type->dtype) + ">([" + to_text(op.attrs.shape) + "], " +
              operand(op.operands[0]).text + ")"};
    case OpKind::iota:
      return {"iota<" + to_text(type->dtype) + ">(" + to_text(op.attrs.shape) + ")"};
    case OpKind::permute: {
      std::string axes;
      for (const int axis : op.attrs.permutation) {
        axes += (axes.empty() ? "" : ", ") + std::to_string(axis);
      }
      return prelude_call("permute", op.operands, ", [" + axes + "]");
    }
    case OpKind::concat:
      return prelude_call("concat", op.operands, axis_text(op));
    case OpKind::cumsum:
      return prelude_call("cumsum", op.operands, axis_text(op));
    case OpKind::slice:
      return slice(op);
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
    case OpKind::comprehension:
    case OpKind::static_for:
    case OpKind::static_range:
    case OpKind::for_:
    case OpKind::while_:
      refuse("has a `" + std::string(op_name(op.kind)) + "` inside an expression");
      return {};
    default:
      return aggregate(op);
  }
}

}  // namespace linnet::plan::detail
