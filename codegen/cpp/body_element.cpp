// One element of a tensor value: an index expression on memory, or the expression of the op
// that makes it, with the index mapped through views and broadcasts.
#include <cstddef>
#include <string>

#include "codegen/cpp/body.hpp"
#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"

namespace linnet::cpp {

using ir::OpKind;
using ir::TypeKind;

namespace {

bool same_units(const ir::ShapeUnits& a, const ir::ShapeUnits& b) {
  return ir::equal(a, b);
}

std::string plus(const std::string& index, const std::string& offset) {
  return offset == "0" ? index : index + " + " + offset;
}

std::string parenthesised(const std::string& text) {
  const bool plain = text.find_first_of(" -") == std::string::npos;
  return plain ? text : "(" + text + ")";
}

}  // namespace

const std::string& BodyWriter::use(const RepPtr& memory) {
  touch(memory->slot);
  touch(memory->other_slot);
  for (const int slot : memory->guards) touch(slot);
  return memory->name;
}

void BodyWriter::touch_all(const RepPtr& rep) {
  if (rep->kind == RepKind::memory) use(rep);
  for (const RepPtr& part : rep->parts) touch_all(part);
}

/// The row-major position of an element.
std::string BodyWriter::linear(const ir::ShapeUnits& units, const Index& index) const {
  std::string text;
  for (std::size_t axis = 0; axis < units.size(); ++axis) {
    if (!text.empty() && !is_one(units[axis])) {
      text = parenthesised(text) + " * " + spelling_.value(units[axis]).operand();
    }
    if (index[axis] == "0") continue;
    text = text.empty() ? index[axis] : text + " + " + parenthesised(index[axis]);
  }
  return text.empty() ? "0" : text;
}

/// The index of the element at a row-major position, which is a name.
BodyWriter::Index BodyWriter::unlinear(const ir::ShapeUnits& units,
                                       const std::string& position) const {
  Index index(units.size(), "0");
  std::string stride;
  // Axes whose extent is not 1, from the back: all but the outermost wrap around.
  std::size_t outermost = units.size();
  for (std::size_t axis = 0; axis < units.size(); ++axis) {
    if (!is_one(units[axis])) {
      outermost = axis;
      break;
    }
  }
  for (std::size_t axis = units.size(); axis-- > 0;) {
    if (is_one(units[axis])) continue;
    const std::string extent = spelling_.value(units[axis]).operand();
    std::string text = stride.empty() ? position : position + " / " + parenthesised(stride);
    if (axis != outermost) text = parenthesised(text) + " % " + extent;
    index[axis] = text;
    stride = stride.empty() ? extent : stride + " * " + extent;
  }
  return index;
}

BodyWriter::Index BodyWriter::broadcast_index(const ir::ShapeUnits& from, const ir::ShapeUnits& to,
                                              const Index& index) const {
  Index result(from.size(), "0");
  if (from.size() > to.size()) throw Unsupported{"a broadcast to fewer axes"};
  const std::size_t skipped = to.size() - from.size();
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    if (!is_one(from[axis])) result[axis] = index[axis + skipped];
  }
  return result;
}

Code BodyWriter::memory_element(const RepPtr& rep, const Index& index) {
  const std::string name = use(rep);
  if (has_pack(rep->type->shape)) {
    return {"linnet::ops::at(" + name + ", " + linear(rep->type->shape, index) + ")"};
  }
  std::string text = name + "(";
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    text += (axis == 0 ? "" : ", ") + index[axis];
  }
  return {text + ")"};
}

/// The element at a row-major position.
Code BodyWriter::reads_flat(const RepPtr& rep, const std::string& position) {
  if (rep->kind == RepKind::scalar) return scalar(rep);
  if (rep->kind == RepKind::memory) {
    const std::string name = use(rep);
    return {"linnet::ops::at(" + name + ", " + position + ")"};
  }
  if (rep->kind != RepKind::lazy) throw Unsupported{"an element of something that is no tensor"};
  const ir::Op& op = *rep->op;
  if (op.kind == OpKind::reshape) return reads_flat(get(op.operands[0]), position);
  if (op.kind == OpKind::fill) return scalar(op.operands[0]);
  if (op.kind == OpKind::iota) {
    return {"linnet::arith::cast<" + spelling_.dtype(rep->type->dtype) + ">(" + position + ")"};
  }
  if (is_elementwise(op.kind)) {
    bool flat = true;
    for (const int operand : op.operands) {
      const RepPtr from = get(operand);
      flat = flat &&
             (from->kind == RepKind::scalar || same_units(from->type->shape, rep->type->shape));
    }
    if (flat) {
      std::vector<Code> codes;
      for (const int operand : op.operands) codes.push_back(reads_flat(get(operand), position));
      return elementwise(op, codes, get(op.operands[0])->type->dtype, rep->type->dtype);
    }
  }
  return element(rep, unlinear(rep->type->shape, parenthesised(position)));
}

