#pragma once
// The Core IR: a checked program as SSA regions, one struct a plan concept.
//
// A Program holds exactly what one plan document holds (docs: plan-format.md).
// Lowering builds it from checked source, `plan/` writes it as JSON and reads it
// back, the optimiser rewrites it, and `cpp/` turns it into a header.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "codegen/ir/types.hpp"

namespace linnet::ir {

/// One entry per op kind of the plan format; `op_name` gives the plan's spelling.
enum class OpKind : std::uint8_t {
  const_int,
  const_bool,
  const_float,
  const_dim,
  enum_const,
  add,
  sub,
  mul,
  div,
  rem,
  min,
  max,
  bitand_,
  bitor_,
  bitxor,
  shl,
  shr,
  and_,
  or_,
  not_,
  neg,
  exp,
  log,
  sqrt,
  rsqrt,
  sin,
  cos,
  tanh,
  abs,
  compare,
  cast,
  select,
  reshape,
  broadcast,
  fill,
  iota,
  permute,
  slice,
  concat,
  cumsum,
  tensor_element,
  comprehension,
  reduce,
  tuple_make,
  struct_make,
  tuple_get,
  struct_get,
  option_some,
  option_none,
  option_match,
  enum_match,
  if_,
  call,
  semantic_call,
  block_param,
  block_sub,
  array_get,
  state_read,
  state_write,
  static_for,
  static_range,
  for_,
  while_,
  kernel_program_id,
  kernel_load,
  kernel_store,
  kernel_atomic_add,
  kernel_atomic_max,
  kernel_atomic_min,
  yield,
  return_
};

enum class ReduceKind : std::uint8_t { sum, prod, max, min, any, all };

/// An SSA value; ids are unique in a Program.
struct Value {
  int id = 0;
  std::string name;
  Type type;
};

/// An index of a comprehension or reduction with the axes that it runs over.
struct IndexDomain {
  std::string name;
  ShapeUnits domain;
};

/// One axis of a `slice`: kept whole, cut, or dropped at one position.
struct SliceAxis {
  bool whole = false;
  ShapeUnits whole_units;  ///< when `whole`
  Dim start, stop, step;   ///< null start: the position is the next run-time operand
  bool squeeze = false;
};

/// Callee numbers mapped to the caller's expressions.
struct Substitution {
  std::map<int, Dim> dims;
  std::map<int, ShapeUnits> packs;
  std::map<int, Dtype> dtypes;
};

/// Only the fields that the op's kind uses are meaningful.
struct Attributes {
  std::variant<std::monostate, std::int64_t, double, Dim>
      value;         ///< constants, tuple/struct position
  std::string name;  ///< enum_const, block_param, block_sub, state_*
  Relation compare = Relation::eq;
  ReduceKind reduce = ReduceKind::sum;
  ShapeUnits shape;                   ///< reshape, broadcast, fill, iota
  std::vector<int> permutation;       ///< permute
  std::vector<SliceAxis> axes;        ///< slice
  int axis = 0;                       ///< concat, cumsum, kernel_program_id
  std::vector<IndexDomain> indices;   ///< comprehension, reduce
  int index_count = 0;                ///< kernel_load, kernel_store, atomics
  std::vector<std::string> variants;  ///< enum_match
  std::string callee;
  Substitution substitution;
  std::vector<GenericArgument> generics;  ///< the same bindings in declaration order
  std::string selected;                   ///< kernel chosen for an op, empty when none
};

struct Op;
struct Region {
  std::vector<Value> args;
  std::vector<Op> ops;
};

struct Op {
  OpKind kind = OpKind::yield;
  std::vector<int> operands;
  std::vector<Value> results;
  Attributes attrs;
  std::vector<Region> regions;
};

enum class MemberKind : std::uint8_t { param, buffer, state, sub };

struct Member {
  std::string name;
  MemberKind kind = MemberKind::param;
  Type type;
  std::string doc;  ///< `///` text of the source, not part of the plan
};

struct Block {
  std::string name, module;
  bool is_public = false;
  std::vector<Generic> generics;
  std::vector<Constraint> constraints;
  std::vector<Member> members;
  std::string doc;
};

enum class FunctionKind : std::uint8_t { fn, op, entry, kernel };

/// `kernel K<args>` of an op's header, or a kernel's own grid and hints.
struct KernelBinding {
  std::string callee;                     ///< on ops: the kernel's full name
  std::vector<GenericArgument> generics;  ///< on ops
  std::vector<Dim> grid;                  ///< on kernels
  std::optional<std::int64_t> warps, stages;
  std::vector<Value> results;  ///< on kernels: the named results
};

struct Function {
  std::string name;  ///< `module.path::name` or `module.path::Block.method`
  FunctionKind kind = FunctionKind::fn;
  std::string block;  ///< key in `Program::blocks`, empty for free functions; a method's
                      ///< first `body.args` is its block
  bool is_public = false;
  std::vector<Generic> generics;
  std::vector<Constraint> constraints;
  std::vector<Type> results;
  std::vector<std::string> states;
  Region body;
  std::optional<Region> grad;
  std::optional<KernelBinding> kernel;
  /// Defaults of trailing parameters, by position in `body.args` (extension):
  /// a region without arguments that yields the value. For entries, whose
  /// omitted inputs take them; calls inside a program have them filled in.
  std::map<int, Region> defaults;
  std::string doc;  ///< `///` text of the source (extension)
};

struct Constant {
  std::string name;
  bool is_public = false;
  Type type;
  bool contextual = false;
  Region body;
};

struct ManifestEntry {
  std::string path;
  MemberKind kind = MemberKind::param;
  Dtype dtype;
  ShapeUnits shape;
  std::vector<Dim> repeat;
  bool optional = false;
};

struct Root {
  std::string name;
  std::vector<Generic> generics;
  std::vector<Constraint> constraints;
};

/// A declared struct. Plans carry these two lists as an extension field; a plan
/// without them still reads, and the generator then names fields by position.
struct Structure {
  std::string name, module;
  std::vector<Generic> generics;
  std::vector<std::pair<std::string, Type>> fields;
  std::string doc;
};

struct Enumeration {
  std::string name, module;
  std::vector<std::string> variants;
  std::string doc;
  std::vector<Generic> generics = {};
};

struct Program {
  std::string module;
  std::string doc;
  std::optional<Root> root;
  std::vector<ManifestEntry> manifest;
  /// Declaration order. The key is the block's name, or `module::Name` for each of several
  /// blocks of one name; lookup.hpp finds them.
  std::vector<std::pair<std::string, Block>> blocks;
  std::vector<Function> functions;
  std::vector<Constant> constants;
  std::vector<Structure> structures;      ///< extension
  std::vector<Enumeration> enumerations;  ///< extension
};

}  // namespace linnet::ir
