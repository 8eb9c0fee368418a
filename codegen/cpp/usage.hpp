#pragma once
// Facts about a function's body that decide how it is written: who reads a value and where,
// what must not be evaluated early, which functions have effects.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codegen/ir/ir.hpp"

namespace linnet::cpp {

/// A program with its functions and blocks by name.
class ProgramIndex {
 public:
  explicit ProgramIndex(const ir::Program& program);

  [[nodiscard]] const ir::Program& program() const { return program_; }
  [[nodiscard]] const ir::Function* function(std::string_view name) const;
  [[nodiscard]] const ir::Block* block(std::string_view name) const;
  /// The types of a struct's fields under its arguments; empty when the plan does not tell.
  [[nodiscard]] std::vector<ir::Type> fields(const ir::TypeNode& type) const;
  [[nodiscard]] std::vector<std::string> field_names(const ir::TypeNode& type) const;
  /// Reads or writes state, itself or through a call.
  [[nodiscard]] bool has_effects(const ir::Op& op) const;
  /// The call's result may take the place of argument `position` in memory: the callee reads
  /// that parameter only at the element that it is about to write.
  [[nodiscard]] bool writes_in_place(const ir::Function& function, std::size_t position) const;

 private:
  const ir::Program& program_;
  std::map<std::string, const ir::Function*, std::less<>> functions_;
  std::map<std::string, const ir::Block*, std::less<>> blocks_;
};

/// Where the values of one function are defined and read.
class Usage {
 public:
  explicit Usage(const ir::Function& function);
  explicit Usage(const ir::Region& region);

  [[nodiscard]] int uses(int value) const;
  /// Read inside a loop that does not hold its definition.
  [[nodiscard]] bool repeated(int value) const;
  /// The position of the last op that reads the value; ops are numbered in program order.
  [[nodiscard]] int last_use(int value) const;
  [[nodiscard]] int position(const ir::Op& op) const;
  /// Values that only the right side of an `and` or `or` needs.
  [[nodiscard]] bool guarded(int value) const { return guarded_.contains(value); }
  [[nodiscard]] const ir::Op* definition(int value) const;
  /// The last op that reads the value, null if none does.
  [[nodiscard]] const ir::Op* last_user(int value) const;
  /// Values from outside that the regions of `op` read, each once, in order.
  [[nodiscard]] static std::vector<int> free_values(const ir::Op& op);

 private:
  struct Facts {
    int uses = 0;
    int last = -1;
    int loop = 0;
    bool repeated = false;
    const ir::Op* definition = nullptr;
    std::vector<const ir::Op*> users;
  };
  void walk(const ir::Region& region, int loop);
  void find_guarded();
  [[nodiscard]] bool only_guarded_users(int value) const;

  std::unordered_map<int, Facts> facts_;
  std::unordered_map<const ir::Op*, int> positions_;
  std::vector<const ir::Op*> conditionals_;
  std::set<int> guarded_;
  int next_loop_ = 0;
};

[[nodiscard]] bool is_loop(ir::OpKind kind);
/// One result computed from operands alone, element by element.
[[nodiscard]] bool is_elementwise(ir::OpKind kind);
/// Whether an op of this kind occurs in the region, at any depth.
[[nodiscard]] bool contains(const ir::Region& region, ir::OpKind kind);
/// `comprehension` reads `value` nowhere but at the element that it defines.
[[nodiscard]] bool reads_only_own_element(const ir::Op& comprehension, int value);

}  // namespace linnet::cpp
