#pragma once
// Checking expressions and statements of one body: a function's, a grad's, a constant's.
//
// Literals are settled from the outside in: an expression without a dtype yet has a pending type
// (types.hpp), and whoever gives it context calls `accept`, which pushes the type down to the
// literals. Failed expressions have the poison type and are never reported again.

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codegen/sema/context.hpp"
#include "codegen/sema/resolve.hpp"
#include "codegen/sema/wording.hpp"

namespace linnet::sema {

/// The parser limits the depth of a tree; defaults of calls inside defaults add to it.
inline constexpr int deepest_nesting = 400;

/// Where a value meets a type, for the code and the words of a mismatch.
struct Place {
  /// `field`: whatever differs is E2101.
  enum class Kind : std::uint8_t { expected, operand, assignment, field };
  Kind kind = Kind::expected;
  std::string what;  ///< "argument `x`", "the result of `f`"
  Span declared;     ///< where the type is declared, may be invalid
  std::string declared_as = "declared here";
};

/// The generics of one call while they are bound (infer.cpp).
class Inference {
 public:
  Inference(const std::vector<ir::Generic>& generics, ir::Substitution outer);

  /// A parameter's type and what an argument for it has.
  struct Pair {
    ir::Type parameter, argument;
    Span span;
  };

  void write(std::size_t position, ir::GenericArgument argument, Span span);
  /// Binds what `argument` says about bare symbols, packs and dtype variables of `parameter`.
  void learn(const ir::Type& parameter, const ir::Type& argument, Span span);
  /// The same from several arguments, in whatever order they settle each other's packs.
  void learn_all(const std::vector<Pair>& pairs);
  /// A literal for a parameter of an unbound dtype variable.
  void learn_dtype(const ir::Type& parameter, ir::Dtype dtype, Span span);
  void fill_defaults();

  [[nodiscard]] bool is_bound(std::size_t position) const { return bound_[position].has_value(); }
  [[nodiscard]] const std::optional<ir::GenericArgument>& bound(std::size_t position) const {
    return bound_[position];
  }
  [[nodiscard]] Span span(std::size_t position) const { return spans_[position]; }
  [[nodiscard]] const ir::Substitution& substitution() const { return substitution_; }
  /// The dtype variable of a parameter type that is not bound yet.
  [[nodiscard]] bool wants_dtype(const ir::Type& parameter) const;

 private:
  std::optional<std::size_t> position_of(ir::GenericKind kind, int id) const;
  void bind_at(std::size_t position, ir::GenericArgument argument, Span span);
  void learn_dim(const ir::Dim& parameter, const ir::Dim& argument, Span span);
  void learn_units(const ir::ShapeUnits& parameter, const ir::ShapeUnits& argument, Span span);
  void learn_dtype(const ir::Dtype& parameter, const ir::Dtype& argument, Span span);

  const std::vector<ir::Generic>& generics_;
  std::vector<std::optional<ir::GenericArgument>> bound_;
  std::vector<Span> spans_;
  ir::Substitution substitution_;
};

class Body final : public LocalNames {
 public:
  /// `function` is -1 for constants. Everything but `context` belongs to the declaration.
  Body(Context& context, Scope scope, dims::Facts& facts, Frame& frame,
       std::vector<Reference>* references, FunctionId function);

  // --- bodies.cpp: whole declarations
  void check_function();
  ExprPtr check_constant(const syntax::Expr& value, const syntax::Type* annotation);
  /// A compile-time integer stays one; everything else settles.
  void finish_constant(ExprPtr& value, Constant& constant);

  // --- LocalNames
  std::optional<LocalMeaning> meaning(const std::string& name) override;
  std::vector<std::string> names() const override;

  /// Warnings W1002, to be reported only when the program has no errors.
  [[nodiscard]] std::vector<std::pair<std::string, Span>> take_unused() {
    return std::move(unused_);
  }

 private:
  // --- expr.cpp: expressions
  ExprPtr check(const syntax::Expr& expr);
  ExprPtr check_inner(const syntax::Expr& expr);
  /// `check`, then `accept`.
  ExprPtr check_as(const syntax::Expr& expr, const ir::Type& type, const Place& place);
  ExprPtr check_name(const syntax::NameExpr& expr);
  ExprPtr check_symbol(const Symbol& symbol, const syntax::Name& name, Span span);
  ExprPtr check_own_member(const syntax::Name& name, Span span);
  ExprPtr check_member(const syntax::Member& expr);
  ExprPtr check_tuple(const syntax::TupleExpr& expr);
  bool check_size(const ir::Type& type, Span span);
  ExprPtr check_if(const syntax::IfElse& expr);
  ExprPtr read_member(ExprPtr block, BlockId owner, int member, Span span);
  std::optional<EnumId> named_enum(const Symbol& symbol, Span use);
  ExprPtr check_enum_variant(EnumId id, const syntax::Name& variant, Span span);

