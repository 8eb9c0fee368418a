#include "codegen/ir/names.hpp"

#include <array>
#include <utility>

namespace linnet::ir {
namespace {

template <class Enum, std::size_t N>
using Table = std::array<std::pair<Enum, std::string_view>, N>;

template <class Enum, std::size_t N>
std::string_view spelling(const Table<Enum, N>& table, Enum value) {
  for (const auto& [entry, name] : table) {
    if (entry == value) return name;
  }
  return {};
}

template <class Enum, std::size_t N>
std::optional<Enum> find(const Table<Enum, N>& table, std::string_view name) {
  for (const auto& [entry, entry_name] : table) {
    if (entry_name == name) return entry;
  }
  return std::nullopt;
}

constexpr auto op_table = std::to_array<std::pair<OpKind, std::string_view>>({
    {OpKind::const_int, "const.int"},
    {OpKind::const_bool, "const.bool"},
    {OpKind::const_float, "const.float"},
    {OpKind::const_dim, "const.dim"},
    {OpKind::enum_const, "enum.const"},
    {OpKind::add, "add"},
    {OpKind::sub, "sub"},
    {OpKind::mul, "mul"},
    {OpKind::div, "div"},
    {OpKind::rem, "rem"},
    {OpKind::min, "min"},
    {OpKind::max, "max"},
    {OpKind::bitand_, "bitand"},
    {OpKind::bitor_, "bitor"},
    {OpKind::bitxor, "bitxor"},
    {OpKind::shl, "shl"},
    {OpKind::shr, "shr"},
    {OpKind::and_, "and"},
    {OpKind::or_, "or"},
    {OpKind::not_, "not"},
    {OpKind::neg, "neg"},
    {OpKind::exp, "exp"},
    {OpKind::log, "log"},
    {OpKind::sqrt, "sqrt"},
    {OpKind::rsqrt, "rsqrt"},
    {OpKind::sin, "sin"},
    {OpKind::cos, "cos"},
    {OpKind::tanh, "tanh"},
    {OpKind::abs, "abs"},
    {OpKind::compare, "compare"},
    {OpKind::cast, "cast"},
    {OpKind::select, "select"},
    {OpKind::reshape, "reshape"},
    {OpKind::broadcast, "broadcast"},
    {OpKind::fill, "fill"},
    {OpKind::iota, "iota"},
    {OpKind::permute, "permute"},
    {OpKind::slice, "slice"},
    {OpKind::concat, "concat"},
    {OpKind::cumsum, "cumsum"},
    {OpKind::tensor_element, "tensor.element"},
    {OpKind::comprehension, "comprehension"},
    {OpKind::reduce, "reduce"},
    {OpKind::tuple_make, "tuple.make"},
    {OpKind::struct_make, "struct.make"},
    {OpKind::tuple_get, "tuple.get"},
    {OpKind::struct_get, "struct.get"},
    {OpKind::option_some, "option.some"},
    {OpKind::option_none, "option.none"},
    {OpKind::option_match, "option.match"},
    {OpKind::enum_match, "enum.match"},
    {OpKind::if_, "if"},
    {OpKind::call, "call"},
    {OpKind::semantic_call, "semantic.call"},
    {OpKind::block_param, "block.param"},
    {OpKind::block_sub, "block.sub"},
    {OpKind::array_get, "array.get"},
    {OpKind::state_read, "state.read"},
    {OpKind::state_write, "state.write"},
    {OpKind::static_for, "static_for"},
    {OpKind::static_range, "static_range"},
    {OpKind::for_, "for"},
    {OpKind::while_, "while"},
    {OpKind::kernel_program_id, "kernel.program_id"},
    {OpKind::kernel_load, "kernel.load"},
    {OpKind::kernel_store, "kernel.store"},
    {OpKind::kernel_atomic_add, "kernel.atomic_add"},
    {OpKind::kernel_atomic_max, "kernel.atomic_max"},
    {OpKind::kernel_atomic_min, "kernel.atomic_min"},
    {OpKind::yield, "yield"},
    {OpKind::return_, "return"},
});

constexpr auto scalar_table = std::to_array<std::pair<Scalar, std::string_view>>({
    {Scalar::boolean, "bool"},
    {Scalar::i8, "i8"},
    {Scalar::i16, "i16"},
    {Scalar::i32, "i32"},
    {Scalar::i64, "i64"},
    {Scalar::u8, "u8"},
    {Scalar::u16, "u16"},
    {Scalar::u32, "u32"},
    {Scalar::u64, "u64"},
    {Scalar::f16, "f16"},
    {Scalar::bf16, "bf16"},
    {Scalar::f32, "f32"},
    {Scalar::f64, "f64"},
});

constexpr auto class_table = std::to_array<std::pair<DtypeClass, std::string_view>>({
    {DtypeClass::any, "any"},
    {DtypeClass::numeric, "numeric"},
    {DtypeClass::integer, "integer"},
    {DtypeClass::floating, "float"},
});

constexpr auto symbol_table = std::to_array<std::pair<Relation, std::string_view>>({
    {Relation::eq, "=="},
    {Relation::ne, "!="},
    {Relation::lt, "<"},
    {Relation::le, "<="},
    {Relation::gt, ">"},
    {Relation::ge, ">="},
});

constexpr auto relation_table = std::to_array<std::pair<Relation, std::string_view>>({
    {Relation::eq, "eq"},
    {Relation::ne, "ne"},
    {Relation::lt, "lt"},
    {Relation::le, "le"},
    {Relation::gt, "gt"},
    {Relation::ge, "ge"},
});

constexpr auto reduce_table = std::to_array<std::pair<ReduceKind, std::string_view>>({
    {ReduceKind::sum, "sum"},
    {ReduceKind::prod, "prod"},
    {ReduceKind::max, "max"},
    {ReduceKind::min, "min"},
    {ReduceKind::any, "any"},
    {ReduceKind::all, "all"},
});

constexpr auto member_table = std::to_array<std::pair<MemberKind, std::string_view>>({
    {MemberKind::param, "param"},
    {MemberKind::buffer, "buffer"},
    {MemberKind::state, "state"},
    {MemberKind::sub, "sub"},
});

constexpr auto function_table = std::to_array<std::pair<FunctionKind, std::string_view>>({
    {FunctionKind::fn, "fn"},
    {FunctionKind::op, "op"},
    {FunctionKind::entry, "entry"},
    {FunctionKind::kernel, "kernel"},
});

constexpr auto type_table = std::to_array<std::pair<TypeKind, std::string_view>>({
    {TypeKind::scalar, "scalar"},
    {TypeKind::tensor, "tensor"},
    {TypeKind::tuple, "tuple"},
    {TypeKind::optional, "optional"},
    {TypeKind::array, "array"},
    {TypeKind::block, "block"},
    {TypeKind::structure, "struct"},
    {TypeKind::enumeration, "enum"},
    {TypeKind::shape, "shape"},
    {TypeKind::unit, "unit"},
});

constexpr auto generic_table = std::to_array<std::pair<GenericKind, std::string_view>>({
    {GenericKind::dim, "dim"},
    {GenericKind::shape, "shape"},
    {GenericKind::dtype, "dtype"},
});

constexpr auto dim_table = std::to_array<std::pair<DimKind, std::string_view>>({
    {DimKind::add, "add"},
    {DimKind::mul, "mul"},
    {DimKind::floordiv, "floordiv"},
    {DimKind::mod, "mod"},
    {DimKind::min, "min"},
    {DimKind::max, "max"},
});

}  // namespace

std::string_view op_name(OpKind kind) {
  return spelling(op_table, kind);
}
std::optional<OpKind> parse_op(std::string_view name) {
  return find(op_table, name);
}

std::string_view scalar_name(Scalar scalar) {
  return spelling(scalar_table, scalar);
}
std::optional<Scalar> parse_scalar(std::string_view name) {
  return find(scalar_table, name);
}

std::string_view dtype_class_name(DtypeClass dtype_class) {
  return spelling(class_table, dtype_class);
}
std::optional<DtypeClass> parse_dtype_class(std::string_view name) {
  return find(class_table, name);
}

std::string_view relation_symbol(Relation relation) {
  return spelling(symbol_table, relation);
}
std::optional<Relation> parse_relation_symbol(std::string_view symbol) {
  return find(symbol_table, symbol);
}

std::string_view relation_name(Relation relation) {
  return spelling(relation_table, relation);
}
std::optional<Relation> parse_relation_name(std::string_view name) {
  return find(relation_table, name);
}

std::string_view reduce_name(ReduceKind kind) {
  return spelling(reduce_table, kind);
}
std::optional<ReduceKind> parse_reduce(std::string_view name) {
  return find(reduce_table, name);
}

std::string_view member_kind_name(MemberKind kind) {
  return spelling(member_table, kind);
}
std::optional<MemberKind> parse_member_kind(std::string_view name) {
  return find(member_table, name);
}

std::string_view function_kind_name(FunctionKind kind) {
  return spelling(function_table, kind);
}
std::optional<FunctionKind> parse_function_kind(std::string_view name) {
  return find(function_table, name);
}

std::string_view type_kind_name(TypeKind kind) {
  return spelling(type_table, kind);
}
std::optional<TypeKind> parse_type_kind(std::string_view name) {
  return find(type_table, name);
}

std::string_view generic_kind_name(GenericKind kind) {
  return spelling(generic_table, kind);
}
std::optional<GenericKind> parse_generic_kind(std::string_view name) {
  return find(generic_table, name);
}

std::string_view dim_op_name(DimKind kind) {
  return spelling(dim_table, kind);
}
std::optional<DimKind> parse_dim_op(std::string_view name) {
  return find(dim_table, name);
}

}  // namespace linnet::ir
