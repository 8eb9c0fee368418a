#include "codegen/diagram/instance.hpp"

#include "codegen/diagram/label.hpp"
#include "codegen/ir/build.hpp"

namespace linnet::diagram {
namespace {

/// Far more than a label shows (label.cpp), and few enough to copy for every op.
constexpr int max_dim_parts = 64;

ir::Dim bounded(const ir::Dim& dim) {
  return has_more_parts(dim, max_dim_parts) ? ir::make_symbol(-1, "…") : dim;
}

ir::ShapeUnits bounded(ir::ShapeUnits units) {
  if (units.size() > max_dim_parts) {
    units.resize(max_dim_parts);
    units.back() = ir::make_unit(ir::make_symbol(-1, "…"));
  }
  for (ir::Unit& unit : units) {
    if (!unit.is_pack()) unit.dim = bounded(unit.dim);
  }
  return units;
}

void instantiate(ir::Attributes& attrs, const ir::Substitution& with) {
  using ir::substitute;
  if (auto* dim = std::get_if<ir::Dim>(&attrs.value)) *dim = substitute(*dim, with);
  attrs.shape = substitute(attrs.shape, with);
  for (ir::SliceAxis& axis : attrs.axes) {
    axis.whole_units = substitute(axis.whole_units, with);
    for (ir::Dim* dim : {&axis.start, &axis.stop, &axis.step}) {
      if (*dim) *dim = substitute(*dim, with);
    }
  }
  for (ir::IndexDomain& index : attrs.indices) index.domain = substitute(index.domain, with);
  for (ir::GenericArgument& argument : attrs.generics) argument = substitute(argument, with);
  attrs.substitution = compose(attrs.substitution, with);
}

void instantiate(std::vector<ir::Value>& values, const ir::Substitution& with) {
  for (ir::Value& value : values) value.type = ir::substitute(value.type, with);
}

}  // namespace

ir::Substitution compose(const ir::Substitution& inner, const ir::Substitution& outer) {
  ir::Substitution made = inner;
  for (auto& [id, dim] : made.dims) dim = bounded(ir::substitute(dim, outer));
  for (auto& [id, units] : made.packs) units = bounded(ir::substitute(units, outer));
  for (auto& [id, dtype] : made.dtypes) dtype = ir::substitute(dtype, outer);
  return made;
}

ir::Region instantiate(const ir::Region& region, const ir::Substitution& with) {
  ir::Region made = region;
  instantiate(made.args, with);
  for (ir::Op& op : made.ops) {
    instantiate(op.results, with);
    instantiate(op.attrs, with);
    for (ir::Region& inner : op.regions) inner = instantiate(inner, with);
  }
  return made;
}

}  // namespace linnet::diagram
