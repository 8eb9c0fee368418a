// Tensors: when they wait, when they get memory, and the loops that fill it.
#include <algorithm>
#include <cstddef>
#include <string>

#include "codegen/cpp/body.hpp"
#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"

namespace linnet::cpp {

using ir::OpKind;
using ir::TypeKind;

namespace {

std::string index_name(std::size_t axis) {
  static constexpr const char* kNames[] = {"i", "j", "k", "l", "m", "n"};
  return axis < std::size(kNames) ? kNames[axis] : "i" + std::to_string(axis);
}

}  // namespace

// --- memory ----------------------------------------------------------------------------------

BodyWriter::Destination BodyWriter::allocate(const ir::Type& type, std::string_view name) {
  const std::string local = fresh(name.empty() ? "t" : name);
  const std::string view = spelling_.view(type->shape, type->dtype);
  const int slot = static_cast<int>(slots_.size());
  slots_.push_back({"linnet::ops::buffer<" + view + ">", local, clock_, clock_, loops_.size()});
  out().line("const auto " + local + " = linnet::ops::place<" + view + ">(frame, Frame::at(" +
             std::to_string(slot) + "), symbols);");
  return {local, slot, ""};
}

RepPtr BodyWriter::as_memory(const ir::Type& type, const Destination& to) {
  RepPtr rep = make_rep(RepKind::memory, type);
  rep->name = to.name;
  rep->slot = to.slot;
  if (!to.state.empty()) rep->states.insert(to.state);
  touch(to.slot);
  return rep;
}

/// Where a value is to be written: where it is wanted, or a new buffer.
BodyWriter::Destination BodyWriter::destination(const ir::Value& value) {
  const auto found = destinations_.find(value.id);
  if (found != destinations_.end()) return found->second;
  return allocate(value.type, value.name);
}

// --- loops -----------------------------------------------------------------------------------

BodyWriter::Index BodyWriter::open_loops(const ir::ShapeUnits& units,
                                         std::vector<std::string> names) {
  Index index;
  for (std::size_t axis = 0; axis < units.size(); ++axis) {
    if (is_one(units[axis])) {
      index.push_back("0");
      continue;
    }
    const std::string name = fresh(axis < names.size() ? names[axis] : index_name(axis));
    out().open("for (std::int64_t " + name + " = 0; " + name + " < " +
               spelling_.value(units[axis]).text + "; ++" + name + ")");
    index.push_back(name);
  }
  return index;
}

void BodyWriter::close_loops(const ir::ShapeUnits& units) {
  for (const ir::Unit& unit : units) {
    if (!is_one(unit)) out().close();
  }
}

void BodyWriter::copy(const RepPtr& from, const Destination& to) {
  touch(to.slot);
  out().line("linnet::ops::copy(" + to.name + ", " + use(from) + ");");
}

/// Writes every element of a waiting tensor.
void BodyWriter::fill_from(const RepPtr& rep, const Destination& to) {
  if (rep->kind == RepKind::memory) return copy(rep, to);
  if (rep->kind == RepKind::scalar) {
    out().line("linnet::ops::fill(" + to.name + ", " + scalar(rep).text + ");");
    touch(to.slot);
    return;
  }
  const ir::Op& op = *rep->op;
  if (op.kind == OpKind::comprehension) return fill_comprehension(op, to);
  if (op.kind == OpKind::concat) return fill_concat(rep, to);
  const ir::ShapeUnits& units = rep->type->shape;
  enter_loop();
  touch(to.slot);
  Scope* const outer = scope_;
  Scope inner(outer);
  scope_ = &inner;
  if (is_flat(rep, units)) {
    const std::string i = fresh("i");
    out().open("for (std::int64_t " + i + " = 0; " + i + " < " + to.name + ".size(); ++" + i + ")");
    const Code value = reads_flat(rep, i);
    out().line("linnet::ops::at(" + to.name + ", " + i + ") = " + value.text + ";");
    out().close();
  } else {
    const Index index = open_loops(units, {});
    const Code value = element(rep, index);
    const RepPtr target = as_memory(rep->type, {to.name, to.slot, ""});
    out().line(memory_element(target, index).text + " = " + value.text + ";");
    close_loops(units);
  }
  scope_ = outer;
  leave_loop();
}

BodyWriter::Index BodyWriter::bind_indices(const ir::Op& op) {
  const ir::Region& region = op.regions.at(0);
  Index all;
  for (std::size_t i = 0; i < op.attrs.indices.size(); ++i) {
    const ir::IndexDomain& domain = op.attrs.indices[i];
    std::vector<std::string> names(domain.domain.size(), domain.name);
    RepPtr rep = make_rep(RepKind::index, region.args.at(i).type);
    rep->index = open_loops(domain.domain, names);
    all.insert(all.end(), rep->index.begin(), rep->index.end());
    set(region.args[i], rep);
  }
  return all;
}

void BodyWriter::fill_comprehension(const ir::Op& op, const Destination& to) {
  force_free(op);
  if (fill_contraction(op, to)) return;
  const ir::Region& region = op.regions.at(0);
  enter_loop();
  touch(to.slot);
  Scope* const outer = scope_;
  Scope inner(outer);
  scope_ = &inner;
  const Index index = bind_indices(op);
  write_ops(region);
  const ir::Op* end = terminator(region);
  if (end == nullptr || end->operands.empty()) throw Unsupported{"a comprehension without a value"};
  const Code value = scalar(end->operands[0]);
  const RepPtr target = as_memory(op.results.at(0).type, {to.name, to.slot, ""});
  out().line(memory_element(target, index).text + " = " + value.text + ";");
  for (const ir::IndexDomain& domain : op.attrs.indices) close_loops(domain.domain);
  scope_ = outer;
  leave_loop();
}

/// One loop nest a part, each writing its own range of the axis.
void BodyWriter::fill_concat(const RepPtr& rep, const Destination& to) {
  const ir::Op& op = *rep->op;
  const auto axis = static_cast<std::size_t>(op.attrs.axis);
  const RepPtr target = as_memory(rep->type, {to.name, to.slot, ""});
  std::string start = "0";
  for (const int operand : op.operands) {
    const RepPtr part = get(operand);
    const ir::ShapeUnits& units = part->type->shape;
    enter_loop();
    touch(to.slot);
    Scope* const outer = scope_;
    Scope inner(outer);
    scope_ = &inner;
    const Index index = open_loops(units, {});
    const Code value = element(part, index);
    Index place = index;
    if (start != "0") place.at(axis) = index[axis] == "0" ? start : index[axis] + " + " + start;
    out().line(memory_element(target, place).text + " = " + value.text + ";");
    close_loops(units);
    scope_ = outer;
    leave_loop();
    const std::string extent = spelling_.value(units.at(axis)).operand();
    start = start == "0" ? extent : start + " + " + extent;
  }
}

void BodyWriter::fill_cumsum(const ir::Op& op, const Destination& to) {
  const RepPtr from = get(op.operands.at(0));
  const ir::ShapeUnits units = from->type->shape;
  const auto axis = static_cast<std::size_t>(op.attrs.axis);
  if (axis >= units.size()) throw Unsupported{"a running sum along an axis that is not there"};
  const std::string type = spelling_.dtype(from->type->dtype);
  const RepPtr target = as_memory(from->type, {to.name, to.slot, ""});
  enter_loop();
  touch(to.slot);
  Scope* const outer = scope_;
  Scope inner(outer);
  scope_ = &inner;
  // The running axis goes innermost.
  ir::ShapeUnits others = units;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(axis));
  Index index = open_loops(others, {});
  const std::string total = fresh("total");
  out().line("linnet::accumulator<" + type + "> " + total + "{};");
  const Index run = open_loops({units[axis]}, {"n"});
  index.insert(index.begin() + static_cast<std::ptrdiff_t>(axis), run.front());
  const Code value = element(from, index);
  out().line(total + " = linnet::arith::add(" + total +
             ", linnet::arith::cast<linnet::accumulator<" + type + ">>(" + value.text + "));");
  out().line(memory_element(target, index).text + " = linnet::arith::cast<" + type + ">(" + total +
             ");");
  close_loops({units[axis]});
  close_loops(others);
  scope_ = outer;
  leave_loop();
}

