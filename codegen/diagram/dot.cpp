#include <fmt/format.h>

#include <iterator>

#include "codegen/diagram/escape.hpp"
#include "codegen/diagram/measure.hpp"
#include "codegen/diagram/theme.hpp"
#include "codegen/diagram/write.hpp"

namespace linnet::diagram {
namespace {

/// The shape's name with what else it takes.
std::string_view shape_of(NodeKind kind) {
  switch (outline_of(kind)) {
    case Outline::rectangle:
      return "shape=box style=filled";
    case Outline::rounded:
      return "shape=box style=\"filled,rounded\"";
    case Outline::pill:
      return "shape=ellipse style=filled";
    case Outline::cylinder:
      return "shape=cylinder style=filled";
    case Outline::octagon:
      return "shape=octagon style=filled";
    case Outline::hexagon:
      return "shape=hexagon style=filled";
    case Outline::dot:
      return "shape=point style=filled width=0.06";
  }
  return {};
}

class DotWriter {
 public:
  DotWriter(const Graph& graph, Theme theme)
      : graph_(graph),
        theme_(theme),
        colours_(colours_of(theme)),
        depths_(cluster_depths(graph)),
        children_(graph.clusters.size()),
        members_(graph.clusters.size()) {
    for (std::size_t c = 1; c < graph.clusters.size(); ++c) {
      children_[static_cast<std::size_t>(graph.clusters[c].parent)].push_back(c);
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      members_[static_cast<std::size_t>(graph.nodes[i].cluster)].push_back(i);
    }
  }

  std::string write() {
    line(0, "digraph {{");
    line(1, "graph [bgcolor=\"#{}\" fontname=\"Helvetica\" fontsize={} fontcolor=\"#{}\"];",
         colours_.background, detail_size, colours_.muted);
    line(1, "node [fontname=\"Helvetica\" fontsize={} fontcolor=\"#{}\" height=0.3];", title_size,
         colours_.text);
    line(1,
         "edge [fontname=\"Helvetica\" fontsize={} fontcolor=\"#{}\" color=\"#{}\" "
         "arrowsize=0.6];",
         detail_size, colours_.muted, colours_.line);
    cluster(0, 1);
    for (const Edge& edge : graph_.edges) this->edge(edge);
    line(0, "}}");
    return std::move(out_);
  }

 private:
  const Graph& graph_;
  const Theme theme_;
  const Colours& colours_;
  const std::vector<int> depths_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::vector<std::size_t>> members_;
  std::string out_;

  template <class... Args>
  void line(int depth, fmt::format_string<Args...> format, Args&&... args) {
    out_.append(static_cast<std::size_t>(depth) * 2, ' ');
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  /// What is in a region, without the braces around it.
  void cluster(std::size_t index, int depth) {
    for (const std::size_t node : members_[index]) this->node(node, depth);
    for (const std::size_t child : children_[index]) {
      line(depth, "subgraph cluster_{} {{", child);
      line(depth + 1,
           "label=\"{}\" labeljust=l style=\"filled,rounded\" color=\"#{}\" "
           "fillcolor=\"#{}\";",
           escape_dot(graph_.clusters[child].label), colours_.region_stroke,
           colours_.region_fill[(depths_[child] + 1) % 2]);
      cluster(child, depth + 1);
      line(depth, "}}");
    }
  }

  void node(std::size_t index, int depth) {
    const Node& node = graph_.nodes[index];
    const Paint paint = paint_of(node.kind, theme_);
    std::string label = escape_dot(node.title);
    for (const std::string& detail : node.details) label += "\\n" + escape_dot(detail);
    line(depth, "n{} [label=\"{}\" {} fillcolor=\"#{}\" color=\"#{}\"];", index, label,
         shape_of(node.kind), paint.fill, paint.stroke);
  }

  void edge(const Edge& edge) {
    if (edge.kind != EdgeKind::data) {
      return line(1, "n{} -> n{} [style=dashed color=\"#{}\"];", edge.from, edge.to,
                  colours_.faint_line);
    }
    const Node& from = graph_.nodes[static_cast<std::size_t>(edge.from)];
    const std::string& type = from.outputs[static_cast<std::size_t>(edge.output)];
    if (type.empty()) return line(1, "n{} -> n{};", edge.from, edge.to);
    line(1, "n{} -> n{} [label=\" {}\"];", edge.from, edge.to, escape_dot(type));
  }
};

}  // namespace

std::string write_dot(const Graph& graph, Theme theme) {
  return DotWriter(graph, theme).write();
}

}  // namespace linnet::diagram
