#include "codegen/diagram/layout/layout.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "codegen/diagram/layout/level.hpp"
#include "codegen/diagram/layout/levels.hpp"
#include "codegen/diagram/measure.hpp"

namespace linnet::diagram {
namespace {

constexpr int max_bends = 300'000;

constexpr int margin = 16;   ///< around the drawing
constexpr int padding = 12;  ///< between the border of a region and what is in it
constexpr int least_gap = 24;
constexpr int most_gap = 84;
constexpr int arrow_room = 9;  ///< of straight line before an arrow's tip
constexpr int label_baseline = 12;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// Sizes of the regions in a level, and where their ports are.
void fit_regions(Level& level, const std::vector<Level>& levels) {
  for (Item& item : level.items) {
    if (item.kind != ItemKind::region) continue;
    const Level& inner = levels[at(item.index)];
    item.left = inner.width / 2;
    item.right = inner.width - item.left;
    item.height = inner.height;
  }
  const auto port_offset = [&](const Pin& pin, const NetKey& key, bool is_entrance) {
    const Item& item = item_at(level, pin.item);
    const Level& inner = levels[at(item.index)];
    const int port = (is_entrance ? inner.entrances : inner.exits).at(key);
    return item_at(inner, port).x - inner.first_x - item.left;
  };
  for (Net& net : level.nets) {
    if (item_at(level, net.from.item).kind == ItemKind::region) {
      net.from.offset = port_offset(net.from, net.key, false);
    }
    for (Pin& pin : net.to) {
      if (item_at(level, pin.item).kind == ItemKind::region) {
        pin.offset = port_offset(pin, net.key, true);
      }
    }
  }
}

/// Borders left and right of everything; the label stands in the corner.
void find_width(Level& level, bool is_region) {
  int first = std::numeric_limits<int>::max();
  int last = std::numeric_limits<int>::min();
  for (const Item& item : level.items) {
    if (item.kind == ItemKind::label) continue;
    first = std::min(first, item.x - item.left);
    last = std::max(last, item.x + item.right);
  }
  if (first > last) first = last = 0;
  for (Item& item : level.items) {
    if (item.kind != ItemKind::label) continue;
    item.x = std::min(item.x, first);
    first = item.x;
    last = std::max(last, item.x + item.right);
  }
  const int around = is_region ? padding : margin;
  level.first_x = first - around;
  level.width = last - first + 2 * around;
}

/// The space below each row: more where lines go far to the side.
std::vector<int> find_gaps(const Level& level) {
  std::vector<int> gaps(level.rows.size(), 6);
  for (const Segment& segment : level.segments) {
    int& gap = gaps[at(item_at(level, segment.upper.item).row)];
    const int aside = std::abs(pin_x(level, segment.upper) - pin_x(level, segment.lower));
    gap = std::max(gap, std::min(least_gap + aside / 7, most_gap));
  }
  return gaps;
}

void find_heights(Level& level, bool is_region) {
  const std::vector<int> gaps = find_gaps(level);
  int y = is_region ? 0 : margin;
  for (std::size_t r = 0; r < level.rows.size(); ++r) {
    int height = 0;
    for (const int item : level.rows[r]) height = std::max(height, item_at(level, item).height);
    level.row_top.push_back(y);
    level.row_bottom.push_back(y + height);
    for (const int index : level.rows[r]) {
      Item& item = item_at(level, index);
      const bool is_box = item.kind == ItemKind::node || item.kind == ItemKind::region;
      item.y = is_box ? y + (height - item.height) / 2 : y;
    }
    y += height + (r + 1 < level.rows.size() ? gaps[r] : 0);
  }
  if (!is_region) y += margin;
  // Lines that go out end on the border itself.
  if (is_region && level.exits.empty()) y += padding;
  level.height = y;
}

class Assembler {
 public:
  Assembler(const Graph& graph, const std::vector<Level>& levels)
      : graph_(graph), levels_(levels), origins_(levels.size()) {
    made_.nodes.resize(graph.nodes.size());
    made_.clusters.resize(graph.clusters.size());
    made_.cluster_labels.resize(graph.clusters.size());
  }

