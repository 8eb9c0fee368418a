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

/// Linnet source of a plan, formatted: one module with the name of the plan's. Items of
/// `std` are imported, those of other modules are declared in it (under another name where
/// two share one). It checks clean; lowering it gives the plan again, up to numbering and,
/// for items of other modules, their full names. Gives nothing, and says why, for what has
/// no source form: a struct whose declaration the plan does not carry, an infinite constant,
/// values shared inside an expression too often to write out.
[[nodiscard]] std::optional<std::string> emit(const ir::Program& program,
                                              std::vector<ir::Problem>& problems);

}  // namespace linnet::plan
