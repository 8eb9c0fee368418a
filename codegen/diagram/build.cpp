#include "codegen/diagram/build.hpp"

#include <utility>

#include "codegen/diagram/builder.hpp"
#include "codegen/diagram/label.hpp"
#include "codegen/diagram/prune.hpp"
#include "codegen/ir/names.hpp"

namespace linnet::diagram {

using ir::OpKind;

namespace {

/// Of regions within regions, those of opened calls included.
constexpr int max_depth = 200;

}  // namespace

std::optional<Graph> build(const ir::Program& program, const ir::Function& entry,
                           const Options& options) {
  return Builder(program, options).run(entry);
}

std::optional<Graph> Builder::run(const ir::Function& entry) {
  Frame frame;
  frame.expand = options_.expand;
  for (const ir::Value& argument : entry.body.args) {
    if (argument.type->kind == ir::TypeKind::block) {
      bind(frame, argument, as_text({}));
      continue;
    }
    const int node = add_node(NodeKind::input, 0, argument.name);
    bind(frame, argument, give(node, argument.type, argument.name));
  }
  const Bounds results = region(entry.body, frame, 0);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Bounds leaves = results[i]->parts.empty() ? Bounds{results[i]} : results[i]->parts;
    for (std::size_t j = 0; j < leaves.size(); ++j) {
      const Bound& leaf = *leaves[j];
      std::string title = leaf.name.empty() ? "output" : leaf.name;
      if (leaf.is_text()) title += " = " + leaf.text.text;
      feed(add_node(NodeKind::output, 0, std::move(title)), leaf);
    }
  }
  if (too_large_ || graph_.edges.size() > max_edges) return std::nullopt;
  drop_unread(graph_);
  drop_implied_order(graph_);
  return std::move(graph_);
}

Builder::Bounds Builder::region(const ir::Region& body, Frame& frame, int cluster) {
  if (depth_ >= max_depth) too_large_ = true;
  ++depth_;
  Bounds results;
  for (const ir::Op& each : body.ops) {
    if (too_large_) break;
    if (each.kind == OpKind::yield || each.kind == OpKind::return_) {
      for (const int id : each.operands) results.push_back(value(frame, id));
      break;
    }
    op(each, frame, cluster);
  }
  --depth_;
  return results;
}

void Builder::op(const ir::Op& op, Frame& frame, int cluster) {
  if (std::string constant = constant_text(op); !constant.empty()) {
    const bool simple = constant.find(' ') == std::string::npos;
    return bind(frame, op.results[0], as_text({std::move(constant), simple ? Text::primary : 0}));
  }
  if (!operator_sign(op, false).empty()) return arithmetic(op, frame, cluster);
  switch (op.kind) {
    case OpKind::reshape:
    case OpKind::broadcast:
    case OpKind::fill:
    case OpKind::iota:
    case OpKind::permute:
    case OpKind::slice:
    case OpKind::concat:
      return view(op, frame, cluster);
    case OpKind::cumsum:
    case OpKind::comprehension:
    case OpKind::reduce:
      return reduction(op, frame, cluster);
    case OpKind::tuple_make:
    case OpKind::struct_make:
      return make_tuple(op, frame);
    case OpKind::tuple_get:
    case OpKind::struct_get:
      return get_part(op, frame);
    case OpKind::option_some: {
      auto some = std::make_shared<Bound>(*value(frame, op.operands[0]));
      some->is_some = true;
      return bind(frame, op.results[0], std::move(some));
    }
    case OpKind::if_:
    case OpKind::option_match:
    case OpKind::enum_match:
      return branches(op, frame, cluster);
    case OpKind::call:
    case OpKind::semantic_call:
      return call(op, frame, cluster);
    case OpKind::block_param:
    case OpKind::block_sub:
    case OpKind::array_get:
      return member(op, frame, cluster);
    case OpKind::state_read:
      return read_state(op, frame, cluster);
    case OpKind::state_write:
      return write_state(op, frame, cluster);
    case OpKind::static_for:
    case OpKind::static_range:
    case OpKind::for_:
    case OpKind::while_:
      return loop(op, frame, cluster);
    default:
      // Ops of kernels: no entry has them in its own body.
      return elementwise(NodeKind::view, std::string(ir::op_name(op.kind)), op, frame, cluster);
  }
}

