#pragma once
// Shapes built from units: equality, element counts, broadcasting, slices (language.md 3 to 5).

#include <cstddef>
#include <optional>

#include "codegen/ir/types.hpp"

namespace linnet::sema::dims {

class Facts;

/// Two packs are equal when they are the same pack, two dimensions when that is provable.
[[nodiscard]] bool units_equal(const Facts& facts, const ir::Unit& a, const ir::Unit& b);
/// Equal unit by unit.
[[nodiscard]] bool shapes_equal(const Facts& facts, const ir::ShapeUnits& a,
                                const ir::ShapeUnits& b);
/// Types equal as types: same kind and names, equal dtypes, shapes and arguments provably equal.
[[nodiscard]] bool types_equal(const Facts& facts, const ir::Type& a, const ir::Type& b);
[[nodiscard]] bool dtypes_equal(const ir::Dtype& a, const ir::Dtype& b);

/// The number of elements: the product of all units, a pack counting `size(*S)`; 1 for rank 0.
[[nodiscard]] ir::Dim element_count(const ir::ShapeUnits& units);
[[nodiscard]] bool element_counts_equal(const Facts& facts, const ir::ShapeUnits& a,
                                        const ir::ShapeUnits& b);

/// What broadcasting two shapes gives, or the first pair that does not fit.
struct Broadcast {
  std::optional<ir::ShapeUnits> shape;
  std::size_t from_back = 0;  ///< without a shape: the pair at fault, 0 the last axis
};
/// Right-aligned; each pair equal, or one exactly 1. Units left over on one side are kept. A pack
/// pairs only with itself.
[[nodiscard]] Broadcast broadcast(const Facts& facts, const ir::ShapeUnits& a,
                                  const ir::ShapeUnits& b);
/// Whether `broadcast_to` from one shape to the other is provable: each trailing axis equal or 1.
[[nodiscard]] Broadcast broadcast_to(const Facts& facts, const ir::ShapeUnits& from,
                                     const ir::ShapeUnits& to);

/// The extent that `start:stop:step` leaves of an axis, clamped as Python does:
/// `max(0, ceil((min(stop, extent) - start) / step))`, simplified. A null `start` is 0, a null
/// `stop` the extent, a null `step` 1. The caller has checked that the bounds are provably
/// non-negative and the step is a positive constant.
[[nodiscard]] ir::Dim slice_extent(const Facts& facts, const ir::Dim& start, const ir::Dim& stop,
                                   const ir::Dim& step, const ir::Dim& extent);

}  // namespace linnet::sema::dims
