#pragma once
// The plan document, version 1 (docs: plan-format.md): JSON text of an ir::Program.

#include <optional>
#include <set>
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
/// fields of `write` are optional: structs and enums that the plan does not declare are told
/// from their uses where they can be, and so are bindings that a call leaves off. Anything that is
/// not a well-formed plan gives no program and at least one problem with the JSON path of the thing
/// at fault; no input crashes, hangs or overflows the stack.
[[nodiscard]] std::optional<ir::Program> read(std::string_view text,
                                              std::vector<ir::Problem>& problems);

/// Linnet source of a plan, formatted: one module with the name of the plan's. Items of
/// `std` are imported, those of other modules are declared in it (under another name where
/// two share one). It checks clean; lowering it gives the plan again, up to numbering and,
/// for items of other modules, their full names.
///
/// `importable` are the items of `std`, by full name (a method counts with its block), that may
/// be imported; others are declared like those of other modules. Null is all of them.
///
/// Structs and enums that the plan does not declare are told from their uses, names that the
/// language reserves are changed, and what has no source of its own is written as what means
/// the same (an infinite constant is a division by zero). Gives nothing, and says why, where
/// there is no such source: a struct whose fields cannot be told, a reduction over a pack,
/// statements inside an expression, the number of elements of a pack as a value.
[[nodiscard]] std::optional<std::string> emit(const ir::Program& program,
                                              std::vector<ir::Problem>& problems,
                                              const std::set<std::string>* importable = nullptr);

/// The items of `std` that both programs declare, with one meaning as far as their ops tell.
[[nodiscard]] std::set<std::string> same_items(const ir::Program& program,
                                               const ir::Program& library);

}  // namespace linnet::plan
