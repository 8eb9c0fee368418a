#include <cmath>
#include <optional>
#include <utility>

#include "codegen/ir/build.hpp"
#include "codegen/optimize/optimize.hpp"
#include "codegen/optimize/rewrite.hpp"

namespace linnet::optimize {
namespace {

using namespace ir;

std::size_t at(std::int64_t position) {
  return static_cast<std::size_t>(position);
}

bool is_integer(const Dtype& dtype) {
  return !dtype.is_variable && dtype.scalar >= Scalar::i8 && dtype.scalar <= Scalar::u64;
}

class Simplifier {
 public:
  void body(Region& region) {
    for (const Value& arg : region.args) types_[arg.id] = arg.type;
    std::vector<Op> out;
    ops(std::move(region.ops), out);
    region.ops = std::move(out);
  }

  [[nodiscard]] bool changed() const { return changed_; }

 private:
  Replacements replacements_;
  std::unordered_map<int, Type> types_;
  std::unordered_map<int, Op> makers_;  ///< of values that rules look through, without regions
  bool changed_ = false;

  void ops(std::vector<Op> list, std::vector<Op>& out) {
    for (Op& op : list) {
      replacements_.apply(op);
      if (Region* taken = known_region(op)) {
        inline_region(*taken, op, out);
        changed_ = true;
        continue;
      }
      for (Region& region : op.regions) body(region);
      if (const auto same = replacement(op)) {
        replacements_.add(op.results[0].id, *same);
        changed_ = true;
        continue;
      }
      for (const Value& result : op.results) types_[result.id] = result.type;
      note_maker(op);
      out.push_back(std::move(op));
    }
  }

  void note_maker(const Op& op) {
    switch (op.kind) {
      case OpKind::const_int:
      case OpKind::const_bool:
      case OpKind::const_float:
      case OpKind::enum_const:
      case OpKind::tuple_make:
      case OpKind::struct_make:
      case OpKind::option_some:
      case OpKind::option_none:
      case OpKind::neg:
      case OpKind::not_:
      case OpKind::reshape:
      case OpKind::broadcast:
      case OpKind::permute: {
        // Copied: the op itself moves on.
        makers_.insert_or_assign(op.results[0].id, op);
        break;
      }
      default:
        break;
    }
  }

  [[nodiscard]] const Op* maker(int id) const {
    const auto found = makers_.find(id);
    return found == makers_.end() ? nullptr : &found->second;
  }

  [[nodiscard]] const Op* maker(int id, OpKind kind) const {
    const Op* op = maker(id);
    return op != nullptr && op->kind == kind ? op : nullptr;
  }

  // --- branches whose arm is known -------------------------------------------------------

  Region* known_region(Op& op) const {
    if (op.kind == OpKind::if_) {
      const Op* condition = maker(op.operands[0], OpKind::const_bool);
      if (condition == nullptr) return nullptr;
      return &op.regions[std::get<std::int64_t>(condition->attrs.value) != 0 ? 0 : 1];
    }
    if (op.kind == OpKind::option_match) {
      if (maker(op.operands[0], OpKind::option_some) != nullptr) return &op.regions[0];
      if (maker(op.operands[0], OpKind::option_none) != nullptr) return &op.regions[1];
    }
    if (op.kind == OpKind::enum_match) {
      const Op* value = maker(op.operands[0], OpKind::enum_const);
      for (std::size_t i = 0; value != nullptr && i < op.attrs.variants.size(); ++i) {
        if (op.attrs.variants[i] == value->attrs.name) return &op.regions[i];
      }
    }
    return nullptr;
  }

  void inline_region(Region& region, const Op& op, std::vector<Op>& out) {
    if (!region.args.empty()) {
      replacements_.add(region.args[0].id, maker(op.operands[0])->operands[0]);
    }
    const std::vector<int> yielded = region.ops.back().operands;
    region.ops.pop_back();
    ops(std::move(region.ops), out);
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      replacements_.add(op.results[i].id, replacements_(yielded[i]));
    }
  }

  // --- ops that give what they are given ---------------------------------------------------

  [[nodiscard]] bool has_type(int id, const Type& type) const {
    const auto found = types_.find(id);
    return found != types_.end() && equal(found->second, type);
  }

  /// Whether a value is the scalar constant `number`.
  [[nodiscard]] bool is_number(int id, std::int64_t number) const {
    const Op* op = maker(id);
    if (op == nullptr) return false;
    if (op->kind == OpKind::const_int) return std::get<std::int64_t>(op->attrs.value) == number;
    if (op->kind != OpKind::const_float) return false;
    // -0.0 is not 0.
    const double value = std::get<double>(op->attrs.value);
    return value == static_cast<double>(number) && !(value == 0 && std::signbit(value));
  }