  template <class Node>
  [[nodiscard]] ExprPtr make(Span span, ir::Type type, Node node) const {
    auto made = std::make_unique<Expr>();
    made->span = span;
    made->type = std::move(type);
    made->node = std::move(node);
    return made;
  }
  [[nodiscard]] ExprPtr failed(Span span) const { return make(span, poison_type(), {}); }
  [[nodiscard]] ExprPtr make(Span span, ir::Type type, std::monostate node) const;
  [[nodiscard]] ExprPtr dim_value(Span span, ir::Dim dim) const;

  // --- literals.cpp: context for literals, types meeting types
  /// Gives pending parts of `expr` their type and reports a mismatch; false after a report.
  bool accept(ExprPtr& expr, const ir::Type& type, const Place& place);
  bool accept_number(Expr& expr, const ir::Dtype& dtype, const Place& place);
  bool accept_operand(Expr& expr, const ir::Dtype& dtype, const Place& place);
  bool accept_leaf(Expr& expr, const ir::Dtype& dtype, const Place& place);
  bool report_mismatch(const Expr& expr, const ir::Type& type, const Place& place);
  bool report_range(const Expr& expr, const std::string& value, const ir::Dtype& dtype);
  /// What literals and `none` become without a context; E2113.
  void settle(ExprPtr& expr);
  [[nodiscard]] std::string literal_help(const Expr& literal, const ir::Type& type) const;
  [[nodiscard]] bool literal_fits(const ir::Type& pending, const ir::Dtype& dtype) const;
  /// One type for branches or arms, E2115 at `at` when there is none.
  ir::Type unify(std::vector<ExprPtr*> branches, const char* what, Span whole);
  [[nodiscard]] std::optional<ir::Type> merge(const ir::Type& a, const ir::Type& b) const;
  [[nodiscard]] bool same_type(const ir::Type& a, const ir::Type& b) const;
  /// The compile-time integer that an expression is, or null.
  [[nodiscard]] static ir::Dim compile_time(const Expr& expr);

  // --- operators.cpp
  ExprPtr check_unary(const syntax::Unary& expr);
  ExprPtr check_binary(const syntax::Binary& expr);
  ExprPtr check_operator(const syntax::Binary& expr, ExprPtr lhs);
  ExprPtr arithmetic(const syntax::Binary& expr, ExprPtr lhs, ExprPtr rhs);
  ExprPtr comparison(const syntax::Binary& expr, ExprPtr lhs, ExprPtr rhs);
  ExprPtr short_circuit(const syntax::Binary& expr, ExprPtr lhs, ExprPtr rhs);
  /// Operands of one dtype: literals take the other's, E2103 and E2104 otherwise.
  bool match_operands(ExprPtr& lhs, ExprPtr& rhs, const std::string& op, Span span);
  /// E2104 when an operand is no scalar or tensor.
  bool check_operand(const Expr& expr, const std::string& op);
  /// The broadcast type of operands of `dtype`, or poison after E2207.
  ir::Type broadcast(std::initializer_list<const Expr*> operands, const ir::Dtype& dtype,
                     Span span);
  ExprPtr elementwise(Span span, ir::Type type, ir::OpKind op, std::vector<ExprPtr> operands,
                      ir::Relation relation = ir::Relation::eq) const;
  ExprPtr unary_op(Span span, ir::Type type, ir::OpKind op, ExprPtr operand) const;
  ExprPtr binary_op(Span span, ir::Type type, ir::OpKind op, ExprPtr lhs, ExprPtr rhs,
                    ir::Relation relation = ir::Relation::eq) const;

  // --- calls.cpp
  ExprPtr check_call(const syntax::Call& expr);
  ExprPtr call_symbol(const Symbol& symbol, const syntax::Name& name, const syntax::Call& expr);
  ExprPtr call_member(const syntax::Member& callee, const syntax::Call& expr);
  ExprPtr call_function(FunctionId id, ExprPtr receiver, const syntax::Call& expr);
  ExprPtr call_struct(StructId id, const std::vector<ir::GenericArgument>* fixed,
                      const syntax::Call& expr);
  ExprPtr call_alias(int id, const syntax::Call& expr);
  ExprPtr not_callable(const syntax::Call& expr, const std::string& what, Span declared);
  /// Every argument checked for its own sake, when the call failed.
  ExprPtr fail_call(const syntax::Call& expr);
  bool write_generics(Inference& inference, const std::vector<ir::Generic>& generics,
                      const syntax::Call& expr, const std::string& what);
  bool finish_generics(Inference& inference, const std::vector<ir::Generic>& generics,
                       const syntax::Call& expr, const std::string& what, bool quiet,
                       std::vector<ir::GenericArgument>& out);
  ExprPtr default_argument(FunctionId id, std::size_t parameter, const GenericBindings& own,
                           const GenericBindings& outer, const ir::Type& type, Span call);

