// Straight runs. place.cpp moves one row at a time and leaves long lines as flights of small
// steps; here a chain of items that one line goes through moves as a whole.

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "codegen/diagram/layout/level.hpp"

namespace linnet::diagram {
namespace {

constexpr int rounds = 3;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// An item of a chain; the line is straight when `x - shift` is the same for all.
struct Link {
  int item = 0;
  int shift = 0;
};
using Chain = std::vector<Link>;

class Straightener {
 public:
  explicit Straightener(Level& level)
      : level_(level),
        into_(level.items.size()),
        out_of_(level.items.size()),
        position_(level.items.size()) {
    for (std::size_t s = 0; s < level.segments.size(); ++s) {
      into_[at(level.segments[s].lower.item)].push_back(static_cast<int>(s));
      out_of_[at(level.segments[s].upper.item)].push_back(static_cast<int>(s));
    }
    for (const std::vector<int>& row : level.rows) {
      for (std::size_t i = 0; i < row.size(); ++i) position_[at(row[i])] = static_cast<int>(i);
    }
  }

  void run() {
    const std::vector<Chain> all = chains();
    std::vector<bool> chained(level_.items.size());
    for (const Chain& chain : all) {
      for (const Link& link : chain) chained[at(link.item)] = true;
    }
    for (int round = 0; round < rounds; ++round) {
      for (const Chain& chain : all) align(chain);
      for (std::size_t i = 0; i < level_.items.size(); ++i) {
        if (!chained[i]) settle(static_cast<int>(i));
      }
    }
  }

 private:
  Level& level_;
  std::vector<std::vector<int>> into_;  ///< segments
  std::vector<std::vector<int>> out_of_;
  std::vector<int> position_;  ///< in the row

  const Segment& segment(int index) const { return level_.segments[at(index)]; }

  /// The segment in the middle, but the trunk of a line before its branches.
  int chosen(std::vector<int> segments, bool upwards) const {
    if (segments.empty()) return -1;
    const auto far = [&](int s) { return upwards ? segment(s).upper : segment(s).lower; };
    std::stable_sort(segments.begin(), segments.end(),
                     [&](int a, int b) { return pin_x(level_, far(a)) < pin_x(level_, far(b)); });
    for (const int s : segments) {
      if (!upwards && item_at(level_, far(s).item).kind == ItemKind::bend) return s;
    }
    return segments[(segments.size() - 1) / 2];
  }

  /// Each item is in one chain; the longest chains first.
  std::vector<Chain> chains() const {
    std::vector<int> next(level_.items.size(), -1);  // segments
    std::vector<bool> has_previous(level_.items.size());
    for (std::size_t i = 0; i < level_.items.size(); ++i) {
      const int down = chosen(out_of_[i], false);
      if (down < 0) continue;
      const int lower = segment(down).lower.item;
      if (chosen(into_[at(lower)], true) != down) continue;
      next[i] = down;
      has_previous[at(lower)] = true;
    }
    std::vector<Chain> all;
    for (std::size_t i = 0; i < level_.items.size(); ++i) {
      if (has_previous[i] || next[i] < 0) continue;
      Chain chain = {{static_cast<int>(i), 0}};
      while (next[at(chain.back().item)] >= 0) {
        const Segment& link = segment(next[at(chain.back().item)]);
        chain.push_back(
            {link.lower.item, chain.back().shift + link.upper.offset - link.lower.offset});
      }
      all.push_back(std::move(chain));
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Chain& a, const Chain& b) { return a.size() > b.size(); });
    return all;
  }

  /// Cuts a chain into the longest runs that have room to be straight, and moves those.
  void align(const Chain& chain) {
    for (std::size_t begin = 0; begin < chain.size();) {
      int least = std::numeric_limits<int>::min();
      int most = std::numeric_limits<int>::max();
      std::vector<int> wishes;
      std::size_t end = begin;
      for (; end < chain.size(); ++end) {
        const auto [low, high] = room(chain[end]);
        if (std::max(low, least) > std::min(high, most)) break;
        least = std::max(low, least);
        most = std::min(high, most);
        wishes.push_back(item_at(level_, chain[end].item).x - chain[end].shift);
      }
      const auto middle = wishes.begin() + static_cast<std::ptrdiff_t>(wishes.size() / 2);
      std::nth_element(wishes.begin(), middle, wishes.end());
      const int x = std::clamp(*middle, least, most);
      for (; begin < end; ++begin) {
        item_at(level_, chain[begin].item).x = x + chain[begin].shift;
      }
    }
  }

  /// Moves an item that is in no chain below or above what it is connected to.
  void settle(int index) {
    std::vector<int> wishes;
    for (const int s : into_[at(index)]) {
      wishes.push_back(pin_x(level_, segment(s).upper) - segment(s).lower.offset);
    }
    for (const int s : out_of_[at(index)]) {
      wishes.push_back(pin_x(level_, segment(s).lower) - segment(s).upper.offset);
    }
    if (wishes.empty()) return;
    const auto middle = wishes.begin() + static_cast<std::ptrdiff_t>((wishes.size() - 1) / 2);
    std::nth_element(wishes.begin(), middle, wishes.end());
    const auto [low, high] = room({index, 0});
    item_at(level_, index).x = std::clamp(*middle, low, high);
  }

  /// Where an item can be between its neighbours, less its shift.
  std::pair<int, int> room(const Link& link) const {
    const Item& item = item_at(level_, link.item);
    const std::vector<int>& row = level_.rows[at(item.row)];
    const std::size_t place = at(position_[at(link.item)]);
    int low = std::numeric_limits<int>::min() / 2;
    int high = std::numeric_limits<int>::max() / 2;
    if (place > 0) {
      const Item& left = item_at(level_, row[place - 1]);
      low = left.x + distance(left, item) - link.shift;
    }
    if (place + 1 < row.size()) {
      const Item& right = item_at(level_, row[place + 1]);
      high = right.x - distance(item, right) - link.shift;
    }
    return {low, high};
  }
};

}  // namespace

void straighten(Level& level) {
  Straightener(level).run();
}

}  // namespace linnet::diagram
