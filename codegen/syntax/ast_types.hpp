#pragma once
// Shapes, generic arguments, types and patterns.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/syntax/ast_nodes.hpp"

namespace linnet::syntax {

/// One element of a shape: a dimension, or `*S` (then `dim` is null).
struct ShapeElement {
  ExprPtr dim;
  Name pack;
  Span span;
  [[nodiscard]] bool is_pack() const { return dim == nullptr; }
};

enum class GenericArgKind : std::uint8_t {
  name,       ///< a bare name or dotted path: a dimension, dtype, pack or type
  dimension,  ///< an expression that is no bare name
  type,       ///< a type that is no bare name
  shape,      ///< `[A, *S]`
};

struct GenericArg {
  GenericArgKind kind = GenericArgKind::name;
  Span span;
  Path name;
  ExprPtr dimension;
  TypePtr type;
  std::vector<ShapeElement> shape;
};

/// `<a, b>`
struct GenericArgs {
  std::vector<GenericArg> args;
  Span span;  ///< with the angle brackets
};

// --- types

/// A dtype, struct, enum, alias, block or dtype variable by name.
struct PathType final : Type {
  static constexpr TypeKind kind_of = TypeKind::path;
  PathType(int i, Span s) : Type(kind_of, i, s) {}
  Path path;
  std::optional<GenericArgs> args;
};

/// `Tensor[B, *S; T]`
struct TensorType final : Type {
  static constexpr TypeKind kind_of = TypeKind::tensor;
  TensorType(int i, Span s) : Type(kind_of, i, s) {}
  std::vector<ShapeElement> shape;
  TypePtr dtype;
};

struct TupleType final : Type {
  static constexpr TypeKind kind_of = TypeKind::tuple;
  TupleType(int i, Span s) : Type(kind_of, i, s) {}
  std::vector<TypePtr> elements;
};

/// `[T; N]`
struct ArrayType final : Type {
  static constexpr TypeKind kind_of = TypeKind::array;
  ArrayType(int i, Span s) : Type(kind_of, i, s) {}
  TypePtr element;
  ExprPtr length;
};

/// `T?`
struct OptionalType final : Type {
  static constexpr TypeKind kind_of = TypeKind::optional;
  OptionalType(int i, Span s) : Type(kind_of, i, s) {}
  TypePtr element;
};

// --- patterns

/// A binding, a bare enum variant (in an arm), or `_`.
struct NamePattern final : Pattern {
  static constexpr PatternKind kind_of = PatternKind::name;
  NamePattern(int i, Span s) : Pattern(kind_of, i, s) {}
  std::string name;
};

struct TuplePattern final : Pattern {
  static constexpr PatternKind kind_of = PatternKind::tuple;
  TuplePattern(int i, Span s) : Pattern(kind_of, i, s) {}
  std::vector<PatternPtr> elements;
};

struct SomePattern final : Pattern {
  static constexpr PatternKind kind_of = PatternKind::some;
  SomePattern(int i, Span s) : Pattern(kind_of, i, s) {}
  PatternPtr inner;
};

struct NonePattern final : Pattern {
  static constexpr PatternKind kind_of = PatternKind::none;
  NonePattern(int i, Span s) : Pattern(kind_of, i, s) {}
};

}  // namespace linnet::syntax
