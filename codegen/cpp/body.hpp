#pragma once
// Writes the body of one function: SSA regions become C++ statements.
//
// Ops are written in program order. A scalar that is read once is written where it is read; an
// elementwise or view op on tensors waits (RepKind::lazy) and becomes part of the loop of its
// reader, unless it is read more than once or inside a loop: then it gets a buffer of the
// frame. Loops, calls, contractions and state are written where they stand. The result of a
// value that is returned, carried by a loop or stored into state is written straight to where
// it belongs (its destination).

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/cpp/spelling.hpp"
#include "codegen/cpp/text.hpp"
#include "codegen/cpp/usage.hpp"
#include "codegen/cpp/values.hpp"
#include "codegen/ir/ir.hpp"

namespace linnet::cpp {

/// Names of the C++ entities of the whole program, fixed before any body is written.
struct ProgramNames {
  std::map<std::string, std::string> functions;  ///< full name → C++ name, qualified if free
  std::map<std::string, std::string> frames;     ///< full name → frame struct, likewise
  std::map<std::string, std::string> members;    ///< `block key.member` → C++ member name
  std::map<std::string, std::string> blocks;     ///< `module::name` → qualified class name
  std::map<std::string, std::string> enums;      ///< `module::name` → qualified enum name
  std::string numerics = "equivalent";           ///< the default policy of entries
};

/// A function's result or parameter taken apart into tensors and scalars.
struct Leaf {
  ir::Type type;          ///< scalar, tensor, enumeration, or an optional of those
  std::string name;       ///< C++ name
  bool presence = false;  ///< the `bool` that tells whether an optional result is there
};

/// How a function is called; see `FunctionWriter` for the order of the arguments.
struct Signature {
  std::vector<Leaf> results;
  std::vector<Leaf> parameters;
  bool returns_scalar = false;  ///< exactly one scalar result: returned by value
};

class BodyWriter {
 public:
  BodyWriter(const ProgramIndex& index, const ProgramNames& names, const Spelling& spelling,
             const ir::Function& function, Scope& scope);

  /// Writes the whole body at `level`; the parameters' leaves are in scope already.
  void write(const Signature& signature, int level);

  [[nodiscard]] const std::string& text() const { return done_; }
  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }

 private:
  using Index = std::vector<std::string>;

  struct Destination {
    std::string name;  ///< a view to write to
    int slot = -1;
    std::string state;  ///< the state member that it is, if one
  };
  struct Loop {
    std::vector<int> slots;  ///< frame slots from outside that are read or written within
  };

  // --- regions and ops (body.cpp)
  void bind_parameters(const Signature& signature);
  RepPtr bind_leaves(const ir::Type& type, const std::vector<Leaf>& leaves, std::size_t& at);
  void write_ops(const ir::Region& region);
  void write_op(const ir::Op& op);
  void write_return(const ir::Op& op, const Signature& signature);
  void plan_destinations(const ir::Region& region, const Signature& signature);
  [[nodiscard]] static const ir::Op* terminator(const ir::Region& region);
  void set(const ir::Value& value, RepPtr rep) { values_[value.id] = std::move(rep); }
  [[nodiscard]] RepPtr get(int value) const;
  void force_free(const ir::Op& op);
  void force_state_readers(const std::string& state, int position);

  // --- scalars (body_scalar.cpp)
  [[nodiscard]] Code scalar(const RepPtr& rep);
  [[nodiscard]] Code scalar(int value) { return scalar(get(value)); }
  [[nodiscard]] Code scalar_op(const ir::Op& op);
  [[nodiscard]] Code elementwise(const ir::Op& op, const std::vector<Code>& operands,
                                 const ir::Dtype& operand_dtype, const ir::Dtype& result_dtype);
  [[nodiscard]] Code literal(const ir::Op& op);
  [[nodiscard]] Code short_circuit(const ir::Op& op);
  void define_scalar(const ir::Op& op, const ir::Value& value);
  void note_sources(const ir::Op& op, const RepPtr& rep) const;
  [[nodiscard]] std::string name_scalar(const ir::Value& value, const Code& code);
  [[nodiscard]] Code reduction(const ir::Op& op);
  [[nodiscard]] std::string scalar_cpp_type(const ir::Type& type) const;

  // --- elements of tensors (body_element.cpp)
  [[nodiscard]] Code element(const RepPtr& rep, const Index& index);
  [[nodiscard]] Code memory_element(const RepPtr& rep, const Index& index);
  [[nodiscard]] Code access(const ir::Op& op);
  [[nodiscard]] Code slice_element(const RepPtr& rep, const Index& index);
  [[nodiscard]] Code concat_element(const RepPtr& rep, const Index& index);
  [[nodiscard]] Code comprehension_element(const RepPtr& rep, const Index& index);
  [[nodiscard]] Index broadcast_index(const ir::ShapeUnits& from, const ir::ShapeUnits& to,
                                      const Index& index) const;
  [[nodiscard]] std::string linear(const ir::ShapeUnits& units, const Index& index) const;
  [[nodiscard]] Index unlinear(const ir::ShapeUnits& units, const std::string& position) const;
  [[nodiscard]] std::string position(const Code& value, const ir::Unit& axis,
                                     std::string_view name);
  [[nodiscard]] Code reads_flat(const RepPtr& rep, const std::string& position);
  [[nodiscard]] bool is_flat(const RepPtr& rep, const ir::ShapeUnits& units) const;
  [[nodiscard]] int cost(const RepPtr& rep) const;
  const std::string& use(const RepPtr& memory);
  void touch_all(const RepPtr& rep);
  void touch(int slot);

