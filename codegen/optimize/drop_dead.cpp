#include <unordered_set>

#include "codegen/ir/effects.hpp"
#include "codegen/optimize/optimize.hpp"
#include "codegen/optimize/rewrite.hpp"

namespace linnet::optimize {
namespace {

using namespace ir;

/// Goes through a region from its end: an op is needed for its effect or for a result that a
/// needed op uses.
class DeadValues {
 public:
  explicit DeadValues(const Effects& effects) : effects_(effects) {}

  void drop(Region& region) {
    std::vector<Op> kept;
    for (auto op = region.ops.rbegin(); op != region.ops.rend(); ++op) {
      if (!is_needed(*op)) continue;
      used_.insert(op->operands.begin(), op->operands.end());
      for (Region& inner : op->regions) drop(inner);
      kept.push_back(std::move(*op));
    }
    region.ops.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
  }

 private:
  [[nodiscard]] bool is_needed(const Op& op) const {
    if (op.kind == OpKind::yield || op.kind == OpKind::return_) return true;
    for (const Value& result : op.results) {
      if (used_.contains(result.id)) return true;
    }
    return effects_.of(op) != Effect::none;
  }

  const Effects& effects_;
  std::unordered_set<int> used_;
};

}  // namespace

void drop_dead(Program& program) {
  const Effects effects(program);
  for_each_body(program, [&](Region& region) { DeadValues(effects).drop(region); });
}

}  // namespace linnet::optimize
