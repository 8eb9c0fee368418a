#include "codegen/cpp/spelling.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "codegen/ir/build.hpp"

namespace linnet::cpp {
namespace {

std::string join(const std::vector<std::string>& parts, std::string_view separator = ", ") {
  std::string result;
  for (const std::string& part : parts) {
    if (!result.empty()) result += separator;
    result += part;
  }
  return result;
}

/// The `x` of `-1 * x`, or null.
ir::Dim negated(const ir::Dim& dim) {
  if (dim->kind != ir::DimKind::mul) return nullptr;
  std::vector<ir::Dim> rest;
  bool minus = false;
  for (const ir::Dim& arg : dim->args) {
    if (!minus && arg->kind == ir::DimKind::constant && arg->value == -1) {
      minus = true;
    } else {
      rest.push_back(arg);
    }
  }
  if (!minus || rest.empty()) return nullptr;
  return rest.size() == 1 ? rest.front() : ir::make_dim(ir::DimKind::mul, std::move(rest));
}

/// Sums and products share their layout between both spellings of a dimension.
template <class Operand>
std::string sum_text(const ir::Dim& dim, Operand operand) {
  std::string text;
  std::string minus;
  for (const ir::Dim& arg : dim->args) {
    const bool negative_constant =
        arg->kind == ir::DimKind::constant && arg->value < 0 && arg->value != INT64_MIN;
    if (const ir::Dim positive = negated(arg)) {
      minus += " - " + operand(positive);
    } else if (negative_constant) {
      minus += " - " + std::to_string(-arg->value);
    } else {
      if (!text.empty()) text += " + ";
      text += operand(arg);
    }
  }
  if (text.empty()) text = "0";
  return text + minus;
}

std::string product_text(const std::vector<std::string>& factors) {
  return join(factors, " * ");
}

std::string constant_text(std::int64_t value) {
  if (value == INT64_MIN) return "(-9223372036854775807 - 1)";
  return std::to_string(value);
}

}  // namespace

bool has_pack(const ir::ShapeUnits& units) {
  return std::any_of(units.begin(), units.end(), [](const ir::Unit& u) { return u.is_pack(); });
}

bool is_one(const ir::Unit& unit) {
  return !unit.is_pack() && unit.dim->kind == ir::DimKind::constant && unit.dim->value == 1;
}

std::string scalar_type(ir::Scalar scalar) {
  switch (scalar) {
    case ir::Scalar::boolean:
      return "bool";
    case ir::Scalar::i8:
      return "std::int8_t";
    case ir::Scalar::i16:
      return "std::int16_t";
    case ir::Scalar::i32:
      return "std::int32_t";
    case ir::Scalar::i64:
      return "std::int64_t";
    case ir::Scalar::u8:
      return "std::uint8_t";
    case ir::Scalar::u16:
      return "std::uint16_t";
    case ir::Scalar::u32:
      return "std::uint32_t";
    case ir::Scalar::u64:
      return "std::uint64_t";
    case ir::Scalar::f16:
      return "linnet::f16";
    case ir::Scalar::bf16:
      return "linnet::bf16";
    case ir::Scalar::f32:
      return "float";
    case ir::Scalar::f64:
      return "double";
  }
  return "float";
}

void Spelling::declare(const std::vector<ir::Generic>& generics, Scope& scope) {
  for (const ir::Generic& generic : generics) declare_as(generic, scope.name(generic.name));
}

void Spelling::declare_as(const ir::Generic& generic, std::string name) {
  (generic.kind == ir::GenericKind::dtype ? dtypes_ : dims_)[generic.id] = std::move(name);
}

const std::string& Spelling::generic_name(const ir::Generic& generic) const {
  return generic.kind == ir::GenericKind::dtype ? dtypes_.at(generic.id) : dims_.at(generic.id);
}

const std::string& Spelling::dim_name(int id, const std::string& name) const {
  const auto found = dims_.find(id);
  if (found == dims_.end())
    throw Unsupported{"the dimension `" + name + "`, which is not in scope"};
  return found->second;
}

std::string Spelling::extent_operand(const ir::Dim& dim) const {
  const bool atomic = dim->kind == ir::DimKind::constant || dim->kind == ir::DimKind::symbol ||
                      dim->kind == ir::DimKind::pack_size || dim->kind == ir::DimKind::min ||
                      dim->kind == ir::DimKind::max;
  return atomic ? extent(dim) : "(" + extent(dim) + ")";
}

std::string Spelling::extent(const ir::Dim& dim) const {
  const auto operand = [&](const ir::Dim& arg) { return extent_operand(arg); };
  switch (dim->kind) {
    case ir::DimKind::constant:
      return constant_text(dim->value);
    case ir::DimKind::symbol:
      return dim_name(dim->id, dim->name);
    case ir::DimKind::pack_size:
      return "linnet::size_of<" + dim_name(dim->id, dim->name) + ">";
    case ir::DimKind::add:
      return sum_text(dim, operand);
    case ir::DimKind::mul: {
      std::vector<std::string> factors;
      for (const ir::Dim& arg : dim->args) factors.push_back(extent_operand(arg));
      return product_text(factors);
    }
    case ir::DimKind::floordiv:
      return operand(dim->args[0]) + " / " + operand(dim->args[1]);
    case ir::DimKind::mod:
      return operand(dim->args[0]) + " % " + operand(dim->args[1]);
    case ir::DimKind::min:
    case ir::DimKind::max: {
      // The Extent constructor makes `min(4, 2)` of two integers an extent as well.
      const std::string_view function =
          dim->kind == ir::DimKind::min ? "linnet::min" : "linnet::max";
      std::string text = extent(dim->args[0]);
      for (std::size_t i = 1; i < dim->args.size(); ++i) {
        text = std::string(function) + "(" + text + ", " + extent(dim->args[i]) + ")";
      }
      return text;
    }
  }
  return "0";
}

Code Spelling::value(const ir::Dim& dim) const {
  const auto operand = [&](const ir::Dim& arg) { return value(arg).operand(); };
  switch (dim->kind) {
    case ir::DimKind::constant:
      return {constant_text(dim->value), dim->value >= 0};
    case ir::DimKind::symbol:
    case ir::DimKind::pack_size:
      return {"n_" + dim_name(dim->id, dim->name)};
    case ir::DimKind::add:
      return {sum_text(dim, operand), false};
    case ir::DimKind::mul: {
      std::vector<std::string> factors;
      for (const ir::Dim& arg : dim->args) factors.push_back(operand(arg));
      return {product_text(factors), false};
    }
    case ir::DimKind::floordiv:
    case ir::DimKind::mod: {
      const bool division = dim->kind == ir::DimKind::floordiv;
      return {std::string("linnet::ops::") + (division ? "quotient(" : "remainder(") +
              value(dim->args[0]).text + ", " + value(dim->args[1]).text + ")"};
    }
    case ir::DimKind::min:
    case ir::DimKind::max: {
      const std::string function =
          dim->kind == ir::DimKind::min ? "linnet::ops::smaller(" : "linnet::ops::larger(";
      std::string text = value(dim->args[0]).text;
      for (std::size_t i = 1; i < dim->args.size(); ++i) {
        text = function + text + ", " + value(dim->args[i]).text + ")";
      }
      return {text};
    }
  }
  return {"0"};
}

Code Spelling::value(const ir::Unit& unit) const {
  if (unit.is_pack()) return {"n_" + dim_name(unit.pack, unit.pack_name)};
  return value(unit.dim);
}

Code Spelling::size(const ir::ShapeUnits& units) const {
  std::vector<std::string> factors;
  for (const ir::Unit& unit : units) {
    if (!is_one(unit)) factors.push_back(value(unit).operand());
  }
  if (factors.empty()) return {"1"};
  return {product_text(factors), factors.size() == 1};
}

std::string Spelling::shape(const ir::ShapeUnits& units) const {
  std::vector<std::string> pieces;  // packs, and runs of dimensions between them
  std::vector<std::string> run;
  const auto flush = [&] {
    if (run.empty()) return;
    pieces.push_back("linnet::Shape<" + join(run) + ">");
    run.clear();
  };
  for (const ir::Unit& unit : units) {
    if (unit.is_pack()) {
      flush();
      pieces.push_back(dim_name(unit.pack, unit.pack_name));
    } else {
      run.push_back(extent(unit.dim));
    }
  }
  flush();
  if (pieces.empty()) return "linnet::Shape<>";
  return pieces.size() == 1 ? pieces.front() : "linnet::join<" + join(pieces) + ">";
}

std::string Spelling::dtype(const ir::Dtype& dtype) const {
  if (!dtype.is_variable) return scalar_type(dtype.scalar);
  const auto found = dtypes_.find(dtype.variable);
  if (found == dtypes_.end()) {
    throw Unsupported{"the dtype `" + dtype.name + "`, which is not in scope"};
  }
  return found->second;
}

std::string Spelling::argument(const ir::GenericArgument& argument) const {
  if (const auto* dim = std::get_if<ir::Dim>(&argument)) return extent(*dim);
  if (const auto* units = std::get_if<ir::ShapeUnits>(&argument)) return shape(*units);
  return dtype(std::get<ir::Dtype>(argument));
}

std::string Spelling::arguments(const std::vector<ir::GenericArgument>& arguments) const {
  std::vector<std::string> texts;
  for (const ir::GenericArgument& each : arguments) texts.push_back(argument(each));
  return join(texts);
}

std::string Spelling::view(const ir::ShapeUnits& units, const ir::Dtype& type,
                           bool is_const) const {
  const std::string element = (is_const ? "const " : "") + dtype(type);
  if (has_pack(units)) return "linnet::view_of<" + element + ", " + shape(units) + ">";
  std::vector<std::string> parts{element};
  for (const ir::Unit& unit : units) parts.push_back(extent(unit.dim));
  return "linnet::TensorView<" + join(parts) + ">";
}

std::string Spelling::template_parameters(const std::vector<ir::Generic>& generics) const {
  std::vector<std::string> parts;
  for (const ir::Generic& generic : generics) {
    const bool is_dim = generic.kind == ir::GenericKind::dim;
    parts.push_back((is_dim ? "linnet::Extent " : "class ") + generic_name(generic));
  }
  return join(parts);
}

std::string Spelling::template_arguments(const std::vector<ir::Generic>& generics) const {
  std::vector<std::string> parts;
  for (const ir::Generic& generic : generics) parts.push_back(generic_name(generic));
  return join(parts);
}

std::string Spelling::local(const ir::Generic& generic) const {
  return "n_" + generic_name(generic);
}

}  // namespace linnet::cpp
