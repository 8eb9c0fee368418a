#pragma once
// From a file's text to its syntax tree.

#include <memory>

#include "codegen/syntax/ast.hpp"
#include "codegen/syntax/diagnostics.hpp"

namespace linnet::syntax {

/// Parses one file. Errors E10xx and E11xx go to `sink`; when any was reported
/// for this file, the result is null, for a file with syntax errors is not
/// checked further. Time is linear in the text.
[[nodiscard]] std::unique_ptr<Module> parse(const SourceFile& file, NodeIds& ids,
                                            DiagnosticSink& sink);

}  // namespace linnet::syntax
