#pragma once
// Lowering of one body: the statements and expressions of a function, gradient, default or
// constant. Private to codegen/ir/lower.
//
// Values are made in program order, so that effects stay in order. A local is the id of the
// value it holds now; loops carry the `var`s that their bodies assign.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/ir/effects.hpp"
#include "codegen/ir/ir.hpp"
#include "codegen/sema/checked.hpp"

namespace linnet::ir::detail {

/// A use of state, in program order: a member by its path from the own block, or a call of
/// `callee` on the child at `path`.
struct StateUse {
  std::string path;
  sema::FunctionId callee = -1;
};

/// Numbers the values of a whole document.
class Ids {
 public:
  int next() { return next_++; }
  [[nodiscard]] int count() const { return next_; }

  /// Set when constants are defined through more than `max_constant_depth` others in a row.
  bool constants_too_deep = false;
  static constexpr int max_constant_depth = 256;

 private:
  int next_ = 0;
};

/// The values of the constants that a body uses, made once before everything else.
struct Prelude {
  std::vector<Op> ops;
  std::map<sema::ConstantId, int> values;
  int depth = 0;  ///< of constants that are being made
};

class Body {
 public:
  Body(const sema::CheckedProgram& checked, const sema::Frame& frame, Ids& ids)
      : checked_(checked),
        ids_(ids),
        frame_(frame),
        locals_(frame.locals.size(), -1),
        indices_(frame.indices.size(), -1) {}

  /// A new value that `local` holds: a parameter, a kernel's result.
  Value parameter(const std::string& name, sema::LocalId local, const Type& type);
  /// The own block as the first argument of a method.
  Value own_block(const Type& type);
  /// The next named result of a kernel.
  Value kernel_result(const sema::KernelResult& result);

  /// The ops of `statements`, ending in `return`.
  Region statements_region(std::vector<Value> args, const sema::Statements& statements);
  /// The ops of one expression, ending in `yield`.
  Region value_region(const sema::Expr& expr);

  [[nodiscard]] const std::vector<StateUse>& state_uses() const { return state_uses_; }

 private:
  // Statements (body.cpp).
  void statements(const sema::Statements& list);
  void statement(const sema::Let& let);
  void statement(const sema::AssignLocal& assign);
  void statement(const sema::AssignState& assign);
  void statement(const sema::Return& give);
  void statement(const sema::StaticFor& loop);
  void statement(const sema::StaticRange& loop);
  void statement(const sema::For& loop);
  void statement(const sema::While& loop);
  void statement(const sema::KernelWrite& write);
  void bind(const sema::Pattern& pattern, int value, const Type& type);
  int range_loop(OpKind kind, const Dim& start, const Dim& stop, sema::LocalId variable,
                 const sema::Statements& body, const std::vector<sema::LocalId>& carried,
                 const sema::Expr* yield, const Type& stacked);
  /// Appends the carried locals as region arguments and makes them current.
  void carry_in(const std::vector<sema::LocalId>& carried, Region& region);
  [[nodiscard]] std::vector<int> values_of(const std::vector<sema::LocalId>& carried) const;
  /// Gives a loop its results for the carried locals and makes them current.
  void carry_out(const std::vector<sema::LocalId>& carried, Op& loop);

