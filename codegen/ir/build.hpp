#pragma once
// Constructors, structural equality and substitution for dimensions, shapes and types.
//
// The constructors fold constants and drop neutral elements, nothing more: proving
// and normalising is the work of the dimension solver (`sema/dims`).

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/ir/ir.hpp"

namespace linnet::ir {

[[nodiscard]] Dim make_constant(std::int64_t value);
[[nodiscard]] Dim make_symbol(int id, std::string name);
[[nodiscard]] Dim make_pack_size(int id, std::string name);
/// An operator node. Sums and products are flattened; constants that fit in
/// `i64` are folded (a division or remainder by a constant zero is kept as written).
[[nodiscard]] Dim make_dim(DimKind kind, std::vector<Dim> args);

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
[[nodiscard]] bool equal(const Dim& a, const Dim& b);
[[nodiscard]] bool equal(const Unit& a, const Unit& b);
[[nodiscard]] bool equal(const ShapeUnits& a, const ShapeUnits& b);
[[nodiscard]] bool equal(const Dtype& a, const Dtype& b);
[[nodiscard]] bool equal(const GenericArgument& a, const GenericArgument& b);
[[nodiscard]] bool equal(const Type& a, const Type& b);

// Replaces the numbers that `map` binds; all others stay. The size of a bound
// pack becomes the product of its units.
[[nodiscard]] Dim substitute(const Dim& dim, const Substitution& map);
[[nodiscard]] ShapeUnits substitute(const ShapeUnits& shape, const Substitution& map);
[[nodiscard]] Dtype substitute(const Dtype& dtype, const Substitution& map);
[[nodiscard]] GenericArgument substitute(const GenericArgument& argument, const Substitution& map);
[[nodiscard]] Type substitute(const Type& type, const Substitution& map);

/// Binds `generics[i]` to `args[i]`, as an instance of a block or struct does.
/// Lists of unequal length bind their common prefix.
[[nodiscard]] Substitution bind(const std::vector<Generic>& generics,
                                const std::vector<GenericArgument>& args);

/// A generic as an argument that stands for itself.
[[nodiscard]] GenericArgument as_argument(const Generic& generic);

/// The number of elements of a shape: the product of its units.
[[nodiscard]] Dim element_count(const ShapeUnits& shape);

/// The constant value of a dimension, if it is one.
[[nodiscard]] std::optional<std::int64_t> constant_value(const Dim& dim);

}  // namespace linnet::ir
