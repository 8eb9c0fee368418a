#include "codegen/cpp/positions.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>

#include "codegen/ir/build.hpp"

namespace linnet::cpp {

using ir::OpKind;
using ir::TypeKind;

namespace {

class PositionFinder {
 public:
  PositionFinder(const ProgramIndex& index, const ir::Function& function, int depth)
      : index_(index), function_(function), depth_(depth) {}

  std::vector<PositionUse> find() {
    for (std::size_t i = 0; i < function_.body.args.size(); ++i) {
      origin_[function_.body.args[i].id] = i;
    }
    visit(function_.body);
    return uses_;
  }

 private:
  /// Values that hold elements of a parameter and nothing else.
  std::optional<std::size_t> origin(int value) const {
    const auto found = origin_.find(value);
    if (found == origin_.end()) return std::nullopt;
    return found->second;
  }

  void add(int value, const ir::Dim& extent) {
    const std::optional<std::size_t> parameter = origin(value);
    if (!parameter || extent == nullptr) return;
    for (const PositionUse& use : uses_) {
      if (use.parameter == *parameter && ir::equal(use.extent, extent)) return;
    }
    uses_.push_back({*parameter, extent});
  }

  static std::optional<ir::Dim> axis_of(const ir::ShapeUnits& units, std::size_t axis) {
    if (axis >= units.size() || units[axis].is_pack()) return std::nullopt;
    return units[axis].dim;
  }

  void visit(const ir::Region& region) {
    for (const ir::Op& op : region.ops) visit(op);
  }

  void visit(const ir::Op& op) {
    switch (op.kind) {
      case OpKind::tensor_element: {
        const auto tensor = types_of(op.operands.at(0));
        if (tensor == nullptr || tensor->kind != TypeKind::tensor) break;
        std::size_t axis = 0;
        for (std::size_t i = 1; i < op.operands.size(); ++i) {
          const auto run = runs_.find(op.operands[i]);
          if (run != runs_.end()) {
            axis += run->second;
            continue;
          }
          if (const auto extent = axis_of(tensor->shape, axis)) add(op.operands[i], *extent);
          ++axis;
        }
        follow(op);
        break;
      }
      case OpKind::slice: {
        const auto tensor = types_of(op.operands.at(0));
        if (tensor == nullptr) break;
        std::size_t axis = 0;
        std::size_t operand = 1;
        for (const ir::SliceAxis& part : op.attrs.axes) {
          if (part.whole) {
            axis += part.whole_units.size();
            continue;
          }
          if (part.start == nullptr && operand < op.operands.size()) {
            if (const auto extent = axis_of(tensor->shape, axis))
              add(op.operands[operand], *extent);
            ++operand;
          }
          ++axis;
        }
        follow(op);
        break;
      }
      case OpKind::reshape:
      case OpKind::permute:
      case OpKind::broadcast:
        follow(op);
        break;
      case OpKind::cast: {
        // Only a widening keeps every value.
        const auto from = types_of(op.operands.at(0));
        const ir::Type& to = op.results.at(0).type;
        const bool signed_64 = !to->dtype.is_variable && to->dtype.scalar == ir::Scalar::i64;
        if (from != nullptr && signed_64 && !from->dtype.is_variable &&
            from->dtype.scalar != ir::Scalar::u64) {
          follow(op);
        }
        break;
      }
      case OpKind::comprehension:
      case OpKind::reduce:
        for (std::size_t i = 0; i < op.attrs.indices.size(); ++i) {
          runs_[op.regions.at(0).args.at(i).id] = op.attrs.indices[i].domain.size();
        }
        visit(op.regions.at(0));
        break;
      case OpKind::call:
      case OpKind::semantic_call:
        visit_call(op);
        break;
      default:
        break;
    }
    for (const ir::Value& result : op.results) types_[result.id] = result.type;
  }

  /// The result holds elements of the operand.
  void follow(const ir::Op& op) {
    if (const auto parameter = origin(op.operands.at(0))) {
      if (!op.results.empty()) origin_[op.results[0].id] = *parameter;
    }
  }

  void visit_call(const ir::Op& op) {
    if (depth_ > 30) return;
    const ir::Function* callee = index_.function(op.attrs.callee);
    if (callee == nullptr) return;
    const bool any = std::any_of(op.operands.begin(), op.operands.end(),
                                 [&](int value) { return origin(value).has_value(); });
    if (!any) return;
    for (const PositionUse& use : PositionFinder(index_, *callee, depth_ + 1).find()) {
      if (use.parameter >= op.operands.size()) continue;
      add(op.operands[use.parameter], ir::substitute(use.extent, op.attrs.substitution));
    }
  }

  const ir::TypeNode* types_of(int value) const {
    for (const ir::Value& arg : function_.body.args) {
      if (arg.id == value) return arg.type.get();
    }
    const auto found = types_.find(value);
    return found == types_.end() ? nullptr : found->second.get();
  }

  const ProgramIndex& index_;
  const ir::Function& function_;
  int depth_;
  std::map<int, std::size_t> origin_;
  std::map<int, std::size_t> runs_;  // index arguments with the number of their units
  std::map<int, ir::Type> types_;
  std::vector<PositionUse> uses_;
};

}  // namespace

std::vector<PositionUse> find_positions(const ProgramIndex& index, const ir::Function& function) {
  return PositionFinder(index, function, 0).find();
}

}  // namespace linnet::cpp
