// Statements, and which values are bound.

#include "codegen/plan/emit/body.hpp"

#include <algorithm>

#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/ir/walk.hpp"

namespace linnet::plan::detail {

using namespace ir;

namespace {

std::string base_of(const Value& value) {
  return value.name;
}

bool is_call(const Op& op) {
  return !op.attrs.callee.empty();
}

bool uses(const Op& op, int id) {
  if (std::find(op.operands.begin(), op.operands.end(), id) != op.operands.end()) return true;
  return std::any_of(op.regions.begin(), op.regions.end(), [&](const Region& region) {
    return std::any_of(region.ops.begin(), region.ops.end(),
                       [&](const Op& inner) { return uses(inner, id); });
  });
}

}  // namespace

BodyWriter::BodyWriter(Items& items, const Block* block, std::vector<Problem>& problems,
                       std::string where)
    : items_(items), block_(block), problems_(problems), where_(std::move(where)) {
  // Ordinary identifiers that mean something else in front of `[` or `(`.
  taken_ = {"sum",        "prod",       "any",        "all",  "load",   "store", "program_id",
            "atomic_add", "atomic_max", "atomic_min", "grad", "kernel", "axis"};
}

void BodyWriter::refuse(const std::string& message) {
  const Problem problem{where_, message};
  if (std::find(problems_.begin(), problems_.end(), problem) == problems_.end()) {
    problems_.push_back(problem);
  }
}

std::string BodyWriter::fresh(const std::string& base) {
  if (!base.empty()) return unique_name(base, taken_);
  std::string name;
  do {
    name = "_" + std::to_string(next_unnamed_++);
  } while (!taken_.insert(name).second);
  return name;
}

/// A name for a value; one that nothing uses is marked as such.
std::string BodyWriter::fresh(const Value& value) {
  const bool unused = uses_[value.id] == 0 && !value.name.empty() && value.name[0] != '_';
  if (!unused) return fresh(value.name);
  std::string name;
  do {
    name = "_" + std::to_string(next_unnamed_++) + "_" + value.name;
  } while (!taken_.insert(name).second);
  return name;
}

std::string BodyWriter::parameter(const Value& value) {
  const std::string name = value.name.empty() ? fresh("") : value.name;
  taken_.insert(name);
  names_[value.id] = name;
  types_[value.id] = value.type;
  return name;
}

/// What the region calls and reads by bare name may not be hidden by its locals.
void BodyWriter::reserve_uses(const Region& region) {
  walk(region, [&](const Op& op) {
    if (is_call(op)) {
      const std::string name = split_name(op.attrs.callee).second;
      const std::size_t dot = name.find('.');
      taken_.insert(dot == std::string::npos ? items_.function(op.attrs.callee)
                                             : name.substr(dot + 1));
    }
    if (!op.attrs.name.empty()) taken_.insert(op.attrs.name);
    for (const Value& result : op.results) {
      const Type& type = result.type;
      if (type->kind == TypeKind::structure || type->kind == TypeKind::enumeration) {
        taken_.insert(items_.type(type->module, type->name));
      }
    }
  });
}

void BodyWriter::count_uses(const Region& region) {
  walk(region, [&](const Op& op) {
    for (const int operand : op.operands) ++uses_[operand];
    for (const Value& result : op.results) types_[result.id] = result.type;
    for (const Region& inner : op.regions) {
      for (const Value& arg : inner.args) types_[arg.id] = arg.type;
    }
  });
}

std::string BodyWriter::statements(const Region& region) {
  count_uses(region);
  body(region, {}, false);
  return std::move(out_);
}

std::string BodyWriter::value(const Region& region) {
  count_uses(region);
  binds_ = false;
  return region_expression(region).text;
}

void BodyWriter::line(const std::string& text) {
  written_ += text.size();
  if (written_ > max_text) {
    refuse("is too long to be written out");
    return;
  }
  out_.append(static_cast<std::size_t>(indent_) * 4, ' ');
  out_ += text;
  out_ += '\n';
}

// --- which values are bound --------------------------------------------------------------

/// A read of a member is named after it by lowering; that is no name of its own.
std::string BodyWriter::plan_name(const Op& op) const {
  const std::string& name = op.results[0].name;
  const bool reads_member = op.kind == OpKind::block_param || op.kind == OpKind::block_sub ||
                            op.kind == OpKind::state_read;
  return reads_member && name == op.attrs.name ? std::string{} : name;
}

/// Written wherever it is used: it costs nothing, has no effect, and keeps no order.
bool BodyWriter::is_free(const Op& op) const {
  switch (op.kind) {
    case OpKind::block_sub:
    case OpKind::array_get:
      return true;
    case OpKind::const_dim:
    case OpKind::const_int:
    case OpKind::const_bool:
    case OpKind::const_float:
    case OpKind::enum_const:
    case OpKind::option_none:
      return op.results[0].name.empty();
    default:
      return false;
  }
}

void BodyWriter::flush() {
  for (const int id : std::vector<int>(std::move(pending_))) {
    const Text text = texts_.at(id);
    texts_.erase(id);
    let_value({id, "", types_.at(id)}, text, false);
  }
  pending_.clear();
}

void BodyWriter::note_order(const Op& op) {
  const int next = static_cast<int>(order_.size());
  for (const Value& result : op.results) order_.emplace(result.id, next);
}

/// Positions in `operands` from `first` on, in the order in which their values are made: what
/// is written by name may stand in any order and is evaluated as written.
std::vector<std::size_t> BodyWriter::written_order(const std::vector<int>& operands,
                                                   std::size_t first) const {
  std::vector<std::size_t> positions;
  for (std::size_t i = first; i < operands.size(); ++i) positions.push_back(i);
  // A bound value is made already: it goes with the operand before it.
  std::map<std::size_t, int> made;
  int last = -1;
  for (const std::size_t i : positions) {
    const int id = operands[i];
    const auto found = order_.find(id);
    const bool is_made_here =
        found != order_.end() && (texts_.contains(id) || makers_.contains(id));
    if (is_made_here) last = found->second;
    made[i] = last;
  }
  std::sort(positions.begin(), positions.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(made[a], a) < std::pair(made[b], b);
  });
  return positions;
}

