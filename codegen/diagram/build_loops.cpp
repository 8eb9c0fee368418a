// Loops: a region for the body, with a box for each carried variable at its start and its end.

#include <utility>

#include "codegen/diagram/builder.hpp"
#include "codegen/diagram/label.hpp"
#include "codegen/diagram/parameters.hpp"

namespace linnet::diagram {

using ir::OpKind;

namespace {

/// How many operands of a loop come before the carried ones.
std::size_t leading_operands(OpKind kind) {
  if (kind == OpKind::while_) return 0;
  return kind == OpKind::static_for ? 1 : 2;
}

}  // namespace

void Builder::loop(const ir::Op& op, Frame& frame, int cluster) {
  const std::size_t first = leading_operands(op.kind);
  const bool is_while = op.kind == OpKind::while_;
  const ir::Region& body = op.regions.back();
  const int box = add_cluster(cluster, loop_label(op, frame));
  std::size_t argument = 0;
  if (op.kind == OpKind::static_for) {
    const std::string path = value(frame, op.operands[0])->text.text;
    frame.values[body.args[argument++].id] = as_text({element_path(path, "*")});
  } else if (!is_while) {
    const ir::Value& index = body.args[argument++];
    const int node = add_node(NodeKind::carried, box, index.name);
    bind(frame, index, give(node, index.type, index.name));
  }
  const std::size_t count = op.operands.size() - first;
  std::vector<std::string> names;
  Bounds starts;
  for (std::size_t i = 0; i < count; ++i) {
    const ir::Value& variable = body.args[argument + i];
    names.push_back(variable.name);
    const BoundPtr start =
        carry_in(*value(frame, op.operands[first + i]), variable.type, variable.name, box);
    bind(frame, variable, start);
    starts.push_back(start);
    if (is_while) bind(frame, op.regions[0].args[i], start);
  }
  if (is_while) {
    const Bounds condition = region(op.regions[0], frame, box);
    const bool constant = condition.empty() || condition[0]->is_text();
    const std::string text = condition.empty() ? "" : condition[0]->text.text;
    const int gate = add_node(NodeKind::branch, box, constant ? "while " + text : "while");
    if (!constant) feed(gate, *condition[0]);
    graph_.clusters[static_cast<std::size_t>(box)].start = gate;
  }
  const Bounds yielded = region(body, frame, box);
  for (std::size_t i = 0; i < op.results.size() && i < yielded.size(); ++i) {
    const bool stacked = i >= names.size();
    const std::string name = stacked ? "stack " + op.results[i].name : names[i];
    const BoundPtr end = carry_out(*yielded[i], op.results[i].type, name, box);
    if (!stacked && !too_large_) link(*starts[i], *end);
    bind(frame, op.results[i], end);
  }
}

void Builder::link(const Bound& start, const Bound& end) {
  for (std::size_t i = 0; i < start.parts.size() && i < end.parts.size(); ++i) {
    link(*start.parts[i], *end.parts[i]);
  }
  if (start.sources.empty() || end.sources.empty()) return;
  graph_.nodes[static_cast<std::size_t>(start.sources[0].node)].next = end.sources[0].node;
}

std::string Builder::loop_label(const ir::Op& op, const Frame& frame) const {
  if (op.kind == OpKind::while_) return "while";
  const Bound& start = *value(frame, op.operands[0]);
  const std::string& name = op.regions[0].args[0].name;
  if (op.kind == OpKind::static_for) {
    return "× " + dim_text(start.length) + " · " + name + " in " + text_in(frame, start).text;
  }
  return "for " + name + " in " + text_of(frame, op.operands[0]).text + ".." +
         text_of(frame, op.operands[1]).text;
}

BoundPtr Builder::carry_in(const Bound& initial, const ir::Type& type, const std::string& name,
                           int cluster) {
  if (!initial.parts.empty() && type->kind == ir::TypeKind::tuple) {
    auto made = std::make_shared<Bound>();
    for (std::size_t i = 0; i < initial.parts.size() && i < type->elements.size(); ++i) {
      made->parts.push_back(carry_in(*initial.parts[i], type->elements[i], name, cluster));
    }
    return made;
  }
  const bool constant = initial.is_text();
  const int node =
      add_node(NodeKind::carried, cluster, constant ? name + " = " + initial.text.text : name);
  feed(node, initial);
  BoundPtr made = give(node, type, name);
  // What flows in carries its type already.
  if (!constant && !too_large_) {
    for (std::string& label : graph_.nodes[static_cast<std::size_t>(node)].outputs) label.clear();
  }
  return made;
}

BoundPtr Builder::carry_out(const Bound& last, const ir::Type& type, const std::string& name,
                            int cluster) {
  if (!last.parts.empty() && type->kind == ir::TypeKind::tuple) {
    auto made = std::make_shared<Bound>();
    for (std::size_t i = 0; i < last.parts.size() && i < type->elements.size(); ++i) {
      made->parts.push_back(carry_out(*last.parts[i], type->elements[i], name, cluster));
    }
    return made;
  }
  const bool constant = last.is_text();
  const int node =
      add_node(NodeKind::next, cluster, constant ? name + " = " + last.text.text : name);
  feed(node, last);
  return give(node, type, name);
}

}  // namespace linnet::diagram
