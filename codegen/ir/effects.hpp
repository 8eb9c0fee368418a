#pragma once
// What evaluating an op can do besides giving its results.

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "codegen/ir/ir.hpp"

namespace linnet::ir {

/// What an op can do, from nothing to everything.
enum class Effect : std::uint8_t {
  none,     ///< may be merged, moved and dropped
  failure,  ///< may end in a run-time error (a position out of range, an integer division by
            ///< zero): may be merged with an equal one before it, not dropped or moved
  state     ///< reads or writes state, stores in a kernel, loops without a bound: stays as it is
};

/// Answers for the ops of one Program; callees are looked into once. Valid while the
/// functions of the Program do not gain effects.
class Effects {
 public:
  /// Without a program every call may touch state.
  Effects() = default;
  explicit Effects(const Program& program);

  /// `id` is an index of a comprehension or reduction: as a position it is always in range.
  void add_index(int id) { indices_.insert(id); }

  [[nodiscard]] Effect of(const Op& op) const;
  /// The strongest of a region's ops.
  [[nodiscard]] Effect of(const Region& region) const;

 private:
  /// Of functions; one that is not here is not known.
  std::unordered_map<std::string, Effect> functions_;
  std::unordered_set<int> indices_;
};

}  // namespace linnet::ir
