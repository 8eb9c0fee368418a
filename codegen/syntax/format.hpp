#pragma once
// The formatter: one style, no options (language.md section 14).

#include <optional>
#include <string>
#include <string_view>

#include "codegen/syntax/ast.hpp"
#include "codegen/syntax/diagnostics.hpp"

namespace linnet::syntax {

/// The file's text in the one style: 4 spaces, 100 columns, one statement a line.
/// It has the same tokens and the same comments in the same order. Nothing when the file
/// has syntax errors, which go to `sink`. Formatting its own result changes nothing.
[[nodiscard]] std::optional<std::string> format(const SourceFile& file, DiagnosticSink& sink);

/// A relation of a `where` in the same style but on one line: what messages and plans quote.
/// `text` is what the relation's span covers.
[[nodiscard]] std::string format(const WhereRelation& relation, std::string_view text);

}  // namespace linnet::syntax
