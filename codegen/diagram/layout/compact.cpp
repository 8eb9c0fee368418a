// Parts of a level that nothing connects drift apart while the rows are placed, since no line
// holds them. Here each moves left until it meets what stands there.

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "codegen/diagram/layout/level.hpp"

namespace linnet::diagram {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// For each item a number that all items have that lines connect.
std::vector<int> parts_of(const Level& level) {
  std::vector<int> part(level.items.size());
  std::iota(part.begin(), part.end(), 0);
  const auto root = [&](int item) {
    while (part[at(item)] != item) item = part[at(item)] = part[at(part[at(item)])];
    return item;
  };
  for (const Segment& segment : level.segments) {
    part[at(root(segment.upper.item))] = root(segment.lower.item);
  }
  for (std::size_t i = 0; i < part.size(); ++i) part[i] = root(static_cast<int>(i));
  return part;
}

}  // namespace

void compact(Level& level) {
  const std::vector<int> part = parts_of(level);
  std::vector<std::vector<int>> members(level.items.size());
  std::vector<int> first(level.items.size(), std::numeric_limits<int>::max());
  int leftmost = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < part.size(); ++i) {
    const int left = level.items[i].x - level.items[i].left;
    members[at(part[i])].push_back(static_cast<int>(i));
    first[at(part[i])] = std::min(first[at(part[i])], left);
    leftmost = std::min(leftmost, left);
  }
  std::vector<int> left_of(level.items.size(), -1);
  for (const std::vector<int>& row : level.rows) {
    for (std::size_t i = 1; i < row.size(); ++i) left_of[at(row[i])] = row[i - 1];
  }
  std::vector<int> order(level.items.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return first[at(a)] < first[at(b)]; });
  for (const int each : order) {
    if (members[at(each)].empty()) continue;
    int room = first[at(each)] - leftmost;
    for (const int item : members[at(each)]) {
      const int left = left_of[at(item)];
      if (left < 0 || part[at(left)] == each) continue;
      const Item& there = item_at(level, left);
      const Item& here = item_at(level, item);
      room = std::min(room, here.x - there.x - distance(there, here));
    }
    for (const int item : members[at(each)]) item_at(level, item).x -= room;
  }
}

}  // namespace linnet::diagram