  // --- prelude.cpp
  ExprPtr call_prelude(const std::string& name, const syntax::Call& expr);
  ExprPtr prelude_cast(const syntax::Call& expr);
  ExprPtr prelude_float(const std::string& name, const syntax::Call& expr);
  ExprPtr prelude_abs(const syntax::Call& expr);
  ExprPtr prelude_min_max(const std::string& name, const syntax::Call& expr);
  ExprPtr prelude_shift(const std::string& name, const syntax::Call& expr);
  ExprPtr prelude_select(const syntax::Call& expr);
  ExprPtr prelude_reshape(const syntax::Call& expr);
  ExprPtr prelude_broadcast_to(const syntax::Call& expr);
  ExprPtr prelude_permute(const syntax::Call& expr);
  ExprPtr prelude_concat(const syntax::Call& expr);
  ExprPtr prelude_iota(const syntax::Call& expr);
  ExprPtr prelude_fill(const syntax::Call& expr);
  ExprPtr prelude_cumsum(const syntax::Call& expr);
  /// E2102 for a wrong count or a keyword other than `axis` (where allowed).
  bool check_arguments(const std::string& name, const syntax::Call& expr, std::size_t least,
                       std::size_t most, bool takes_axis = false);
  bool refuse_generics(const std::string& name, const syntax::Call& expr);
  std::optional<ir::Dtype> written_dtype(const std::string& name, const syntax::Call& expr,
                                         bool& ok);
  std::optional<ir::ShapeUnits> shape_literal(const std::string& name, const syntax::Expr& expr);
  /// A tensor (or scalar) operand that is settled; null after a report or poison.
  bool number_operand(const Expr& expr, const std::string& name);
  bool tensor_operand(const Expr& expr, const std::string& name);
  struct Axis {
    int front = 0;
    int back = -1;
    std::size_t unit = 0;
  };
  std::optional<Axis> axis_argument(const std::string& name, const syntax::Call& expr,
                                    const ir::ShapeUnits& shape);

  // --- indexing.cpp: ordinary indexing
  ExprPtr check_index(const syntax::Index& expr);
  ExprPtr index_tensor(const syntax::Index& expr, ExprPtr base);
  ExprPtr index_array(const syntax::Index& expr, ExprPtr base);
  bool index_position(const syntax::IndexComponent& component, const ir::Dim& extent,
                      SlicePart& part);
  bool index_range(const syntax::IndexComponent& component, const ir::Dim& extent, SlicePart& part);
  std::optional<ir::Dim> slice_bound(const syntax::Expr& expr, const char* what);
  /// E2209 for a compile-time position that is provably outside.
  bool check_position(const ir::Dim& position, const ir::Dim& extent, Span span);

  // --- index_notation.cpp
  ExprPtr check_access(const syntax::Index& expr, ExprPtr base);
  bool access_part(const syntax::IndexComponent& component, const ir::ShapeUnits& units,
                   AccessPart& part);
  bool use_index(IndexId index, const ir::ShapeUnits& units, Span span);
  ExprPtr check_reduction(const syntax::Reduction& expr);
  void check_indexed_let(const syntax::IndexedLet& statement, Statements& out);
  bool add_index(const syntax::Name& name, bool is_run, Span span, std::vector<IndexId>& indices);
  /// E3104 unless the body is a scalar of a known dtype.
  bool check_element(ExprPtr& body, const char* what);
  bool mentions_index(const syntax::Index& expr) const;
  [[nodiscard]] bool in_index_notation() const { return index_depth_ != 0; }
  /// Whether a code is reported for the first time for an index in this statement: all its uses
  /// share one mistake. An index that nothing binds has only a name.
  bool first_in_statement(std::string_view code, IndexId id, const std::string& name = {});

  // --- matches.cpp
  ExprPtr check_match(const syntax::Match& expr);
  bool bind_pattern(const syntax::Pattern& pattern, const ir::Type& type, Pattern& out,
                    bool in_arm);
  int constant_case(const Expr& scrutinee) const;

