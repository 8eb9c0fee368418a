#include "codegen/ir/build.hpp"

#include <algorithm>
#include <utility>

namespace linnet::ir {
namespace {

Dim make_node(DimNode node) {
  return std::make_shared<const DimNode>(std::move(node));
}

Type make_node(TypeNode node) {
  return std::make_shared<const TypeNode>(std::move(node));
}

bool is_constant(const Dim& dim) {
  return dim->kind == DimKind::constant;
}

/// Collects the arguments of nested nodes of one associative operator and folds
/// their constants into `constant` while they fit.
void flatten(DimKind kind, const std::vector<Dim>& args, std::vector<Dim>& out,
             std::int64_t& constant) {
  for (const Dim& arg : args) {
    if (arg->kind == kind) {
      flatten(kind, arg->args, out, constant);
      continue;
    }
    std::int64_t folded = 0;
    const bool fits =
        is_constant(arg) &&
        (kind == DimKind::add ? !__builtin_add_overflow(constant, arg->value, &folded)
                              : !__builtin_mul_overflow(constant, arg->value, &folded));
    if (fits) {
      constant = folded;
    } else {
      out.push_back(arg);
    }
  }
}

Dim make_sum(const std::vector<Dim>& args) {
  std::vector<Dim> terms;
  std::int64_t constant = 0;
  flatten(DimKind::add, args, terms, constant);
  if (terms.empty()) return make_constant(constant);
  if (constant != 0) terms.push_back(make_constant(constant));
  if (terms.size() == 1) return terms.front();
  return make_node({DimKind::add, 0, 0, {}, std::move(terms)});
}

Dim make_product(const std::vector<Dim>& args) {
  std::vector<Dim> factors;
  std::int64_t constant = 1;
  flatten(DimKind::mul, args, factors, constant);
  if (constant == 0 || factors.empty()) return make_constant(constant);
  if (constant != 1) factors.insert(factors.begin(), make_constant(constant));
  if (factors.size() == 1) return factors.front();
  return make_node({DimKind::mul, 0, 0, {}, std::move(factors)});
}

/// Floor division and the remainder that goes with it, as dimensions mean them.
std::optional<std::int64_t> fold_pair(DimKind kind, std::int64_t a, std::int64_t b) {
  switch (kind) {
    case DimKind::floordiv:
    case DimKind::mod: {
      if (b <= 0) return std::nullopt;
      std::int64_t remainder = a % b;
      if (remainder < 0) remainder += b;
      if (kind == DimKind::mod) return remainder;
      std::int64_t quotient = a / b;
      if (a % b < 0) --quotient;
      return quotient;
    }
    case DimKind::min:
      return std::min(a, b);
    case DimKind::max:
      return std::max(a, b);
    default:
      return std::nullopt;
  }
}

template <class Item>
bool all_equal(const std::vector<Item>& a, const std::vector<Item>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!equal(a[i], b[i])) return false;
  }
  return true;
}

}  // namespace

Dim make_constant(std::int64_t value) {
  return make_node({DimKind::constant, value, 0, {}, {}});
}

Dim make_symbol(int id, std::string name) {
  return make_node({DimKind::symbol, 0, id, std::move(name), {}});
}

Dim make_pack_size(int id, std::string name) {
  return make_node({DimKind::pack_size, 0, id, std::move(name), {}});
}

Dim make_dim(DimKind kind, std::vector<Dim> args) {
  if (kind == DimKind::add) return make_sum(args);
  if (kind == DimKind::mul) return make_product(args);
  if (args.size() == 2) {
    if (is_constant(args[0]) && is_constant(args[1])) {
      if (const auto value = fold_pair(kind, args[0]->value, args[1]->value)) {
        return make_constant(*value);
      }
    }
    const bool by_one = is_constant(args[1]) && args[1]->value == 1;
    if (kind == DimKind::floordiv && by_one) return args[0];
    if (kind == DimKind::mod && by_one) return make_constant(0);
    if ((kind == DimKind::min || kind == DimKind::max) && equal(args[0], args[1])) return args[0];
  }
  return make_node({kind, 0, 0, {}, std::move(args)});
}

