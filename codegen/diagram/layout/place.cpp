// Horizontal places. Each item wants to be where its lines are straight; the order and the
// distances in a row are kept. For one row with the others fixed that has an exact solution
// (least squares under a chain of inequalities, by merging neighbours that push each other).

#include <cstdint>

#include "codegen/diagram/layout/level.hpp"

namespace linnet::diagram {
namespace {

constexpr int sweeps = 10;
constexpr int settling_sweeps = 4;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

std::int64_t rounded_quotient(std::int64_t sum, std::int64_t count) {
  const std::int64_t doubled = 2 * sum + count;
  const std::int64_t quotient = doubled / (2 * count);
  return doubled % (2 * count) < 0 ? quotient - 1 : quotient;
}

/// How much a piece of a line resists being slanted: long lines stay straight.
int stiffness(const Level& level, const Segment& segment) {
  const auto passes = [&](const Pin& pin) {
    const ItemKind kind = item_at(level, pin.item).kind;
    return kind == ItemKind::bend || kind == ItemKind::entrance || kind == ItemKind::exit;
  };
  const int bends = (passes(segment.upper) ? 1 : 0) + (passes(segment.lower) ? 1 : 0);
  return bends == 2 ? 8 : bends == 1 ? 2 : 1;
}

class Placer {
 public:
  explicit Placer(Level& level)
      : level_(level), sum_(level.items.size()), weight_(level.items.size()) {
    for (std::size_t i = 0; i < level.items.size(); ++i) segments_.emplace_back();
    for (const Segment& segment : level.segments) {
      segments_[at(segment.upper.item)].push_back(&segment);
      segments_[at(segment.lower.item)].push_back(&segment);
    }
  }

  void run() {
    for (int i = 0; i < sweeps; ++i) {
      for (std::size_t row = 0; row < level_.rows.size(); ++row)
        place(level_.rows[row], true, false);
      for (std::size_t row = level_.rows.size(); row-- > 0;) place(level_.rows[row], false, true);
    }
    for (int i = 0; i < settling_sweeps; ++i) {
      for (std::size_t row = 0; row < level_.rows.size(); ++row)
        place(level_.rows[row], true, true);
    }
  }

 private:
  /// Neighbours that touch, as one.
  struct Group {
    std::int64_t sum = 0;  ///< of what its members want, less their places in the group, weighted
    std::int64_t weight = 0;
    std::size_t end = 0;
    [[nodiscard]] std::int64_t place() const { return rounded_quotient(sum, weight); }
  };

  Level& level_;
  std::vector<std::vector<const Segment*>> segments_;
  std::vector<std::int64_t> sum_;
  std::vector<std::int64_t> weight_;

  void wish(int item, bool upwards, bool downwards) {
    std::int64_t& sum = sum_[at(item)];
    std::int64_t& weight = weight_[at(item)];
    sum = weight = 0;
    for (const Segment* segment : segments_[at(item)]) {
      const bool is_lower = segment->lower.item == item;
      if (!(is_lower ? upwards : downwards)) continue;
      const Pin& near = is_lower ? segment->lower : segment->upper;
      const Pin& far = is_lower ? segment->upper : segment->lower;
      const int pull = stiffness(level_, *segment);
      sum += std::int64_t{pull} * (pin_x(level_, far) - near.offset);
      weight += pull;
    }
    if (weight != 0) return;
    weight = 1;
    sum = item_at(level_, item).x;
  }

  void place(const std::vector<int>& row, bool upwards, bool downwards) {
    std::vector<std::int64_t> shift(row.size());  // the least place of each when the first is at 0
    std::vector<Group> groups;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) {
        shift[i] = shift[i - 1] + distance(item_at(level_, row[i - 1]), item_at(level_, row[i]));
      }
      wish(row[i], upwards, downwards);
      Group group{sum_[at(row[i])] - shift[i] * weight_[at(row[i])], weight_[at(row[i])], i + 1};
      while (!groups.empty() && groups.back().place() > group.place()) {
        group.sum += groups.back().sum;
        group.weight += groups.back().weight;
        groups.pop_back();
      }
      groups.push_back(group);
    }
    std::size_t i = 0;
    for (const Group& group : groups) {
      for (; i < group.end; ++i) {
        item_at(level_, row[i]).x = static_cast<int>(group.place() + shift[i]);
      }
    }
  }
};

}  // namespace

int distance(const Item& left, const Item& right) {
  const auto is_line = [](const Item& item) {
    return item.kind == ItemKind::bend || item.kind == ItemKind::entrance ||
           item.kind == ItemKind::exit;
  };
  const int gap = is_line(left) && is_line(right) ? 12 : is_line(left) || is_line(right) ? 16 : 24;
  return left.right + gap + right.left;
}

void place_rows(Level& level) {
  Placer(level).run();
}

}  // namespace linnet::diagram