// --- values ----------------------------------------------------------------------------------

/// Computes a waiting value now and makes it a plain one.
void BodyWriter::force(const RepPtr& rep, std::string_view name) {
  if (rep->kind == RepKind::tuple || rep->kind == RepKind::optional) {
    for (const RepPtr& part : rep->parts) force(part, name);
    return;
  }
  if (rep->op == nullptr) return;
  if (rep->kind == RepKind::scalar) {
    ir::Value value{0, std::string(name), rep->type};
    const Code code = scalar_op(*rep->op);
    rep->code = {name_scalar(value, code)};
    rep->op = nullptr;
    rep->guarded = false;
    rep->states.clear();
    return;
  }
  const RepPtr memory = materialise(rep, name, nullptr);
  *rep = *memory;
}

/// The tensor in memory: where it is already, or filled into `to` or a new buffer.
RepPtr BodyWriter::materialise(const RepPtr& rep, std::string_view name, const Destination* to) {
  if (rep->kind == RepKind::memory && to == nullptr) return rep;
  Destination place;
  if (to != nullptr) {
    place = *to;
  } else if (rep->op != nullptr && !rep->op->results.empty()) {
    ir::Value value = rep->op->results[0];
    if (value.name.empty()) value.name = std::string(name);
    place = destination(value);
  } else {
    place = allocate(rep->type, name);
  }
  fill_from(rep, place);
  return as_memory(rep->type, place);
}