int Builder::add_node(NodeKind kind, int cluster, std::string title) {
  if (graph_.nodes.size() >= max_nodes) {
    too_large_ = true;
    return 0;
  }
  Node node;
  node.kind = kind;
  node.cluster = cluster;
  node.title = shortened(title, max_title);
  graph_.nodes.push_back(std::move(node));
  return static_cast<int>(graph_.nodes.size()) - 1;
}

int Builder::add_source(NodeKind kind, int cluster, std::string title) {
  const int node = add_node(kind, cluster, std::move(title));
  if (!too_large_) graph_.nodes[static_cast<std::size_t>(node)].outputs.emplace_back();
  return node;
}

int Builder::add_cluster(int parent, std::string label) {
  graph_.clusters.push_back({parent, shortened(label, max_title)});
  return static_cast<int>(graph_.clusters.size()) - 1;
}

void Builder::add_edge(const Edge& edge) {
  if (graph_.edges.size() >= max_edges) too_large_ = true;
  if (too_large_ || !edges_.emplace(edge.from, edge.output, edge.to).second) return;
  graph_.edges.push_back(edge);
}

void Builder::feed(int node, const Bound& value) {
  for (const Source& source : value.sources) {
    add_edge({source.node, source.output, node, EdgeKind::data});
  }
  for (const BoundPtr& part : value.parts) feed(node, *part);
}

BoundPtr Builder::give(int node, const ir::Type& type, const std::string& origin) {
  auto bound = std::make_shared<Bound>();
  bound->origin = origin;
  if (type->kind == ir::TypeKind::tuple) {
    for (const ir::Type& element : type->elements) {
      bound->parts.push_back(give(node, element, origin));
    }
    return bound;
  }
  if (too_large_) return bound;
  std::vector<std::string>& outputs = graph_.nodes[static_cast<std::size_t>(node)].outputs;
  bound->sources.push_back({node, static_cast<int>(outputs.size())});
  outputs.push_back(type_label(type));
  return bound;
}

void Builder::bind(Frame& frame, const ir::Value& value, BoundPtr bound) {
  frame.values[value.id] = value.name.empty() ? std::move(bound) : renamed(bound, value.name);
}

const BoundPtr& Builder::value(const Frame& frame, int id) const {
  // Not there only while a drawing that became too large is being given up.
  static const BoundPtr nothing = as_text({});
  const auto found = frame.values.find(id);
  return found == frame.values.end() ? nothing : found->second;
}

Text Builder::text_of(const Frame& frame, int id) const {
  const Bound& bound = *value(frame, id);
  if (bound.is_text()) return text_in(frame, bound);
  if (!bound.name.empty()) return {bound.name};
  return {bound.origin.empty() ? "·" : bound.origin};
}

Text Builder::text_in(const Frame& frame, const Bound& bound) {
  return {path_in(frame, bound.text.text), bound.text.precedence};
}

std::string Builder::path_in(const Frame& frame, const std::string& path) {
  if (frame.path.empty() || !path.starts_with(frame.path)) return path;
  if (path.size() == frame.path.size()) return {};
  return path[frame.path.size()] == '.' ? path.substr(frame.path.size() + 1) : path;
}

BoundPtr Builder::as_text(Text text) {
  auto bound = std::make_shared<Bound>();
  bound->text = std::move(text);
  return bound;
}

BoundPtr Builder::renamed(const BoundPtr& bound, const std::string& name) {
  if (bound->name == name) return bound;
  auto named = std::make_shared<Bound>(*bound);
  named->name = name;
  return named;
}

}  // namespace linnet::diagram
