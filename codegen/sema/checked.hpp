#pragma once
// The checked program: what `check` makes of a file and its imports, and all that
// lowering reads.
//
// It is a tree of its own, not the AST with side tables: every expression carries its
// final type, every name is resolved to what it means, literals have the dtype that their
// context gave them, aliases are expanded, defaults of calls are filled in, and every
// extent is an `ir::Dim` in the generics of the enclosing declaration. A program whose
// `ok` is false may hold null expressions and must not be lowered.
//
// Order is deterministic everywhere: modules in dependency order (a module after what it
// imports, imports in source order, the root file last), declarations in source order.
// Symbols and packs share one numbering, dtype variables have their own; both run over the
// whole document in that order, a block's generics before those of its methods.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "codegen/ir/ir.hpp"
#include "codegen/ir/types.hpp"
#include "codegen/syntax/source.hpp"

namespace linnet::sema {

using syntax::Span;

/// Positions in the vectors of `CheckedProgram` and in the enclosing `Frame`.
using FunctionId = int;
using BlockId = int;
using StructId = int;
using EnumId = int;
using ConstantId = int;
using LocalId = int;
using IndexId = int;

struct Expr;
struct Statement;
using ExprPtr = std::unique_ptr<Expr>;
using Statements = std::vector<Statement>;

/// A parameter, `let`, `var`, loop variable or pattern name. `let n = H / 2` makes no local:
/// each use of `n` is a `DimValue`.
struct Local {
  std::string name;
  ir::Type type;
  bool is_var = false;  ///< declared by `var`
  Span span;
};

/// An index of index notation. `*s` is one index whose domain has any number of units.
struct IndexVariable {
  std::string name;
  ir::ShapeUnits domain;  ///< exactly one dimension unless `is_run`
  bool is_run = false;    ///< written `*s`
};

/// The names of one function, grad or constant body.
struct Frame {
  std::vector<Local> locals;
  std::vector<IndexVariable> indices;
};

/// What a `let`, an arm `some(...)` or a loop binds.
struct Pattern {
  enum class Kind : std::uint8_t { ignore, bind, tuple };
  Kind kind = Kind::ignore;
  LocalId local = -1;             ///< bind
  std::vector<Pattern> elements;  ///< tuple: one for each element of the value
};

// --- Expressions ---------------------------------------------------------------------------

/// `true`, `false`; the type is `bool`.
struct BoolValue {
  bool value = false;
};

/// An integer of an integer dtype, or of a dtype variable that may be an integer.
/// In range of the dtype; a `u64` stays within `i64`.
struct IntValue {
  std::int64_t value = 0;
};

/// A number of a float dtype (an integer literal in a float context included). Not yet
/// rounded to the dtype: `value` is the double nearest to the literal.
struct FloatValue {
  double value = 0;
};

/// A compile-time integer that depends on generics, as a scalar value of `Expr::type`,
/// which is any numeric dtype: `const.dim`, then a `cast` unless the type is `i64`.
struct DimValue {
  ir::Dim dim;
};

struct LocalRead {
  LocalId local = -1;
};

/// A constant with a type. Unannotated integer constants are `DimValue` or `IntValue`.
struct ConstantRead {
  ConstantId constant = -1;
};

struct EnumValue {
  std::string variant;
  int position = 0;
};

/// The block that the method belongs to; only as `MemberRead::block` and `Call::receiver`.
struct OwnBlock {};

/// A member, by name and kind, of a block value (own, child, array element, local).
/// `ir::MemberKind` tells `block.param` (param, buffer), `state.read` and `block.sub`.
struct MemberRead {
  ExprPtr block;
  BlockId owner = -1;
  int member = 0;  ///< position in the owner's `members`
  ir::MemberKind kind = ir::MemberKind::param;
};

/// `layers[0]`: one element of a sub array, at a compile-time position.
struct ArrayElement {
  ExprPtr array;
  ir::Dim position;
};

/// A field of a struct value.
struct FieldRead {
  ExprPtr value;
  int position = 0;
};

/// Every elementwise op, binary ones with broadcasting (to `Expr::type`):
/// add sub mul div rem min max bitand_ bitor_ bitxor shl shr neg not_ exp log sqrt rsqrt
/// sin cos tanh abs cast compare select. On `bool` operands `bitand_` and its kin are
/// logical. `relation` is for compare only; compare may also have two values of one enum.
struct Elementwise {
  ir::OpKind op = ir::OpKind::add;
  ir::Relation relation = ir::Relation::eq;
  std::vector<ExprPtr> operands;
};

/// `a && b`, `a || b`: the right side is evaluated only when needed.
struct ShortCircuit {
  bool is_and = true;
  ExprPtr left, right;
};

/// The target shape of these is that of `Expr::type`.
struct Reshape {
  ExprPtr value;
};
struct BroadcastTo {
  ExprPtr value;
};
struct Fill {
  ExprPtr value;  ///< scalar of the result's dtype
};
struct Iota {};
struct Permute {
  ExprPtr value;
  std::vector<int> axes;
};
struct Concat {
  std::vector<ExprPtr> values;
  /// From the front, packs counted as one unit each; no pack stands before it unless
  /// `from_back`: then the axis is counted from the back as well, `axis_from_back` < 0.
  int axis = 0;
  int axis_from_back = -1;
};
struct Cumsum {
  ExprPtr value;
  int axis = 0;  ///< as in Concat
  int axis_from_back = -1;
};

/// One axis (or kept run of axes) of a `Slice`.
struct SlicePart {
  enum class Kind : std::uint8_t {
    whole,     ///< `units` kept: `:`, `...`, axes left off
    range,     ///< cut to `start .. stop` by `step`, clamped and non-negative
    constant,  ///< one compile-time position `start`; the axis goes
    runtime,   ///< one run-time position `position` (an integer scalar); the axis goes
  };
  Kind kind = Kind::whole;
  ir::ShapeUnits units;       ///< whole
  ir::Dim start, stop, step;  ///< range; constant: start
  ir::Dim extent;             ///< range: what is left, `max(0, ceil((stop - start) / step))`
  ExprPtr position;           ///< runtime
};

/// Ordinary indexing `x[a:b, i]`; the parts cover the operand's shape in order.
struct Slice {
  ExprPtr value;
  std::vector<SlicePart> parts;
};

/// One component of an access in index notation.
struct AccessPart {
  enum class Kind : std::uint8_t {
    index,     ///< a plain index: one axis
    run,       ///< `*s`: as many units as the index's domain has
    position,  ///< an integer scalar (run-time or compile-time): a gather on one axis
  };
  Kind kind = Kind::index;
  IndexId index = -1;
  ExprPtr position;
};

/// `x[i, *s, ids[i]]` in index notation: `tensor.element`; parts cover every axis in order.
struct Access {
  ExprPtr value;
  std::vector<AccessPart> parts;
};

/// The value of `let y[i, *s] = body`; the body is a scalar of the result's dtype.
struct Comprehension {
  std::vector<IndexId> indices;
  ExprPtr body;
};

struct Reduction {
  ir::ReduceKind kind = ir::ReduceKind::sum;
  std::vector<IndexId> indices;
  ExprPtr body;  ///< scalar of the result's dtype
};

/// A call of a function, op, entry or method.
struct Call {
  FunctionId function = -1;
  ExprPtr receiver;  ///< methods: the block value; null for free functions
  /// The callee's own generics in declaration order, in the caller's terms.
  std::vector<ir::GenericArgument> generics;
  /// Methods: the generics of the callee's block, likewise (identity for the own block).
  std::vector<ir::GenericArgument> block_generics;
  /// Both of the above by number.
  ir::Substitution substitution;
  std::vector<ExprPtr> arguments;  ///< in parameter order, defaults filled in
  /// Positions in `arguments` in order of evaluation: as written, then the defaults.
  std::vector<int> evaluation;
};

struct TupleMake {
  std::vector<ExprPtr> elements;
};

struct StructMake {
  std::vector<ExprPtr> fields;  ///< in declaration order
  std::vector<int> evaluation;  ///< positions in `fields` in source order
};

struct SomeMake {
  ExprPtr value;
};
struct NoneMake {};

struct If {
  ExprPtr condition, then_value, else_value;
};

/// An arm is `some(pattern)`, `none`, one enum variant, or a catch-all.
struct MatchArm {
  Pattern inside;      ///< arm `some(...)`: binds the value inside
  LocalId whole = -1;  ///< catch-all with a name: bound to the scrutinee itself
  ExprPtr body;
};

/// On an optional the cases are `some`, `none`; on an enum its variants in order.
/// Exhaustive: `arm_of_case[c]` is the arm that case `c` takes (arms may repeat).
struct Match {
  ExprPtr value;
  std::vector<MatchArm> arms;
  std::vector<int> arm_of_case;
  /// The one arm that runs when the scrutinee is a compile-time constant, else -1.
  int chosen = -1;
};

/// A loop over a compile-time range with run-time iterations, or a scan.
struct ForLoop {
  LocalId variable = -1;  ///< i64
  ir::Dim start, stop;
  Statements body;
  std::vector<LocalId> carried;  ///< outer `var`s that the body assigns, in id order
  ExprPtr yield;                 ///< scans only: evaluated after `body`
};

/// `for` as a value: `Expr::type` is the yielded type with a new leading axis
/// `stop - start`, a tuple stacked element by element.
struct Scan {
  std::unique_ptr<ForLoop> loop;
};

/// Kernels only.
struct ProgramId {
  int axis = 0;
};
struct KernelLoad {
  LocalId tensor = -1;  ///< a parameter
  std::vector<ExprPtr> indices;
  ExprPtr mask, other;  ///< either may be null
};

using ExprNode =
    std::variant<std::monostate, BoolValue, IntValue, FloatValue, DimValue, LocalRead, ConstantRead,
                 EnumValue, OwnBlock, MemberRead, ArrayElement, FieldRead, Elementwise,
                 ShortCircuit, Reshape, BroadcastTo, Fill, Iota, Permute, Concat, Cumsum, Slice,
                 Access, Comprehension, Reduction, Call, TupleMake, StructMake, SomeMake, NoneMake,
                 If, Match, Scan, ProgramId, KernelLoad>;

struct Expr {
  Span span;
  ir::Type type;
  ExprNode node;

