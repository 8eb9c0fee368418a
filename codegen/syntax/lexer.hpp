#pragma once
// Text to tokens.

#include "codegen/syntax/diagnostics.hpp"
#include "codegen/syntax/token.hpp"

namespace linnet::syntax {

/// Splits a file into tokens and comments; reports E1001, E1002, E1003 and E1005.
/// A malformed number or string still gives its token, a stray character none.
[[nodiscard]] TokenStream tokenize(const SourceFile& file, DiagnosticSink& sink);

/// The value of a well-formed string token, its escapes resolved. Ill-formed
/// escapes are left out.
[[nodiscard]] std::string string_value(std::string_view token);

}  // namespace linnet::syntax
