// Arithmetic, casts and views: boxes of one sign, or lines that run through.

#include <set>
#include <utility>

#include "codegen/diagram/builder.hpp"
#include "codegen/diagram/label.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"

namespace linnet::diagram {

using ir::OpKind;

namespace {

/// Constants up to this length are written where they are read.
constexpr std::size_t max_constant = 32;
/// Of lines that run through hidden boxes, where every box passes on all that came before it.
constexpr std::size_t max_copied_sources = 2'000'000;

bool is_commutative(const ir::Op& op) {
  switch (op.kind) {
    case OpKind::add:
    case OpKind::mul:
    case OpKind::min:
    case OpKind::max:
    case OpKind::bitand_:
    case OpKind::bitor_:
    case OpKind::bitxor:
    case OpKind::and_:
    case OpKind::or_:
      return true;
    case OpKind::compare:
      return op.attrs.compare == ir::Relation::eq || op.attrs.compare == ir::Relation::ne;
    default:
      return false;
  }
}

/// `reshape`, `permute 0 2 1 3`, `iota S`: the op with what its operands do not say.
std::string view_title(const ir::Op& op, const std::vector<std::string>& positions) {
  const std::string name(ir::op_name(op.kind));
  switch (op.kind) {
    case OpKind::permute: {
      std::string text = name;
      for (const int axis : op.attrs.permutation) text += " " + std::to_string(axis);
      return text;
    }
    case OpKind::slice:
      return slice_label(op.attrs.axes, positions);
    case OpKind::iota:
      return name + " " + units_label(op.attrs.shape);
    case OpKind::concat:
      return name + " axis " + std::to_string(op.attrs.axis);
    default:
      return name;
  }
}

}  // namespace

void Builder::arithmetic(const ir::Op& op, Frame& frame, int cluster) {
  std::vector<Text> texts;
  std::size_t constants = 0;
  for (const int id : op.operands) {
    const bool constant = value(frame, id)->is_text();
    constants += constant ? 1 : 0;
    texts.push_back(constant ? text_of(frame, id) : Text{"·"});
  }
  // What a constant is converted to is seen where it is read.
  if (op.kind == OpKind::cast && constants == 1) {
    return bind(frame, op.results[0], value(frame, op.operands[0]));
  }
  const Text whole = arithmetic_text(op, texts);
  if (constants == op.operands.size() && whole.text.size() <= max_constant) {
    return bind(frame, op.results[0], as_text(whole));
  }
  std::string title = operator_sign(op, true);
  if (constants > 0 && is_infix(op.kind) && op.operands.size() == 2) {
    const bool left = value(frame, op.operands[0])->is_text();
    const bool right = value(frame, op.operands[1])->is_text();
    const auto operand = [&](std::size_t i) {
      return texts[i].precedence < Text::primary ? "(" + texts[i].text + ")" : texts[i].text;
    };
    title = (left ? operand(0) + " " : "") + title + (right ? " " + operand(1) : "");
  } else if (constants > 0) {
    title = whole.text;
  }
  elementwise(NodeKind::arithmetic, std::move(title), op, frame, cluster);
}

void Builder::view(const ir::Op& op, Frame& frame, int cluster) {
  const bool has_source = op.kind != OpKind::iota && op.kind != OpKind::fill;
  // A weight without a box stays itself under a view.
  if (has_source && op.operands.size() == 1 && value(frame, op.operands[0])->is_text()) {
    return bind(frame, op.results[0], value(frame, op.operands[0]));
  }
  std::vector<std::string> positions;
  for (std::size_t i = 1; i < op.operands.size(); ++i) {
    positions.push_back(text_of(frame, op.operands[i]).text);
  }
  std::string title = view_title(op, positions);
  if (op.kind == OpKind::fill) {
    const Bound& filled = *value(frame, op.operands[0]);
    if (filled.is_text()) title += " " + text_in(frame, filled).text;
  }
  elementwise(NodeKind::view, std::move(title), op, frame, cluster);
}

void Builder::elementwise(NodeKind kind, std::string title, const ir::Op& op, Frame& frame,
                          int cluster) {
  if (options_.arithmetic) {
    const int node = add_node(kind, cluster, std::move(title));
    for (const int id : op.operands) feed(node, *value(frame, id));
    graph_.nodes[static_cast<std::size_t>(node)].ordered = !is_commutative(op);
    const std::string name =
        kind == NodeKind::view ? std::string(ir::op_name(op.kind)) : std::string();
    for (const ir::Value& result : op.results) bind(frame, result, give(node, result.type, name));
    return;
  }
  std::set<Source> sources;
  for (const int id : op.operands) {
    const Bound& operand = *value(frame, id);
    sources.insert(operand.sources.begin(), operand.sources.end());
    copied_sources_ += sources.size();
  }
  if (copied_sources_ > max_copied_sources) too_large_ = true;
  auto through = std::make_shared<Bound>();
  through->sources.assign(sources.begin(), sources.end());
  if (sources.empty()) through->text = {std::move(title)};
  if (sources.size() == 1) through->origin = text_of(frame, op.operands[0]).text;
  for (const ir::Value& result : op.results) bind(frame, result, through);
}

}  // namespace linnet::diagram
