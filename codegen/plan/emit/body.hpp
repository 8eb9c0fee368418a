#pragma once
// Linnet source of one body. Private to codegen/plan/emit.
//
// The source must lower to the same ops in the same order. An unnamed value that is used
// once, right where the order of evaluation wants it, is written inside its use; others are
// bound by `let`. Inside expressions (index notation, branches) there is no `let`: there a
// value without effects is written out at each use while it is short, and one that must be
// bound is taken apart by a `match some(value)`, which is settled when compiling.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/ir/ir.hpp"
#include "codegen/ir/verify.hpp"
#include "codegen/plan/emit/items.hpp"

namespace linnet::plan::detail {

/// Binding strength of an expression's outermost operator (language.md section 5).
enum Strength : int {
  loosest = 0,  ///< `if`, `match`, reductions
  logical_or,
  logical_and,
  equality,
  comparison,
  bit_or,
  bit_xor,
  bit_and,
  additive,
  multiplicative,
  unary,
  primary
};

struct Text {
  std::string text;
  int strength = primary;
  bool needs_context = false;  ///< a literal of no default dtype, a variant of a generic enum
  bool compile_time = false;   ///< an integer that the checker would compute with
};

class BodyWriter {
 public:
  BodyWriter(Items& items, const ir::Block* block, std::vector<ir::Problem>& problems,
             std::string where);

  /// Declares a parameter under exactly this name (or one made up, when it is empty).
  std::string parameter(const ir::Value& value);
  void own_block(const ir::Value& value) { own_block_ = value.id; }
  void reserve(const std::string& name) { taken_.insert(name); }
  void reserve_uses(const ir::Region& region);

  /// The statements of a function's body, each line indented.
  std::string statements(const ir::Region& region);
  /// The expression that a region yields.
  std::string value(const ir::Region& region);

 private:
  /// `name` or `(a, _, b)`, and what it stands for inside an expression.
  struct Binding {
    std::string pattern;
    std::string text;
  };
  struct Carried {
    std::vector<std::string> names;
    std::vector<int> ids;  ///< what each holds at the start of the body
    std::vector<std::string> bases;
  };

  // Names (body.cpp).
  [[nodiscard]] std::string fresh(const std::string& base);
  [[nodiscard]] std::string fresh(const ir::Value& value);
  void count_uses(const ir::Region& region);
  void refuse(const std::string& message);
  void line(const std::string& text);
  [[nodiscard]] const ir::Type& type_of(int id) const { return types_.at(id); }

  // Order of evaluation: unnamed values waiting for their one use (order.cpp).
  [[nodiscard]] std::string plan_name(const ir::Op& op) const;
  [[nodiscard]] bool is_free(const ir::Op& op) const;
  void flush();
  void note_order(const ir::Op& op);
  [[nodiscard]] std::vector<std::size_t> written_order(const std::vector<int>& operands,
                                                       std::size_t first) const;
  [[nodiscard]] std::vector<int> operands_as_written(const ir::Op& op) const;
  struct Waiting {
    std::vector<int> ids;
    std::map<int, bool> seen;  ///< values written at their use → whether they hold waiting ones
    bool in_order = true;
  };
  void waiting_under(int id, Waiting& found) const;
  void waiting_inside(const ir::Region& region, Waiting& found) const;
  [[nodiscard]] bool holds_waiting(const ir::Op& op) const;
  void flush_unless_last(const std::vector<int>& operands);
  void flush_before(const ir::Op& op);
  void let(const ir::Op& op, const Text& text);
  void let_value(const ir::Value& value, const Text& text, bool annotated);

  // Statements (statements.cpp).
  void body(const ir::Region& region, const Carried& carried, bool is_scan);
  void statement(const ir::Op& op);
  void tuple_gets(const std::vector<ir::Op>& ops, std::size_t& next);
  void comprehension(const ir::Op& op);
  void kernel_write(const ir::Op& op);
  void give(const ir::Op& op);