  // --- statements.cpp
  struct Loop {
    LocalId first_inner = 0;
    std::vector<LocalId> carried;
  };
  enum class BodyKind : std::uint8_t { function, loop, scan };
  void check_statements(const syntax::Body& body, BodyKind kind, Statements& out);
  void check_statement(const syntax::Statement& statement, BodyKind kind, Statements& out);
  void check_let(const syntax::Let& statement, Statements& out);
  void check_var(const syntax::Var& statement, Statements& out);
  void check_assign(const syntax::Assign& statement, Statements& out);
  void assign_local(const syntax::Assign& statement, LocalId local, Statements& out);
  void assign_other(const syntax::Assign& statement, Statements& out);
  void check_return(const syntax::Return& statement, Statements& out);
  void check_static_for(const syntax::StaticFor& statement, Statements& out);
  void check_for(const syntax::For& statement, Statements& out);
  void check_while(const syntax::While& statement, Statements& out);
  /// A value that may be a scan: the whole value of its statement.
  ExprPtr check_value(const syntax::Expr& expr);
  ExprPtr check_scan(const syntax::Scan& scan);
  void loop_body(const syntax::Body& body, BodyKind kind, Statements& out,
                 std::vector<LocalId>& carried);
  bool loop_range(const syntax::Expr& from, const syntax::Expr& to, bool is_static, ir::Dim& start,
                  ir::Dim& stop);
  LocalId add_local(const std::string& name, ir::Type type, Span span, bool is_var = false);
  [[nodiscard]] static bool names_something(const syntax::Expr& expr);

  // --- kernel_bodies.cpp
  ExprPtr check_program_id(const syntax::Call& expr);
  ExprPtr check_load(const syntax::Call& expr);
  void check_write(const syntax::Write& statement, Statements& out);
  bool memory_access(const syntax::Expr& target, bool is_result, LocalId& local,
                     std::vector<ExprPtr>& indices, ir::ShapeUnits& shape);
  ExprPtr check_mask(const syntax::Expr& expr, const ir::ShapeUnits& shape);
  ExprPtr refuse_write(const std::string& name, const syntax::Call& expr);
  void check_tile(ExprPtr& value);
  [[nodiscard]] bool in_kernel() const;
  [[nodiscard]] bool is_kernel_memory(LocalId local) const;

  // --- bodies.cpp
  void check_defaults();
  void check_grad();
  void check_ending(const syntax::Body& body, const ir::Type& result, Span name);

  // --- scopes
  struct Binding {
    enum class Kind : std::uint8_t { local, compile_time, index, failed };
    std::string name;
    Kind kind = Kind::local;
    int id = -1;  ///< local or index
    ir::Dim dim;  ///< compile_time
    Span span;
    bool used = false;
    bool lint = false;  ///< W1002 when nothing reads it
  };
  Binding& bind_name(std::string name, Binding::Kind kind, Span span, bool lint);
  Binding* find_binding(const std::string& name);
  [[nodiscard]] std::size_t scope_mark() const { return bindings_.size(); }
  void leave_scope(std::size_t mark);

  struct IndexState {
    bool has_domain = false;
    Span first_use;
  };

  [[nodiscard]] Resolver resolver() { return {context_, scope_, this}; }
  syntax::Diagnostic& error(const char* code, Span span, std::string message) {
    return context_.error(code, span, std::move(message));
  }
  Local& local(LocalId id) { return frame_.locals[static_cast<std::size_t>(id)]; }
  IndexVariable& index(IndexId id) { return frame_.indices[static_cast<std::size_t>(id)]; }

  Context& context_;
  Scope scope_;
  dims::Facts& facts_;
  Frame& frame_;
  std::vector<Reference>* references_;
  FunctionId function_;
  ir::Type result_;  ///< what `return` gives

  std::vector<Binding> bindings_;
  std::unordered_map<std::string, std::vector<std::size_t>> by_name_;
  std::vector<IndexState> index_states_;
  std::vector<Loop> loops_;
  std::vector<FunctionId> defaults_open_;
  std::vector<std::pair<std::string, Span>> unused_;
  std::set<std::tuple<std::string_view, IndexId, std::string>> index_errors_;  ///< one statement's
  std::vector<int> result_writes_;  ///< kernels: the op kind that each result takes, or -1
  int default_count_ = 0;
  int index_depth_ = 0;
  int depth_ = 0;
  bool too_deep_ = false;
  bool scan_allowed_ = false;
  bool returned_ = false;  ///< a stray `return` was reported
};

}  // namespace linnet::sema