/// Whether each element reads its operands at its own row-major position.
bool BodyWriter::is_flat(const RepPtr& rep, const ir::ShapeUnits& units) const {
  if (rep->kind == RepKind::scalar) return true;
  if (rep->kind == RepKind::memory) return same_units(rep->type->shape, units);
  if (rep->kind != RepKind::lazy) return false;
  const ir::Op& op = *rep->op;
  if (op.kind == OpKind::fill) return true;
  if (op.kind == OpKind::reshape) {
    const RepPtr from = get(op.operands[0]);
    return from->kind == RepKind::scalar || is_flat(from, from->type->shape);
  }
  if (!is_elementwise(op.kind) || !same_units(rep->type->shape, units)) return false;
  for (const int operand : op.operands) {
    if (!is_flat(get(operand), units)) return false;
  }
  return true;
}

/// Roughly how many simple operations one element takes.
int BodyWriter::cost(const RepPtr& rep) const {
  if (rep->kind != RepKind::lazy) return 0;
  const ir::Op& op = *rep->op;
  constexpr int dear = 1000;
  int total = 0;
  switch (op.kind) {
    case OpKind::exp:
    case OpKind::log:
    case OpKind::sin:
    case OpKind::cos:
    case OpKind::tanh:
    case OpKind::sqrt:
    case OpKind::rsqrt:
    case OpKind::div:
    case OpKind::rem:
      total = 10;
      break;
    case OpKind::comprehension:
      return dear;
    case OpKind::concat:
      total = 2;
      break;
    case OpKind::iota:
    case OpKind::fill:
    case OpKind::permute:
    case OpKind::broadcast:
    case OpKind::slice:
      total = 0;
      break;
    case OpKind::reshape: {
      // Of memory it is free; otherwise the position is taken apart by divisions.
      const RepPtr from = get(op.operands[0]);
      total = from->kind == RepKind::lazy ? 4 : 0;
      break;
    }
    default:
      total = 1;
  }
  for (const int operand : op.operands) {
    total += cost(get(operand));
    if (total > dear) return dear;
  }
  return total;
}

/// A run-time position into an axis as a name: -1 when it is outside, which the context records.
std::string BodyWriter::position(const Code& value, const ir::Unit& axis, std::string_view name) {
  const std::string local = fresh(name.empty() ? "at" : name);
  out().line("const std::int64_t " + local + " = linnet::ops::position(context, " + value.text +
             ", " + spelling_.value(axis).text + ");");
  return local;
}

Code BodyWriter::element(const RepPtr& rep, const Index& index) {
  if (rep->kind == RepKind::scalar) return scalar(rep);
  if (rep->kind == RepKind::memory) return memory_element(rep, index);
  if (rep->kind != RepKind::lazy) throw Unsupported{"an element of something that is no tensor"};
  const ir::Op& op = *rep->op;
  const ir::ShapeUnits& units = rep->type->shape;
  switch (op.kind) {
    case OpKind::fill:
      return scalar(op.operands.at(0));
    case OpKind::iota: {
      const std::string type = spelling_.dtype(rep->type->dtype);
      if (type == "std::int64_t") return {index.at(0), false};
      return {"linnet::arith::cast<" + type + ">(" + index.at(0) + ")"};
    }
    case OpKind::broadcast: {
      const RepPtr from = get(op.operands.at(0));
      if (from->kind == RepKind::scalar) return scalar(from);
      return element(from, broadcast_index(from->type->shape, units, index));
    }
    case OpKind::permute: {
      Index source(index.size());
      for (std::size_t axis = 0; axis < index.size(); ++axis) {
        source.at(static_cast<std::size_t>(op.attrs.permutation.at(axis))) = index[axis];
      }
      return element(get(op.operands.at(0)), source);
    }
    case OpKind::reshape: {
      const RepPtr from = get(op.operands.at(0));
      return reads_flat(from, linear(units, index));
    }
    case OpKind::slice:
      return slice_element(rep, index);
    case OpKind::concat:
      return concat_element(rep, index);
    case OpKind::comprehension:
      return comprehension_element(rep, index);
    default:
      break;
  }
  if (!is_elementwise(op.kind)) throw Unsupported{std::string(ir::op_name(op.kind))};
  std::vector<Code> codes;
  for (const int operand : op.operands) {
    const RepPtr from = get(operand);
    codes.push_back(from->kind == RepKind::scalar
                        ? scalar(from)
                        : element(from, broadcast_index(from->type->shape, units, index)));
  }
  return elementwise(op, codes, get(op.operands.at(0))->type->dtype, rep->type->dtype);
}

