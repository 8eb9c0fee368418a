#pragma once
// Constructors, structural equality and substitution for dimensions, shapes and types.
//
// For dimensions these are short names for what the solver's folder (`sema/dims`) has:
// constants are folded and neutral elements dropped, nothing is proven.

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/ir/ir.hpp"
#include "codegen/sema/dims/build.hpp"
#include "codegen/sema/dims/shapes.hpp"
#include "codegen/sema/dims/substitute.hpp"

namespace linnet::ir {

[[nodiscard]] inline Dim make_constant(std::int64_t value) {
  return sema::dims::constant(value);
}
[[nodiscard]] inline Dim make_symbol(int id, std::string name) {
  return sema::dims::symbol(id, std::move(name));
}
[[nodiscard]] inline Dim make_pack_size(int id, std::string name) {
  return sema::dims::pack_size(id, std::move(name));
}
/// An operator applied to its arguments from the left.
[[nodiscard]] Dim make_dim(DimKind kind, const std::vector<Dim>& args);
/// The constant value of a dimension, if it is one; also of a null dimension.
[[nodiscard]] inline std::optional<std::int64_t> constant_value(const Dim& dim) {
  return dim ? sema::dims::as_constant(dim) : std::nullopt;
}

[[nodiscard]] Unit make_unit(Dim dim);
[[nodiscard]] Unit make_pack_unit(int id, std::string name);

[[nodiscard]] Dtype make_dtype(Scalar scalar);
[[nodiscard]] Dtype make_dtype_variable(int id, std::string name);

[[nodiscard]] Type make_scalar(Dtype dtype);
[[nodiscard]] Type make_scalar(Scalar scalar);
[[nodiscard]] Type make_tensor(ShapeUnits shape, Dtype dtype);
[[nodiscard]] Type make_tuple(std::vector<Type> elements);
[[nodiscard]] Type make_optional(Type inner);
[[nodiscard]] Type make_array(Type element, Dim length);
/// A block, structure or enumeration.
[[nodiscard]] Type make_named(TypeKind kind, std::string name, std::string module,
                              std::vector<GenericArgument> args);
[[nodiscard]] Type make_shape(ShapeUnits shape);
[[nodiscard]] Type make_unit_type();

// Structural equality; source names of symbols do not count, numbers do.
[[nodiscard]] inline bool equal(const Dim& a, const Dim& b) {
  return sema::dims::same(a, b);
}
[[nodiscard]] inline bool equal(const Unit& a, const Unit& b) {
  return sema::dims::same(a, b);
}
[[nodiscard]] inline bool equal(const ShapeUnits& a, const ShapeUnits& b) {
  return sema::dims::same(a, b);
}
[[nodiscard]] inline bool equal(const Dtype& a, const Dtype& b) {
  return sema::dims::dtypes_equal(a, b);
}
[[nodiscard]] bool equal(const GenericArgument& a, const GenericArgument& b);
[[nodiscard]] bool equal(const Type& a, const Type& b);

/// Replaces the numbers that a substitution binds in anything; all others stay.
using sema::dims::substitute;
/// The number of elements of a shape: the product of its units.
using sema::dims::element_count;

/// Binds `generics[i]` to `args[i]`, as an instance of a block or struct does.
/// Lists of unequal length bind their common prefix.
[[nodiscard]] Substitution bind(const std::vector<Generic>& generics,
                                const std::vector<GenericArgument>& args);

/// A generic as an argument that stands for itself.
[[nodiscard]] GenericArgument as_argument(const Generic& generic);

}  // namespace linnet::ir
