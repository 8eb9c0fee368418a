#pragma once
// What the items of a plan are called in the one module that `emit` writes.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/ir/effects.hpp"
#include "codegen/ir/ir.hpp"
#include "codegen/ir/lookup.hpp"
#include "codegen/plan/emit/library.hpp"

namespace linnet::plan::detail {

/// Words that no item and no local may have: keywords, reserved words and the prelude.
[[nodiscard]] bool is_taken_word(const std::string& name);

/// `name`, or `name__2`, `name__3`, ...: the first that is not in `taken`, which it joins.
[[nodiscard]] std::string unique_name(const std::string& name, std::set<std::string>& taken);

class Items {
 public:
  /// `importable`: see `plan::emit`.
  Items(const ir::Program& program, const std::set<std::string>* importable);

  [[nodiscard]] const ir::Program& program() const { return program_; }
  [[nodiscard]] const ir::Lookup& lookup() const { return lookup_; }
  [[nodiscard]] const ir::Effects& effects() const { return effects_; }

  /// Whether an item, by its full name, comes in by `use` instead of being declared.
  [[nodiscard]] bool is_imported(const std::string& item) const;

  // The name of an item here; an imported one is noted as used.
  [[nodiscard]] std::string function(const std::string& full_name);
  [[nodiscard]] std::string type(const std::string& module, const std::string& name);
  /// Of a constant, for its declaration.
  [[nodiscard]] std::string constant(const std::string& full_name);

  [[nodiscard]] std::string type_text(const ir::Type& type);
  /// `<A, B>`, empty for no arguments.
  [[nodiscard]] std::string arguments_text(const std::vector<ir::GenericArgument>& arguments);

  /// The `use` lines for everything that was asked for, modules in the plan's order. Modules
  /// that only hold what nothing uses are imported too: their functions are in the plan.
  [[nodiscard]] std::string imports();

 private:
  void add_local_names();
  void add(const std::string& module, const std::string& name);
  std::string named(const std::string& module, const std::string& name);
  void note_module(const std::string& module);
  [[nodiscard]] std::set<std::string> reached_modules() const;
  [[nodiscard]] std::string public_item(const std::string& module) const;

  const ir::Program& program_;
  ir::Lookup lookup_;
  ir::Effects effects_;
  References references_;
  std::set<std::string> declared_here_;       ///< items of `std`
  std::map<std::string, std::string> names_;  ///< `module::name` → name here
  std::set<std::string> taken_;
  std::vector<std::string> modules_;                   ///< in order of appearance
  std::map<std::string, std::set<std::string>> used_;  ///< imported module → its used items
};

/// `module.path` and `name` or `Block.method` of a full name.
[[nodiscard]] std::pair<std::string, std::string> split_name(const std::string& full_name);

}  // namespace linnet::plan::detail
