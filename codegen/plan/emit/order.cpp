// Which values are bound, and that writing the others where they are used keeps the order in
// which they are made.

#include <algorithm>

#include "codegen/plan/emit/body.hpp"

namespace linnet::plan::detail {

using namespace ir;

/// A read of a member is named after it by lowering; that is no name of its own.
std::string BodyWriter::plan_name(const Op& op) const {
  const std::string& name = op.results[0].name;
  const bool reads_member = op.kind == OpKind::block_param || op.kind == OpKind::block_sub ||
                            op.kind == OpKind::state_read;
  return reads_member ? std::string{} : name;
}

/// Written wherever it is used: it costs nothing, has no effect, and keeps no order.
bool BodyWriter::is_free(const Op& op) const {
  switch (op.kind) {
    case OpKind::block_sub:
      return true;
    case OpKind::array_get:
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

/// The operands of an op in the order in which its text evaluates them.
std::vector<int> BodyWriter::operands_as_written(const Op& op) const {
  const bool by_name = op.kind == OpKind::struct_make || !op.attrs.callee.empty();
  if (!by_name) return op.operands;
  std::vector<int> operands;
  for (const std::size_t i : written_order(op.operands, 0)) operands.push_back(op.operands[i]);
  return operands;
}

/// Collects the waiting values that the text of `id` will hold, in its order of evaluation.
void BodyWriter::waiting_under(int id, Waiting& found) const {
  if (texts_.contains(id)) {
    found.ids.push_back(id);
    return;
  }
  const auto made = makers_.find(id);
  if (made == makers_.end() || names_.contains(id)) return;
  if (const auto seen = found.seen.find(id); seen != found.seen.end()) {
    // Written twice, evaluated twice.
    if (seen->second) found.in_order = false;
    return;
  }
  found.seen.emplace(id, false);
  const std::size_t before = found.ids.size();
  for (const int operand : operands_as_written(*made->second)) waiting_under(operand, found);
  for (const Region& region : made->second->regions) waiting_inside(region, found);
  found.seen[id] = found.ids.size() != before;
}

/// What a region of a value holds is evaluated only when the region is, or many times.
void BodyWriter::waiting_inside(const Region& region, Waiting& found) const {
  const std::size_t before = found.ids.size();
  for (const Op& op : region.ops) {
    for (const int operand : op.operands) waiting_under(operand, found);
    for (const Region& inner : op.regions) waiting_inside(inner, found);
  }
  if (found.ids.size() != before) found.in_order = false;
}

bool BodyWriter::holds_waiting(const Op& op) const {
  if (pending_.empty()) return false;
  Waiting found;
  for (const int operand : op.operands) waiting_under(operand, found);
  for (const Region& region : op.regions) waiting_inside(region, found);
  return !found.ids.empty();
}

/// Keeps the waiting values if `operands` takes them from the end in their order, so that
/// writing them there evaluates them as before; else binds all.
void BodyWriter::flush_unless_last(const std::vector<int>& operands) {
  if (pending_.empty()) return;
  Waiting found;
  for (const int id : operands) waiting_under(id, found);
  const bool fits = found.in_order && found.ids.size() <= pending_.size() &&
                    std::equal(found.ids.rbegin(), found.ids.rend(), pending_.rbegin());
  if (!fits) flush();
}

/// Binds what must be made before an op that is written now.
void BodyWriter::flush_before(const Op& op) {
  if (op.regions.empty()) {
    flush_unless_last(operands_as_written(op));
    return;
  }
  // Values made before and used inside regions are bound; the operand may be inlined.
  const bool one = op.operands.size() == 1 && pending_.size() == 1 && pending_[0] == op.operands[0];
  if (!one) flush();
}

void BodyWriter::let_value(const Value& value, const Text& text, bool annotated) {
  const std::string name = fresh(value);
  names_[value.id] = name;
  const bool is_typed = annotated || text.needs_context || text.compile_time;
  if (!binds_) {
    bindings_.push_back({name, is_typed ? with_own_type(text, value.type).text : text.text});
    return;
  }
  line("let " + name + (is_typed ? ": " + items_.type_text(value.type) : "") + " = " + text.text);
}

void BodyWriter::let(const Op& op, const Text& text) {
  // What the new statement does not use was made before it.
  flush();
  let_value(op.results[0], text, false);
}

}  // namespace linnet::plan::detail
