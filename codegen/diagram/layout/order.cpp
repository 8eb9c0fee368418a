// The order of the boxes in each row: each goes to the middle of what it is connected to, down and
// up the rows, then neighbours swap where that saves crossings.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "codegen/diagram/layout/level.hpp"

namespace linnet::diagram {
namespace {

constexpr int max_sweeps = 12;
constexpr int max_swap_rounds = 4;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

class Orderer {
 public:
  explicit Orderer(Level& level)
      : level_(level),
        into_(level.items.size()),
        out_of_(level.items.size()),
        below_row_(level.rows.size()) {
    for (std::size_t s = 0; s < level.segments.size(); ++s) {
      const Segment& segment = level.segments[s];
      into_[at(segment.lower.item)].push_back(static_cast<int>(s));
      out_of_[at(segment.upper.item)].push_back(static_cast<int>(s));
      below_row_[at(item_at(level, segment.upper.item).row)].push_back(static_cast<int>(s));
    }
  }

  void run() {
    for (std::vector<int>& row : level_.rows) pack(row);
    auto best = level_.rows;
    auto fewest = std::numeric_limits<std::int64_t>::max();
    for (int sweep = 0; sweep < max_sweeps && fewest > 0; ++sweep) {
      const std::size_t rows = level_.rows.size();
      for (std::size_t i = 1; i < rows; ++i) {
        if (sweep % 2 == 0) {
          sort(level_.rows[i], into_);
        } else {
          sort(level_.rows[rows - 1 - i], out_of_);
        }
      }
      const std::int64_t now = crossings();
      if (now >= fewest) continue;
      fewest = now;
      best = level_.rows;
    }
    level_.rows = std::move(best);
    for (std::vector<int>& row : level_.rows) pack(row);
    for (int round = 0; round < max_swap_rounds && swap_neighbours(); ++round) {
    }
  }

 private:
  using Connections = std::vector<std::vector<int>>;  ///< segments of each item

  Level& level_;
  Connections into_;
  Connections out_of_;
  std::vector<std::vector<int>> below_row_;

  /// Items side by side, the row centred. Only the order is decided here, but ports of wide
  /// regions are compared by where they are.
  void pack(const std::vector<int>& row) {
    int x = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      Item& item = item_at(level_, row[i]);
      if (i > 0) x += distance(item_at(level_, row[i - 1]), item);
      item.x = x;
    }
    for (const int item : row) item_at(level_, item).x -= x / 2;
  }

  /// The other end of a segment.
  int far_x(int segment, const Connections& side) const {
    const Segment& piece = level_.segments[at(segment)];
    return pin_x(level_, &side == &into_ ? piece.upper : piece.lower);
  }
  int near_offset(int segment, const Connections& side) const {
    const Segment& piece = level_.segments[at(segment)];
    return (&side == &into_ ? piece.lower : piece.upper).offset;
  }

  void sort(std::vector<int>& row, const Connections& side) {
    std::vector<std::pair<std::int64_t, int>> keyed;
    for (const int item : row) {
      const std::vector<int>& segments = side[at(item)];
      std::int64_t middle = std::int64_t{item_at(level_, item).x} * 16;
      if (!segments.empty()) {
        std::int64_t sum = 0;
        for (const int segment : segments) {
          sum += far_x(segment, side) - near_offset(segment, side);
        }
        middle = sum * 16 / static_cast<std::int64_t>(segments.size());
      }
      if (item_at(level_, item).kind == ItemKind::label) {
        middle = std::numeric_limits<std::int64_t>::min();
      }
      keyed.emplace_back(middle, item);
    }
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = keyed[i].second;
    pack(row);
  }

  std::int64_t crossings() const {
    std::int64_t count = 0;
    for (const std::vector<int>& segments : below_row_) {
      std::vector<std::pair<int, int>> ends;
      for (const int s : segments) {
        const Segment& segment = level_.segments[at(s)];
        ends.emplace_back(pin_x(level_, segment.upper), pin_x(level_, segment.lower));
      }
      std::sort(ends.begin(), ends.end());
      std::vector<int> lower;
      for (const auto& end : ends) lower.push_back(end.second);
      count += inversions(lower, 0, lower.size());
    }
    return count;
  }

  /// Sorts a part and counts the pairs that were out of order.
  static std::int64_t inversions(std::vector<int>& values, std::size_t begin, std::size_t end) {
    if (end - begin < 2) return 0;
    const std::size_t middle = begin + (end - begin) / 2;
    std::int64_t count = inversions(values, begin, middle) + inversions(values, middle, end);
    std::size_t left = begin;
    for (std::size_t right = middle; right < end; ++right) {
      while (left < middle && values[left] <= values[right]) ++left;
      count += static_cast<std::int64_t>(middle - left);
    }
    std::inplace_merge(values.begin() + static_cast<std::ptrdiff_t>(begin),
                       values.begin() + static_cast<std::ptrdiff_t>(middle),
                       values.begin() + static_cast<std::ptrdiff_t>(end));
    return count;
  }

  /// Where the lines of an item go on one side, sorted.
  std::vector<int> far_ends(int item, const Connections& side) const {
    std::vector<int> ends;
    for (const int segment : side[at(item)]) ends.push_back(far_x(segment, side));
    std::sort(ends.begin(), ends.end());
    return ends;
  }

  /// How many crossings two neighbours have more than they would have the other way round.
  std::int64_t gain(int left, int right, const Connections& side) const {
    const std::vector<int> of_left = far_ends(left, side);
    const std::vector<int> of_right = far_ends(right, side);
    std::int64_t sum = 0;
    for (const int end : of_left) {
      const auto before = std::lower_bound(of_right.begin(), of_right.end(), end);
      const auto after = std::upper_bound(before, of_right.end(), end);
      sum += (before - of_right.begin()) - (of_right.end() - after);
    }
    return sum;
  }

  bool swap_neighbours() {
    bool swapped = false;
    for (std::vector<int>& row : level_.rows) {
      bool row_swapped = false;
      for (std::size_t i = 0; i + 1 < row.size(); ++i) {
        const Item& left = item_at(level_, row[i]);
        const Item& right = item_at(level_, row[i + 1]);
        if (left.kind == ItemKind::label) continue;
        const std::int64_t saved =
            gain(row[i], row[i + 1], into_) + gain(row[i], row[i + 1], out_of_);
        // Where it costs nothing, regions stand as in the program: `then` before `else`.
        const bool is_out_of_order = left.kind == ItemKind::region &&
                                     right.kind == ItemKind::region && left.index > right.index;
        if (saved < 0 || (saved == 0 && !is_out_of_order)) continue;
        std::swap(row[i], row[i + 1]);
        row_swapped = true;
      }
      if (row_swapped) pack(row);
      swapped = swapped || row_swapped;
    }
    return swapped;
  }
};

}  // namespace

void order_rows(Level& level) {
  Orderer(level).run();
}

}  // namespace linnet::diagram
