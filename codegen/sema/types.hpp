#pragma once
// Types as the checker sees them: ir::Type, and a few marks for what is not settled yet.
//
// A literal has no dtype until its context gives one, and `none` no type; an expression that
// failed has no type at all. Such marks are unique nodes and never leave the checker in a program
// without errors.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/ir/types.hpp"

namespace linnet::sema {

/// The type of what already failed: every use of it is silent.
[[nodiscard]] const ir::Type& poison_type();
/// A compile-time integer that has no dtype yet: a literal, a `Dim`, an integer constant.
[[nodiscard]] const ir::Type& pending_integer();
/// A float literal, or arithmetic over literals one of which is a float.
[[nodiscard]] const ir::Type& pending_float();
/// The inner type of a bare `none`.
[[nodiscard]] const ir::Type& pending_inner();
/// Of a variant of a generic enum: which arguments its type has is not known yet.
[[nodiscard]] ir::Type pending_enum(std::string name, std::string module);
[[nodiscard]] bool is_pending_enum(const ir::Type& type);

[[nodiscard]] bool is_poison(const ir::Type& type);
[[nodiscard]] bool mentions_poison(const ir::Type& type);
[[nodiscard]] bool is_pending_number(const ir::Type& type);
/// A mark stands anywhere inside.
[[nodiscard]] bool mentions_pending(const ir::Type& type);

[[nodiscard]] ir::Dtype dtype_of(ir::Scalar scalar);
[[nodiscard]] ir::Type scalar_type(ir::Dtype dtype);
[[nodiscard]] ir::Type scalar_type(ir::Scalar scalar);
[[nodiscard]] ir::Type tensor_type(ir::ShapeUnits shape, ir::Dtype dtype);
[[nodiscard]] ir::Type tuple_type(std::vector<ir::Type> elements);
[[nodiscard]] ir::Type optional_type(ir::Type inner);
[[nodiscard]] ir::Type array_type(ir::Type element, ir::Dim length);
[[nodiscard]] ir::Type named_type(ir::TypeKind kind, std::string name, std::string module,
                                  std::vector<ir::GenericArgument> args);
[[nodiscard]] const ir::Type& unit_type();
[[nodiscard]] const ir::Type& bool_type();
[[nodiscard]] const ir::Type& i64_type();

[[nodiscard]] bool is_scalar(const ir::Type& type);
[[nodiscard]] bool is_tensor(const ir::Type& type);
[[nodiscard]] bool is_number_like(const ir::Type& type);  ///< scalar or tensor
[[nodiscard]] bool is_scalar_bool(const ir::Type& type);
[[nodiscard]] bool is_bool(const ir::Dtype& dtype);
[[nodiscard]] const ir::Type& inner_type(const ir::Type& optional_or_array);

/// What is known of dtype variables: their class, by number. Filled at declaration.
class DtypeClasses {
 public:
  void set(int variable, ir::DtypeClass dtype_class);
  [[nodiscard]] ir::DtypeClass of(int variable) const;
  /// The narrowest class that surely holds the dtype; nothing for `bool`.
  [[nodiscard]] std::optional<ir::DtypeClass> of(const ir::Dtype& dtype) const;

  [[nodiscard]] bool is_numeric(const ir::Dtype& dtype) const;
  [[nodiscard]] bool is_integer(const ir::Dtype& dtype) const;
  [[nodiscard]] bool is_floating(const ir::Dtype& dtype) const;
  /// Every dtype that `dtype` may stand for is in the class.
  [[nodiscard]] bool belongs(const ir::Dtype& dtype, ir::DtypeClass dtype_class) const;

 private:
  std::vector<ir::DtypeClass> classes_;
};

[[nodiscard]] bool is_signed(ir::Scalar scalar);
[[nodiscard]] bool is_floating(ir::Scalar scalar);
[[nodiscard]] bool is_integer(ir::Scalar scalar);

/// Whether an integer is a value of the dtype (for floats: does not round to infinity).
[[nodiscard]] bool holds(ir::Scalar scalar, std::int64_t value);
/// Whether a number rounds to a finite value of the float dtype.
[[nodiscard]] bool holds(ir::Scalar scalar, double value);

[[nodiscard]] std::optional<ir::Scalar> scalar_named(std::string_view name);
[[nodiscard]] std::string_view scalar_name(ir::Scalar scalar);
[[nodiscard]] std::string_view class_name(ir::DtypeClass dtype_class);

/// Types share nodes, so a few aliases or tuples write a type of exponential size. One of more than
/// some thousand nodes, or with a dimension beyond the solver's limits, is refused.
[[nodiscard]] bool within_limits(const ir::Type& type);

/// Source text of a type, for messages.
[[nodiscard]] std::string render(const ir::Dtype& dtype);
[[nodiscard]] std::string render(const ir::Type& type);
[[nodiscard]] std::string render(const ir::GenericArgument& argument);

}  // namespace linnet::sema
