#include <unordered_set>

#include "codegen/ir/effects.hpp"
#include "codegen/optimize/optimize.hpp"
#include "codegen/optimize/rewrite.hpp"

namespace linnet::optimize {
namespace {

using namespace ir;

bool is_index_op(const Op& op) {
  return op.kind == OpKind::comprehension || op.kind == OpKind::reduce;
}

/// Worth computing once: whole tensors, reductions, calls. Constants and positions made by
/// `iota` cost nothing where they are and read better there.
bool is_worth_moving(const Op& op) {
  if (op.kind == OpKind::iota || op.kind == OpKind::fill) return false;
  if (!op.regions.empty() || op.kind == OpKind::call || op.kind == OpKind::semantic_call) {
    return true;
  }
  return !op.results.empty() && op.results[0].type->kind != TypeKind::scalar;
}

class Hoist {
 public:
  explicit Hoist(const Effects& effects) : effects_(effects) {}

  /// Inner regions first, so that what leaves a reduction may go on to leave the
  /// comprehension around it.
  void visit(Region& region) {
    std::vector<Op> ops;
    for (Op& op : region.ops) {
      for (Region& inner : op.regions) visit(inner);
      if (is_index_op(op)) move_out(op.regions[0], ops);
      ops.push_back(std::move(op));
    }
    region.ops = std::move(ops);
  }

 private:
  void move_out(Region& region, std::vector<Op>& out) {
    // Values that change with an index: the indices, and all that uses one of them.
    std::unordered_set<int> varying;
    for (const Value& index : region.args) varying.insert(index.id);
    std::vector<bool> moves(region.ops.size(), false);
    std::vector<bool> invariant(region.ops.size(), false);
    for (std::size_t i = 0; i < region.ops.size(); ++i) {
      const Op& op = region.ops[i];
      invariant[i] =
          op.kind != OpKind::yield && effects_.of(op) == Effect::none && !uses_any(op, varying);
      for (const Value& result : op.results) {
        if (!invariant[i]) varying.insert(result.id);
      }
    }
    // From the end, so that what a moving op needs moves too.
    std::unordered_set<int> needed;
    for (std::size_t i = region.ops.size(); i-- > 0;) {
      const Op& op = region.ops[i];
      if (!invariant[i]) continue;
      bool is_needed = false;
      for (const Value& result : op.results) is_needed = is_needed || needed.contains(result.id);
      if (!is_needed && !is_worth_moving(op)) continue;
      moves[i] = true;
      collect_uses(op, needed);
    }
    std::vector<Op> rest;
    for (std::size_t i = 0; i < region.ops.size(); ++i) {
      (moves[i] ? out : rest).push_back(std::move(region.ops[i]));
    }
    region.ops = std::move(rest);
  }

  static bool uses_any(const Op& op, const std::unordered_set<int>& ids) {
    for (const int operand : op.operands) {
      if (ids.contains(operand)) return true;
    }
    for (const Region& region : op.regions) {
      for (const Op& inner : region.ops) {
        if (uses_any(inner, ids)) return true;
      }
    }
    return false;
  }

  static void collect_uses(const Op& op, std::unordered_set<int>& ids) {
    ids.insert(op.operands.begin(), op.operands.end());
    for (const Region& region : op.regions) {
      walk(region,
           [&](const Op& inner) { ids.insert(inner.operands.begin(), inner.operands.end()); });
    }
  }

  const Effects& effects_;
};

}  // namespace

void hoist_invariants(Program& program) {
  const Effects effects(program);
  for_each_body(program, [&](Region& region) { Hoist(effects).visit(region); });
}

}  // namespace linnet::optimize
