// Places where lines pass through rows. All lines of a value share one trunk.

#include <algorithm>

#include "codegen/diagram/layout/level.hpp"

namespace linnet::diagram {

bool add_bends(Level& level, int& budget) {
  int rows = 0;
  for (const Item& item : level.items) rows = std::max(rows, item.row + 1);
  level.rows.assign(static_cast<std::size_t>(rows), {});
  for (std::size_t i = 0; i < level.items.size(); ++i) {
    level.rows[static_cast<std::size_t>(level.items[i].row)].push_back(static_cast<int>(i));
  }
  for (std::size_t n = 0; n < level.nets.size(); ++n) {
    Net& net = level.nets[n];
    const int first = item_at(level, net.from.item).row;
    int last = first;
    for (const Pin& pin : net.to) last = std::max(last, item_at(level, pin.item).row);
    budget -= last - first - 1;
    if (budget < 0) return false;
    Pin trunk = net.from;
    std::vector<Pin> trunks = {trunk};  // by row, from `first` on
    for (int row = first + 1; row < last; ++row) {
      Item bend{ItemKind::bend, static_cast<int>(n)};
      bend.row = row;
      const Pin next{static_cast<int>(level.items.size()), 0};
      level.items.push_back(bend);
      level.rows[static_cast<std::size_t>(row)].push_back(next.item);
      level.segments.push_back({trunk, next, static_cast<int>(n)});
      net.bends.push_back(next.item);
      trunks.push_back(next);
      trunk = next;
    }
    for (const Pin& pin : net.to) {
      const int above = item_at(level, pin.item).row - 1 - first;
      level.segments.push_back({trunks[static_cast<std::size_t>(above)], pin, static_cast<int>(n)});
    }
  }
  return true;
}

}  // namespace linnet::diagram
