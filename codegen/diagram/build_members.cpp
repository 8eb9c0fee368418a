// Blocks, weights and states, all known by their paths.

#include "codegen/diagram/builder.hpp"
#include "codegen/diagram/label.hpp"
#include "codegen/diagram/parameters.hpp"

namespace linnet::diagram {

using ir::OpKind;

void Builder::member(const ir::Op& op, Frame& frame, int cluster) {
  const std::string block = value(frame, op.operands[0])->text.text;
  const ir::Value& result = op.results[0];
  if (op.kind == OpKind::array_get) {
    const Bound& position = *value(frame, op.operands[1]);
    const std::string index = position.is_text() ? position.text.text : "*";
    frame.values[result.id] = as_text({element_path(block, index)});
  } else if (op.kind == OpKind::block_param) {
    frame.values[result.id] =
        parameter(member_path(block, op.attrs.name), result.type, frame, cluster);
  } else {
    auto sub = std::make_shared<Bound>();
    sub->text = {member_path(block, op.attrs.name)};
    if (result.type->kind == ir::TypeKind::array) sub->length = result.type->length;
    frame.values[result.id] = std::move(sub);
  }
}

BoundPtr Builder::parameter(const std::string& path, const ir::Type& type, const Frame& frame,
                            int cluster) {
  if (!options_.parameters) return as_text({path});
  const auto [known, is_new] = parameter_nodes_.emplace(std::to_string(cluster) + " " + path, 0);
  if (is_new) {
    known->second = add_source(NodeKind::parameter, cluster, path_in(frame, path));
    Node& node = graph_.nodes[static_cast<std::size_t>(known->second)];
    node.details.push_back(type_label(type));
  }
  auto bound = std::make_shared<Bound>();
  bound->sources.push_back({known->second, 0});
  bound->origin = path_in(frame, path);
  return bound;
}

void Builder::read_state(const ir::Op& op, Frame& frame, int cluster) {
  const std::string path = member_path(value(frame, op.operands[0])->text.text, op.attrs.name);
  const int node = add_node(NodeKind::read, cluster, "read " + path_in(frame, path));
  effects_.read(path, node);
  bind(frame, op.results[0], give(node, op.results[0].type, op.attrs.name));
}

void Builder::write_state(const ir::Op& op, Frame& frame, int cluster) {
  const std::string path = member_path(value(frame, op.operands[0])->text.text, op.attrs.name);
  const Bound& written = *value(frame, op.operands[1]);
  const std::string text = written.is_text() ? " = " + text_in(frame, written).text : "";
  const int node = add_node(NodeKind::write, cluster, "write " + path_in(frame, path) + text);
  feed(node, written);
  effects_.write(path, node);
}

}  // namespace linnet::diagram
