#pragma once
// What evaluating an op can do besides giving its results.

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "codegen/ir/ir.hpp"

namespace linnet::ir {

/// Answers for the ops of one Program; callees are looked into once. Valid while the
/// functions of the Program do not gain effects.
class Effects {
 public:
  /// Without a program every call counts as having effects.
  Effects() = default;
  explicit Effects(const Program& program);

  /// `id` is an index of a comprehension or reduction: as a position it is always in range.
  void add_index(int id) { indices_.insert(id); }

  /// Reads or writes state, stores in a kernel, loops without a bound, or may fail: a
  /// position out of range, an integer division by zero. Ops without effects may be merged,
  /// moved and dropped.
  [[nodiscard]] bool has_effects(const Op& op) const;
  [[nodiscard]] bool has_effects(const Region& region) const;

 private:
  std::unordered_set<std::string> functions_;
  std::unordered_set<std::string> effectful_;
  std::unordered_set<int> indices_;

  [[nodiscard]] bool op_has_effects(const Op& op, bool calls_count) const;
  [[nodiscard]] bool region_has_effects(const Region& region, bool calls_count) const;
};

}  // namespace linnet::ir
