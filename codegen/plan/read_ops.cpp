// Plan JSON → regions and ops. What an op's kind needs of `attrs` is read and checked
// to be there; how ops fit together is the verifier's work.

#include <limits>
#include <string>

#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/plan/reading.hpp"

namespace linnet::plan {
namespace {

using namespace ir;

constexpr int max_region_depth = 400;
constexpr int max_axis = 1000;

Region region_at(Reading& in, const Node& node, int depth);

double float_value(Reading& in, const Node& node) {
  const Json& json = node.json();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) {
    const std::string name = json.get<std::string>();
    if (name == "inf") return std::numeric_limits<double>::infinity();
    if (name == "-inf") return -std::numeric_limits<double>::infinity();
    if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  }
  in.problem(node, "must be a number, `inf`, `-inf` or `nan`");
  return 0;
}

/// An integer that its dtype holds; one that is open, and floats, take any `i64`. A `u64` is kept
/// in the 64 bits of an `i64`.
std::int64_t literal_value(Reading& in, const Node& node, const Dtype& dtype) {
  const auto of = [&]<class Integer>(Integer) -> std::int64_t {
    return in.integer(node, std::numeric_limits<Integer>::min(),
                      std::numeric_limits<Integer>::max());
  };
  switch (dtype.is_variable ? Scalar::i64 : dtype.scalar) {
    case Scalar::i8:
      return of(std::int8_t{});
    case Scalar::i16:
      return of(std::int16_t{});
    case Scalar::i32:
      return of(std::int32_t{});
    case Scalar::u8:
      return of(std::uint8_t{});
    case Scalar::u16:
      return of(std::uint16_t{});
    case Scalar::u32:
      return of(std::uint32_t{});
    case Scalar::u64:
      if (!node.json().is_number_unsigned()) return in.integer(node, 0, INT64_MAX);
      return static_cast<std::int64_t>(node.json().get<std::uint64_t>());
    default:
      return of(std::int64_t{});
  }
}

std::int64_t bool_value(Reading& in, const Node& node) {
  if (node.json().is_boolean()) return node.json().get<bool>() ? 1 : 0;
  return in.integer(node, 0, 1);
}

Dim bound(Reading& in, const Node& axis, std::string_view key) {
  const Json* value = in.optional_field(axis, key);
  return value == nullptr ? nullptr : in.dim(Node(*value, axis, key));
}

SliceAxis slice_axis(Reading& in, const Node& node) {
  SliceAxis axis;
  if (in.optional_field(node, "whole") != nullptr) {
    axis.whole = true;
    axis.whole_units = in.shape(node, "whole");
    return axis;
  }
  axis.squeeze = in.boolean(node, "squeeze");
  axis.start = bound(in, node, "start");
  axis.stop = bound(in, node, "stop");
  axis.step = bound(in, node, "step");
  if (axis.squeeze) return axis;
  if (!axis.start) axis.start = make_constant(0);
  if (!axis.step) axis.step = make_constant(1);
  if (!axis.stop) {
    in.problem(node, "a kept axis needs a `stop`");
    axis.stop = axis.start;
  }
  return axis;
}

/// Reads an object whose keys are numbers into a map.
template <class Bound, class Read>
void read_numbered(Reading& in, const Node& substitution, std::string_view key,
                   std::map<int, Bound>& out, Read read) {
  const Json* value = in.optional_field(substitution, key);
  if (value == nullptr) return;
  const Node node(*value, substitution, key);
  if (!in.object(node)) return;
  for (const auto& [text, item] : value->items()) {
    const Node entry(item, node, text);
    const bool digits = !text.empty() && text.size() <= 9 &&
                        text.find_first_not_of("0123456789") == std::string::npos;
    if (!digits) {
      in.problem(entry, in_quotes(text) + " is no number of a generic");
      continue;
    }
    out.insert_or_assign(std::stoi(text), read(entry));
  }
}

Substitution read_substitution(Reading& in, const Node& attrs) {
  Substitution out;
  const Json* value = in.field(attrs, "substitution");
  if (value == nullptr) return out;
  const Node node(*value, attrs, "substitution");
  if (!in.object(node)) return out;
  read_numbered(in, node, "dims", out.dims, [&](const Node& item) { return in.dim(item); });
  read_numbered(in, node, "packs", out.packs, [&](const Node& item) {
    ShapeUnits units;
    if (!item.json().is_array()) {
      in.problem(item, "must be an array");
      return units;
    }
    for (std::size_t i = 0; i < item.json().size(); ++i) {
      units.push_back(in.unit(Node(item.json()[i], item, i)));
    }
    return units;
  });
  read_numbered(in, node, "dtypes", out.dtypes, [&](const Node& item) { return in.dtype(item); });
  return out;
}

void read_call(Reading& in, const Node& attrs, OpKind kind, Attributes& out) {
  out.callee = in.string(attrs, "callee").value_or("");
  out.substitution = read_substitution(in, attrs);
  if (in.optional_field(attrs, "generics") != nullptr) {
    out.generics = in.list(attrs, "generics", [&](const Node& item) { return in.argument(item); });
  }
  const Json* selected = in.optional_field(attrs, "selected");
  if (selected == nullptr) return;
  const Node node(*selected, attrs, "selected");
  if (kind == OpKind::call) {
    in.problem(node, "only a call of an op has a chosen kernel");
  } else if (!selected->is_string()) {
    in.problem(node, "must be the name of a kernel");
  } else {
    out.selected = in.prose(attrs, "selected");
  }
}

/// A value's name is a courtesy of its writer: one that is no identifier is dropped.
std::string courtesy_name(Reading& in, const Node& node) {
  const Json* name = in.optional_field(node, "name");
  if (name == nullptr || !name->is_string()) return {};
  const auto text = name->get<std::string>();
  return is_identifier(text) ? text : std::string{};
}

void read_indices(Reading& in, const Node& attrs, Attributes& out) {
  out.indices = in.list(attrs, "indices", [&](const Node& item) {
    return IndexDomain{courtesy_name(in, item), in.shape(item, "domain")};
  });
}

template <class Read>
void read_value_attribute(Reading& in, const Node& attrs, Attributes& out, Read read) {
  const Json* value = in.field(attrs, "value");
  if (value != nullptr) {
    out.value = read(Node(*value, attrs, "value"));
  } else {
    out.value = std::int64_t{0};
  }
}

/// Of an op whose results are there.
Attributes read_attributes(Reading& in, const Node& attrs, const Op& op) {
  Attributes out;
  const auto integer_in = [&](std::int64_t low, std::int64_t high) {
    return [&in, low, high](const Node& node) { return in.integer(node, low, high); };
  };
  switch (op.kind) {
    case OpKind::const_int:
      read_value_attribute(in, attrs, out, [&](const Node& node) {
        return literal_value(in, node, op.results.empty() ? Dtype{} : op.results[0].type->dtype);
      });
      break;
    case OpKind::const_bool:
      read_value_attribute(in, attrs, out, [&](const Node& node) { return bool_value(in, node); });
      break;
    case OpKind::const_float:
      read_value_attribute(in, attrs, out, [&](const Node& node) { return float_value(in, node); });
      break;
    case OpKind::const_dim:
      read_value_attribute(in, attrs, out, [&](const Node& node) { return in.dim(node); });
      break;
    case OpKind::tuple_get:
    case OpKind::struct_get:
      read_value_attribute(in, attrs, out, integer_in(0, Reading::max_number));
      break;
    case OpKind::enum_const:
    case OpKind::block_param:
    case OpKind::block_sub:
    case OpKind::state_read:
    case OpKind::state_write:
      out.name = in.identifier(attrs, "name");
      break;
    case OpKind::compare:
      out.compare =
          in.word(attrs, "compare", "`compare`", parse_relation_name).value_or(Relation::eq);
      break;
    case OpKind::reshape:
    case OpKind::broadcast:
    case OpKind::fill:
    case OpKind::iota:
      out.shape = in.shape(attrs, "shape");
      break;
    case OpKind::permute:
      out.permutation = in.list(attrs, "shape", [&](const Node& node) {
        return static_cast<int>(in.integer(node, 0, max_axis));
      });
      break;
    case OpKind::slice:
      out.axes = in.list(attrs, "axes", [&](const Node& node) { return slice_axis(in, node); });
      break;
    case OpKind::concat:
    case OpKind::cumsum:
      out.axis = static_cast<int>(in.integer(attrs, "axis", 0, max_axis));
      break;
    case OpKind::kernel_program_id:
      out.axis = static_cast<int>(in.integer(attrs, "axis", 0, 2));
      break;
    case OpKind::comprehension:
      read_indices(in, attrs, out);
      break;
    case OpKind::reduce:
      read_indices(in, attrs, out);
      out.reduce = in.word(attrs, "reduce", "`reduce`", parse_reduce).value_or(ReduceKind::sum);
      break;
    case OpKind::enum_match:
      out.variants =
          in.list(attrs, "variants", [&](const Node& node) { return in.identifier(node); });
      break;
    case OpKind::call:
    case OpKind::semantic_call:
      read_call(in, attrs, op.kind, out);
      break;
    case OpKind::kernel_load:
    case OpKind::kernel_store:
    case OpKind::kernel_atomic_add:
    case OpKind::kernel_atomic_max:
    case OpKind::kernel_atomic_min:
      out.index_count = static_cast<int>(in.integer(attrs, "indices", 0, max_axis));
      break;
    default:
      break;
  }
  return out;
}

Op op_at(Reading& in, const Node& node, int depth) {
  Op op;
  const auto kind = in.word(node, "kind", "kind of op", parse_op);
  if (!kind) return op;
  op.kind = *kind;
  op.operands = in.list(node, "operands", [&](const Node& id) {
    return static_cast<int>(in.integer(id, 0, Reading::max_number));
  });
  op.results = in.list(node, "results", [&](const Node& value) { return read_value(in, value); });
  // Both of these may be missing where an op has none of them.
  static const Json no_attributes = Json::object();
  const bool has_attributes = node.json().contains("attrs");
  const Node attrs(has_attributes ? node.json()["attrs"] : no_attributes, node, "attrs");
  if (in.object(attrs)) op.attrs = read_attributes(in, attrs, op);
  if (node.json().contains("regions")) {
    op.regions = in.list(node, "regions",
                         [&](const Node& region) { return region_at(in, region, depth + 1); });
  }
  return op;
}

Region region_at(Reading& in, const Node& node, int depth) {
  if (depth > max_region_depth) {
    in.problem(node, "regions are nested too deeply");
    return {};
  }
  Region out;
  out.args = in.list(node, "args", [&](const Node& value) { return read_value(in, value); });
  out.ops = in.list(node, "ops", [&](const Node& op) { return op_at(in, op, depth); });
  return out;
}

}  // namespace

Value read_value(Reading& in, const Node& node) {
  Value out;
  out.id = static_cast<int>(in.integer(node, "id", 0, Reading::max_number));
  out.name = courtesy_name(in, node);
  out.type = in.type(node, "type");
  return out;
}

Region read_region(Reading& in, const Node& object, std::string_view key) {
  const Json* value = in.field(object, key);
  return value == nullptr ? Region{} : region_at(in, Node(*value, object, key), 0);
}

}  // namespace linnet::plan
