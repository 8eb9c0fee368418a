// Core IR → plan JSON. One function a row of plan-format.md's tables.

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "codegen/ir/names.hpp"
#include "codegen/plan/layout.hpp"
#include "codegen/plan/plan.hpp"

namespace linnet::plan {
namespace {

using Json = nlohmann::ordered_json;
using namespace ir;

Json text(std::string_view value) {
  return Json(std::string(value));
}

template <class Item, class Write>
Json list(const std::vector<Item>& items, Write write) {
  Json out = Json::array();
  for (const Item& item : items) out.push_back(write(item));
  return out;
}

// --- dimensions and types --------------------------------------------------------------

Json dim_json(const Dim& dim) {
  switch (dim->kind) {
    case DimKind::constant:
      return dim->value;
    case DimKind::symbol:
      return {{"sym", dim->id}, {"name", dim->name}};
    case DimKind::pack_size:
      return {{"packsize", dim->id}, {"name", dim->name}};
    default:
      return {{"op", text(dim_op_name(dim->kind))}, {"args", list(dim->args, dim_json)}};
  }
}

Json unit_json(const Unit& unit) {
  if (unit.is_pack()) return {{"pack", unit.pack}, {"name", unit.pack_name}};
  return dim_json(unit.dim);
}

Json shape_json(const ShapeUnits& shape) {
  return list(shape, unit_json);
}

Json dtype_json(const Dtype& dtype) {
  if (dtype.is_variable) return {{"var", dtype.variable}, {"name", dtype.name}};
  return text(scalar_name(dtype.scalar));
}

Json argument_json(const GenericArgument& argument) {
  if (const auto* dim = std::get_if<Dim>(&argument)) return {{"dim", dim_json(*dim)}};
  if (const auto* shape = std::get_if<ShapeUnits>(&argument)) {
    return {{"shape", shape_json(*shape)}};
  }
  return {{"dtype", dtype_json(std::get<Dtype>(argument))}};
}

Json type_json(const Type& type) {
  Json out = {{"kind", text(type_kind_name(type->kind))}};
  switch (type->kind) {
    case TypeKind::scalar:
      out["dtype"] = dtype_json(type->dtype);
      break;
    case TypeKind::tensor:
      out["shape"] = shape_json(type->shape);
      out["dtype"] = dtype_json(type->dtype);
      break;
    case TypeKind::tuple:
      out["elements"] = list(type->elements, type_json);
      break;
    case TypeKind::optional:
      out["inner"] = type_json(type->elements.at(0));
      break;
    case TypeKind::array:
      out["element"] = type_json(type->elements.at(0));
      out["length"] = dim_json(type->length);
      break;
    case TypeKind::block:
    case TypeKind::structure:
    case TypeKind::enumeration:
      out["name"] = type->name;
      out["module"] = type->module;
      out["args"] = list(type->args, argument_json);
      break;
    case TypeKind::shape:
      out["shape"] = shape_json(type->shape);
      break;
    case TypeKind::unit:
      break;
  }
  return out;
}

Json generic_json(const Generic& generic) {
  Json out = {{"name", generic.name}, {"kind", text(generic_kind_name(generic.kind))}};
  if (generic.kind == GenericKind::dtype) {
    out["var"] = generic.id;
    out["class"] = dtype_class_name(generic.dtype_class);
  } else {
    out["sym"] = generic.id;
  }
  if (generic.default_argument) out["default"] = argument_json(*generic.default_argument);
  return out;
}

Json constraint_json(const Constraint& constraint) {
  Json out = {{"relation", text(relation_symbol(constraint.relation))},
              {"lhs", dim_json(constraint.lhs)},
              {"rhs", dim_json(constraint.rhs)}};
  if (!constraint.text.empty()) out["text"] = constraint.text;
  return out;
}

// --- ops -------------------------------------------------------------------------------

Json value_json(const Value& value) {
  return {{"id", value.id}, {"name", value.name}, {"type", type_json(value.type)}};
}

template <class Map, class Write>
Json numbered(const Map& map, Write write) {
  Json out = Json::object();
  for (const auto& [number, bound] : map) out[std::to_string(number)] = write(bound);
  return out;
}

Json slice_axis_json(const SliceAxis& axis) {
  if (axis.whole) return {{"whole", shape_json(axis.whole_units)}};
  const auto bound = [](const Dim& dim) { return dim ? dim_json(dim) : Json(nullptr); };
  return {{"start", bound(axis.start)},
          {"stop", bound(axis.stop)},
          {"step", bound(axis.step)},
          {"squeeze", axis.squeeze}};
}

/// JSON has no infinities and no NaN; they are written as strings.
Json float_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

/// The number of a `const.int`; a `u64` is held in the 64 bits of an `i64`.
Json integer_json(const Op& op) {
  const auto value = std::get<std::int64_t>(op.attrs.value);
  const Dtype& dtype = op.results.at(0).type->dtype;
  if (!dtype.is_variable && dtype.scalar == Scalar::u64) return static_cast<std::uint64_t>(value);
  return value;
}

Json attribute_value_json(const Attributes& attrs) {
  if (const auto* integer = std::get_if<std::int64_t>(&attrs.value)) return *integer;
  if (const auto* number = std::get_if<double>(&attrs.value)) return float_json(*number);
  if (const auto* dim = std::get_if<Dim>(&attrs.value)) return dim_json(*dim);
  return nullptr;
}

Json attributes_json(const Op& op) {
  const Attributes& attrs = op.attrs;
  Json out = Json::object();
  switch (op.kind) {
    case OpKind::const_int:
      out["value"] = integer_json(op);
      break;
    case OpKind::const_bool:
    case OpKind::const_float:
    case OpKind::const_dim:
    case OpKind::tuple_get:
    case OpKind::struct_get:
      out["value"] = attribute_value_json(attrs);
      break;
    case OpKind::enum_const:
    case OpKind::block_param:
    case OpKind::block_sub:
    case OpKind::state_read:
    case OpKind::state_write:
      out["name"] = attrs.name;
      break;
    case OpKind::compare:
      out["compare"] = relation_name(attrs.compare);
      break;
    case OpKind::reshape:
    case OpKind::broadcast:
    case OpKind::fill:
    case OpKind::iota:
      out["shape"] = shape_json(attrs.shape);
      break;
    case OpKind::permute:
      out["shape"] = attrs.permutation;
      break;
    case OpKind::slice:
      out["axes"] = list(attrs.axes, slice_axis_json);
      break;
    case OpKind::concat:
    case OpKind::cumsum:
    case OpKind::kernel_program_id:
      out["axis"] = attrs.axis;
      break;
    case OpKind::comprehension:
    case OpKind::reduce:
      out["indices"] = list(attrs.indices, [](const IndexDomain& index) -> Json {
        return {{"name", index.name}, {"domain", shape_json(index.domain)}};
      });
      if (op.kind == OpKind::reduce) out["reduce"] = reduce_name(attrs.reduce);
      break;
    case OpKind::enum_match:
      out["variants"] = attrs.variants;
      break;
    case OpKind::kernel_load:
    case OpKind::kernel_store:
    case OpKind::kernel_atomic_add:
    case OpKind::kernel_atomic_max:
    case OpKind::kernel_atomic_min:
      out["indices"] = attrs.index_count;
      break;
    case OpKind::call:
    case OpKind::semantic_call:
      out["callee"] = attrs.callee;
      out["substitution"] = {{"dims", numbered(attrs.substitution.dims, dim_json)},
                             {"packs", numbered(attrs.substitution.packs, shape_json)},
                             {"dtypes", numbered(attrs.substitution.dtypes, dtype_json)}};
      out["generics"] = list(attrs.generics, argument_json);
      if (!attrs.selected.empty()) out["selected"] = attrs.selected;
      break;
    default:
      break;
  }
  return out;
}

Json region_json(const Region& region);

Json op_json(const Op& op) {
  return {{"kind", text(op_name(op.kind))},
          {"operands", op.operands},
          {"results", list(op.results, value_json)},
          {"attrs", attributes_json(op)},
          {"regions", list(op.regions, region_json)}};
}

Json region_json(const Region& region) {
  return {{"args", list(region.args, value_json)}, {"ops", list(region.ops, op_json)}};
}

// --- declarations ------------------------------------------------------------------------

Json kernel_json(const KernelBinding& kernel, FunctionKind kind) {
  Json out = Json::object();
  if (kind != FunctionKind::kernel) {
    out["callee"] = kernel.callee;
    out["generics"] = list(kernel.generics, argument_json);
    return out;
  }
  out["grid"] = list(kernel.grid, dim_json);
  if (kernel.warps) out["warps"] = *kernel.warps;
  if (kernel.stages) out["stages"] = *kernel.stages;
  out["results"] = list(kernel.results, value_json);
  return out;
}

void add_doc(Json& out, const std::string& doc) {
  if (!doc.empty()) out["doc"] = doc;
}

Json function_json(const Function& function) {
  Json out = {{"name", function.name},
              {"kind", text(function_kind_name(function.kind))},
              {"block", function.block.empty() ? Json(nullptr) : Json(function.block)},
              {"pub", function.is_public},
              {"generics", list(function.generics, generic_json)},
              {"constraints", list(function.constraints, constraint_json)},
              {"results", list(function.results, type_json)},
              {"states", function.states},
              {"body", region_json(function.body)}};
  if (function.grad) out["grad"] = region_json(*function.grad);
  if (function.kernel) out["kernel"] = kernel_json(*function.kernel, function.kind);
  if (!function.defaults.empty()) {
    Json defaults = Json::array();
    for (const auto& [position, region] : function.defaults) {
      defaults.push_back({{"parameter", position}, {"body", region_json(region)}});
    }
    out["defaults"] = std::move(defaults);
  }
  add_doc(out, function.doc);
  return out;
}

Json member_json(const Member& member) {
  Json out = {{"name", member.name},
              {"kind", text(member_kind_name(member.kind))},
              {"type", type_json(member.type)}};
  add_doc(out, member.doc);
  return out;
}

Json block_json(const Block& block) {
  Json out = {{"module", block.module},
              {"pub", block.is_public},
              {"generics", list(block.generics, generic_json)},
              {"constraints", list(block.constraints, constraint_json)},
              {"members", list(block.members, member_json)}};
  add_doc(out, block.doc);
  return out;
}

Json manifest_json(const ManifestEntry& entry) {
  return {{"path", entry.path},
          {"kind", text(member_kind_name(entry.kind))},
          {"dtype", dtype_json(entry.dtype)},
          {"shape", shape_json(entry.shape)},
          {"repeat", list(entry.repeat, dim_json)},
          {"optional", entry.optional}};
}

Json constant_json(const Constant& constant) {
  return {{"name", constant.name},
          {"pub", constant.is_public},
          {"type", type_json(constant.type)},
          {"contextual", constant.contextual},
          {"body", region_json(constant.body)}};
}

Json structure_json(const Structure& structure) {
  Json out = {{"name", structure.name},
              {"module", structure.module},
              {"generics", list(structure.generics, generic_json)}};
  Json fields = Json::array();
  for (const auto& [name, type] : structure.fields) {
    fields.push_back({{"name", name}, {"type", type_json(type)}});
  }
  out["fields"] = std::move(fields);
  add_doc(out, structure.doc);
  return out;
}

Json enumeration_json(const Enumeration& enumeration) {
  Json out = {{"name", enumeration.name},
              {"module", enumeration.module},
              {"variants", enumeration.variants}};
  if (!enumeration.generics.empty()) out["generics"] = list(enumeration.generics, generic_json);
  add_doc(out, enumeration.doc);
  return out;
}

}  // namespace

std::string write(const Program& program) {
  Json out = {{"version", 1}, {"module", program.module}};
  out["root"] = nullptr;
  if (program.root) {
    out["root"] = {{"name", program.root->name},
                   {"generics", list(program.root->generics, generic_json)},
                   {"constraints", list(program.root->constraints, constraint_json)}};
  }
  out["manifest"] = list(program.manifest, manifest_json);
  Json blocks = Json::object();
  for (const auto& [name, block] : program.blocks) blocks[name] = block_json(block);
  out["blocks"] = std::move(blocks);
  out["functions"] = list(program.functions, function_json);
  out["constants"] = list(program.constants, constant_json);
  if (!program.structures.empty()) out["structs"] = list(program.structures, structure_json);
  if (!program.enumerations.empty()) out["enums"] = list(program.enumerations, enumeration_json);
  add_doc(out, program.doc);
  return layout(out);
}

}  // namespace linnet::plan
