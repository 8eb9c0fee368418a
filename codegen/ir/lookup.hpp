#pragma once
// Finding declarations of a Program by the names that types and calls use.

#include <string_view>
#include <unordered_map>

#include "codegen/ir/ir.hpp"

namespace linnet::ir {

/// Names to declarations. Valid while the Program is not changed.
///
/// `Program::blocks` is keyed by a block's bare name; where two modules declare blocks of
/// one name, every such key is `module::Name`. Types say name and module and find both.
class Lookup {
 public:
  explicit Lookup(const Program& program);

  [[nodiscard]] const Function* function(std::string_view full_name) const;
  /// By the key that `Function::block` holds.
  [[nodiscard]] const Block* block(std::string_view key) const;
  /// By name and module of a block type.
  [[nodiscard]] const Block* block(const TypeNode& type) const;
  [[nodiscard]] const Structure* structure(const TypeNode& type) const;
  [[nodiscard]] const Enumeration* enumeration(const TypeNode& type) const;

 private:
  std::unordered_map<std::string, const Function*> functions_;
  std::unordered_map<std::string, const Block*> block_keys_;
  std::unordered_map<std::string, const Block*> blocks_;
  std::unordered_map<std::string, const Structure*> structures_;
  std::unordered_map<std::string, const Enumeration*> enumerations_;
};

[[nodiscard]] const Member* find_member(const Block& block, std::string_view name);

}  // namespace linnet::ir
