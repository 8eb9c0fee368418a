// Rows: every line goes down, boxes are as high up as they can be; those that only give
// something stand right above the first that reads it.

#include <algorithm>

#include "codegen/diagram/layout/level.hpp"

namespace linnet::diagram {
namespace {

using Neighbours = std::vector<std::vector<int>>;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// Items such that each comes after those that it reads.
std::vector<int> topological(const Neighbours& below) {
  std::vector<int> waiting_for(below.size());
  for (const auto& readers : below) {
    for (const int reader : readers) ++waiting_for[at(reader)];
  }
  std::vector<int> order;
  for (std::size_t i = 0; i < below.size(); ++i) {
    if (waiting_for[i] == 0) order.push_back(static_cast<int>(i));
  }
  for (std::size_t next = 0; next < order.size(); ++next) {
    for (const int reader : below[at(order[next])]) {
      if (--waiting_for[at(reader)] == 0) order.push_back(reader);
    }
  }
  return order;
}

}  // namespace

void assign_rows(Level& level) {
  Neighbours below(level.items.size());
  std::vector<int> inputs(level.items.size());
  std::vector<int> outputs(level.items.size());
  for (const Net& net : level.nets) {
    ++outputs[at(net.from.item)];
    for (const Pin& pin : net.to) {
      below[at(net.from.item)].push_back(pin.item);
      ++inputs[at(pin.item)];
    }
  }
  const std::vector<int> order = topological(below);
  // The first row of a region is for what comes through its border.
  bool has_border = false;
  for (const Item& item : level.items) has_border = has_border || item.kind == ItemKind::label;
  for (Item& item : level.items) {
    const bool on_border = item.kind == ItemKind::label || item.kind == ItemKind::entrance;
    item.row = has_border && !on_border ? 1 : 0;
  }
  int last = 0;
  for (const int item : order) {
    const Item& upper = item_at(level, item);
    if (upper.kind != ItemKind::exit) last = std::max(last, upper.row);
    for (const int reader : below[at(item)]) {
      Item& lower = item_at(level, reader);
      lower.row = std::max(lower.row, upper.row + 1);
    }
  }
  for (Item& item : level.items) {
    if (item.kind == ItemKind::exit) item.row = last + 1;
  }
  // Down again, where that makes lines shorter.
  for (auto item = order.rbegin(); item != order.rend(); ++item) {
    Item& upper = item_at(level, *item);
    const bool is_box = upper.kind == ItemKind::node || upper.kind == ItemKind::region;
    const bool gives_more = inputs[at(*item)] < outputs[at(*item)] && !upper.stays_high;
    if (!is_box || (!gives_more && !upper.stays_low)) continue;
    int limit = last;
    for (const int reader : below[at(*item)]) {
      limit = std::min(limit, item_at(level, reader).row - 1);
    }
    upper.row = std::max(upper.row, limit);
  }
}

}  // namespace linnet::diagram
