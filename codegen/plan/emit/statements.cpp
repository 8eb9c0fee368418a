// Statements other than loops.

#include "codegen/ir/names.hpp"
#include "codegen/plan/emit/body.hpp"

namespace linnet::plan::detail {

using namespace ir;

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
  flush_before(op);
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
  if (names_.contains(ops[next].results[0].id)) {  // by the pattern of a `match`
    ++next;
    return;
  }
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
  list = "(" + list + (names.size() == 1 ? ",)" : ")");
  if (binds_) {
    line("let " + list + " = " + value.text);
  } else {
    bindings_.push_back({list, value.text});
  }
}

void BodyWriter::comprehension(const Op& op) {
  flush();
  const std::string name = fresh(op.results[0]);
  // The names of the indices are only taken inside.
  const std::set<std::string> taken = taken_;
  const std::string indices = index_names(op);
  const Text value = with_domains(op, region_expression(op.regions[0]));
  taken_ = taken;
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

}  // namespace linnet::plan::detail
