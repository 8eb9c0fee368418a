#pragma once
// Expressions.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/syntax/ast_types.hpp"

namespace linnet::syntax {

struct IntegerLiteral final : Expr {
  static constexpr ExprKind kind_of = ExprKind::integer;
  IntegerLiteral(int i, Span s) : Expr(kind_of, i, s) {}
  std::string text;             ///< as written
  std::uint64_t magnitude = 0;  ///< the value, 0 when `beyond_u64`
  bool beyond_i64 = false;      ///< above 2^63 - 1 (so also 2^63, which `-` makes an i64)
  bool beyond_u64 = false;      ///< above 2^64 - 1
};

struct FloatLiteral final : Expr {
  static constexpr ExprKind kind_of = ExprKind::floating;
  FloatLiteral(int i, Span s) : Expr(kind_of, i, s) {}
  std::string text;    ///< as written
  double value = 0.0;  ///< nearest f64; infinite when beyond its range
};

struct BoolLiteral final : Expr {
  static constexpr ExprKind kind_of = ExprKind::boolean;
  BoolLiteral(int i, Span s) : Expr(kind_of, i, s) {}
  bool value = false;
};

/// A string literal, which no type admits as a value (E2104).
struct StringLiteral final : Expr {
  static constexpr ExprKind kind_of = ExprKind::string;
  StringLiteral(int i, Span s) : Expr(kind_of, i, s) {}
  std::string text;   ///< as written, with the quotes
  std::string value;  ///< with the escapes resolved, UTF-8
};

struct NameExpr final : Expr {
  static constexpr ExprKind kind_of = ExprKind::name;
  NameExpr(int i, Span s) : Expr(kind_of, i, s) {}
  Name name;
};

struct NoneExpr final : Expr {
  static constexpr ExprKind kind_of = ExprKind::none;
  NoneExpr(int i, Span s) : Expr(kind_of, i, s) {}
};

struct SomeExpr final : Expr {
  static constexpr ExprKind kind_of = ExprKind::some;
  SomeExpr(int i, Span s) : Expr(kind_of, i, s) {}
  ExprPtr operand;
};

/// `(a,)` or `(a, b)`
struct TupleExpr final : Expr {
  static constexpr ExprKind kind_of = ExprKind::tuple;
  TupleExpr(int i, Span s) : Expr(kind_of, i, s) {}
  std::vector<ExprPtr> elements;
};

/// `[A, *S, B]`, a shape where one is expected (`reshape(x, [*S, G, D])`).
struct ShapeExpr final : Expr {
  static constexpr ExprKind kind_of = ExprKind::shape;
  ShapeExpr(int i, Span s) : Expr(kind_of, i, s) {}
  std::vector<ShapeElement> elements;
};

enum class UnaryOp : std::uint8_t { logical_not, minus, plus };

struct Unary final : Expr {
  static constexpr ExprKind kind_of = ExprKind::unary;
  Unary(int i, Span s) : Expr(kind_of, i, s) {}
  UnaryOp op = UnaryOp::minus;
  Span op_span;
  ExprPtr operand;
};

enum class BinaryOp : std::uint8_t {
  logical_or,
  logical_and,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  bit_or,
  bit_xor,
  bit_and,
  add,
  sub,
  mul,
  div,
  rem,
};

struct Binary final : Expr {
  static constexpr ExprKind kind_of = ExprKind::binary;
  Binary(int i, Span s) : Expr(kind_of, i, s) {}
  ~Binary() override;
  Binary(const Binary&) = delete;
  Binary& operator=(const Binary&) = delete;
  BinaryOp op = BinaryOp::add;
  Span op_span;
  ExprPtr lhs, rhs;
};

struct CallArg {
  std::optional<Name> name;  ///< of a `name = value` argument
  ExprPtr value;
  Span span;
};

struct Call final : Expr {
  static constexpr ExprKind kind_of = ExprKind::call;
  Call(int i, Span s) : Expr(kind_of, i, s) {}
  ExprPtr callee;  ///< a name, member, index...
  std::optional<GenericArgs> generics;
  std::vector<CallArg> args;
  Span args_span;  ///< with the parentheses
};

enum class IndexComponentKind : std::uint8_t { position, slice, ellipsis, pack };

struct IndexComponent {
  IndexComponentKind kind = IndexComponentKind::position;
  Span span;
  ExprPtr position;           ///< position
  ExprPtr start, stop, step;  ///< slice; null where left off
  Name pack;                  ///< pack: the `s` of `*s`
};

struct Index final : Expr {
  static constexpr ExprKind kind_of = ExprKind::index;
  Index(int i, Span s) : Expr(kind_of, i, s) {}
  ExprPtr base;
  std::vector<IndexComponent> components;
};

struct Member final : Expr {
  static constexpr ExprKind kind_of = ExprKind::member;
  Member(int i, Span s) : Expr(kind_of, i, s) {}
  ExprPtr base;
  Name name;
};

struct IfElse final : Expr {
  static constexpr ExprKind kind_of = ExprKind::if_else;
  IfElse(int i, Span s) : Expr(kind_of, i, s) {}
  ExprPtr condition, then_value, else_value;
};

struct MatchArm {
  PatternPtr pattern;
  ExprPtr value;
  Span span;
};

struct Match final : Expr {
  static constexpr ExprKind kind_of = ExprKind::match;
  Match(int i, Span s) : Expr(kind_of, i, s) {}
  ExprPtr scrutinee;
  std::vector<MatchArm> arms;
};

enum class ReductionOp : std::uint8_t { sum, prod, max, min, any, all };

/// `sum<f32>[i, j] body`
struct Reduction final : Expr {
  static constexpr ExprKind kind_of = ExprKind::reduction;
  Reduction(int i, Span s) : Expr(kind_of, i, s) {}
  ReductionOp op = ReductionOp::sum;
  Span op_span;
  std::optional<Name> accumulator;  ///< a dtype or dtype variable
  std::vector<Name> indices;
  ExprPtr body;
};

/// `for i in a..b { ... yield v }` as a value. Right only as the whole value of
/// a `let`, `var`, assignment or `return`; the checker says so (E2124).
struct Scan final : Expr {
  static constexpr ExprKind kind_of = ExprKind::scan;
  Scan(int i, Span s) : Expr(kind_of, i, s) {}
  Span keyword;
  Name variable;
  ExprPtr from, to;
  Body body;
};

}  // namespace linnet::syntax
