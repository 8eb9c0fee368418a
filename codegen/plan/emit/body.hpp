#pragma once
// Linnet source of one body. Private to codegen/plan/emit.
//
// The source must lower to the same ops in the same order. An unnamed value that is used
// once, right where the order of evaluation wants it, is written inside its use; all others
// are bound by `let`. Regions of expressions (index notation, branches) can bind nothing:
// there every value is written out where it is used.

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
  bool needs_context = false;  ///< a literal whose dtype is not the default one
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
  // Statements (body.cpp).
  struct Carried {
    std::vector<std::string> names;
    std::vector<int> ids;  ///< what each holds at the start of the body
    std::vector<std::string> bases;
  };
  void line(const std::string& text);
  void body(const ir::Region& region, const Carried& carried, bool is_scan);
  void statement(const ir::Op& op);
  void let(const ir::Op& op, const Text& text);
  void let_value(const ir::Value& value, const Text& text, bool annotated);
  void tuple_gets(const std::vector<ir::Op>& ops, std::size_t& next);
  void loop(const ir::Op& op);
  void comprehension(const ir::Op& op);
  void kernel_write(const ir::Op& op);
  void give(const ir::Op& op);
  void end_of_body(const ir::Op& op, const Carried& carried, bool is_scan);
  bool assigns_carried(const std::vector<ir::Op>& ops, std::size_t position,
                       const Carried& carried);
  Carried declare_carried(const ir::Op& op, std::size_t first, const ir::Region& body);
  std::string bound_text(int id);

  // Order of evaluation: unnamed values waiting for their one use.
  void flush();
  [[nodiscard]] std::vector<std::size_t> written_order(const std::vector<int>& operands,
                                                       std::size_t first) const;
  void note_order(const ir::Op& op);
  void flush_unless_last(const std::vector<int>& operands);
  void count_uses(const ir::Region& region);

  // Expressions (expressions.cpp).
  Text operand(int id);
  std::string operand_at(int id, int strength);
  Text expression(const ir::Op& op);
  Text binary(const ir::Op& op, const char* sign, int strength);
  Text function_call(const ir::Op& op);
  Text prelude_call(const std::string& name, const std::vector<int>& operands,
                    const std::string& extra = {});
  Text slice(const ir::Op& op);
  Text element(const ir::Op& op);
  Text reduce(const ir::Op& op);
  Text branch(const ir::Op& op);
  Text option_match(const ir::Op& op);
  Text literal(const ir::Op& op);
  Text member(const ir::Op& op);
  Text aggregate(const ir::Op& op);
  Text load(const ir::Op& op);
  Text region_expression(const ir::Region& region);
  /// The operand as a value of its own dtype, whatever stands around it.
  Text typed(int id);
  std::string pattern(const ir::Value& value, const ir::Region& region);
  std::string index_names(const ir::Op& op);
  [[nodiscard]] std::string axis_text(const ir::Op& op) const;
  void refuse(const std::string& message);

  [[nodiscard]] std::string fresh(const std::string& base);
  [[nodiscard]] std::string fresh(const ir::Value& value);
  [[nodiscard]] bool is_free(const ir::Op& op) const;
  [[nodiscard]] std::string plan_name(const ir::Op& op) const;
  [[nodiscard]] const ir::Type& type_of(int id) const { return types_.at(id); }

  static constexpr std::size_t max_text = std::size_t{16} << 20;
  static constexpr int max_depth = 1000;

  Items& items_;
  const ir::Block* block_;
  std::vector<ir::Problem>& problems_;
  std::string where_;
  std::string out_;
  int indent_ = 1;
  int depth_ = 0;      ///< of expressions
  bool binds_ = true;  ///< at statements, where `let` can be used
  std::size_t written_ = 0;
  std::set<std::string> taken_;
  int next_unnamed_ = 1;
  int own_block_ = -1;
  std::map<int, std::string> names_;     ///< values that have a name here
  std::map<int, const ir::Op*> makers_;  ///< values written where they are used
  std::vector<int> pending_;             ///< waiting, in order
  std::map<int, Text> texts_;            ///< of the waiting ones
  std::map<int, int> order_;             ///< of values that are not bound: when they are made
  std::map<int, int> uses_;
  std::map<int, ir::Type> types_;
};

}  // namespace linnet::plan::detail
