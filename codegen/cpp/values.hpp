#pragma once
// What an SSA value is while a body is being written: a C++ expression, memory with a name,
// an expression that waits for its reader, or a composition of those.

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "codegen/cpp/spelling.hpp"
#include "codegen/ir/ir.hpp"

namespace linnet::cpp {

struct Rep;
using RepPtr = std::shared_ptr<Rep>;

enum class RepKind {
  scalar,    ///< `code`, or waiting: computed where it is read (`op`)
  memory,    ///< a dense row-major tensor, a view named `name`
  lazy,      ///< a tensor that is computed element by element where it is read (`op`)
  index,     ///< an index of index notation: one text a unit of its domain
  tuple,     ///< tuples and structs: `parts`
  optional,  ///< `code` tells whether it is there, `parts[0]` is what is inside
  block,     ///< a block: `name` is the path from the own block, empty for the own one
  array,     ///< an array of blocks: `name` likewise
  unit,
};

struct Rep {
  RepKind kind = RepKind::unit;
  ir::Type type;
  Code code;
  std::string name;
  const ir::Op* op = nullptr;
  std::vector<RepPtr> parts;
  std::vector<std::string> index;
  int slot = -1;                 ///< memory: its slot in the frame, -1 for arguments and members
  int other_slot = -1;           ///< memory that alternates between two slots: the other one
  std::vector<int> guards;       ///< memory: further slots that it may lie in
  bool stored = false;           ///< memory: a weight, possibly stored in another format
  bool reshaped = false;         ///< stored memory under another shape, which no kernel takes
  std::string path;              ///< block, array: where it is, with `[*]` for every position
  std::set<std::string> states;  ///< the state members that reading this value reads
  bool guarded = false;          ///< waits whatever its uses: it must not be evaluated early
  int depth = 0;                 ///< waiting: ops that wait behind it, itself included
};

/// How many waiting ops reading the value goes through.
[[nodiscard]] inline int waiting_depth(const Rep& rep) {
  return rep.op == nullptr ? 0 : rep.depth;
}

[[nodiscard]] inline RepPtr make_rep(RepKind kind, ir::Type type) {
  auto rep = std::make_shared<Rep>();
  rep->kind = kind;
  rep->type = std::move(type);
  return rep;
}

/// One buffer of a function's frame, with the span of statements over which it is alive.
struct Slot {
  std::string buffer;  ///< `linnet::ops::buffer<View>` or `linnet::ops::frame_of<Frame>`
  std::string name;    ///< for the comment
  int first = 0;
  int last = 0;
  std::size_t depth = 0;  ///< loops around its declaration
};

}  // namespace linnet::cpp
