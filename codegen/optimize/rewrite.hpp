#pragma once
// Tools that the passes share: which op makes a value, and replacing values by others.

#include <unordered_map>
#include <vector>

#include "codegen/ir/ir.hpp"
#include "codegen/ir/walk.hpp"

namespace linnet::optimize {

/// Old value → the one to use in its place; chains are followed.
class Replacements {
 public:
  void add(int from, int to) { map_[from] = to; }
  [[nodiscard]] bool empty() const { return map_.empty(); }
  [[nodiscard]] int operator()(int id) const {
    for (auto found = map_.find(id); found != map_.end(); found = map_.find(id)) {
      id = found->second;
    }
    return id;
  }
  void apply(ir::Op& op) const {
    for (int& operand : op.operands) operand = (*this)(operand);
  }
  void apply(ir::Region& region) const {
    if (map_.empty()) return;
    ir::walk(region, [this](ir::Op& op) { apply(op); });
  }

 private:
  std::unordered_map<int, int> map_;
};

/// Whether the op is a constant without operands.
[[nodiscard]] inline bool is_constant(const ir::Op& op) {
  switch (op.kind) {
    case ir::OpKind::const_int:
    case ir::OpKind::const_bool:
    case ir::OpKind::const_float:
    case ir::OpKind::const_dim:
    case ir::OpKind::enum_const:
      return true;
    default:
      return false;
  }
}

}  // namespace linnet::optimize
