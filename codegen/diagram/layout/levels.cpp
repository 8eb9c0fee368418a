#include "codegen/diagram/layout/levels.hpp"

#include <algorithm>

#include "codegen/diagram/measure.hpp"

namespace linnet::diagram {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// Clusters from the whole drawing down to `cluster`.
std::vector<int> path_to(const Graph& graph, int cluster) {
  std::vector<int> path;
  for (int c = cluster; c >= 0; c = graph.clusters[at(c)].parent) path.push_back(c);
  std::reverse(path.begin(), path.end());
  return path;
}

/// Order and control leave beside the values.
int output_offset(const Node& node, const Edge& edge) {
  const std::vector<int> offsets = output_offsets(node);
  if (offsets.empty()) return 0;
  if (edge.kind == EdgeKind::data) return offsets[at(edge.output)];
  return std::max(offsets[0] - 12, -box_size(node).width / 2 + 6);
}

class LevelMaker {
 public:
  explicit LevelMaker(const Graph& graph)
      : graph_(graph),
        levels_(graph.clusters.size()),
        nets_(graph.clusters.size()),
        region_items_(graph.clusters.size()) {}

  std::vector<Level> make() {
    for (std::size_t c = 1; c < graph_.clusters.size(); ++c) {
      Item label{ItemKind::label, static_cast<int>(c)};
      label.right = text_width(graph_.clusters[c].label, detail_size);
      label.height = label_height;
      add(static_cast<int>(c), label);
    }
    add_children();
    for (const Edge& edge : graph_.edges) add_edge(edge);
    return std::move(levels_);
  }

 private:
  const Graph& graph_;
  std::vector<Level> levels_;
  std::vector<std::map<NetKey, int>> nets_;
  std::vector<int> node_items_;
  std::vector<int> region_items_;
  int next_rank_ = 0;

  int add(int cluster, const Item& item) {
    std::vector<Item>& items = levels_[at(cluster)].items;
    items.push_back(item);
    return static_cast<int>(items.size()) - 1;
  }

  /// Regions come before the nodes that were made after them, so that ties are broken in the
  /// order of the program.
  void add_children() {
    std::size_t opened = 1;
    const auto open_up_to = [&](std::size_t end) {
      for (; opened < end; ++opened) {
        const int parent = graph_.clusters[opened].parent;
        region_items_[opened] = add(parent, {ItemKind::region, static_cast<int>(opened)});
      }
    };
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      open_up_to(at(graph_.nodes[i].cluster) + 1);
      node_items_.push_back(add(graph_.nodes[i].cluster, node_item(static_cast<int>(i))));
    }
    open_up_to(graph_.clusters.size());
  }

  Item node_item(int index) const {
    const Node& node = graph_.nodes[at(index)];
    const Size box = box_size(node);
    const std::vector<int> offsets = output_offsets(node);
    Item item{ItemKind::node, index};
    item.stays_high = node.kind == NodeKind::input || node.kind == NodeKind::carried;
    item.stays_low = node.kind == NodeKind::output || node.kind == NodeKind::next;
    item.left = item.right = box.width / 2;
    item.height = box.height;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      item.left = std::max(item.left, -offsets[i] + 8);
      item.right = std::max(item.right, offsets[i] + 8);
    }
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      if (node.outputs[i].empty()) continue;
      const int label = label_gap + text_width(node.outputs[i], detail_size);
      item.right = std::max(item.right, offsets[i] + label);
      item.height = box.height + label_height;
    }
    return item;
  }

  Net& net(int cluster, const NetKey& key) {
    std::vector<Net>& nets = levels_[at(cluster)].nets;
    const auto [known, is_new] = nets_[at(cluster)].emplace(key, static_cast<int>(nets.size()));
    if (is_new) nets.push_back({key, {-1, 0}, {}, {}});
    return nets[at(known->second)];
  }

  void connect(Net& net, const Pin& from, int to) {
    net.from = from;
    const bool known =
        std::any_of(net.to.begin(), net.to.end(), [&](const Pin& pin) { return pin.item == to; });
    if (!known) net.to.push_back({to, 0, next_rank_++});
  }

  int port(int cluster, const NetKey& key, ItemKind kind) {
    Level& level = levels_[at(cluster)];
    auto& ports = kind == ItemKind::entrance ? level.entrances : level.exits;
    const auto [known, is_new] = ports.emplace(key, 0);
    if (is_new) known->second = add(cluster, {kind, 0});
    return known->second;
  }

  void add_edge(const Edge& edge) {
    const bool is_data = edge.kind == EdgeKind::data;
    const NetKey key{edge.from, is_data ? edge.output : 0, edge.kind};
    const std::vector<int> out = path_to(graph_, graph_.nodes[at(edge.from)].cluster);
    const std::vector<int> in = path_to(graph_, graph_.nodes[at(edge.to)].cluster);
    std::size_t common = 0;  // how many clusters hold both ends
    while (common < out.size() && common < in.size() && out[common] == in[common]) ++common;
    // Up and out, from border to border.
    Pin from{node_items_[at(edge.from)], output_offset(graph_.nodes[at(edge.from)], edge)};
    for (std::size_t i = out.size(); i-- > common;) {
      connect(net(out[i], key), from, port(out[i], key, ItemKind::exit));
      from = {region_items_[at(out[i])], 0};
    }
    // Across, then down and in.
    for (std::size_t i = common; i < in.size(); ++i) {
      connect(net(in[i - 1], key), from, region_items_[at(in[i])]);
      from = {port(in[i], key, ItemKind::entrance), 0};
    }
    connect(net(in.back(), key), from, node_items_[at(edge.to)]);
  }
};

}  // namespace

std::vector<Level> make_levels(const Graph& graph) {
  return LevelMaker(graph).make();
}

}  // namespace linnet::diagram