Unit make_unit(Dim dim) {
  return {std::move(dim), 0, {}};
}
Unit make_pack_unit(int id, std::string name) {
  return {nullptr, id, std::move(name)};
}

Dtype make_dtype(Scalar scalar) {
  return {false, scalar, 0, {}};
}
Dtype make_dtype_variable(int id, std::string name) {
  return {true, Scalar::f32, id, std::move(name)};
}

Type make_scalar(Dtype dtype) {
  TypeNode node;
  node.kind = TypeKind::scalar;
  node.dtype = std::move(dtype);
  return make_node(std::move(node));
}

Type make_scalar(Scalar scalar) {
  return make_scalar(make_dtype(scalar));
}

Type make_tensor(ShapeUnits shape, Dtype dtype) {
  TypeNode node;
  node.kind = TypeKind::tensor;
  node.shape = std::move(shape);
  node.dtype = std::move(dtype);
  return make_node(std::move(node));
}

Type make_tuple(std::vector<Type> elements) {
  TypeNode node;
  node.kind = TypeKind::tuple;
  node.elements = std::move(elements);
  return make_node(std::move(node));
}

Type make_optional(Type inner) {
  TypeNode node;
  node.kind = TypeKind::optional;
  node.elements = {std::move(inner)};
  return make_node(std::move(node));
}

Type make_array(Type element, Dim length) {
  TypeNode node;
  node.kind = TypeKind::array;
  node.elements = {std::move(element)};
  node.length = std::move(length);
  return make_node(std::move(node));
}

Type make_named(TypeKind kind, std::string name, std::string module,
                std::vector<GenericArgument> args) {
  TypeNode node;
  node.kind = kind;
  node.name = std::move(name);
  node.module = std::move(module);
  node.args = std::move(args);
  return make_node(std::move(node));
}

Type make_shape(ShapeUnits shape) {
  TypeNode node;
  node.kind = TypeKind::shape;
  node.shape = std::move(shape);
  return make_node(std::move(node));
}

Type make_unit_type() {
  return make_node(TypeNode{});
}

bool equal(const Dim& a, const Dim& b) {
  if (a == b) return true;
  if (!a || !b || a->kind != b->kind) return false;
  switch (a->kind) {
    case DimKind::constant:
      return a->value == b->value;
    case DimKind::symbol:
    case DimKind::pack_size:
      return a->id == b->id;
    default:
      return all_equal(a->args, b->args);
  }
}

bool equal(const Unit& a, const Unit& b) {
  if (a.is_pack() != b.is_pack()) return false;
  return a.is_pack() ? a.pack == b.pack : equal(a.dim, b.dim);
}

bool equal(const ShapeUnits& a, const ShapeUnits& b) {
  return all_equal(a, b);
}

bool equal(const Dtype& a, const Dtype& b) {
  if (a.is_variable != b.is_variable) return false;
  return a.is_variable ? a.variable == b.variable : a.scalar == b.scalar;
}

bool equal(const GenericArgument& a, const GenericArgument& b) {
  if (a.index() != b.index()) return false;
  if (const auto* dim = std::get_if<Dim>(&a)) return equal(*dim, std::get<Dim>(b));
  if (const auto* shape = std::get_if<ShapeUnits>(&a)) {
    return equal(*shape, std::get<ShapeUnits>(b));
  }
  return equal(std::get<Dtype>(a), std::get<Dtype>(b));
}

bool equal(const Type& a, const Type& b) {
  if (a == b) return true;
  if (!a || !b || a->kind != b->kind) return false;
  switch (a->kind) {
    case TypeKind::scalar:
      return equal(a->dtype, b->dtype);
    case TypeKind::tensor:
      return equal(a->dtype, b->dtype) && equal(a->shape, b->shape);
    case TypeKind::shape:
      return equal(a->shape, b->shape);
    case TypeKind::tuple:
    case TypeKind::optional:
      return all_equal(a->elements, b->elements);
    case TypeKind::array:
      return all_equal(a->elements, b->elements) && equal(a->length, b->length);
    case TypeKind::block:
    case TypeKind::structure:
    case TypeKind::enumeration:
      return a->name == b->name && a->module == b->module && all_equal(a->args, b->args);
    case TypeKind::unit:
      return true;
  }
  return false;
}

