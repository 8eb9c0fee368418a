// `slice`: what is kept, cut and dropped of each axis.

#include "codegen/ir/build.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/ir/verify/verifier.hpp"
#include "codegen/sema/dims/build.hpp"

namespace linnet::ir::detail {
namespace {

/// The extent that a range leaves of an axis, clamped as language.md section 5 says.
Dim extent_of(const SliceAxis& range, const Dim& extent) {
  namespace dims = sema::dims;
  const Dim end = range.stop ? dims::min(range.stop, extent) : extent;
  const Dim length = range.start ? dims::sub(end, range.start) : end;
  return dims::max(dims::constant(0), range.step ? dims::ceildiv(length, range.step) : length);
}

}  // namespace

void Verifier::check_slice(const Op& op, const Types& types) {
  if (types.empty() || types[0]->kind != TypeKind::tensor) {
    problem("`slice` takes a tensor first");
    return;
  }
  const Type& sliced = types[0];
  std::size_t runtime = 0;
  std::size_t covered = 0;
  ShapeUnits kept;
  for (std::size_t i = 0; i < op.attrs.axes.size(); ++i) {
    const At at(*this, element("attrs.axes", i));
    const SliceAxis& axis = op.attrs.axes[i];
    if (axis.whole) {
      check_whole(axis, sliced, covered);
      covered += axis.whole_units.size();
      kept.insert(kept.end(), axis.whole_units.begin(), axis.whole_units.end());
      continue;
    }
    const auto left = check_cut(axis, sliced, covered);
    ++covered;
    if (!axis.squeeze && left) kept.push_back(*left);
    if (axis.squeeze && !axis.start) ++runtime;
  }
  if (covered != sliced->shape.size()) {
    problem("`slice` covers " + std::to_string(covered) + " axes of `" + to_text(sliced) + "`");
    return;
  }
  if (!counts(op, runtime + 1, 1, 0)) return;
  for (std::size_t i = 1; i < types.size(); ++i) {
    if (!is_integer_scalar(types[i])) problem("an index of `slice` is no integer");
  }
  check_result(op, make_data(std::move(kept), sliced->dtype));
}

void Verifier::check_whole(const SliceAxis& axis, const Type& sliced, std::size_t first) {
  check_shape(axis.whole_units);
  for (std::size_t i = 0; i < axis.whole_units.size(); ++i) {
    if (first + i >= sliced->shape.size()) return;  // the number of axes is reported
    if (agree(axis.whole_units[i], sliced->shape[first + i])) continue;
    problem("keeps the whole of `" + to_text(axis.whole_units) + "`, but axis " +
            std::to_string(first + i) + " of `" + to_text(sliced) + "` is `" +
            to_text(sliced->shape[first + i]) + "`");
    return;
  }
}

/// What a range leaves of an axis, or the axis for a single position; none where there is no such
/// axis.
std::optional<Unit> Verifier::check_cut(const SliceAxis& axis, const Type& sliced,
                                        std::size_t position) {
  for (const Dim& bound : {axis.start, axis.stop, axis.step}) {
    if (bound) check_dim(bound);
  }
  if (const auto step = constant_value(axis.step); step && *step <= 0) {
    problem("a step of " + std::to_string(*step));
    return std::nullopt;
  }
  for (const Dim& bound : {axis.start, axis.stop}) {
    if (const auto number = constant_value(bound); number && *number < 0) {
      problem("a bound of " + std::to_string(*number));
    }
  }
  if (position >= sliced->shape.size()) return std::nullopt;
  const Unit& unit = sliced->shape[position];
  if (unit.is_pack()) {
    problem("cuts into the pack `*" + unit.pack_name + "`");
    return std::nullopt;
  }
  if (!axis.squeeze) return make_unit(extent_of(axis, unit.dim));
  if (!axis.start) return unit;
  const auto number = constant_value(axis.start);
  const auto extent = constant_value(unit.dim);
  if (number && extent && *number >= *extent) {
    problem("position " + std::to_string(*number) + " of an axis of " + std::to_string(*extent));
  }
  // Outside the axis the program ends with an error.
  witnesses_.assume_at_least(axis.start, make_constant(0));
  witnesses_.assume_at_least(unit.dim, make_dim(DimKind::add, {axis.start, make_constant(1)}));
  return unit;
}

}  // namespace linnet::ir::detail
