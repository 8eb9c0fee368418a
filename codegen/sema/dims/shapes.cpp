#include "codegen/sema/dims/shapes.hpp"

#include <algorithm>
#include <variant>

#include "codegen/sema/dims/build.hpp"
#include "codegen/sema/dims/solver.hpp"

namespace linnet::sema::dims {
namespace {

bool is_one(const Facts& facts, const ir::Unit& unit) {
  return !unit.is_pack() && facts.equal(unit.dim, constant(1));
}

bool arguments_equal(const Facts& facts, const ir::GenericArgument& a,
                     const ir::GenericArgument& b) {
  if (a.index() != b.index()) return false;
  if (const auto* dim = std::get_if<ir::Dim>(&a)) return facts.equal(*dim, std::get<ir::Dim>(b));
  if (const auto* units = std::get_if<ir::ShapeUnits>(&a)) {
    return shapes_equal(facts, *units, std::get<ir::ShapeUnits>(b));
  }
  return dtypes_equal(std::get<ir::Dtype>(a), std::get<ir::Dtype>(b));
}

}  // namespace

bool units_equal(const Facts& facts, const ir::Unit& a, const ir::Unit& b) {
  if (a.is_pack() || b.is_pack()) return a.is_pack() && b.is_pack() && a.pack == b.pack;
  return facts.equal(a.dim, b.dim);
}

bool shapes_equal(const Facts& facts, const ir::ShapeUnits& a, const ir::ShapeUnits& b) {
  return std::ranges::equal(
      a, b, [&](const ir::Unit& x, const ir::Unit& y) { return units_equal(facts, x, y); });
}

bool dtypes_equal(const ir::Dtype& a, const ir::Dtype& b) {
  if (a.is_variable != b.is_variable) return false;
  return a.is_variable ? a.variable == b.variable : a.scalar == b.scalar;
}

bool types_equal(const Facts& facts, const ir::Type& a, const ir::Type& b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr || a->kind != b->kind) return false;
  const auto elements_equal = [&] {
    return std::ranges::equal(a->elements, b->elements, [&](const ir::Type& x, const ir::Type& y) {
      return types_equal(facts, x, y);
    });
  };
  switch (a->kind) {
    case ir::TypeKind::scalar:
      return dtypes_equal(a->dtype, b->dtype);
    case ir::TypeKind::tensor:
      return dtypes_equal(a->dtype, b->dtype) && shapes_equal(facts, a->shape, b->shape);
    case ir::TypeKind::tuple:
    case ir::TypeKind::optional:
      return elements_equal();
    case ir::TypeKind::array:
      return elements_equal() && facts.equal(a->length, b->length);
    case ir::TypeKind::block:
    case ir::TypeKind::structure:
    case ir::TypeKind::enumeration:
      return a->name == b->name && a->module == b->module &&
             std::ranges::equal(a->args, b->args, [&](const auto& x, const auto& y) {
               return arguments_equal(facts, x, y);
             });
    case ir::TypeKind::shape:
      return shapes_equal(facts, a->shape, b->shape);
    case ir::TypeKind::unit:
      return true;
  }
  return false;
}

ir::Dim element_count(const ir::ShapeUnits& units) {
  ir::Dim count = constant(1);
  for (const ir::Unit& unit : units) {
    count = mul(count, unit.is_pack() ? pack_size(unit.pack, unit.pack_name) : unit.dim);
  }
  return count;
}

bool element_counts_equal(const Facts& facts, const ir::ShapeUnits& a, const ir::ShapeUnits& b) {
  return facts.equal(element_count(a), element_count(b));
}

Broadcast broadcast(const Facts& facts, const ir::ShapeUnits& a, const ir::ShapeUnits& b) {
  ir::ShapeUnits reversed;
  const std::size_t rank = std::max(a.size(), b.size());
  for (std::size_t i = 0; i < rank; ++i) {
    if (i >= a.size() || i >= b.size()) {
      const ir::ShapeUnits& longer = i >= a.size() ? b : a;
      reversed.push_back(longer[longer.size() - 1 - i]);
      continue;
    }
    const ir::Unit& x = a[a.size() - 1 - i];
    const ir::Unit& y = b[b.size() - 1 - i];
    if (units_equal(facts, x, y)) {
      reversed.push_back(x);
    } else if (!x.is_pack() && !y.is_pack() && is_one(facts, y)) {
      reversed.push_back(x);
    } else if (!x.is_pack() && !y.is_pack() && is_one(facts, x)) {
      reversed.push_back(y);
    } else {
      return {std::nullopt, i};
    }
  }
  std::ranges::reverse(reversed);
  return {std::move(reversed), 0};
}

Broadcast broadcast_to(const Facts& facts, const ir::ShapeUnits& from, const ir::ShapeUnits& to) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (i >= to.size()) return {std::nullopt, i};
    const ir::Unit& x = from[from.size() - 1 - i];
    const ir::Unit& y = to[to.size() - 1 - i];
    if (units_equal(facts, x, y)) continue;
    if (x.is_pack() || y.is_pack() || !is_one(facts, x)) return {std::nullopt, i};
  }
  return {to, 0};
}

ir::Dim slice_extent(const Facts& facts, const ir::Dim& start, const ir::Dim& stop,
                     const ir::Dim& step, const ir::Dim& extent) {
  const ir::Dim begin = start == nullptr ? constant(0) : start;
  const ir::Dim end = stop == nullptr ? extent : min(stop, extent);
  const ir::Dim length = sub(end, begin);
  const ir::Dim count = step == nullptr ? length : ceildiv(length, step);
  return facts.simplify(max(constant(0), count));
}

}  // namespace linnet::sema::dims
