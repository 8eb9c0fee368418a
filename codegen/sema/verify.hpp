#pragma once
// The promises of checked.hpp, checked: for tests and fuzzing.

#include <string>

#include "codegen/sema/checked.hpp"

namespace linnet::sema {

/// Empty for a sound program; otherwise what is wrong with it, and where. Only for programs that
/// are `ok`: every expression present, of a settled type, and every id in range.
[[nodiscard]] std::string find_flaw(const CheckedProgram& program);

}  // namespace linnet::sema
