#include "codegen/sema/types.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

#include "codegen/sema/dims/build.hpp"
#include "codegen/sema/dims/render.hpp"

namespace linnet::sema {
namespace {

using ir::Scalar;
using ir::TypeKind;

ir::Type make(ir::TypeNode node) {
  return std::make_shared<const ir::TypeNode>(std::move(node));
}

/// A node of its own identity; the name is what a message would show.
ir::Type mark(const char* name) {
  ir::TypeNode node;
  node.kind = TypeKind::unit;
  node.name = name;
  return make(std::move(node));
}

template <class Predicate>
bool any_part(const ir::Type& type, const Predicate& predicate) {
  if (predicate(type)) return true;
  for (const ir::Type& element : type->elements) {
    if (any_part(element, predicate)) return true;
  }
  return false;
}

struct ScalarFacts {
  std::string_view name;
  bool floating;
  bool is_signed;
  int bits;
  double largest;   ///< floats: the largest finite value
  double half_ulp;  ///< floats: half of its last place
};

constexpr std::array<ScalarFacts, 13> scalar_facts{{
    {"bool", false, false, 1, 0, 0},
    {"i8", false, true, 8, 0, 0},
    {"i16", false, true, 16, 0, 0},
    {"i32", false, true, 32, 0, 0},
    {"i64", false, true, 64, 0, 0},
    {"u8", false, false, 8, 0, 0},
    {"u16", false, false, 16, 0, 0},
    {"u32", false, false, 32, 0, 0},
    {"u64", false, false, 64, 0, 0},
    {"f16", true, true, 16, 65504.0, 16.0},
    {"bf16", true, true, 16, 0x1.FEp127, 0x1p119},
    {"f32", true, true, 32, 0x1.FFFFFEp127, 0x1p103},
    {"f64", true, true, 64, std::numeric_limits<double>::max(), 0},
}};

constexpr std::size_t max_type_nodes = 4096;

/// Takes the nodes of a part from what is left; false when there are too many.
bool spend(const ir::ShapeUnits& units, std::size_t& left) {
  if (units.size() > left) return false;
  left -= units.size();
  for (const ir::Unit& unit : units) {
    if (!unit.is_pack() && !dims::within_limits(unit.dim)) return false;
  }
  return true;
}

bool spend(const ir::Type& type, std::size_t& left) {
  if (left == 0) return false;
  --left;
  if (!spend(type->shape, left)) return false;
  for (const ir::Type& element : type->elements) {
    if (!spend(element, left)) return false;
  }
  for (const ir::GenericArgument& argument : type->args) {
    if (const auto* units = std::get_if<ir::ShapeUnits>(&argument)) {
      if (!spend(*units, left)) return false;
    } else if (const auto* dim = std::get_if<ir::Dim>(&argument)) {
      if (!dims::within_limits(*dim)) return false;
    }
  }
  return true;
}

const ScalarFacts& facts_of(Scalar scalar) {
  return scalar_facts[static_cast<std::size_t>(scalar)];
}

}  // namespace

const ir::Type& poison_type() {
  static const ir::Type type = mark("<failed>");
  return type;
}

const ir::Type& pending_integer() {
  static const ir::Type type = mark("an integer literal");
  return type;
}

const ir::Type& pending_float() {
  static const ir::Type type = mark("a float literal");
  return type;
}

const ir::Type& pending_inner() {
  static const ir::Type type = mark("_");
  return type;
}

ir::Type pending_enum(std::string name, std::string module) {
  ir::TypeNode node;
  node.kind = TypeKind::enumeration;
  node.name = std::move(name);
  node.module = std::move(module);
  node.elements.push_back(pending_inner());
  return make(std::move(node));
}

bool is_pending_enum(const ir::Type& type) {
  return type->kind == TypeKind::enumeration && !type->elements.empty();
}

bool is_poison(const ir::Type& type) {
  // A substitution copies nodes, so the name counts as well.
  return type == poison_type() ||
         (type->kind == TypeKind::unit && type->name == poison_type()->name);
}

bool mentions_poison(const ir::Type& type) {
  return any_part(type, [](const ir::Type& part) { return is_poison(part); });
}

bool is_pending_number(const ir::Type& type) {
  return type == pending_integer() || type == pending_float();
}

bool mentions_pending(const ir::Type& type) {
  return any_part(type, [](const ir::Type& part) {
    return is_pending_number(part) || part == pending_inner();
  });
}

ir::Dtype dtype_of(Scalar scalar) {
  ir::Dtype dtype;
  dtype.scalar = scalar;
  return dtype;
}

ir::Type scalar_type(ir::Dtype dtype) {
  ir::TypeNode node;
  node.kind = TypeKind::scalar;
  node.dtype = std::move(dtype);
  return make(std::move(node));
}

ir::Type scalar_type(Scalar scalar) {
  return scalar_type(dtype_of(scalar));
}

ir::Type tensor_type(ir::ShapeUnits shape, ir::Dtype dtype) {
  ir::TypeNode node;
  node.kind = TypeKind::tensor;
  node.shape = std::move(shape);
  node.dtype = std::move(dtype);
  return make(std::move(node));
}

ir::Type tuple_type(std::vector<ir::Type> elements) {
  ir::TypeNode node;
  node.kind = TypeKind::tuple;
  node.elements = std::move(elements);
  return make(std::move(node));
}

ir::Type optional_type(ir::Type inner) {
  ir::TypeNode node;
  node.kind = TypeKind::optional;
  node.elements.push_back(std::move(inner));
  return make(std::move(node));
}

ir::Type array_type(ir::Type element, ir::Dim length) {
  ir::TypeNode node;
  node.kind = TypeKind::array;
  node.elements.push_back(std::move(element));
  node.length = std::move(length);
  return make(std::move(node));
}

ir::Type named_type(TypeKind kind, std::string name, std::string module,
                    std::vector<ir::GenericArgument> args) {
  ir::TypeNode node;
  node.kind = kind;
  node.name = std::move(name);
  node.module = std::move(module);
  node.args = std::move(args);
  return make(std::move(node));
}

const ir::Type& unit_type() {
  static const ir::Type type = make(ir::TypeNode{});
  return type;
}

const ir::Type& bool_type() {
  static const ir::Type type = scalar_type(Scalar::boolean);
  return type;
}

const ir::Type& i64_type() {
  static const ir::Type type = scalar_type(Scalar::i64);
  return type;
}

bool is_scalar(const ir::Type& type) {
  return type->kind == TypeKind::scalar;
}
bool is_tensor(const ir::Type& type) {
  return type->kind == TypeKind::tensor;
}
bool is_number_like(const ir::Type& type) {
  return is_scalar(type) || is_tensor(type);
}
bool is_bool(const ir::Dtype& dtype) {
  return !dtype.is_variable && dtype.scalar == Scalar::boolean;
}
bool is_scalar_bool(const ir::Type& type) {
  return is_scalar(type) && is_bool(type->dtype);
}

const ir::Type& inner_type(const ir::Type& optional_or_array) {
  return optional_or_array->elements.front();
}

void DtypeClasses::set(int variable, ir::DtypeClass dtype_class) {
  const auto at = static_cast<std::size_t>(variable);
  if (classes_.size() <= at) classes_.resize(at + 1, ir::DtypeClass::any);
  classes_[at] = dtype_class;
}

ir::DtypeClass DtypeClasses::of(int variable) const {
  const auto at = static_cast<std::size_t>(variable);
  return at < classes_.size() ? classes_[at] : ir::DtypeClass::any;
}

std::optional<ir::DtypeClass> DtypeClasses::of(const ir::Dtype& dtype) const {
  if (dtype.is_variable) return of(dtype.variable);
  if (dtype.scalar == Scalar::boolean) return std::nullopt;
  return facts_of(dtype.scalar).floating ? ir::DtypeClass::floating : ir::DtypeClass::integer;
}

bool DtypeClasses::is_numeric(const ir::Dtype& dtype) const {
  return belongs(dtype, ir::DtypeClass::numeric);
}
bool DtypeClasses::is_integer(const ir::Dtype& dtype) const {
  return belongs(dtype, ir::DtypeClass::integer);
}
bool DtypeClasses::is_floating(const ir::Dtype& dtype) const {
  return belongs(dtype, ir::DtypeClass::floating);
}

bool DtypeClasses::belongs(const ir::Dtype& dtype, ir::DtypeClass dtype_class) const {
  if (dtype_class == ir::DtypeClass::any) return true;
  const std::optional<ir::DtypeClass> own = of(dtype);
  if (!own || *own == ir::DtypeClass::any) return false;
  return *own == dtype_class || dtype_class == ir::DtypeClass::numeric;
}

bool is_signed(Scalar scalar) {
  return facts_of(scalar).is_signed;
}
bool is_floating(Scalar scalar) {
  return facts_of(scalar).floating;
}
bool is_integer(Scalar scalar) {
  return scalar != Scalar::boolean && !facts_of(scalar).floating;
}

bool holds(Scalar scalar, std::int64_t value) {
  const ScalarFacts& facts = facts_of(scalar);
  if (facts.floating) return holds(scalar, static_cast<double>(value));
  if (scalar == Scalar::boolean) return false;
  if (!facts.is_signed) {
    return value >= 0 && (facts.bits == 64 || (value >> facts.bits) == 0);
  }
  if (facts.bits == 64) return true;
  const std::int64_t limit = std::int64_t{1} << (facts.bits - 1);
  return value >= -limit && value < limit;
}

bool holds(Scalar scalar, double value) {
  const ScalarFacts& facts = facts_of(scalar);
  if (!facts.floating || !std::isfinite(value)) return false;
  // Rounding to nearest reaches infinity from half a last place above the largest value.
  return scalar == Scalar::f64 || std::abs(value) < facts.largest + facts.half_ulp;
}

bool within_limits(const ir::Type& type) {
  std::size_t left = max_type_nodes;
  return spend(type, left);
}

std::optional<Scalar> scalar_named(std::string_view name) {
  for (std::size_t i = 0; i < scalar_facts.size(); ++i) {
    if (scalar_facts[i].name == name) return static_cast<Scalar>(i);
  }
  return std::nullopt;
}

std::string_view scalar_name(Scalar scalar) {
  return facts_of(scalar).name;
}

std::string_view class_name(ir::DtypeClass dtype_class) {
  switch (dtype_class) {
    case ir::DtypeClass::any:
      return "DType";
    case ir::DtypeClass::numeric:
      return "Numeric";
    case ir::DtypeClass::integer:
      return "Integer";
    case ir::DtypeClass::floating:
      return "Float";
  }
  return "DType";
}

std::string render(const ir::Dtype& dtype) {
  return dtype.is_variable ? dtype.name : std::string(scalar_name(dtype.scalar));
}

std::string render(const ir::GenericArgument& argument) {
  if (const auto* dim = std::get_if<ir::Dim>(&argument)) return dims::render(*dim);
  if (const auto* units = std::get_if<ir::ShapeUnits>(&argument)) {
    return "[" + dims::render(*units) + "]";
  }
  return render(std::get<ir::Dtype>(argument));
}

std::string render(const ir::Type& type) {
  switch (type->kind) {
    case TypeKind::scalar:
      return render(type->dtype);
    case TypeKind::tensor:
      return "Tensor[" + dims::render(type->shape) + "; " + render(type->dtype) + "]";
    case TypeKind::tuple: {
      std::string text = "(";
      for (std::size_t i = 0; i < type->elements.size(); ++i) {
        if (i != 0) text += ", ";
        text += render(type->elements[i]);
      }
      return text + (type->elements.size() == 1 ? ",)" : ")");
    }
    case TypeKind::optional:
      return inner_type(type) == pending_inner() ? "none" : render(inner_type(type)) + "?";
    case TypeKind::array:
      return "[" + render(inner_type(type)) + "; " + dims::render(type->length) + "]";
    case TypeKind::block:
    case TypeKind::structure:
    case TypeKind::enumeration: {
      std::string text = type->name;
      for (std::size_t i = 0; i < type->args.size(); ++i) {
        text += i == 0 ? "<" : ", ";
        text += render(type->args[i]);
      }
      return type->args.empty() ? text : text + ">";
    }
    case TypeKind::shape:
      return "[" + dims::render(type->shape) + "]";
    case TypeKind::unit:
      return type->name.empty() ? "no value" : type->name;
  }
  return "?";
}

}  // namespace linnet::sema
