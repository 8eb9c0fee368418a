// Regions that are expressions: branches, bodies of index notation, conditions, constants.

#include <algorithm>
#include <utility>

#include "codegen/ir/build.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/plan/emit/body.hpp"

namespace linnet::plan::detail {

using namespace ir;

namespace {

bool is_constant(const Op& op) {
  return op.kind >= OpKind::const_int && op.kind <= OpKind::const_dim;
}

/// Whether an op of the region itself, and not only of one inside it, takes the value.
bool takes(const Region& region, int id) {
  return std::any_of(region.ops.begin(), region.ops.end(), [&](const Op& op) {
    return std::find(op.operands.begin(), op.operands.end(), id) != op.operands.end();
  });
}

}  // namespace

Text BodyWriter::region_expression(const Region& region) {
  if (region.ops.empty() || region.ops.back().operands.size() != 1) {
    refuse("has a region that is no expression");
    return {};
  }
  const bool outer_binds = std::exchange(binds_, false);
  std::vector<int> outer_pending = std::exchange(pending_, {});
  std::vector<Binding> outer_bindings = std::exchange(bindings_, {});
  for (std::size_t i = 0; i + 1 < region.ops.size() && problems_.empty();) {
    if (region.ops[i].kind == OpKind::tuple_get) {
      tuple_gets(region.ops, i);
    } else {
      inner_op(region.ops[i++], region);
    }
  }
  const int result = region.ops.back().operands[0];
  flush_unless_last({result});
  Text text = problems_.empty() ? operand(result) : Text{};
  flush();
  for (auto binding = bindings_.rbegin(); binding != bindings_.rend(); ++binding) {
    // `none` is never taken; it only needs the type.
    text.text = "match some(" + binding->text + ") { some(" + binding->pattern + ") => " +
                text.text + ", none => " + any_value(type_of(result)) + " }";
    text.strength = loosest;
    text.compile_time = false;
  }
  binds_ = outer_binds;
  pending_ = std::move(outer_pending);
  bindings_ = std::move(outer_bindings);
  return text;
}

/// An op inside an expression: written where it is used, unless its effects would move, it
/// would get lost, or it would be repeated at length. One that has a name was bound already.
void BodyWriter::inner_op(const Op& op, const Region& region) {
  note_order(op);
  if (op.results.size() != 1) {
    refuse("has a statement inside an expression");
    return;
  }
  const int id = op.results[0].id;
  makers_[id] = &op;
  if (is_free(op)) return;
  const Effect effect = items_.effects().of(op);
  const bool has_effect = effect == Effect::state;
  const bool may_vanish = effect == Effect::failure && !takes(region, id);
  const bool is_named = keeps_names_ && !plan_name(op).empty();
  if (!has_effect && !may_vanish && !is_named && uses_[id] <= 1) return;
  const bool takes_waiting = holds_waiting(op);
  flush_before(op);
  const Text text = expression(op);
  if (has_effect && !is_named && uses_[id] == 1) {
    pending_.push_back(id);
    texts_[id] = text;
    return;
  }
  // `some(...)` gives a literal no dtype but its own.
  if (is_constant(op) && text.needs_context) return;
  const bool is_long = text.text.size() > max_repeated;
  if (has_effect || may_vanish || is_named || takes_waiting || is_long) let(op, text);
}

/// Some value of a type, never computed with.
std::string BodyWriter::any_value(const Type& type) {
  const auto zero = [&]() -> std::string {
    if (type->dtype.is_variable) return "cast<" + to_text(type->dtype) + ">(0)";
    if (type->dtype.scalar == Scalar::boolean) return "false";
    return type->dtype.scalar >= Scalar::f16 ? "0.0" : "0";
  };
  switch (type->kind) {
    case TypeKind::scalar:
      return zero();
    case TypeKind::tensor:
      return "fill<" + to_text(type->dtype) + ">([" + to_text(type->shape) + "], " + zero() + ")";
    case TypeKind::optional:
      return "none";
    case TypeKind::tuple: {
      std::string list;
      for (const Type& element : type->elements) {
        list += (list.empty() ? "" : ", ") + any_value(element);
      }
      return "(" + list + (type->elements.size() == 1 ? ",)" : ")");
    }
    case TypeKind::structure: {
      const Structure* structure = items_.lookup().structure(*type);
      if (structure == nullptr || ++depth_ > max_depth) break;
      const Substitution map = bind(structure->generics, type->args);
      std::string list;
      for (const auto& [name, field] : structure->fields) {
        list += (list.empty() ? "" : ", ") + name + " = " + any_value(substitute(field, map));
      }
      --depth_;
      return items_.type_text(type) + "(" + list + ")";
    }
    case TypeKind::enumeration: {
      const Enumeration* enumeration = items_.lookup().enumeration(*type);
      if (enumeration == nullptr || enumeration->variants.empty()) break;
      return items_.type(type->module, type->name) + "." + enumeration->variants[0];
    }
    default:
      break;
  }
  refuse("binds a value inside an expression that gives a `" + to_text(type) + "`");
  return {};
}

// --- branches --------------------------------------------------------------------------------

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
  text.text = "match " + typed(op.operands[0]).text + " { ";
  for (std::size_t i = 0; i < op.regions.size(); ++i) {
    text.text += op.attrs.variants[i] + " => " + arm(op.regions[i]) + ", ";
  }
  text.text.replace(text.text.size() - 2, 2, " }");
  return text;
}

/// The pattern that names a value, or its parts when only they are used.
std::string BodyWriter::pattern(const Value& value, const Region& region) {
  std::vector<std::string> names(value.type->kind == TypeKind::tuple ? value.type->elements.size()
                                                                     : 0);
  std::vector<const Op*> parts;
  bool is_once = true;
  for (const Op& op : region.ops) {
    if (op.kind != OpKind::tuple_get || op.operands[0] != value.id) continue;
    const auto position = static_cast<std::size_t>(std::get<std::int64_t>(op.attrs.value));
    is_once = is_once && names[position].empty();
    names[position] = "_";
    parts.push_back(&op);
  }
  if (parts.empty() || !is_once || uses_[value.id] != static_cast<int>(parts.size())) {
    names_[value.id] = fresh(value);
    return names_[value.id];
  }
  std::string list;
  for (const Op* part : parts) {
    const auto position = static_cast<std::size_t>(std::get<std::int64_t>(part->attrs.value));
    names[position] = pattern(part->results[0], region);
    // Named by the pattern, even where that takes it apart.
    names_.emplace(part->results[0].id, "");
  }
  for (const std::string& name : names) {
    list += (list.empty() ? "" : ", ") + (name.empty() ? "_" : name);
  }
  return "(" + list + (names.size() == 1 ? ",)" : ")");
}

Text BodyWriter::option_match(const Op& op) {
  Text text;
  text.strength = loosest;
  const std::string value = typed(op.operands[0]).text;
  const Region& some = op.regions[0];
  const std::string inside = pattern(some.args[0], some);
  const Text taken = region_expression(some);
  const Text other = region_expression(op.regions[1]);
  text.needs_context = taken.needs_context && other.needs_context;
  text.text = "match " + value + " { some(" + inside + ") => " + taken.text + ", none => " +
              other.text + " }";
  return text;
}

}  // namespace linnet::plan::detail
