#pragma once
// The syntax tree of one `.linnet` file: language.md section 15, production by
// production.
//
// Nodes of the four open families (Expr, Type, Pattern, Statement) derive from
// a base with a `kind`; switch on it and use `as<Binary>(expr)`. Each carries an
// `id`, dense and unique over all files parsed with one `NodeIds`, so later
// stages keep side tables as plain vectors. Everything else is a plain struct.
// Children are owned by unique_ptr and never null unless said so.
//
// The tree is what was written: contextual things (is this name a dimension, a
// dtype or a type?) are decided by the checker.
//
//   ast_nodes.hpp        ids, names, the bases of the families
//   ast_types.hpp        shapes, generic arguments, types, patterns
//   ast_expressions.hpp
//   ast_statements.hpp
//   ast_items.hpp        items, members, imports, files

#include <string_view>

#include "codegen/syntax/ast_expressions.hpp"
#include "codegen/syntax/ast_items.hpp"
#include "codegen/syntax/ast_nodes.hpp"
#include "codegen/syntax/ast_statements.hpp"
#include "codegen/syntax/ast_types.hpp"

namespace linnet::syntax {

/// As the source writes it.
[[nodiscard]] std::string_view spelling(BinaryOp op);
[[nodiscard]] std::string_view spelling(UnaryOp op);
[[nodiscard]] std::string_view spelling(ReductionOp op);
[[nodiscard]] std::string_view spelling(RelationOp op);
[[nodiscard]] std::string_view spelling(WriteOp op);
[[nodiscard]] std::string_view spelling(GenericParamKind kind);
[[nodiscard]] std::string_view spelling(MemberKind kind);
[[nodiscard]] std::string_view spelling(FunctionKind kind);

}  // namespace linnet::syntax
