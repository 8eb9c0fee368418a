#pragma once
// What all nodes of the tree have: ids, names, and the bases of the four open families.

#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
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

enum class TypeKind : std::uint8_t { path, tensor, tuple, array, optional };

struct Type {
  TypeKind kind;
  int id;
  Span span;

  virtual ~Type() = default;

 protected:
  Type(TypeKind k, int i, Span s) : kind(k), id(i), span(s) {}
};

enum class PatternKind : std::uint8_t { name, tuple, some, none };

struct Pattern {
  PatternKind kind;
  int id;
  Span span;

  virtual ~Pattern() = default;

 protected:
  Pattern(PatternKind k, int i, Span s) : kind(k), id(i), span(s) {}
};

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

using ExprPtr = std::unique_ptr<Expr>;
using TypePtr = std::unique_ptr<Type>;
using PatternPtr = std::unique_ptr<Pattern>;
using StatementPtr = std::unique_ptr<Statement>;

/// `{ statement... }`
struct Body {
  std::vector<StatementPtr> statements;
  Span span;  ///< with the braces
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

}  // namespace linnet::syntax
