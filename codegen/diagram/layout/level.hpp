#pragma once
// One region during its layout: boxes, lines, rows. See layout.hpp for the steps.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "codegen/diagram/graph.hpp"

namespace linnet::diagram {

/// A value or another relation, wherever its line is cut.
struct NetKey {
  int from = 0;  ///< node
  int output = 0;
  EdgeKind kind = EdgeKind::data;
  auto operator<=>(const NetKey&) const = default;
};

enum class ItemKind {
  node,
  region,
  entrance,  ///< where a line comes in through the border
  exit,
  label,  ///< of the region, in the first row so that no line crosses it
  bend    ///< where a line passes through a row
};

/// Something with a place in a row. Extents are counted from its anchor.
struct Item {
  ItemKind kind = ItemKind::node;
  int index = 0;  ///< of the node or cluster
  int left = 0;
  int right = 0;
  int height = 0;
  bool stays_high = false;  ///< in the first row that it can have
  bool stays_low = false;   ///< in the last one
  int row = 0;
  int x = 0;  ///< of the anchor
  int y = 0;  ///< of the top
};

/// An end of a line at an item, counted from its anchor.
struct Pin {
  int item = 0;
  int offset = 0;
  int rank = 0;  ///< among the inputs of a box that keeps their order
};

/// All lines of one value in this region: from one place to several.
struct Net {
  NetKey key;
  Pin from;
  std::vector<Pin> to;
  std::vector<int> bends;  ///< one in each row from below `from` to above the last of `to`
};

/// A piece of a line, from one row to the next.
struct Segment {
  Pin upper;
  Pin lower;
  int net = 0;
};

struct Level {
  std::vector<Item> items;
  std::vector<Net> nets;
  std::vector<Segment> segments;
  std::vector<std::vector<int>> rows;  ///< items from left to right
  std::map<NetKey, int> entrances;     ///< items
  std::map<NetKey, int> exits;

  // Filled in by the last step.
  int width = 0;
  int height = 0;
  int first_x = 0;  ///< of the left border; the top one is at 0
  std::vector<int> row_top;
  std::vector<int> row_bottom;
};

[[nodiscard]] inline Item& item_at(Level& level, int item) {
  return level.items[static_cast<std::size_t>(item)];
}
[[nodiscard]] inline const Item& item_at(const Level& level, int item) {
  return level.items[static_cast<std::size_t>(item)];
}

/// The end of a piece, counted as the rows are.
[[nodiscard]] inline int pin_x(const Level& level, const Pin& pin) {
  return item_at(level, pin.item).x + pin.offset;
}

/// Gives every item its row.
void assign_rows(Level& level);
/// Adds the bends and cuts the lines into pieces. False when there would be more than `budget`
/// bends, which is what is left of it afterwards.
[[nodiscard]] bool add_bends(Level& level, int& budget);
/// Orders the rows.
void order_rows(Level& level);
/// Spreads the lines that arrive at a box over its top, in the order that they come in. `graph`
/// says which boxes keep the order of their inputs.
void spread_pins(Level& level, const Graph& graph);
/// Moves pins a little where that makes a line straight.
void snap_pins(Level& level, const Graph& graph);
/// Gives every item its x.
void place_rows(Level& level);
/// Moves items where their rows leave room, so that lines run straight through several rows.
void straighten(Level& level);
/// Moves parts that no line connects next to each other.
void compact(Level& level);
/// The least distance of the anchors of two neighbours.
[[nodiscard]] int distance(const Item& left, const Item& right);

}  // namespace linnet::diagram