  // Expressions (expressions.cpp, calls.cpp); each gives the id of its value.
  int expr(const sema::Expr& e);
  int node(const sema::Expr& e, std::monostate);
  int node(const sema::Expr& e, const sema::BoolValue& value);
  int node(const sema::Expr& e, const sema::IntValue& value);
  int node(const sema::Expr& e, const sema::FloatValue& value);
  int node(const sema::Expr& e, const sema::DimValue& value);
  int node(const sema::Expr& e, const sema::LocalRead& read);
  int node(const sema::Expr& e, const sema::ConstantRead& read);
  int node(const sema::Expr& e, const sema::EnumValue& value);
  int node(const sema::Expr& e, const sema::OwnBlock& own);
  int node(const sema::Expr& e, const sema::MemberRead& read);
  int node(const sema::Expr& e, const sema::ArrayElement& element);
  int node(const sema::Expr& e, const sema::FieldRead& read);
  int node(const sema::Expr& e, const sema::Elementwise& op);
  int node(const sema::Expr& e, const sema::ShortCircuit& op);
  int chain(const sema::Expr& e);
  int elementwise(const sema::Expr& e, const sema::Elementwise& op, int left);
  int short_circuit(const sema::Expr& e, const sema::ShortCircuit& op, int left);
  int node(const sema::Expr& e, const sema::Reshape& op);
  int node(const sema::Expr& e, const sema::BroadcastTo& op);
  int node(const sema::Expr& e, const sema::Fill& op);
  int node(const sema::Expr& e, const sema::Iota& op);
  int node(const sema::Expr& e, const sema::Permute& op);
  int node(const sema::Expr& e, const sema::Concat& op);
  int node(const sema::Expr& e, const sema::Cumsum& op);
  int node(const sema::Expr& e, const sema::Slice& op);
  int node(const sema::Expr& e, const sema::Access& access);
  int node(const sema::Expr& e, const sema::Comprehension& op);
  int node(const sema::Expr& e, const sema::Reduction& op);
  int node(const sema::Expr& e, const sema::Call& call);
  int node(const sema::Expr& e, const sema::TupleMake& op);
  int node(const sema::Expr& e, const sema::StructMake& op);
  int node(const sema::Expr& e, const sema::SomeMake& op);
  int node(const sema::Expr& e, const sema::NoneMake& op);
  int node(const sema::Expr& e, const sema::If& op);
  int node(const sema::Expr& e, const sema::Match& match);
  int node(const sema::Expr& e, const sema::Scan& scan);
  int node(const sema::Expr& e, const sema::ProgramId& op);
  int node(const sema::Expr& e, const sema::KernelLoad& load);

  int shaped(OpKind kind, std::vector<int> operands, const Type& type);
  int dim_value(const Dim& dim);
  /// A compile-time integer as an i64. Values divide toward zero, dimensions toward minus infinity:
  /// where the two may differ the division is an op.
  int integer_value(const Dim& dim);
  int zero(const Type& type);
  int index_op(OpKind kind, const Type& type, const std::vector<sema::IndexId>& indices,
               const sema::Expr& body, ReduceKind reduce);
  int match_constant(const sema::Match& match);
  int match_option(const sema::Expr& e, const sema::Match& match);
  int match_enum(const sema::Expr& e, const sema::Match& match);
  [[nodiscard]] const std::vector<std::string>& variants_of(const TypeNode& type) const;
  int compare_variants(const sema::Expr& e, const sema::Match& match, int value,
                       const std::vector<std::size_t>& own, std::size_t next, int catch_all);
  Region arm_region(const sema::Match& match, int arm, std::optional<Value> inside, int whole);

  // Building.
  /// A value named as the local is, which holds it from now on; no local is -1.
  Value local_value(sema::LocalId local, const Type& type);
  [[nodiscard]] std::string local_name(sema::LocalId local) const;
  Value index_value(const sema::IndexVariable& variable);
  Value make_value(const Type& type, std::string name = {});
  int emit(OpKind kind, std::vector<int> operands, const Type& type, Attributes attrs = {});
  void emit_op(Op op) { ops_->push_back(std::move(op)); }
  /// Names the value that the last op made, unless it has a name.
  void name(int value, const std::string& text);
  /// Runs `fill` with `region` as the place where ops go.
  template <class Fill>
  void inside(Region& region, const Fill& fill) {
    std::vector<Op>* outer = ops_;
    ops_ = &region.ops;
    fill();
    ops_ = outer;
  }
  void yield(std::vector<int> values);
  [[nodiscard]] std::string path_of(int block) const;

  const sema::CheckedProgram& checked_;
  Ids& ids_;
  const sema::Frame& frame_;
  std::vector<int> locals_;   ///< the value that each local holds now
  std::vector<int> indices_;  ///< the region argument of each index
  Prelude own_prelude_;
  Prelude* prelude_ = &own_prelude_;  ///< of the body that uses this constant, when it is one
  std::vector<Op>* ops_ = nullptr;    ///< where ops go now
  Effects effects_;
  int own_block_ = -1;
  std::vector<int> kernel_results_;
  std::map<int, std::string> paths_;  ///< block values → path from the own block
  std::vector<StateUse> state_uses_;
};

}  // namespace linnet::ir::detail