void BodyWriter::define_tensor(const ir::Op& op, const ir::Value& value) {
  if (usage_.uses(value.id) == 0) {
    set(value, make_rep(RepKind::unit, value.type));
    return;
  }
  // A scalar that a tensor op reads is read once an element.
  for (const int operand : op.operands) {
    const RepPtr from = get(operand);
    if (from->kind == RepKind::scalar) force(from, from->name);
  }
  RepPtr rep = make_rep(RepKind::lazy, value.type);
  rep->op = &op;
  rep->name = value.name;
  note_sources(op, rep);
  const bool again = usage_.uses(value.id) > 1 || usage_.repeated(value.id);
  switch (op.kind) {
    case OpKind::cumsum: {
      const Destination to = destination(value);
      fill_cumsum(op, to);
      rep = as_memory(value.type, to);
      break;
    }
    case OpKind::reshape: {
      // A reshape of dense memory is the same memory under another type.
      const RepPtr from = get(op.operands.at(0));
      if (from->kind == RepKind::lazy && cost(from) > kCheap) force(from, value.name);
      if (from->kind == RepKind::memory) {
        const std::string local = fresh(value.name.empty() ? "shaped" : value.name);
        out().line("const auto " + local + " = linnet::ops::reshape<" +
                   spelling_.shape(value.type->shape) + ">(" + use(from) + ", symbols);");
        RepPtr view = make_rep(RepKind::memory, value.type);
        view->name = local;
        view->slot = from->slot;
        view->states = from->states;
        view->stored = from->stored;
        view->reshaped = from->stored;
        rep = view;
      }
      break;
    }
    case OpKind::comprehension: {
      const bool plain = !contains(op.regions.at(0), OpKind::reduce) && !again;
      const bool calls =
          contains(op.regions[0], OpKind::call) || contains(op.regions[0], OpKind::semantic_call);
      if (!plain || calls || !destinations_.contains(value.id)) {
        // Reductions and whatever is read by index are worth a buffer.
        force_free(op);
        if (const std::optional<Destination> state = in_place_state(op)) {
          fill_comprehension(op, *state);
          rep = as_memory(value.type, *state);
        } else {
          rep = materialise(rep, value.name, nullptr);
        }
      }
      break;
    }
    default:
      if ((again && cost(rep) > kCheap) || rep->depth > kLongExpression) force(rep, value.name);
  }
  set(value, rep);
}

}  // namespace linnet::cpp
