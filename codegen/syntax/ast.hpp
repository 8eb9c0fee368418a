#pragma once
// The syntax tree of one `.linnet` file: language.md section 15, production by
// production.
//
// Nodes of the four open families (Expr, Type, Pattern, Statement) derive from
// a base with a `kind`; switch on it and use `as<Binary>(expr)`. Each carries an
// `id`, dense and unique over all files parsed with one `NodeIds`, so later
// stages keep side tables as plain vectors. Everything else is a plain struct.
// Children are owned by unique_ptr and never null unless said so.
//
// The tree is what was written: contextual things (is this name a dimension, a
// dtype or a type?) are decided by the checker.

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/syntax/source.hpp"

namespace linnet::syntax {

/// Hands out node ids; share one between all files of a program.
class NodeIds {
 public:
  int next() { return count_++; }
  [[nodiscard]] int count() const { return count_; }

 private:
  int count_ = 0;
};

struct Name {
  std::string text;
  Span span;
};

/// `a.b.c`, at least one segment.
struct Path {
  std::vector<Name> segments;
  Span span;
};

struct Expr;
struct Type;
struct Pattern;
struct Statement;
using ExprPtr = std::unique_ptr<Expr>;
using TypePtr = std::unique_ptr<Type>;
using PatternPtr = std::unique_ptr<Pattern>;
using StatementPtr = std::unique_ptr<Statement>;

/// `{ statement... }`
struct Body {
  std::vector<StatementPtr> statements;
  Span span;  ///< with the braces
};

// --- shapes and generic arguments ------------------------------------------

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

// --- types -------------------------------------------------------------------

enum class TypeKind : std::uint8_t { path, tensor, tuple, array, optional };

struct Type {
  TypeKind kind;
  int id;
  Span span;

  virtual ~Type() = default;

 protected:
  Type(TypeKind k, int i, Span s) : kind(k), id(i), span(s) {}
};

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

// --- patterns ------------------------------------------------------------------

enum class PatternKind : std::uint8_t { name, tuple, some, none };

struct Pattern {
  PatternKind kind;
  int id;
  Span span;

  virtual ~Pattern() = default;

 protected:
  Pattern(PatternKind k, int i, Span s) : kind(k), id(i), span(s) {}
};

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

// --- expressions -----------------------------------------------------------------

enum class ExprKind : std::uint8_t {
  integer,
  floating,
  boolean,
  string,
  name,
  none,
  some,
  tuple,
  shape,
  unary,
  binary,
  call,
  index,
  member,
  if_else,
  match,
  reduction,
  scan,
};

struct Expr {
  ExprKind kind;
  int id;
  Span span;            ///< with its parentheses, when it has any
  int parentheses = 0;  ///< how many pairs of grouping parentheses surround it

  virtual ~Expr() = default;

 protected:
  Expr(ExprKind k, int i, Span s) : kind(k), id(i), span(s) {}
};

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

// --- statements --------------------------------------------------------------------

enum class StatementKind : std::uint8_t {
  let,
  indexed_let,
  var,
  assign,
  give_back,
  static_for,
  for_loop,
  while_loop,
  yield,
  write,
};

struct Statement {
  StatementKind kind;
  int id;
  Span span;

  virtual ~Statement() = default;