  Layout assemble() {
    made_.width = levels_[0].width;
    made_.height = levels_[0].height;
    // Regions come after those around them.
    for (std::size_t c = 0; c < levels_.size(); ++c) add_level(static_cast<int>(c));
    return std::move(made_);
  }

 private:
  const Graph& graph_;
  const std::vector<Level>& levels_;
  std::vector<Point> origins_;
  Layout made_;

  void add_level(int cluster) {
    const Level& level = levels_[at(cluster)];
    const Point origin = origins_[at(cluster)];
    const int to_x = origin.x - level.first_x;
    made_.clusters[at(cluster)] = {origin.x, origin.y, level.width, level.height};
    for (const Item& item : level.items) {
      const int x = to_x + item.x;
      const int y = origin.y + item.y;
      if (item.kind == ItemKind::node) add_node(item.index, x, y);
      if (item.kind == ItemKind::region) origins_[at(item.index)] = {x - item.left, y};
      if (item.kind == ItemKind::label)
        made_.cluster_labels[at(cluster)] = {x, y + label_baseline + 2};
    }
    for (const Segment& segment : level.segments) {
      Line line = line_of(level, segment);
      for (Point* end : {&line.from, &line.to}) *end = {end->x + to_x, end->y + origin.y};
      line.bend_from += origin.y;
      line.bend_to += origin.y;
      made_.lines.push_back(line);
    }
  }

  void add_node(int index, int x, int y) {
    const Node& node = graph_.nodes[at(index)];
    const Size size = box_size(node);
    made_.nodes[at(index)] = {x - size.width / 2, y, size.width, size.height};
    const std::vector<int> offsets = output_offsets(node);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      if (node.outputs[i].empty()) continue;
      made_.labels.push_back(
          {{x + offsets[i] + label_gap, y + size.height + label_baseline}, node.outputs[i]});
    }
  }

  /// Curves stay between the rows; what is straight stays in the column of its item.
  Line line_of(const Level& level, const Segment& segment) const {
    const Item& upper = item_at(level, segment.upper.item);
    const Item& lower = item_at(level, segment.lower.item);
    Line line;
    line.kind = level.nets[at(segment.net)].key.kind;
    line.from.x = pin_x(level, segment.upper);
    line.to.x = pin_x(level, segment.lower);
    line.bend_from = level.row_bottom[at(upper.row)];
    line.bend_to = level.row_top[at(lower.row)] - arrow_room;
    line.from.y = line.bend_from;
    if (upper.kind == ItemKind::region) line.from.y = upper.y + upper.height;
    if (upper.kind == ItemKind::node)
      line.from.y = upper.y + box_size(graph_.nodes[at(upper.index)]).height;
    if (upper.kind == ItemKind::entrance) line.from.y = upper.y;
    line.to.y = level.row_bottom[at(lower.row)];
    if (lower.kind == ItemKind::node || lower.kind == ItemKind::region) line.to.y = lower.y;
    line.arrow =
        lower.kind == ItemKind::node && graph_.nodes[at(lower.index)].kind != NodeKind::joint;
    return line;
  }
};

}  // namespace

std::optional<Layout> lay_out(const Graph& graph) {
  std::vector<Level> levels = make_levels(graph);
  int budget = max_bends;
  // From the inside out: regions come after those around them.
  for (std::size_t c = levels.size(); c-- > 0;) {
    Level& level = levels[c];
    fit_regions(level, levels);
    assign_rows(level);
    if (!add_bends(level, budget)) return std::nullopt;
    order_rows(level);
    spread_pins(level, graph);
    place_rows(level);
    straighten(level);
    compact(level);
    snap_pins(level, graph);
    find_width(level, c > 0);
    find_heights(level, c > 0);
  }
  return Assembler(graph, levels).assemble();
}

}  // namespace linnet::diagram
