// Loops and the variables that they carry.

#include <algorithm>

#include "codegen/ir/build.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/plan/emit/body.hpp"

namespace linnet::plan::detail {

using namespace ir;

namespace {

bool uses(const Op& op, int id) {
  if (std::find(op.operands.begin(), op.operands.end(), id) != op.operands.end()) return true;
  return std::any_of(op.regions.begin(), op.regions.end(), [&](const Region& region) {
    return std::any_of(region.ops.begin(), region.ops.end(),
                       [&](const Op& inner) { return uses(inner, id); });
  });
}

}  // namespace

/// `var x = ...` for each carried value, fresh ones so that the order of carrying is the order
/// of their declaration.
BodyWriter::Carried BodyWriter::declare_carried(const Op& op, std::size_t first,
                                                const Region& body) {
  Carried carried;
  for (std::size_t i = first; i < op.operands.size(); ++i) {
    const std::size_t arg = body.args.size() - (op.operands.size() - i);
    const Value& value = body.args[arg];
    const Text initial = operand(op.operands[i]);
    const std::string name = fresh(value.name);
    const bool is_typed = initial.needs_context || initial.compile_time;
    line("var " + name + (is_typed ? ": " + items_.type_text(value.type) : "") + " = " +
         initial.text);
    carried.names.push_back(name);
    carried.ids.push_back(value.id);
    carried.bases.push_back(value.name);
  }
  return carried;
}

std::string BodyWriter::bound_text(int id) const {
  const auto found = constants_.find(id);
  if (found == constants_.end()) return {};
  const Attributes& attrs = found->second->attrs;
  if (const auto* dim = std::get_if<Dim>(&attrs.value)) return to_text(*dim);
  return std::to_string(std::get<std::int64_t>(attrs.value));
}

/// The variables hold the loop's results from here on.
void BodyWriter::finish_loop(const Op& op, const Carried& carried) {
  for (std::size_t i = 0; i < carried.names.size(); ++i) {
    names_[op.results[i].id] = carried.names[i];
  }
}

void BodyWriter::loop(const Op& op) {
  flush();
  const bool is_while = op.kind == OpKind::while_;
  const bool is_range = op.kind == OpKind::for_ || op.kind == OpKind::static_range;
  if (is_range && (bound_text(op.operands[0]).empty() || bound_text(op.operands[1]).empty())) {
    range_loop_at_run_time(op);
    return;
  }
  const std::size_t first = is_while ? 0 : is_range ? 2 : 1;
  const Region& inner = op.regions[is_while ? 1 : 0];
  const Carried carried = declare_carried(op, first, inner);
  const bool is_scan = op.results.size() > carried.names.size();
  std::string head;
  if (is_while) {
    for (std::size_t i = 0; i < carried.names.size(); ++i) {
      names_[op.regions[0].args[i].id] = carried.names[i];
    }
    head = "while " + region_expression(op.regions[0]).text;
  } else {
    const std::string variable = fresh(inner.args[0]);
    names_[inner.args[0].id] = variable;
    const std::string range = is_range
                                  ? bound_text(op.operands[0]) + ".." + bound_text(op.operands[1])
                                  : operand(op.operands[0]).text;
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
  finish_loop(op, carried);
}

/// The language has no `for` over a range that is known only when it runs: the same by `while`.
void BodyWriter::range_loop_at_run_time(const Op& op) {
  const Region& inner = op.regions[0];
  const std::string base = inner.args[0].name.empty() ? "i" : inner.args[0].name;
  std::string start = operand(op.operands[0]).text;
  if (constants_.contains(op.operands[0])) {
    // A literal gets the name that lowering would give it.
    const std::string first = fresh(base);
    line("let " + first + ": " + items_.type_text(type_of(op.operands[0])) + " = " + start);
    start = first;
  }
  const std::string stop = operand_at(op.operands[1], additive);
  const std::string variable = fresh(base);
  line("var " + variable + " = " + start);
  const Carried carried = declare_carried(op, 2, inner);
  if (op.results.size() > carried.names.size()) {
    refuse("stacks values over a range that is not known when compiling");
    return;
  }
  line("while " + variable + " < " + stop + " {");
  names_[inner.args[0].id] = variable;
  for (std::size_t i = 0; i < carried.names.size(); ++i) names_[carried.ids[i]] = carried.names[i];
  ++indent_;
  body(inner, carried, false);
  line(variable + " = " + variable + " + 1");
  --indent_;
  line("}");
  finish_loop(op, carried);
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
    if (yields[k] != id || op.results[0].name != carried.bases[k]) continue;
    if (std::count(yields.begin(), yields.begin() + static_cast<std::ptrdiff_t>(carried.ids.size()),
                   id) != 1) {
      return false;
    }
    for (std::size_t later = position + 1; later < ops.size(); ++later) {
      if (uses(ops[later], carried.ids[k])) return false;
    }
    flush_before(op);
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