  // Loops (loops.cpp).
  void loop(const ir::Op& op);
  void range_loop_at_run_time(const ir::Op& op);
  void finish_loop(const ir::Op& op, const Carried& carried);
  void end_of_body(const ir::Op& op, const Carried& carried, bool is_scan);
  bool assigns_carried(const std::vector<ir::Op>& ops, std::size_t position,
                       const Carried& carried);
  Carried declare_carried(const ir::Op& op, std::size_t first, const ir::Region& body);
  /// A bound that is known when compiling, else empty.
  [[nodiscard]] std::string bound_text(int id) const;

  // Expressions (expressions.cpp).
  Text operand(int id);
  std::string operand_at(int id, int strength);
  /// The operand as what is indexed.
  std::string indexed(int id);
  /// The operand as a value of its own dtype, whatever stands around it.
  Text typed(int id);
  /// Gives text that takes its type from around it one of its own.
  [[nodiscard]] Text with_own_type(const Text& text, const ir::Type& type);
  Text expression(const ir::Op& op);

  // Regions of expressions (regions.cpp).
  Text region_expression(const ir::Region& region);
  void inner_op(const ir::Op& op, const ir::Region& region);
  [[nodiscard]] std::string any_value(const ir::Type& type);
  Text branch(const ir::Op& op);
  Text option_match(const ir::Op& op);
  std::string pattern(const ir::Value& value, const ir::Region& region);

  // Literals, operators and elementwise functions (operators.cpp).
  Text literal(const ir::Op& op);
  Text float_literal(const ir::Op& op);
  Text binary(const ir::Op& op, const char* sign, int strength);
  Text elementwise(const ir::Op& op);
  Text broadcasting_call(const ir::Op& op);
  Text prelude_call(const std::string& name, const std::vector<int>& operands,
                    const std::string& extra = {});

  // Views (views.cpp).
  Text view(const ir::Op& op);
  Text slice(const ir::Op& op);
  [[nodiscard]] std::string axis_text(const ir::Op& op) const;

  // Index notation (index_notation.cpp).
  std::string index_names(const ir::Op& op);
  Text element(const ir::Op& op);
  Text reduce(const ir::Op& op);
  Text with_domains(const ir::Op& op, Text body);
  [[nodiscard]] std::string index_value(int id);

  // Calls, members, aggregates (aggregates.cpp).
  Text function_call(const ir::Op& op);
  Text member(const ir::Op& op);
  Text aggregate(const ir::Op& op);
  Text load(const ir::Op& op);

  static constexpr std::size_t max_text = std::size_t{16} << 20;
  /// A longer value that is used more than once inside an expression is bound.
  static constexpr std::size_t max_repeated = 80;
  static constexpr int max_depth = 1000;

  Items& items_;
  const ir::Block* block_;
  std::vector<ir::Problem>& problems_;
  std::string where_;
  std::string out_;
  int indent_ = 1;
  int depth_ = 0;      ///< of expressions
  bool binds_ = true;  ///< at statements, where `let` can be used
  bool keeps_names_ = true;
  std::size_t written_ = 0;
  std::set<std::string> taken_;
  int next_unnamed_ = 1;
  int own_block_ = -1;
  std::map<int, std::string> names_;     ///< values that have a name here
  std::map<int, const ir::Op*> makers_;  ///< values written where they are used
  std::vector<int> pending_;             ///< waiting, in order
  std::map<int, Text> texts_;            ///< of the waiting ones
  std::vector<Binding> bindings_;        ///< of the expression that is being written
  std::map<int, int> order_;             ///< of values that are not bound: when they are made
  std::map<int, int> uses_;
  std::map<int, ir::Type> types_;
  std::map<int, const ir::Op*> constants_;
  std::map<int, ir::ShapeUnits> domains_;  ///< of indices
  std::set<int> placed_;                   ///< indices that stand as a position
};

}  // namespace linnet::plan::detail
