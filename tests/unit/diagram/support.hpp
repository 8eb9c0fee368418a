#pragma once
// Drawings of Linnet source, for tests.

#include <algorithm>
#include <string>

#include "codegen/diagram/build.hpp"
#include "codegen/diagram/find_entry.hpp"
#include "codegen/diagram/write.hpp"
#include "tests/unit/diagram/geometry.hpp"
#include "tests/unit/ir/compile.hpp"

namespace linnet::test {

inline diagram::Graph graph_of(const ir::Program& program, const std::string& entry,
                               const diagram::Options& options = {}) {
  const diagram::FoundEntry found = diagram::find_entry(program, entry);
  INFO(found.error);
  REQUIRE(found.entry != nullptr);
  const auto graph = diagram::build(program, *found.entry, options);
  REQUIRE(graph.has_value());
  return *graph;
}

/// The graph of the entry `f` of a module `m` with this text.
inline diagram::Graph graph_of(const std::string& name, const std::string& text,
                               const diagram::Options& options = {}) {
  return graph_of(compile("diagram_" + name, "module m\n" + text), "f", options);
}

/// The first node with this title; -1 for none.
inline int node_of(const diagram::Graph& graph, const std::string& title) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.nodes[i].title == title) return static_cast<int>(i);
  }
  return -1;
}

inline bool has_node(const diagram::Graph& graph, const std::string& title) {
  return node_of(graph, title) >= 0;
}

inline bool has_region(const diagram::Graph& graph, const std::string& label) {
  return std::any_of(graph.clusters.begin(), graph.clusters.end(),
                     [&](const diagram::Cluster& cluster) { return cluster.label == label; });
}

inline bool has_edge(const diagram::Graph& graph, const std::string& from, const std::string& to,
                     diagram::EdgeKind kind = diagram::EdgeKind::data) {
  return std::any_of(graph.edges.begin(), graph.edges.end(), [&](const diagram::Edge& edge) {
    return edge.kind == kind && graph.nodes[static_cast<std::size_t>(edge.from)].title == from &&
           graph.nodes[static_cast<std::size_t>(edge.to)].title == to;
  });
}

/// Lays a graph out and checks the geometry.
inline diagram::Layout laid_out(const diagram::Graph& graph) {
  const auto layout = diagram::lay_out(graph);
  REQUIRE(layout.has_value());
  for (const std::string& problem : GeometryCheck(graph, *layout).run()) FAIL_CHECK(problem);
  return *layout;
}

}  // namespace linnet::test
