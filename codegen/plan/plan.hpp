#pragma once
// The plan document, version 1 (docs: plan-format.md): JSON text of an ir::Program.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/ir/ir.hpp"
#include "codegen/ir/verify.hpp"

namespace linnet::plan {

/// The plan as readable JSON, ending in a newline. The same program gives the same
/// bytes, and `read` gives the program back exactly.
[[nodiscard]] std::string write(const ir::Program& program);

/// Reads a plan of any Linnet 0.1 compiler. Unknown fields are ignored, the extension
/// fields of `write` are optional. Anything that is not a well-formed plan gives no
/// program and at least one problem with the JSON path of the thing at fault; no input
/// crashes, hangs or overflows the stack.
[[nodiscard]] std::optional<ir::Program> read(std::string_view text,
                                              std::vector<ir::Problem>& problems);

/// Linnet source of a plan: one module that declares everything the plan holds. It
/// checks without errors, and lowering it gives the same plan up to numbering and the
/// names of modules.
[[nodiscard]] std::string emit(const ir::Program& program);

}  // namespace linnet::plan
