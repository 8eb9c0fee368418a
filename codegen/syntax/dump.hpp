#pragma once
// The syntax tree and the tokens as text: `linnet inspect --ast` and `--tokens`.

#include <string>

#include "codegen/syntax/ast.hpp"
#include "codegen/syntax/token.hpp"

namespace linnet::syntax {

/// The tree by structure, two spaces a level, without ids; with `spans`, each node's line and
/// column range. Without them, two texts of the same program give the same dump.
[[nodiscard]] std::string dump(const Module& module, const SourceFile& file, bool spans);

/// One token a line: position, class, text.
[[nodiscard]] std::string dump(const TokenStream& stream, const SourceFile& file);

}  // namespace linnet::syntax
