#pragma once
// The C++ header of a program: the entry point of this stage.

#include <string>
#include <vector>

#include "codegen/ir/ir.hpp"

namespace linnet::cpp {

/// A construct that cannot be generated; reported as E2190.
struct GenerationError {
  std::string function;  ///< full name, empty when it concerns the program
  std::string message;   ///< one sentence that names the construct
};

struct Header {
  std::string text;  ///< empty when there are errors
  std::vector<GenerationError> errors;
};

struct GenerateOptions {
  /// What entries run with unless their caller says otherwise: `exact`, `equivalent`, `fast`.
  std::string numerics = "equivalent";
};

/// The text of the `.linnet.hpp`: the same program gives the same bytes. Functions that no
/// entry reaches may be left out, with a comment that says why; one that an entry needs and
/// that cannot be generated is an error.
[[nodiscard]] Header generate(const ir::Program& program, const GenerateOptions& options = {});

}  // namespace linnet::cpp
