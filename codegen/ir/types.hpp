#pragma once
// The types of the Core IR: dimensions, shapes, dtypes and value types.
//
// They mirror the plan document one to one (docs: plan-format.md), and every
// stage after parsing speaks in them: the checker computes them, lowering puts
// them on values, the plan writer prints them, the C++ generator reads them.
// All nodes are immutable and shared.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace linnet::ir {

enum class Scalar : std::uint8_t {
  boolean,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  f16,
  bf16,
  f32,
  f64
};

/// The class of dtypes that a dtype generic admits.
enum class DtypeClass : std::uint8_t { any, numeric, integer, floating };

/// A dtype: a scalar name, or a dtype variable of an enclosing generic list.
struct Dtype {
  bool is_variable = false;
  Scalar scalar = Scalar::f32;  ///< when not a variable
  int variable = 0;             ///< document-wide number, when a variable
  std::string name;             ///< the variable's source name
};

struct DimNode;
/// A dimension expression; never null inside a finished IR.
using Dim = std::shared_ptr<const DimNode>;

enum class DimKind : std::uint8_t {
  constant,
  symbol,
  pack_size,
  add,
  mul,
  floordiv,
  mod,
  min,
  max
};

/// Subtraction is `add` with a `mul` by -1, as in the plan format.
struct DimNode {
  DimKind kind = DimKind::constant;
  std::int64_t value = 0;  ///< constant
  int id = 0;              ///< symbol, pack_size: document-wide number
  std::string name;        ///< symbol, pack_size: source name
  std::vector<Dim> args;   ///< operators: two or more (floordiv and mod: two)
};

/// One element of a shape: a dimension, or all axes of a shape pack.
struct Unit {
  Dim dim;       ///< null when this is a pack
  int pack = 0;  ///< pack number when `dim` is null
  std::string pack_name;
  [[nodiscard]] bool is_pack() const { return dim == nullptr; }
};
using ShapeUnits = std::vector<Unit>;

/// What a generic parameter is bound to, or its default.
using GenericArgument = std::variant<Dim, ShapeUnits, Dtype>;

struct TypeNode;
using Type = std::shared_ptr<const TypeNode>;

enum class TypeKind : std::uint8_t {
  scalar,
  tensor,
  tuple,
  optional,
  array,
  block,
  structure,
  enumeration,
  shape,
  unit
};

struct TypeNode {
  TypeKind kind = TypeKind::unit;
  Dtype dtype;                        ///< scalar, tensor
  ShapeUnits shape;                   ///< tensor, shape
  std::vector<Type> elements;         ///< tuple; optional and array: the one inner type
  Dim length;                         ///< array
  std::string name;                   ///< block, structure, enumeration
  std::string module;                 ///< block, structure, enumeration
  std::vector<GenericArgument> args;  ///< block, structure, enumeration
};

enum class GenericKind : std::uint8_t { dim, shape, dtype };

struct Generic {
  std::string name;
  GenericKind kind = GenericKind::dim;
  int id = 0;  ///< `sym` of a dim or shape, `var` of a dtype; dims and packs share one numbering
  DtypeClass dtype_class = DtypeClass::any;
  std::optional<GenericArgument> default_argument;
};

enum class Relation : std::uint8_t { eq, ne, lt, le, gt, ge };

struct Constraint {
  Relation relation = Relation::eq;
  Dim lhs, rhs;
  std::string text;  ///< as written in the source (extension of the plan), may be empty
};

}  // namespace linnet::ir
