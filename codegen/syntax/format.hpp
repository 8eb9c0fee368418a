#pragma once
// The formatter: one style, no options (language.md section 14).

#include <optional>
#include <string>

#include "codegen/syntax/diagnostics.hpp"

namespace linnet::syntax {

/// The file's text in the one style: 4 spaces, 100 columns, one statement a line.
/// It has the same tokens and the same comments in the same order. Nothing when the file
/// has syntax errors, which go to `sink`. Formatting its own result changes nothing.
[[nodiscard]] std::optional<std::string> format(const SourceFile& file, DiagnosticSink& sink);

}  // namespace linnet::syntax
