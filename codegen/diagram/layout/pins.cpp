// Where on the top of a box its lines arrive.

#include <algorithm>

#include "codegen/diagram/layout/level.hpp"
#include "codegen/diagram/measure.hpp"

namespace linnet::diagram {
namespace {

constexpr int widest_step = 16;
constexpr int corner = 9;  ///< the part of a top at each end where nothing arrives

}  // namespace

void spread_pins(Level& level, const Graph& graph) {
  std::vector<std::vector<Segment*>> into(level.items.size());
  for (Segment& segment : level.segments) {
    if (item_at(level, segment.lower.item).kind == ItemKind::node) {
      into[static_cast<std::size_t>(segment.lower.item)].push_back(&segment);
    }
  }
  for (std::size_t i = 0; i < into.size(); ++i) {
    std::vector<Segment*>& arriving = into[i];
    if (arriving.size() < 2) continue;
    const Node& node = graph.nodes[static_cast<std::size_t>(level.items[i].index)];
    if (node.kind == NodeKind::joint) continue;
    std::stable_sort(arriving.begin(), arriving.end(), [&](const Segment* a, const Segment* b) {
      if (node.ordered) return a->lower.rank < b->lower.rank;
      return pin_x(level, a->upper) < pin_x(level, b->upper);
    });
    const int count = static_cast<int>(arriving.size());
    const int room = std::max(box_size(node).width - 2 * corner, 0);
    const int step = std::min(widest_step, room / (count - 1));
    for (int pin = 0; pin < count; ++pin) {
      arriving[static_cast<std::size_t>(pin)]->lower.offset = pin * step - (count - 1) * step / 2;
    }
  }
}

}  // namespace linnet::diagram
