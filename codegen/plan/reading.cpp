#include "codegen/plan/reading.hpp"

#include <algorithm>
#include <utility>

#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"

namespace linnet::plan {
namespace {

using namespace ir;

constexpr std::size_t max_name_length = 1000;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view json_kind(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  if (value.is_string()) return "a string";
  if (value.is_boolean()) return "a boolean";
  return "a number";
}

std::string expected(std::string_view what, const Json& value) {
  return "must be " + std::string(what) + ", not " + std::string(json_kind(value));
}

}  // namespace

std::string Node::path() const {
  if (parent_ == nullptr) return {};
  std::string path = parent_->path();
  if (is_element_) return path + "[" + std::to_string(index_) + "]";
  if (!path.empty()) path += '.';
  return path + std::string(key_.substr(0, max_name_length));
}

std::string in_quotes(const std::string& name) {
  return "`" + (name.size() > 60 ? name.substr(0, 60) + "..." : name) + "`";
}

bool is_identifier(std::string_view text) {
  if (text.empty() || text.size() > max_name_length || !is_letter(text.front())) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

bool is_path(std::string_view text, char separator) {
  for (;;) {
    const std::size_t end = text.find(separator);
    if (!is_identifier(text.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

void Reading::problem(const Node& at, std::string message) {
  if (full()) return;
  Problem found{at.path(), std::move(message)};
  if (found.where.empty()) found.where = "the document";
  const bool is_known = std::find(problems_.begin(), problems_.end(), found) != problems_.end();
  if (!is_known) problems_.push_back(std::move(found));
}

const Json* Reading::optional_field(const Node& object, std::string_view key) {
  if (!object.json().is_object()) return nullptr;
  const auto found = object.json().find(key);
  return found == object.json().end() || found->is_null() ? nullptr : &*found;
}

bool Reading::object(const Node& value) {
  if (value.json().is_object()) return true;
  problem(value, expected("an object", value.json()));
  return false;
}

const Json* Reading::field(const Node& object, std::string_view key) {
  if (!this->object(object)) return nullptr;
  const auto found = object.json().find(key);
  if (found == object.json().end()) {
    problem(object, "has no field `" + std::string(key) + "`");
    return nullptr;
  }
  return &*found;
}

std::optional<std::string> Reading::string(const Node& object, std::string_view key) {
  const Json* value = field(object, key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) {
    problem(Node(*value, object, key), expected("a string", *value));
    return std::nullopt;
  }
  return value->get<std::string>();
}

bool Reading::boolean(const Node& object, std::string_view key) {
  const Json* value = field(object, key);
  if (value == nullptr) return false;
  if (!value->is_boolean()) {
    problem(Node(*value, object, key), expected("true or false", *value));
    return false;
  }
  return value->get<bool>();
}

std::int64_t Reading::integer(const Node& value, std::int64_t low, std::int64_t high) {
  const Json& json = value.json();
  if (!json.is_number_integer()) {
    problem(value, json.is_number() ? "must be an integer" : expected("an integer", json));
    return std::clamp<std::int64_t>(0, low, high);
  }
  // Unsigned JSON integers beyond i64 would wrap on conversion.
  const bool beyond = json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX;
  if (beyond || json.get<std::int64_t>() < low || json.get<std::int64_t>() > high) {
    problem(value, "is out of range");
    return std::clamp<std::int64_t>(0, low, high);
  }
  return json.get<std::int64_t>();
}

std::int64_t Reading::integer(const Node& object, std::string_view key, std::int64_t low,
                              std::int64_t high) {
  const Json* value = field(object, key);
  return value == nullptr ? std::clamp<std::int64_t>(0, low, high)
                          : integer(Node(*value, object, key), low, high);
}

std::string Reading::identifier(const Node& value) {
  if (!value.json().is_string()) {
    problem(value, expected("a name", value.json()));
    return "invalid";
  }
  std::string name = value.json().get<std::string>();
  if (is_identifier(name)) return name;
  problem(value, in_quotes(name) + " is no name");
  return "invalid";
}

std::string Reading::identifier(const Node& object, std::string_view key) {
  const Json* value = field(object, key);
  return value == nullptr ? "invalid" : identifier(Node(*value, object, key));
}

std::string Reading::module_path(const Node& object, std::string_view key) {
  auto path = string(object, key);
  if (path && is_path(*path)) return std::move(*path);
  if (path) problem(object, in_quotes(*path) + " is no module path");
  return "invalid";
}

std::string Reading::prose(const Node& object, std::string_view key) {
  const Json* value = optional_field(object, key);
  if (value == nullptr || !value->is_string()) return {};
  std::string text = value->get<std::string>();
  const bool clean = std::none_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
  });
  return clean ? text : std::string{};
}

// --- dimensions ----------------------------------------------------------------------------

Dim Reading::dim(const Node& node) {
  int nodes = 0;
  return dim(node, 0, nodes);
}

Dim Reading::dim(const Node& node, int depth, int& nodes) {
  const Json& json = node.json();
  const Dim fallback = make_constant(1);
  if (json.is_number()) return make_constant(integer(node, INT64_MIN, INT64_MAX));
  if (!json.is_object()) {
    problem(node, expected("a dimension", json));
    return fallback;
  }
  if (++nodes > max_dim_nodes || depth > max_dim_depth) {
    problem(node, "the dimension is too large");
    return fallback;
  }
  if (json.contains("sym")) {
    const int id = static_cast<int>(integer(node, "sym", 0, max_number));
    return make_symbol(id, identifier(node, "name"));
  }
  if (json.contains("packsize")) {
    const int id = static_cast<int>(integer(node, "packsize", 0, max_number));
    return make_pack_size(id, identifier(node, "name"));
  }
  if (!json.contains("op")) {
    problem(node, "is no dimension: it has none of `sym`, `packsize` and `op`");
    return fallback;
  }
  const auto kind = word(node, "op", "operator of dimensions", parse_dim_op);
  if (!kind) return fallback;
  // Kept as written, not folded: what is read is what the writer meant.
  DimNode made;
  made.kind = *kind;
  made.args = list(node, "args", [&](const Node& arg) { return dim(arg, depth + 1, nodes); });
  const bool binary = *kind == DimKind::floordiv || *kind == DimKind::mod;
  if (made.args.size() < 2 || (binary && made.args.size() != 2)) {
    problem(node, "`" + std::string(dim_op_name(*kind)) + "` takes " +
                      (binary ? "two" : "at least two") + " arguments, not " +
                      std::to_string(made.args.size()));
    return fallback;
  }
  return std::make_shared<const DimNode>(std::move(made));
}

Unit Reading::unit(const Node& node) {
  if (node.json().is_object() && node.json().contains("pack")) {
    const int id = static_cast<int>(integer(node, "pack", 0, max_number));
    return make_pack_unit(id, identifier(node, "name"));
  }
  return make_unit(dim(node));
}

ShapeUnits Reading::shape(const Node& object, std::string_view key) {
  return list(object, key, [this](const Node& node) { return unit(node); });
}

// --- types ---------------------------------------------------------------------------------

Dtype Reading::dtype(const Node& node) {
  const Json& json = node.json();
  if (json.is_string()) {
    const std::string name = json.get<std::string>();
    if (const auto scalar = parse_scalar(name)) return make_dtype(*scalar);
    problem(node, in_quotes(name) + " is no dtype");
    return {};
  }
  if (!json.is_object()) {
    problem(node, expected("a dtype", json));
    return {};
  }
  const int id = static_cast<int>(integer(node, "var", 0, max_number));
  return make_dtype_variable(id, identifier(node, "name"));
}

Type Reading::type(const Node& node) {
  return type(node, 0);
}

Type Reading::type(const Node& object, std::string_view key) {
  const Json* value = field(object, key);
  return value == nullptr ? make_unit_type() : type(Node(*value, object, key));
}

Type Reading::named_type(const Node& node, TypeKind kind) {
  std::string name = identifier(node, "name");
  std::string module = module_path(node, "module");
  auto args = list(node, "args", [this](const Node& arg) { return argument(arg); });
  return make_named(kind, std::move(name), std::move(module), std::move(args));
}

Type Reading::type(const Node& node, int depth) {
  if (depth > max_type_depth) {
    problem(node, "the type is nested too deeply");
    return make_unit_type();
  }
  const auto inner = [&](std::string_view key) {
    const Json* value = field(node, key);
    return value == nullptr ? make_unit_type() : type(Node(*value, node, key), depth + 1);
  };
  const auto element_dtype = [&] {
    const Json* value = field(node, "dtype");
    return value == nullptr ? Dtype{} : dtype(Node(*value, node, "dtype"));
  };
  const auto kind = word(node, "kind", "kind of type", parse_type_kind);
  if (!kind) return make_unit_type();
  switch (*kind) {
    case TypeKind::scalar:
      return make_scalar(element_dtype());
    case TypeKind::tensor:
      return make_tensor(shape(node, "shape"), element_dtype());
    case TypeKind::tuple:
      return make_tuple(
          list(node, "elements", [&](const Node& element) { return type(element, depth + 1); }));
    case TypeKind::optional:
      return make_optional(inner("inner"));
    case TypeKind::array: {
      const Json* length = field(node, "length");
      Dim count = length == nullptr ? make_constant(1) : dim(Node(*length, node, "length"));
      return make_array(inner("element"), std::move(count));
    }
    case TypeKind::block:
    case TypeKind::structure:
    case TypeKind::enumeration:
      return named_type(node, *kind);
    case TypeKind::shape:
      return make_shape(shape(node, "shape"));
    case TypeKind::unit:
      break;
  }
  return make_unit_type();
}

// --- generics ------------------------------------------------------------------------------

GenericArgument Reading::argument(const Node& node) {
  if (const Json* value = optional_field(node, "dim")) return dim(Node(*value, node, "dim"));
  if (optional_field(node, "shape") != nullptr) return shape(node, "shape");
  if (const Json* value = optional_field(node, "dtype")) return dtype(Node(*value, node, "dtype"));
  problem(node, "must hold one of `dim`, `shape` and `dtype`");
  return make_constant(1);
}

Generic Reading::generic(const Node& node) {
  Generic out;
  out.name = identifier(node, "name");
  out.kind = word(node, "kind", "kind of generic", parse_generic_kind).value_or(GenericKind::dim);
  const std::string_view number = out.kind == GenericKind::dtype ? "var" : "sym";
  out.id = static_cast<int>(integer(node, number, 0, max_number));
  if (out.kind == GenericKind::dtype) {
    const auto dtype_class = word(node, "class", "class of dtypes", parse_dtype_class);
    out.dtype_class = dtype_class.value_or(DtypeClass::any);
  }
  if (const Json* value = optional_field(node, "default")) {
    out.default_argument = argument(Node(*value, node, "default"));
  }
  return out;
}

Constraint Reading::constraint(const Node& node) {
  Constraint out;
  out.relation = word(node, "relation", "relation", parse_relation_symbol).value_or(Relation::eq);
  const auto side = [&](std::string_view key) {
    const Json* value = field(node, key);
    return value == nullptr ? make_constant(1) : dim(Node(*value, node, key));
  };
  out.lhs = side("lhs");
  out.rhs = side("rhs");
  out.text = prose(node, "text");
  if (out.text.find_first_of("\n\t") != std::string::npos) out.text.clear();
  return out;
}

std::vector<Generic> Reading::generics(const Node& object) {
  return list(object, "generics", [this](const Node& node) { return generic(node); });
}

std::vector<Constraint> Reading::constraints(const Node& object) {
  return list(object, "constraints", [this](const Node& node) { return constraint(node); });
}

}  // namespace linnet::plan