/// Maps the index of a slice's result to its operand; run-time positions are checked here.
Code BodyWriter::slice_element(const RepPtr& rep, const Index& index) {
  const ir::Op& op = *rep->op;
  const RepPtr from = get(op.operands.at(0));
  const ir::ShapeUnits& units = from->type->shape;
  Index source;
  std::vector<std::string> checked;
  std::size_t operand = 1;
  std::size_t result = 0;
  for (const ir::SliceAxis& axis : op.attrs.axes) {
    if (axis.whole) {
      for (std::size_t i = 0; i < axis.whole_units.size(); ++i)
        source.push_back(index.at(result++));
      continue;
    }
    if (axis.start == nullptr) {
      checked.push_back(position(scalar(op.operands.at(operand++)), units.at(source.size()), "at"));
      source.push_back(checked.back());
      continue;
    }
    const std::string start = spelling_.value(axis.start).text;
    if (axis.squeeze) {
      const bool inside = axis.start->kind == ir::DimKind::constant &&
                          !units.at(source.size()).is_pack() &&
                          units[source.size()].dim->kind == ir::DimKind::constant;
      if (inside) {
        source.push_back(start);
      } else {
        checked.push_back(position({start}, units.at(source.size()), "at"));
        source.push_back(checked.back());
      }
      continue;
    }
    std::string step = axis.step == nullptr ? "1" : spelling_.value(axis.step).operand();
    std::string text = index.at(result++);
    if (step != "1") text = parenthesised(text) + " * " + step;
    source.push_back(plus(text, parenthesised(start)));
  }
  const Code inner = element(from, source);
  if (checked.empty()) return inner;
  std::string condition;
  for (const std::string& at : checked) {
    condition += (condition.empty() ? "" : " || ") + at + " < 0";
  }
  const std::string zero = spelling_.dtype(rep->type->dtype) + "()";
  return {"(" + condition + " ? " + zero + " : " + inner.text + ")"};
}

Code BodyWriter::concat_element(const RepPtr& rep, const Index& index) {
  const ir::Op& op = *rep->op;
  const auto axis = static_cast<std::size_t>(op.attrs.axis);
  std::string text;
  std::string start = "0";
  std::string closing;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const RepPtr part = get(op.operands[i]);
    const std::string extent = spelling_.value(part->type->shape.at(axis)).operand();
    Index source = index;
    if (start != "0") source[axis] = index[axis] + " - " + parenthesised(start);
    start = start == "0" ? extent : start + " + " + extent;
    const Code inner = element(part, source);
    if (i + 1 == op.operands.size()) {
      text += inner.operand();
    } else {
      text += index[axis] + " < " + parenthesised(start) + " ? " + inner.operand() + " : (";
      closing += ")";
    }
  }
  return {text + closing, false};
}

/// The body of a comprehension at an index, written out where it is read.
Code BodyWriter::comprehension_element(const RepPtr& rep, const Index& index) {
  const ir::Op& op = *rep->op;
  const ir::Region& region = op.regions.at(0);
  std::size_t at = 0;
  for (std::size_t i = 0; i < op.attrs.indices.size(); ++i) {
    RepPtr arg = make_rep(RepKind::index, region.args.at(i).type);
    for (std::size_t unit = 0; unit < op.attrs.indices[i].domain.size(); ++unit) {
      arg->index.push_back(index.at(at++));
    }
    set(region.args[i], arg);
  }
  write_ops(region);
  const ir::Op* end = terminator(region);
  if (end == nullptr || end->operands.empty()) throw Unsupported{"a comprehension without a value"};
  return scalar(end->operands[0]);
}

/// `tensor.element`: each operand after the tensor is an index or a computed position.
Code BodyWriter::access(const ir::Op& op) {
  const RepPtr from = get(op.operands.at(0));
  if (from->type->kind != TypeKind::tensor) return scalar(from);
  const ir::ShapeUnits& units = from->type->shape;
  Index index;
  std::vector<std::string> checked;
  for (std::size_t i = 1; i < op.operands.size(); ++i) {
    const RepPtr operand = get(op.operands[i]);
    if (operand->kind == RepKind::index) {
      index.insert(index.end(), operand->index.begin(), operand->index.end());
      continue;
    }
    if (index.size() >= units.size()) throw Unsupported{"an access with too many indices"};
    checked.push_back(position(scalar(operand), units[index.size()], "at"));
    index.push_back(checked.back());
  }
  if (index.size() != units.size()) throw Unsupported{"an access that skips axes"};
  const Code inner = element(from, index);
  if (checked.empty()) return inner;
  std::string condition;
  for (const std::string& at : checked) {
    condition += (condition.empty() ? "" : " || ") + at + " < 0";
  }
  return {"(" + condition + " ? " + spelling_.dtype(from->type->dtype) + "() : " + inner.text +
          ")"};
}

}  // namespace linnet::cpp