Dim element_count(const ShapeUnits& shape) {
  std::vector<Dim> factors;
  factors.reserve(shape.size());
  for (const Unit& unit : shape) {
    factors.push_back(unit.is_pack() ? make_pack_size(unit.pack, unit.pack_name) : unit.dim);
  }
  return make_dim(DimKind::mul, std::move(factors));
}

Dim substitute(const Dim& dim, const Substitution& map) {
  switch (dim->kind) {
    case DimKind::constant:
      return dim;
    case DimKind::symbol: {
      const auto found = map.dims.find(dim->id);
      return found == map.dims.end() ? dim : found->second;
    }
    case DimKind::pack_size: {
      const auto found = map.packs.find(dim->id);
      return found == map.packs.end() ? dim : element_count(found->second);
    }
    default:
      break;
  }
  std::vector<Dim> args;
  args.reserve(dim->args.size());
  bool changed = false;
  for (const Dim& arg : dim->args) {
    args.push_back(substitute(arg, map));
    changed = changed || args.back() != arg;
  }
  return changed ? make_dim(dim->kind, std::move(args)) : dim;
}

ShapeUnits substitute(const ShapeUnits& shape, const Substitution& map) {
  ShapeUnits result;
  result.reserve(shape.size());
  for (const Unit& unit : shape) {
    if (!unit.is_pack()) {
      result.push_back(make_unit(substitute(unit.dim, map)));
      continue;
    }
    const auto found = map.packs.find(unit.pack);
    if (found == map.packs.end()) {
      result.push_back(unit);
    } else {
      result.insert(result.end(), found->second.begin(), found->second.end());
    }
  }
  return result;
}

Dtype substitute(const Dtype& dtype, const Substitution& map) {
  if (!dtype.is_variable) return dtype;
  const auto found = map.dtypes.find(dtype.variable);
  return found == map.dtypes.end() ? dtype : found->second;
}

GenericArgument substitute(const GenericArgument& argument, const Substitution& map) {
  return std::visit([&map](const auto& value) -> GenericArgument { return substitute(value, map); },
                    argument);
}

Type substitute(const Type& type, const Substitution& map) {
  TypeNode node = *type;
  switch (type->kind) {
    case TypeKind::scalar:
      node.dtype = substitute(type->dtype, map);
      break;
    case TypeKind::tensor:
      node.dtype = substitute(type->dtype, map);
      node.shape = substitute(type->shape, map);
      break;
    case TypeKind::shape:
      node.shape = substitute(type->shape, map);
      break;
    case TypeKind::unit:
      return type;
    default:
      for (Type& element : node.elements) element = substitute(element, map);
      if (node.length) node.length = substitute(node.length, map);
      for (GenericArgument& argument : node.args) argument = substitute(argument, map);
      break;
  }
  return make_node(std::move(node));
}

Substitution bind(const std::vector<Generic>& generics, const std::vector<GenericArgument>& args) {
  Substitution map;
  const std::size_t count = std::min(generics.size(), args.size());
  for (std::size_t i = 0; i < count; ++i) {
    const int id = generics[i].id;
    if (const auto* dim = std::get_if<Dim>(&args[i])) {
      map.dims.emplace(id, *dim);
    } else if (const auto* shape = std::get_if<ShapeUnits>(&args[i])) {
      map.packs.emplace(id, *shape);
    } else {
      map.dtypes.emplace(id, std::get<Dtype>(args[i]));
    }
  }
  return map;
}

GenericArgument as_argument(const Generic& generic) {
  switch (generic.kind) {
    case GenericKind::dim:
      return make_symbol(generic.id, generic.name);
    case GenericKind::shape:
      return ShapeUnits{make_pack_unit(generic.id, generic.name)};
    case GenericKind::dtype:
      return make_dtype_variable(generic.id, generic.name);
  }
  return Dim{};
}

std::optional<std::int64_t> constant_value(const Dim& dim) {
  if (!dim || dim->kind != DimKind::constant) return std::nullopt;
  return dim->value;
}

}  // namespace linnet::ir
