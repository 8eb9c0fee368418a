#pragma once
// Diagnostics as text for people and as JSON for tools (language.md section 13).

#include <string>
#include <vector>

#include "codegen/syntax/diagnostics.hpp"

namespace linnet::syntax {

/// One diagnostic with its source lines, ending in a line break. Tabs take four
/// columns, characters that would disturb a terminal are replaced, very long lines are cut
/// around the marked places.
[[nodiscard]] std::string render_text(const Diagnostic& diagnostic, const SourceManager& sources,
                                      bool colour);

/// The one JSON document of `--json`, ending in a line break.
[[nodiscard]] std::string render_json(const std::vector<Diagnostic>& diagnostics,
                                      const SourceManager& sources);

}  // namespace linnet::syntax
