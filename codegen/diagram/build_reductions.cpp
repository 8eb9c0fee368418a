// Comprehensions and reductions: one box with the formula in it.

#include <utility>

#include "codegen/diagram/builder.hpp"
#include "codegen/diagram/label.hpp"
#include "codegen/diagram/parameters.hpp"
#include "codegen/ir/walk.hpp"

namespace linnet::diagram {

using ir::OpKind;

namespace {

/// At most two lines, broken at a space that separates operands rather than indices.
std::vector<std::string> wrapped(const std::string& text) {
  const std::string fitting = shortened(text, max_detail);
  if (fitting == text) return {text};
  std::size_t space = text.rfind(' ', fitting.size());
  while (space != std::string::npos && space > 0 && text[space - 1] == ',') {
    space = text.rfind(' ', space - 1);
  }
  if (space == std::string::npos || space == 0) return {fitting};
  return {text.substr(0, space), shortened(text.substr(space + 1), max_detail)};
}

}  // namespace

void Builder::reduction(const ir::Op& op, Frame& frame, int cluster) {
  if (op.kind == OpKind::cumsum) {
    const int node =
        add_node(NodeKind::reduction, cluster, "cumsum axis " + std::to_string(op.attrs.axis));
    feed(node, *value(frame, op.operands[0]));
    return bind(frame, op.results[0], give(node, op.results[0].type, "cumsum"));
  }
  const std::string& name = op.results[0].name;
  std::string formula = index_notation(op, [&](int id) { return text_of(frame, id); });
  if (op.kind == OpKind::comprehension) formula = shortened(name, max_title) + formula;
  const int node = add_node(NodeKind::reduction, cluster, {});
  // Long formulas take two lines, the second one from behind the `=` on.
  const std::size_t equals = formula.find(" = ");
  const bool breaks = shortened(formula, max_title) != formula && equals != std::string::npos;
  Node& made = graph_.nodes[static_cast<std::size_t>(node)];
  made.title = shortened(breaks ? formula.substr(0, equals + 2) : formula, max_title);
  if (breaks) made.details = wrapped(formula.substr(equals + 3));
  feed_captured(node, op, frame, cluster);
  bind(frame, op.results[0], give(node, op.results[0].type, "reduce"));
}

void Builder::feed_captured(int node, const ir::Op& op, Frame& frame, int cluster) {
  // Values of the regions themselves are in no frame, so that looking them up finds nothing. Only
  // blocks, arrays and weights inside are followed.
  for (const ir::Region& body : op.regions) {
    ir::walk(body, [&](const ir::Op& inner) {
      if (too_large_) return;
      for (const int id : inner.operands) feed(node, *value(frame, id));
      switch (inner.kind) {
        case OpKind::block_param:
        case OpKind::block_sub:
        case OpKind::array_get:
          member(inner, frame, cluster);
          break;
        case OpKind::state_read:
          read_state(inner, frame, cluster);
          break;
        default:
          break;
      }
    });
  }
}

}  // namespace linnet::diagram
