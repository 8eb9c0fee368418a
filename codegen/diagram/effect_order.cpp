#include "codegen/diagram/effect_order.hpp"

#include <algorithm>

#include "codegen/diagram/build.hpp"

namespace linnet::diagram {
namespace {

void add(std::vector<int>& nodes, int node) {
  if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
}

}  // namespace

void EffectOrder::read(const std::string& state, int node) {
  Latest& latest = frontier_[state];
  for (const int write : latest.writes) order(write, node);
  add(latest.reads, node);
}

void EffectOrder::write(const std::string& state, int node) {
  Latest& latest = frontier_[state];
  // Reads come after the writes before them.
  for (const int earlier : latest.reads.empty() ? latest.writes : latest.reads) {
    order(earlier, node);
  }
  latest.writes = {node};
  latest.reads.clear();
}

void EffectOrder::join(const Frontier& other) {
  for (const auto& [state, latest] : other) {
    Latest& here = frontier_[state];
    for (const int node : latest.writes) add(here.writes, node);
    for (const int node : latest.reads) add(here.reads, node);
  }
}

void EffectOrder::order(int earlier, int later) {
  // A graph of more edges is refused in the end.
  if (earlier == later || graph_.edges.size() > max_edges) return;
  graph_.edges.push_back({earlier, 0, later, EdgeKind::order});
}

}  // namespace linnet::diagram