/// Keeps the waiting values if `operands` takes them from the end in their order, so that
/// writing them there evaluates them as before; else binds all.
void BodyWriter::flush_unless_last(const std::vector<int>& operands) {
  std::vector<int> waiting;
  for (const int id : operands) {
    if (texts_.contains(id)) waiting.push_back(id);
  }
  const bool fits = waiting.size() <= pending_.size() &&
                    std::equal(waiting.rbegin(), waiting.rend(), pending_.rbegin());
  if (!fits) flush();
}

void BodyWriter::let_value(const Value& value, const Text& text, bool annotated) {
  const std::string name = fresh(value);
  names_[value.id] = name;
  const bool is_typed = annotated || text.needs_context || text.compile_time;
  line("let " + name + (is_typed ? ": " + items_.type_text(value.type) : "") + " = " + text.text);
}

void BodyWriter::let(const Op& op, const Text& text) {
  // What the new statement does not use was made before it.
  flush();
  let_value(op.results[0], text, false);
}

// --- statements ----------------------------------------------------------------------------

void BodyWriter::body(const Region& region, const Carried& carried, bool is_scan) {
  for (std::size_t i = 0; i < region.ops.size() && problems_.empty();) {
    const Op& op = region.ops[i];
    if (op.kind == OpKind::tuple_get) {
      tuple_gets(region.ops, i);
      continue;
    }
    if (op.kind == OpKind::yield) {
      end_of_body(op, carried, is_scan);
    } else if (!assigns_carried(region.ops, i, carried)) {
      statement(op);
    }
    ++i;
  }
}

void BodyWriter::statement(const Op& op) {
  switch (op.kind) {
    case OpKind::return_:
      give(op);
      return;
    case OpKind::comprehension:
      comprehension(op);
      return;
    case OpKind::static_for:
    case OpKind::static_range:
    case OpKind::for_:
    case OpKind::while_:
      loop(op);
      return;
    case OpKind::state_write: {
      flush_unless_last({op.operands[1]});
      const Text value = operand(op.operands[1]);
      flush();
      line(op.attrs.name + " = " + value.text);
      return;
    }
    case OpKind::kernel_store:
    case OpKind::kernel_atomic_add:
    case OpKind::kernel_atomic_max:
    case OpKind::kernel_atomic_min:
      kernel_write(op);
      return;
    default:
      break;
  }
  note_order(op);
  if (is_free(op)) {
    makers_[op.results[0].id] = &op;
    return;
  }
  const Text text = expression(op);
  const int id = op.results[0].id;
  if (plan_name(op).empty() && uses_[id] == 1) {
    pending_.push_back(id);
    texts_[id] = text;
  } else {
    let(op, text);
  }
}