 protected:
  Statement(StatementKind k, int i, Span s) : kind(k), id(i), span(s) {}
};

struct Let final : Statement {
  static constexpr StatementKind kind_of = StatementKind::let;
  Let(int i, Span s) : Statement(kind_of, i, s) {}
  PatternPtr pattern;
  TypePtr type;  ///< null without an annotation
  ExprPtr value;
};

/// `m` or `*s` on the left of an indexed `let`.
struct OutputIndex {
  bool is_pack = false;
  Name name;
  Span span;  ///< with the star
};

/// `let c[m, *s] = value`
struct IndexedLet final : Statement {
  static constexpr StatementKind kind_of = StatementKind::indexed_let;
  IndexedLet(int i, Span s) : Statement(kind_of, i, s) {}
  Name name;
  std::vector<OutputIndex> outputs;
  ExprPtr value;
};

struct Var final : Statement {
  static constexpr StatementKind kind_of = StatementKind::var;
  Var(int i, Span s) : Statement(kind_of, i, s) {}
  Name name;
  TypePtr type;  ///< null without an annotation
  ExprPtr value;
};

struct Assign final : Statement {
  static constexpr StatementKind kind_of = StatementKind::assign;
  Assign(int i, Span s) : Statement(kind_of, i, s) {}
  Name name;
  ExprPtr value;
};

struct Return final : Statement {
  static constexpr StatementKind kind_of = StatementKind::give_back;
  Return(int i, Span s) : Statement(kind_of, i, s) {}
  ExprPtr value;  ///< null for a bare `return`
};

/// `static for p in a { }` (then `to` is null) or `static for p in a..b { }`
struct StaticFor final : Statement {
  static constexpr StatementKind kind_of = StatementKind::static_for;
  StaticFor(int i, Span s) : Statement(kind_of, i, s) {}
  PatternPtr pattern;
  ExprPtr from, to;
  Body body;
};

struct For final : Statement {
  static constexpr StatementKind kind_of = StatementKind::for_loop;
  For(int i, Span s) : Statement(kind_of, i, s) {}
  Name variable;
  ExprPtr from, to;
  Body body;
};

struct While final : Statement {
  static constexpr StatementKind kind_of = StatementKind::while_loop;
  While(int i, Span s) : Statement(kind_of, i, s) {}
  ExprPtr condition;
  Body body;
};

struct Yield final : Statement {
  static constexpr StatementKind kind_of = StatementKind::yield;
  Yield(int i, Span s) : Statement(kind_of, i, s) {}
  ExprPtr value;
};

enum class WriteOp : std::uint8_t { store, atomic_add, atomic_max, atomic_min };

/// `store(y[i], v, mask)` and the atomics of tile kernels.
struct Write final : Statement {
  static constexpr StatementKind kind_of = StatementKind::write;
  Write(int i, Span s) : Statement(kind_of, i, s) {}
  WriteOp op = WriteOp::store;
  Span op_span;
  std::vector<CallArg> args;
};

// --- declarations --------------------------------------------------------------------

enum class GenericParamKind : std::uint8_t { dim, shape, dtype, numeric, integer, floating };

/// `N: Dim = 1`, `*S: Shape`, `T: Float = bf16`
struct GenericParam {
  Name name;
  bool starred = false;
  GenericParamKind kind = GenericParamKind::dim;
  Span kind_span;
  std::optional<GenericArg> default_arg;
  Span span;
};

/// `<N: Dim, ...>`; empty without a list.
struct Generics {
  std::vector<GenericParam> params;
  Span span;
};

struct Param {
  std::string doc;
  Name name;
  TypePtr type;
  ExprPtr default_value;  ///< null without one
  Span span;
};

enum class RelationOp : std::uint8_t { eq, ne, lt, le, gt, ge };

struct WhereRelation {
  RelationOp op = RelationOp::eq;
  Span op_span;
  ExprPtr lhs, rhs;
  Span span;  ///< its text is the constraint "as written"
};

struct Import {
  Name name;
  std::optional<Name> alias;
  Span span;
  /// The name this import brings into scope.
  [[nodiscard]] const Name& local() const { return alias ? *alias : name; }
};

/// `use std.nn.norm::{rms_norm as norm}`, or a whole module without `::`.
struct Use {
  Path path;  ///< first segment `crate`, `std` or a dependency's key
  bool whole_module = false;
  bool braces = false;
  std::vector<Import> imports;  ///< empty for a whole module
  Span span;
};

enum class ItemKind : std::uint8_t {
  constant,
  alias,
  structure,
  enumeration,
  function,
  kernel,
  block
};

struct Item {
  ItemKind kind;
  Span span;        ///< from `pub` (or the keyword) to the end, without the doc comment
  std::string doc;  ///< text of `///` and `/** */` before it, without the markers
  bool is_public = false;
  Name name;

  virtual ~Item() = default;

