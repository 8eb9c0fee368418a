#pragma once
// Which items of a plan can come in by `use`. Private to codegen/plan/emit.

#include <map>
#include <set>
#include <string>

#include "codegen/ir/ir.hpp"

namespace linnet::plan::detail {

/// The item that a function belongs to, as `module::name`: itself, a method's block.
[[nodiscard]] std::string item_of(const std::string& full_name);

/// For each item, the items that it calls or names the types of.
using References = std::map<std::string, std::set<std::string>>;
[[nodiscard]] References references(const ir::Program& program);

/// The items of `std` that a plan must declare itself: all that are not in `importable`, what
/// rests on one of them, and what such a declaration uses that is not public. With no
/// `importable`, none.
[[nodiscard]] std::set<std::string> declared_here(const ir::Program& program,
                                                  const References& references,
                                                  const std::set<std::string>* importable);

}  // namespace linnet::plan::detail
