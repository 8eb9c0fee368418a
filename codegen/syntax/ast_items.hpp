#pragma once
// Items, members, imports and whole files.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/syntax/ast_statements.hpp"

namespace linnet::syntax {

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
  Generics generics;
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

}  // namespace linnet::syntax