  // --- tensors (body_tensor.cpp)
  void define_tensor(const ir::Op& op, const ir::Value& value);
  void force(const RepPtr& rep, std::string_view name);
  RepPtr materialise(const RepPtr& rep, std::string_view name, const Destination* to);
  [[nodiscard]] Destination allocate(const ir::Type& type, std::string_view name);
  [[nodiscard]] Destination destination(const ir::Value& value);
  RepPtr as_memory(const ir::Type& type, const Destination& to);
  [[nodiscard]] Index open_loops(const ir::ShapeUnits& units, std::vector<std::string> names);
  void close_loops(const ir::ShapeUnits& units);
  void fill_from(const RepPtr& rep, const Destination& to);
  void fill_comprehension(const ir::Op& op, const Destination& to);
  void fill_concat(const RepPtr& rep, const Destination& to);
  void fill_cumsum(const ir::Op& op, const Destination& to);
  void copy(const RepPtr& from, const Destination& to);
  [[nodiscard]] Index bind_indices(const ir::Op& op);

  // --- contractions (body_contract.cpp)
  [[nodiscard]] bool fill_contraction(const ir::Op& op, const Destination& to);

  // --- control flow (body_control.cpp)
  void write_if(const ir::Op& op);
  void write_option_match(const ir::Op& op);
  void write_enum_match(const ir::Op& op);
  void write_loop(const ir::Op& op);
  void write_while(const ir::Op& op);
  /// Where the branches of a conditional put one value: a variable, a buffer, or their parts.
  struct Target {
    std::string name;  ///< scalars: the variable; optionals: whether it is there
    Destination tensor;
    std::vector<Target> parts;
  };
  /// A value that goes round a loop: a variable, or a view that alternates between two buffers.
  struct Carried {
    std::string name;
    std::string next, spare;  ///< tensors: the buffers that the next steps write
    int slot = -1, other_slot = -1;
    std::vector<Carried> parts;
  };
  [[nodiscard]] Target make_target(const ir::Type& type, std::string_view name,
                                   const ir::Value* value);
  void aim(const Target& target, const ir::Type& type, int value, const ir::Region& region);
  void assign(const Target& target, const RepPtr& rep);
  [[nodiscard]] RepPtr target_rep(const Target& target, const ir::Type& type);
  void write_branch(const ir::Region& region, const std::vector<Target>& targets,
                    const std::vector<ir::Value>& results);
  [[nodiscard]] std::vector<Target> make_targets(const ir::Op& op);
  void bind_targets(const ir::Op& op, const std::vector<Target>& targets);
  void inline_branch(const ir::Region& region, const ir::Op& op);
  [[nodiscard]] Code branch_code(const ir::Region& region, std::string& statements, int level);
  [[nodiscard]] Code conditional(const ir::Op& op);
  [[nodiscard]] Carried begin_carry(const ir::Type& type, std::string_view name,
                                    const RepPtr& initial);
  void aim_carry(const Carried& carried, const ir::Type& type, int value, const ir::Region& region);
  void prepare_step(const Carried& carried, const RepPtr& rep, std::vector<std::string>& after);
  [[nodiscard]] RepPtr carried_rep(const Carried& carried, const ir::Type& type) const;
  void stack_element(const Target& target, const ir::Type& type, const RepPtr& rep,
                     const std::string& step);
  [[nodiscard]] static bool defines(const ir::Region& region, int value);

  // --- calls, blocks, state (body_call.cpp)
  void write_call(const ir::Op& op);
  [[nodiscard]] Code call_text(const ir::Op& op, const std::vector<std::string>& results);
  [[nodiscard]] std::string callee_arguments(const ir::Op& op, const ir::Function& callee) const;
  void pass(const ir::Type& type, const RepPtr& rep, std::vector<std::string>& arguments);
  [[nodiscard]] std::string pass_tensor(const ir::Type& type, const RepPtr& rep);
  void write_state(const ir::Op& op);
  [[nodiscard]] std::string member_access(const RepPtr& block, const std::string& member) const;
  [[nodiscard]] static std::string member_path(const RepPtr& block, const std::string& member);
  [[nodiscard]] std::optional<Destination> in_place_state(const ir::Op& op);
  void block_op(const ir::Op& op);

  // --- text
  Text& out() { return *out_; }
  void enter_loop();
  void leave_loop();
  [[nodiscard]] std::string fresh(std::string_view wanted) { return scope_->name(wanted); }

  const ProgramIndex& index_;
  const ProgramNames& names_;
  const Spelling& spelling_;
  const ir::Function& function_;
  Scope* scope_;
  Usage usage_;
  Text text_;
  Text* out_ = &text_;
  std::string done_;
  const Signature* signature_ = nullptr;
  std::map<int, RepPtr> values_;
  std::map<int, Destination> destinations_;
  std::vector<Slot> slots_;
  std::vector<Loop> loops_;
  std::vector<int> effects_;  // positions of ops that read or write state
  int clock_ = 0;
  int depth_ = 0;  // nesting of the writer itself, bounded against hostile plans

  /// A tensor whose elements cost no more than this is not worth a buffer, however often it is
  /// read.
  static constexpr int kCheap = 2;
  /// Waiting expressions longer than this get a name or a buffer.
  static constexpr int kLongExpression = 48;
};

/// The leaves of a type, named after `name`: `layer_scale`, `layer_shift`.
/// Optionals of scalars and tensors are one leaf; as results they are two, with their presence.
void collect_leaves(const ProgramIndex& index, const ir::Type& type, const std::string& name,
                    bool as_results, std::vector<Leaf>& out);

}  // namespace linnet::cpp