  ~Expr();
};

/// What an operator applies to first, by which a chain of them nests to the left as deep as it
/// is long; null for all else. Stages walk a chain in a loop, not by recursion.
[[nodiscard]] const ExprPtr* left_operand(const Expr& expr);

// --- Statements ----------------------------------------------------------------------------

/// `let` and `var`, and the indexed `let` (its value is a Comprehension).
struct Let {
  Pattern pattern;
  ExprPtr value;
};

struct AssignLocal {
  LocalId local = -1;
  ExprPtr value;
};

/// The own block's state member.
struct AssignState {
  BlockId owner = -1;
  int member = 0;
  ExprPtr value;
};

struct Return {
  ExprPtr value;  ///< null in a function without a result
};

/// `static for layer in layers`.
struct StaticFor {
  Pattern pattern;  ///< bind or ignore
  ExprPtr array;
  ir::Dim length;
  Statements body;
  std::vector<LocalId> carried;
};

/// `static for i in a..b`.
struct StaticRange {
  Pattern pattern;  ///< bind (an i64) or ignore
  ir::Dim start, stop;
  Statements body;
  std::vector<LocalId> carried;
};

struct For {
  ForLoop loop;
};

struct While {
  ExprPtr condition;
  Statements body;
  std::vector<LocalId> carried;
};

/// Kernels only: kernel_store or one of the atomics.
struct KernelWrite {
  ir::OpKind op = ir::OpKind::kernel_store;
  int result = 0;  ///< position in `Function::kernel_results`
  std::vector<ExprPtr> indices;
  ExprPtr value, mask;  ///< mask may be null
};

using StatementNode = std::variant<std::monostate, Let, AssignLocal, AssignState, Return, StaticFor,
                                   StaticRange, For, While, KernelWrite>;

struct Statement {
  Span span;
  StatementNode node;
};

// --- Declarations --------------------------------------------------------------------------

struct Parameter {
  std::string name;
  LocalId local = -1;
  ir::Type type;
  ExprPtr default_value;  ///< may be null; in the function's own generics
};

struct Grad {
  LocalId result = -1;      ///< `y`
  LocalId gradient = -1;    ///< `dy`
  Statements body;          ///< returns one value, or a tuple of `wanted.size()`
  std::vector<int> wanted;  ///< the parameters that get a gradient
};

/// A named result of a kernel.
struct KernelResult {
  std::string name;
  LocalId local = -1;
  ir::Type type;
};

/// `kernel K<...>` in an op's header.
struct KernelUse {
  FunctionId kernel = -1;
  std::vector<ir::GenericArgument> generics;
};

/// A function, op, entry, method or kernel.
struct Function {
  std::string name;       ///< `forward`
  std::string full_name;  ///< `module.path::name`, `module.path::Block.method`
  int module = 0;
  ir::FunctionKind kind = ir::FunctionKind::fn;
  BlockId block = -1;  ///< -1 for free functions
  bool is_public = false;
  std::vector<ir::Generic> generics;        ///< its own, not those of the block
  std::vector<ir::Constraint> constraints;  ///< its own
  std::vector<Parameter> parameters;
  ir::Type result;  ///< kind `unit` without a result
  Frame frame;      ///< of body and grad
  Statements body;
  std::optional<Grad> grad;
  std::optional<KernelUse> kernel;           ///< ops bound to a kernel
  std::vector<KernelResult> kernel_results;  ///< kernels from here on
  std::vector<ir::Dim> grid;
  std::optional<std::int64_t> warps, stages;
  std::string doc;
  Span span;  ///< of the name
};

struct Block {
  ir::Block declaration;  ///< name, module, pub, generics, constraints, members, doc
  int module = 0;
  std::vector<FunctionId> methods;
  Span span;
};

struct Constant {
  std::string full_name;  ///< `module.path::NAME`
  int module = 0;
  bool is_public = false;
  ir::Type type;            ///< i64 when contextual
  bool contextual = false;  ///< an unannotated integer: a compile-time integer
  ir::Dim value;            ///< when contextual: its value (may be negative)
  Frame frame;
  ExprPtr body;
  Span span;
};

/// One file.
struct Module {
  std::string name;  ///< of its `module` line, unique in the document
  int file = 0;      ///< in the SourceManager
  std::string doc;
};

struct CheckedProgram {
  bool ok = false;  ///< no errors: only then may it be lowered
  std::vector<Module> modules;
  std::vector<int> roots;  ///< the modules of the root files, in the order given
  std::vector<Block> blocks;
  std::vector<ir::Structure> structs;
  std::vector<ir::Enumeration> enums;
  std::vector<Function> functions;  ///< a block's methods stand where the block does
  std::vector<Constant> constants;
  /// Every file that was read, manifests included (for depfiles).
  std::vector<std::string> dependencies;
};

}  // namespace linnet::sema