/// `let (a, _, b) = t` for neighbouring reads of one tuple.
void BodyWriter::tuple_gets(const std::vector<Op>& ops, std::size_t& next) {
  const int tuple = ops[next].operands[0];
  flush_unless_last({tuple});
  const Text value = operand(tuple);
  flush();
  std::vector<std::string> names(types_.at(tuple)->elements.size(), "_");
  std::size_t free_from = 0;
  for (; next < ops.size() && ops[next].kind == OpKind::tuple_get; ++next) {
    const Op& op = ops[next];
    const auto position = static_cast<std::size_t>(std::get<std::int64_t>(op.attrs.value));
    if (op.operands[0] != tuple || position < free_from) break;
    free_from = position + 1;
    names[position] = fresh(op.results[0]);
    names_[op.results[0].id] = names[position];
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  line("let (" + list + (names.size() == 1 ? ",)" : ")") + " = " + value.text);
}

void BodyWriter::comprehension(const Op& op) {
  flush();
  const std::string name = fresh(op.results[0]);
  binds_ = false;
  const std::string indices = index_names(op);
  const Text value = region_expression(op.regions[0]);
  binds_ = true;
  names_[op.results[0].id] = name;
  line("let " + name + "[" + indices + "] = " + value.text);
}

void BodyWriter::give(const Op& op) {
  flush_unless_last(op.operands);
  if (op.operands.empty()) return;
  std::string list;
  for (const int id : op.operands) list += (list.empty() ? "" : ", ") + operand(id).text;
  flush();
  line("return " + (op.operands.size() > 1 ? "(" + list + ")" : list));
}

void BodyWriter::kernel_write(const Op& op) {
  flush_unless_last({op.operands.begin() + 1, op.operands.end()});
  const auto indices = static_cast<std::size_t>(op.attrs.index_count);
  std::string text(op_name(op.kind));
  text = text.substr(text.find('.') + 1) + "(" + names_[op.operands[0]] + "[";
  for (std::size_t i = 1; i <= indices; ++i) {
    text += (i == 1 ? "" : ", ") + operand(op.operands[i]).text;
  }
  text += "]";
  for (std::size_t i = indices + 1; i < op.operands.size(); ++i) {
    text += ", " + operand(op.operands[i]).text;
  }
  flush();
  line(text + ")");
}

// --- loops ---------------------------------------------------------------------------------

/// `var x = ...` for each carried value, fresh ones so that the order of carrying is the order
/// of their declaration.
BodyWriter::Carried BodyWriter::declare_carried(const Op& op, std::size_t first,
                                                const Region& body) {
  Carried carried;
  for (std::size_t i = first; i < op.operands.size(); ++i) {
    const std::size_t arg = body.args.size() - (op.operands.size() - i);
    const Value& value = body.args[arg];
    const Text initial = operand(op.operands[i]);
    const std::string name = fresh(base_of(value));
    const bool is_typed = initial.needs_context || initial.compile_time;
    line("var " + name + (is_typed ? ": " + items_.type_text(value.type) : "") + " = " +
         initial.text);
    carried.names.push_back(name);
    carried.ids.push_back(value.id);
    carried.bases.push_back(base_of(value));
  }
  return carried;
}

/// A bound of a loop, which must be known when compiling.
std::string BodyWriter::bound_text(int id) {
  const auto found = makers_.find(id);
  if (found != makers_.end()) {
    const Op& maker = *found->second;
    if (const auto* dim = std::get_if<Dim>(&maker.attrs.value)) return to_text(*dim);
    if (const auto* value = std::get_if<std::int64_t>(&maker.attrs.value)) {
      return std::to_string(*value);
    }
  }
  refuse("a loop runs to a bound that is not known when compiling");
  return "0";
}

void BodyWriter::loop(const Op& op) {
  flush();
  const bool is_while = op.kind == OpKind::while_;
  const std::size_t first = is_while ? 0 : op.kind == OpKind::static_for ? 1 : 2;
  const Region& inner = op.regions[is_while ? 1 : 0];
  const Carried carried = declare_carried(op, first, inner);
  const bool is_scan = op.results.size() > carried.names.size();
  std::string head;
  if (is_while) {
    for (std::size_t i = 0; i < carried.names.size(); ++i) {
      names_[op.regions[0].args[i].id] = carried.names[i];
    }
    binds_ = false;
    head = "while " + region_expression(op.regions[0]).text;
    binds_ = true;
  } else {
    const std::string variable = fresh(inner.args[0]);
    names_[inner.args[0].id] = variable;
    const std::string range = op.kind == OpKind::static_for
                                  ? operand(op.operands[0]).text
                                  : bound_text(op.operands[0]) + ".." + bound_text(op.operands[1]);
    head = (op.kind == OpKind::for_ ? "for " : "static for ") + variable + " in " + range;
  }
  if (is_scan) {
    const Value& stacked = op.results.back();
    const std::string name = fresh(stacked);
    names_[stacked.id] = name;
    head = "let " + name + " = " + head;
  }
  line(head + " {");
  for (std::size_t i = 0; i < carried.names.size(); ++i) names_[carried.ids[i]] = carried.names[i];
  ++indent_;
  body(inner, carried, is_scan);
  --indent_;
  line("}");
  for (std::size_t i = 0; i < carried.names.size(); ++i) {
    names_[op.results[i].id] = carried.names[i];
  }
}

/// A value that is made to be the next one of a carried variable is assigned to it at once,
/// if nothing later wants the old one. Returns whether it wrote the op.
bool BodyWriter::assigns_carried(const std::vector<Op>& ops, std::size_t position,
                                 const Carried& carried) {
  const Op& op = ops[position];
  if (carried.ids.empty() || op.results.size() != 1 || is_free(op)) return false;
  switch (op.kind) {
    case OpKind::comprehension:
    case OpKind::static_for:
    case OpKind::static_range:
    case OpKind::for_:
    case OpKind::while_:
      return false;
    default:
      break;
  }
  const std::vector<int>& yields = ops.back().operands;
  const int id = op.results[0].id;
  for (std::size_t k = 0; k < carried.ids.size(); ++k) {
    if (yields[k] != id || base_of(op.results[0]) != carried.bases[k]) continue;
    if (std::count(yields.begin(), yields.begin() + static_cast<std::ptrdiff_t>(carried.ids.size()),
                   id) != 1) {
      return false;
    }
    for (std::size_t later = position + 1; later < ops.size(); ++later) {
      if (uses(ops[later], carried.ids[k])) return false;
    }
    const Text text = expression(op);
    flush();
    line(carried.names[k] + " = " + text.text);
    names_[id] = carried.names[k];
    return true;
  }
  return false;
}

void BodyWriter::end_of_body(const Op& op, const Carried& carried, bool is_scan) {
  const std::size_t count = carried.names.size();
  // Assigned one after the other, so each must be a value of its own before the first is.
  std::vector<std::string> values;
  if (count == 1 && !is_scan) {
    flush_unless_last(op.operands);
    values.push_back(operand(op.operands[0]).text);
    flush();
  } else {
    flush();
    for (std::size_t i = 0; i < count; ++i) {
      const int id = op.operands[i];
      const Text text = operand(id);
      const auto other = std::find(carried.names.begin(), carried.names.end(), text.text);
      const bool is_other = other != carried.names.end() && *other != carried.names[i];
      if (is_other) {
        const std::string copy = fresh("");
        line("let " + copy + " = " + text.text);
        values.push_back(copy);
      } else {
        values.push_back(text.text);
      }
    }
  }
  std::string stacked;
  if (is_scan) {
    const int id = op.operands[count];
    Text text = typed(id);
    const bool is_carried =
        std::find(carried.names.begin(), carried.names.end(), text.text) != carried.names.end();
    const bool stays =
        is_carried && std::find(values.begin(), values.end(), text.text) == values.end();
    if (stays) {
      // The old value of a variable that is about to change.
      const std::string copy = fresh("");
      line("let " + copy + " = " + text.text);
      text.text = copy;
    }
    stacked = text.text;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const bool assigned_before = values[i] == carried.names[i] && op.operands[i] != carried.ids[i];
    if (!assigned_before) line(carried.names[i] + " = " + values[i]);
  }
  if (is_scan) line("yield " + stacked);
}

}  // namespace linnet::plan::detail
