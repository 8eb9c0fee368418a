#pragma once
// Lowering: a checked program becomes Core IR, ready to be written as a plan.

#include <optional>
#include <string>
#include <vector>

#include "codegen/ir/ir.hpp"
#include "codegen/ir/verify.hpp"
#include "codegen/sema/checked.hpp"

namespace linnet::ir {

struct LowerOptions {
  /// The root block, by name, of the root module (or, failing that, of any module). Empty:
  /// the last public block of the root module that has an entry, else its last block with
  /// one, else no root.
  std::string root;
  /// No root and no manifest: the module's own entries are what is exposed.
  bool functions_only = false;
};

/// Lowers a program whose `ok` is true. Every function, block and constant of every module
/// comes along, in declaration order, and the same program gives the same IR. Gives nothing,
/// and says why, when there is no block `options.root` or the parameters are too many to list.
[[nodiscard]] std::optional<Program> lower(const sema::CheckedProgram& checked,
                                           const LowerOptions& options,
                                           std::vector<Problem>& problems);

}  // namespace linnet::ir
