#include "codegen/diagram/prune.hpp"

#include <algorithm>
#include <utility>

namespace linnet::diagram {
namespace {

using EdgeIndices = std::vector<std::vector<int>>;

EdgeIndices edges_into_nodes(const Graph& graph) {
  EdgeIndices incoming(graph.nodes.size());
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    incoming[static_cast<std::size_t>(graph.edges[i].to)].push_back(static_cast<int>(i));
  }
  return incoming;
}

/// Whether `edge` can be left out: its ends are connected by others.
bool is_implied(const Graph& graph, const EdgeIndices& incoming, const std::vector<bool>& dropped,
                int edge) {
  constexpr std::size_t max_visited = 64;
  const Edge& asked = graph.edges[static_cast<std::size_t>(edge)];
  std::vector<int> visited = {asked.to};
  for (std::size_t next = 0; next < visited.size() && visited.size() < max_visited; ++next) {
    for (const int i : incoming[static_cast<std::size_t>(visited[next])]) {
      if (i == edge || dropped[static_cast<std::size_t>(i)]) continue;
      const int from = graph.edges[static_cast<std::size_t>(i)].from;
      if (from == asked.from) return true;
      if (std::find(visited.begin(), visited.end(), from) == visited.end()) {
        visited.push_back(from);
      }
    }
  }
  return false;
}

bool stays_unread(NodeKind kind) {
  return kind == NodeKind::input || kind == NodeKind::output || kind == NodeKind::write;
}

/// The nodes that something reads, directly or not, and those that stay anyway.
std::vector<bool> read_nodes(const Graph& graph) {
  const EdgeIndices incoming = edges_into_nodes(graph);
  std::vector<bool> needed(graph.nodes.size());
  std::vector<int> open;
  const auto need = [&](int node) {
    if (needed[static_cast<std::size_t>(node)]) return;
    needed[static_cast<std::size_t>(node)] = true;
    open.push_back(node);
  };
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (stays_unread(node.kind) || node.has_effect) need(static_cast<int>(i));
  }
  std::vector<bool> entered(graph.clusters.size());
  while (!open.empty()) {
    const int node = open.back();
    open.pop_back();
    const Node& found = graph.nodes[static_cast<std::size_t>(node)];
    if (found.next >= 0) need(found.next);
    for (int c = found.cluster; c > 0 && !entered[static_cast<std::size_t>(c)];
         c = graph.clusters[static_cast<std::size_t>(c)].parent) {
      entered[static_cast<std::size_t>(c)] = true;
      if (graph.clusters[static_cast<std::size_t>(c)].start >= 0) {
        need(graph.clusters[static_cast<std::size_t>(c)].start);
      }
    }
    for (const int i : incoming[static_cast<std::size_t>(node)]) {
      need(graph.edges[static_cast<std::size_t>(i)].from);
    }
  }
  return needed;
}

/// New positions of what is kept; -1 for the rest.
std::vector<int> numbering(const std::vector<bool>& kept) {
  std::vector<int> numbers;
  int next = 0;
  for (const bool keep : kept) numbers.push_back(keep ? next++ : -1);
  return numbers;
}

template <class T>
void keep_only(std::vector<T>& items, const std::vector<bool>& kept) {
  std::vector<T> left;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (kept[i]) left.push_back(std::move(items[i]));
  }
  items = std::move(left);
}

void drop_empty_clusters(Graph& graph) {
  std::vector<bool> kept(graph.clusters.size());
  kept[0] = true;
  for (const Node& node : graph.nodes) {
    for (int c = node.cluster; !kept[static_cast<std::size_t>(c)];
         c = graph.clusters[static_cast<std::size_t>(c)].parent) {
      kept[static_cast<std::size_t>(c)] = true;
    }
  }
  const std::vector<int> numbers = numbering(kept);
  keep_only(graph.clusters, kept);
  for (Cluster& cluster : graph.clusters) {
    if (cluster.parent >= 0) cluster.parent = numbers[static_cast<std::size_t>(cluster.parent)];
  }
  for (Node& node : graph.nodes) node.cluster = numbers[static_cast<std::size_t>(node.cluster)];
}

}  // namespace

void drop_implied_order(Graph& graph) {
  const EdgeIndices incoming = edges_into_nodes(graph);
  std::vector<bool> dropped(graph.edges.size());
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    dropped[i] = graph.edges[i].kind == EdgeKind::order &&
                 is_implied(graph, incoming, dropped, static_cast<int>(i));
  }
  dropped.flip();
  keep_only(graph.edges, dropped);
}

void drop_unread(Graph& graph) {
  const std::vector<bool> kept = read_nodes(graph);
  const std::vector<int> numbers = numbering(kept);
  std::erase_if(graph.edges, [&](const Edge& edge) {
    return !kept[static_cast<std::size_t>(edge.from)] || !kept[static_cast<std::size_t>(edge.to)];
  });
  for (Edge& edge : graph.edges) {
    edge.from = numbers[static_cast<std::size_t>(edge.from)];
    edge.to = numbers[static_cast<std::size_t>(edge.to)];
  }
  const auto renumber = [&](int& node) {
    if (node >= 0) node = numbers[static_cast<std::size_t>(node)];
  };
  for (Node& node : graph.nodes) renumber(node.next);
  for (Cluster& cluster : graph.clusters) renumber(cluster.start);
  keep_only(graph.nodes, kept);
  drop_empty_clusters(graph);
}

}  // namespace linnet::diagram
