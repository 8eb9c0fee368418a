// Views of tensors: slices, reshapes and what else moves elements.

#include <algorithm>

#include "codegen/ir/build.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/plan/emit/body.hpp"

namespace linnet::plan::detail {

using namespace ir;

namespace {

/// A bound of a slice before the language clamped it to the extent, which it does again.
Dim unclamped(const Dim& bound, const Dim& extent) {
  if (bound->kind != DimKind::min || bound->args.size() != 2) return bound;
  if (equal(bound->args[0], extent)) return bound->args[1];
  return equal(bound->args[1], extent) ? bound->args[0] : bound;
}

}  // namespace

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
  std::string text = indexed(op.operands[0]) + "[";
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

Text BodyWriter::view(const Op& op) {
  const std::string dtype = to_text(op.results[0].type->dtype);
  const std::string shape = "[" + to_text(op.attrs.shape) + "]";
  switch (op.kind) {
    case OpKind::reshape:
      return prelude_call("reshape", op.operands, ", " + shape);
    case OpKind::broadcast:
      return prelude_call("broadcast_to", op.operands, ", " + shape);
    case OpKind::fill:
      return {"fill<" + dtype + ">(" + shape + ", " + operand(op.operands[0]).text + ")"};
    case OpKind::iota:
      return {"iota<" + dtype + ">(" + to_text(op.attrs.shape) + ")"};
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
    default:
      return slice(op);
  }
}

}  // namespace linnet::plan::detail
