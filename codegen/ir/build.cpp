#include "codegen/ir/build.hpp"

#include <algorithm>
#include <utility>

namespace linnet::ir {
namespace {

Type make_node(TypeNode node) {
  return std::make_shared<const TypeNode>(std::move(node));
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

Dim make_dim(DimKind kind, const std::vector<Dim>& args) {
  namespace dims = sema::dims;
  const auto apply = [kind](const Dim& a, const Dim& b) {
    switch (kind) {
      case DimKind::mul:
        return dims::mul(a, b);
      case DimKind::floordiv:
        return dims::floordiv(a, b);
      case DimKind::mod:
        return dims::mod(a, b);
      case DimKind::min:
        return dims::min(a, b);
      case DimKind::max:
        return dims::max(a, b);
      default:
        return dims::add(a, b);
    }
  };
  if (args.empty()) return make_constant(kind == DimKind::mul ? 1 : 0);
  Dim result = args.front();
  for (std::size_t i = 1; i < args.size(); ++i) result = apply(result, args[i]);
  return result;
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

}  // namespace linnet::ir
