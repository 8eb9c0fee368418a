#pragma once
// Spellings of the plan format (docs: plan-format.md) for the enumerations of the Core IR.
//
// Each enumeration has one table in names.cpp; `*_name` reads it forwards and
// `parse_*` backwards, so a new op is spelled in exactly one place.

#include <optional>
#include <string_view>

#include "codegen/ir/ir.hpp"

namespace linnet::ir {

/// `const.int`, `bitand`, `if`, ...: the plan's spelling of an op kind.
[[nodiscard]] std::string_view op_name(OpKind kind);
/// The op kind of a plan's spelling; empty for a word that is no op.
[[nodiscard]] std::optional<OpKind> parse_op(std::string_view name);

/// `f32`, `bool`, ...
[[nodiscard]] std::string_view scalar_name(Scalar scalar);
[[nodiscard]] std::optional<Scalar> parse_scalar(std::string_view name);

/// `any`, `numeric`, `integer`, `float`.
[[nodiscard]] std::string_view dtype_class_name(DtypeClass dtype_class);
[[nodiscard]] std::optional<DtypeClass> parse_dtype_class(std::string_view name);

/// `==`, `<=`, ...: how constraints spell a relation.
[[nodiscard]] std::string_view relation_symbol(Relation relation);
[[nodiscard]] std::optional<Relation> parse_relation_symbol(std::string_view symbol);

/// `eq`, `le`, ...: how `compare` spells a relation.
[[nodiscard]] std::string_view relation_name(Relation relation);
[[nodiscard]] std::optional<Relation> parse_relation_name(std::string_view name);

/// `sum prod max min any all`.
[[nodiscard]] std::string_view reduce_name(ReduceKind kind);
[[nodiscard]] std::optional<ReduceKind> parse_reduce(std::string_view name);

/// `param buffer state sub`.
[[nodiscard]] std::string_view member_kind_name(MemberKind kind);
[[nodiscard]] std::optional<MemberKind> parse_member_kind(std::string_view name);

/// `fn op entry kernel`.
[[nodiscard]] std::string_view function_kind_name(FunctionKind kind);
[[nodiscard]] std::optional<FunctionKind> parse_function_kind(std::string_view name);

/// `scalar`, `tensor`, `struct`, ...
[[nodiscard]] std::string_view type_kind_name(TypeKind kind);
[[nodiscard]] std::optional<TypeKind> parse_type_kind(std::string_view name);

/// `dim shape dtype`.
[[nodiscard]] std::string_view generic_kind_name(GenericKind kind);
[[nodiscard]] std::optional<GenericKind> parse_generic_kind(std::string_view name);

/// `add mul floordiv mod min max`; empty for leaves.
[[nodiscard]] std::string_view dim_op_name(DimKind kind);
[[nodiscard]] std::optional<DimKind> parse_dim_op(std::string_view name);

}  // namespace linnet::ir