  /// The value that an op without effects always equals. May instead rewrite the op.
  std::optional<int> replacement(Op& op) {
    if (op.results.size() != 1) return std::nullopt;
    const Type& type = op.results[0].type;
    const auto first_if = [&](bool same) -> std::optional<int> {
      if (same && has_type(op.operands[0], type)) return op.operands[0];
      return std::nullopt;
    };
    switch (op.kind) {
      case OpKind::cast:
      case OpKind::reshape:
      case OpKind::broadcast:
      case OpKind::permute:
      case OpKind::slice:
        return view(op, type);
      case OpKind::neg:
      case OpKind::not_: {
        const Op* inner = maker(op.operands[0], op.kind);
        if (inner == nullptr) return std::nullopt;
        return inner->operands[0];
      }
      // Exact for every float too: neither rounds, nor changes the sign of a zero.
      case OpKind::mul:
        if (is_number(op.operands[0], 1) && has_type(op.operands[1], type)) return op.operands[1];
        return first_if(is_number(op.operands[1], 1));
      case OpKind::div:
        return first_if(is_number(op.operands[1], 1));
      case OpKind::sub:
        return first_if(is_number(op.operands[1], 0));
      // Not for floats: -0.0 + 0.0 is 0.0.
      case OpKind::add:
        if (!is_integer(type->dtype)) return std::nullopt;
        if (is_number(op.operands[0], 0) && has_type(op.operands[1], type)) return op.operands[1];
        return first_if(is_number(op.operands[1], 0));
      case OpKind::select:
        return select(op, type);
      case OpKind::tuple_get:
      case OpKind::struct_get: {
        const Op* made = maker(op.operands[0], op.kind == OpKind::tuple_get ? OpKind::tuple_make
                                                                            : OpKind::struct_make);
        if (made == nullptr) return std::nullopt;
        return made->operands.at(at(std::get<std::int64_t>(op.attrs.value)));
      }
      case OpKind::comprehension:
        return copy(op, type);
      default:
        return std::nullopt;
    }
  }

  std::optional<int> select(const Op& op, const Type& type) const {
    int taken = -1;
    if (op.operands[1] == op.operands[2]) taken = op.operands[1];
    if (const Op* condition = maker(op.operands[0], OpKind::const_bool)) {
      taken = op.operands[std::get<std::int64_t>(condition->attrs.value) != 0 ? 1 : 2];
    }
    if (taken >= 0 && has_type(taken, type)) return taken;
    return std::nullopt;
  }

  /// Views of the whole value as it is, and views of views.
  std::optional<int> view(Op& op, const Type& type) {
    const int value = op.operands[0];
    if (op.kind == OpKind::cast || op.kind == OpKind::reshape || op.kind == OpKind::broadcast) {
      if (has_type(value, type)) return value;
    }
    if (op.kind == OpKind::reshape || op.kind == OpKind::broadcast) {
      if (const Op* inner = maker(value, op.kind)) {
        op.operands[0] = inner->operands[0];
        changed_ = true;
        return view(op, type);
      }
    }
    if (op.kind == OpKind::permute) {
      if (const Op* inner = maker(value, OpKind::permute)) {
        for (int& axis : op.attrs.permutation) axis = inner->attrs.permutation[at(axis)];
        op.operands[0] = inner->operands[0];
        changed_ = true;
        return view(op, type);
      }
      for (std::size_t i = 0; i < op.attrs.permutation.size(); ++i) {
        if (at(op.attrs.permutation[i]) != i) return std::nullopt;
      }
      return value;
    }
    return op.kind == OpKind::slice ? slice(op) : std::nullopt;
  }

  /// A range over all of an axis keeps it whole; a slice that keeps all is its operand.
  std::optional<int> slice(Op& op) {
    const auto known = types_.find(op.operands[0]);
    if (known == types_.end()) return std::nullopt;
    const ShapeUnits& shape = known->second->shape;
    std::vector<SliceAxis> axes;
    std::size_t position = 0;
    for (SliceAxis& axis : op.attrs.axes) {
      const bool is_all = !axis.whole && !axis.squeeze && constant_value(axis.start) == 0 &&
                          constant_value(axis.step) == 1 && equal(axis.stop, shape[position].dim);
      if (is_all) {
        axis = SliceAxis{};
        axis.whole = true;
        axis.whole_units = {shape[position]};
        changed_ = true;
      }
      position += axis.whole ? axis.whole_units.size() : 1;
      if (axis.whole && !axes.empty() && axes.back().whole) {
        ShapeUnits& units = axes.back().whole_units;
        units.insert(units.end(), axis.whole_units.begin(), axis.whole_units.end());
      } else {
        axes.push_back(std::move(axis));
      }
    }
    op.attrs.axes = std::move(axes);
    const bool keeps_all = op.attrs.axes.size() == 1 && op.attrs.axes[0].whole;
    if (keeps_all) return op.operands[0];
    return std::nullopt;
  }

  /// `let y[i, j] = x[i, j]` is `x`, `let y[j, i] = x[i, j]` a permutation of it.
  std::optional<int> copy(Op& op, const Type& type) {
    const Region& region = op.regions[0];
    if (region.ops.size() != 2 || region.ops[0].kind != OpKind::tensor_element) {
      return std::nullopt;
    }
    const Op& element = region.ops[0];
    const bool yields_it = region.ops[1].operands[0] == element.results[0].id;
    if (!yields_it || element.operands.size() != region.args.size() + 1) return std::nullopt;
    const int value = element.operands[0];
    bool in_order = true;
    std::vector<int> axes;
    for (const Value& index : region.args) {
      int axis = -1;
      for (std::size_t k = 1; k < element.operands.size(); ++k) {
        if (element.operands[k] == index.id) axis = static_cast<int>(k - 1);
      }
      if (axis < 0) return std::nullopt;
      in_order = in_order && at(axis) == axes.size();
      axes.push_back(axis);
    }
    if (in_order) {
      if (has_type(value, type)) return value;
      return std::nullopt;
    }
    // `permute` needs every axis by number, so no runs.
    for (const Value& index : region.args) {
      if (index.type->kind == TypeKind::shape) return std::nullopt;
    }
    Op permute;
    permute.kind = OpKind::permute;
    permute.operands = {value};
    permute.results = std::move(op.results);
    permute.attrs.permutation = std::move(axes);
    op = std::move(permute);
    changed_ = true;
    return std::nullopt;
  }
};

}  // namespace

bool simplify(Program& program) {
  bool changed = false;
  for_each_body(program, [&](Region& region) {
    Simplifier simplifier;
    simplifier.body(region);
    changed = changed || simplifier.changed();
  });
  return changed;
}

}  // namespace linnet::optimize