 protected:
  explicit Item(ItemKind k) : kind(k) {}
};
using ItemPtr = std::unique_ptr<Item>;

struct Const final : Item {
  static constexpr ItemKind kind_of = ItemKind::constant;
  Const() : Item(kind_of) {}
  TypePtr type;  ///< null without an annotation
  ExprPtr value;
};

struct Alias final : Item {
  static constexpr ItemKind kind_of = ItemKind::alias;
  Alias() : Item(kind_of) {}
  Generics generics;
  TypePtr type;
};

struct StructField {
  std::string doc;
  Name name;
  TypePtr type;
  Span span;
};

struct Struct final : Item {
  static constexpr ItemKind kind_of = ItemKind::structure;
  Struct() : Item(kind_of) {}
  Generics generics;
  std::vector<StructField> fields;
};

struct EnumVariant {
  std::string doc;
  Name name;
};

struct Enum final : Item {
  static constexpr ItemKind kind_of = ItemKind::enumeration;
  Enum() : Item(kind_of) {}
  std::vector<EnumVariant> variants;
};

enum class FunctionKind : std::uint8_t { fn, op, entry };

/// `kernel row_softmax<R, C, 1024>` in an op's header.
struct KernelBinding {
  Path path;
  std::optional<GenericArgs> args;
  Span span;
};

/// `grad(y, dy) { ... }`
struct GradClause {
  Name result, gradient;
  Body body;
  Span span;
};

struct Function final : Item {
  static constexpr ItemKind kind_of = ItemKind::function;
  Function() : Item(kind_of) {}
  FunctionKind function_kind = FunctionKind::fn;
  Generics generics;
  std::vector<Param> params;
  TypePtr result;  ///< null without a result
  std::optional<KernelBinding> kernel;
  std::vector<WhereRelation> where;
  Body body;
  std::optional<GradClause> grad;
};

struct KernelResult {
  Name name;
  TypePtr type;
  Span span;
};

enum class KernelHintKind : std::uint8_t { warps, stages };

struct KernelHint {
  KernelHintKind kind = KernelHintKind::warps;
  ExprPtr value;
  Span span;
};

struct Kernel final : Item {
  static constexpr ItemKind kind_of = ItemKind::kernel;
  Kernel() : Item(kind_of) {}
  Generics generics;
  std::vector<Param> params;
  std::vector<KernelResult> results;
  std::vector<ExprPtr> grid;
  std::vector<KernelHint> hints;
  std::vector<WhereRelation> where;
  Body body;
};

enum class MemberKind : std::uint8_t { param, buffer, state, sub };

struct BlockMember {
  std::string doc;
  MemberKind kind = MemberKind::param;
  Name name;
  TypePtr type;
  ExprPtr value;  ///< null without `=`
  Span span;
};

/// Members and items of a block keep their own order; `order` tells how they
/// were mixed (true: the next member, false: the next item).
struct Block final : Item {
  static constexpr ItemKind kind_of = ItemKind::block;
  Block() : Item(kind_of) {}
  Generics generics;
  std::vector<WhereRelation> where;
  std::vector<BlockMember> members;
  std::vector<ItemPtr> items;
  std::vector<bool> order;
};

/// One file.
struct Module {
  int file = Span::no_file;
  std::string doc;  ///< of the `module` line
  Path path;        ///< of the `module` line
  std::vector<Use> uses;
  std::vector<ItemPtr> items;
};

/// The node as what its kind says it is.
template <class Node, class Base>
[[nodiscard]] const Node& as(const Base& base) {
  assert(base.kind == Node::kind_of);
  return static_cast<const Node&>(base);
}

/// The node as `Node`, or null when it is something else (or null itself).
template <class Node, class Base>
[[nodiscard]] const Node* try_as(const Base* base) {
  return base != nullptr && base->kind == Node::kind_of ? static_cast<const Node*>(base) : nullptr;
}

[[nodiscard]] std::string_view spelling(BinaryOp op);
[[nodiscard]] std::string_view spelling(UnaryOp op);
[[nodiscard]] std::string_view spelling(ReductionOp op);
[[nodiscard]] std::string_view spelling(RelationOp op);
[[nodiscard]] std::string_view spelling(WriteOp op);
[[nodiscard]] std::string_view spelling(GenericParamKind kind);
[[nodiscard]] std::string_view spelling(MemberKind kind);
[[nodiscard]] std::string_view spelling(FunctionKind kind);

}  // namespace linnet::syntax
