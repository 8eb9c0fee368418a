#pragma once
// Statements.

#include <cstdint>
#include <vector>

#include "codegen/syntax/ast_expressions.hpp"

namespace linnet::syntax {

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

}  // namespace linnet::syntax
