// Where on the top of a box its lines arrive.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "codegen/diagram/layout/level.hpp"
#include "codegen/diagram/measure.hpp"

namespace linnet::diagram {
namespace {

constexpr int widest_step = 16;
constexpr int corner = 9;  ///< the part of a top at each end where nothing arrives

constexpr int longest_snap = 6;
constexpr int closest_pins = 6;

/// The lines that arrive at each box.
std::vector<std::vector<Segment*>> arrivals(Level& level) {
  std::vector<std::vector<Segment*>> into(level.items.size());
  for (Segment& segment : level.segments) {
    if (item_at(level, segment.lower.item).kind == ItemKind::node) {
      into[static_cast<std::size_t>(segment.lower.item)].push_back(&segment);
    }
  }
  return into;
}

/// Of the top of a box, where lines can arrive.
int room_of(const Node& node) {
  return std::max(box_size(node).width - 2 * corner, 0);
}

}  // namespace

void spread_pins(Level& level, const Graph& graph) {
  std::vector<std::vector<Segment*>> into = arrivals(level);
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
    const int step = std::min(widest_step, room_of(node) / (count - 1));
    for (int pin = 0; pin < count; ++pin) {
      arriving[static_cast<std::size_t>(pin)]->lower.offset = pin * step - (count - 1) * step / 2;
    }
  }
}

void snap_pins(Level& level, const Graph& graph) {
  std::vector<std::vector<Segment*>> into = arrivals(level);
  for (std::size_t i = 0; i < into.size(); ++i) {
    std::vector<Segment*>& arriving = into[i];
    if (arriving.empty()) continue;
    const Node& node = graph.nodes[static_cast<std::size_t>(level.items[i].index)];
    if (node.kind == NodeKind::joint) continue;
    std::stable_sort(arriving.begin(), arriving.end(), [](const Segment* a, const Segment* b) {
      return a->lower.offset < b->lower.offset;
    });
    const int half = room_of(node) / 2;
    for (std::size_t pin = 0; pin < arriving.size(); ++pin) {
      int& offset = arriving[pin]->lower.offset;
      const int straight = pin_x(level, arriving[pin]->upper) - level.items[i].x;
      const int least = pin == 0 ? -half : arriving[pin - 1]->lower.offset + closest_pins;
      const int most =
          pin + 1 == arriving.size() ? half : arriving[pin + 1]->lower.offset - closest_pins;
      if (std::abs(straight - offset) > longest_snap) continue;
      if (straight >= least && straight <= most) offset = straight;
    }
  }
}

}  // namespace linnet::diagram
