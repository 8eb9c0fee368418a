#include "codegen/ir/print.hpp"

#include <string_view>

#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"

namespace linnet::ir {
namespace {

/// Binding strength of a dimension's outermost operator, for parentheses.
int strength(const DimNode& dim) {
  switch (dim.kind) {
    case DimKind::add:
      return 1;
    case DimKind::mul:
    case DimKind::floordiv:
    case DimKind::mod:
      return 2;
    case DimKind::constant:
      return dim.value < 0 ? 2 : 3;
    default:
      return 3;
  }
}

std::string operand_text(const Dim& dim, int minimum) {
  std::string text = to_text(dim);
  if (strength(*dim) < minimum) return "(" + text + ")";
  return text;
}

/// A product whose constant factor is negative prints as a subtraction inside a sum.
std::optional<Dim> negated(const Dim& term) {
  if (term->kind == DimKind::constant && term->value < 0 && term->value != INT64_MIN) {
    return make_constant(-term->value);
  }
  if (term->kind != DimKind::mul) return std::nullopt;
  for (std::size_t i = 0; i < term->args.size(); ++i) {
    const Dim& factor = term->args[i];
    if (factor->kind != DimKind::constant || factor->value >= 0 || factor->value == INT64_MIN) {
      continue;
    }
    std::vector<Dim> factors = term->args;
    if (factor->value == -1) {
      factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      factors[i] = make_constant(-factor->value);
    }
    return make_dim(DimKind::mul, std::move(factors));
  }
  return std::nullopt;
}

std::string sum_text(const DimNode& dim) {
  // A negative term cannot stand first without a unary minus; start with another one.
  std::size_t first = 0;
  while (first < dim.args.size() && negated(dim.args[first])) ++first;
  if (first == dim.args.size()) first = 0;
  std::string text = operand_text(dim.args[first], 1);
  for (std::size_t i = 0; i < dim.args.size(); ++i) {
    if (i == first) continue;
    if (const auto positive = negated(dim.args[i])) {
      text += " - " + operand_text(*positive, 2);
    } else {
      text += " + " + operand_text(dim.args[i], 2);
    }
  }
  return text;
}

std::string joined(const std::vector<Dim>& args, std::string_view separator, int minimum) {
  std::string text;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (i != 0) text += separator;
    // Left operands may bind as loosely as the operator, the others must bind tighter,
    // so that what is printed groups as the tree does.
    text += operand_text(args[i], i == 0 ? minimum : minimum + 1);
  }
  return text;
}

std::string_view class_text(DtypeClass dtype_class) {
  switch (dtype_class) {
    case DtypeClass::any:
      return "DType";
    case DtypeClass::numeric:
      return "Numeric";
    case DtypeClass::integer:
      return "Integer";
    case DtypeClass::floating:
      return "Float";
  }
  return "DType";
}

}  // namespace

std::string to_text(const Dim& dim) {
  switch (dim->kind) {
    case DimKind::constant:
      return std::to_string(dim->value);
    case DimKind::symbol:
      return dim->name;
    case DimKind::pack_size:
      return "size(*" + dim->name + ")";
    case DimKind::add:
      return sum_text(*dim);
    case DimKind::mul:
      return joined(dim->args, " * ", 2);
    case DimKind::floordiv:
      return joined(dim->args, " / ", 2);
    case DimKind::mod:
      return joined(dim->args, " % ", 2);
    case DimKind::min:
      return "min(" + joined(dim->args, ", ", 0) + ")";
    case DimKind::max:
      return "max(" + joined(dim->args, ", ", 0) + ")";
  }
  return {};
}

std::string to_text(const Unit& unit) {
  return unit.is_pack() ? "*" + unit.pack_name : to_text(unit.dim);
}

std::string to_text(const ShapeUnits& shape) {
  std::string text;
  for (const Unit& unit : shape) {
    if (!text.empty()) text += ", ";
    text += to_text(unit);
  }
  return text;
}

std::string to_text(const Dtype& dtype) {
  return dtype.is_variable ? dtype.name : std::string(scalar_name(dtype.scalar));
}

std::string to_text(const GenericArgument& argument) {
  if (const auto* dim = std::get_if<Dim>(&argument)) return to_text(*dim);
  if (const auto* shape = std::get_if<ShapeUnits>(&argument)) return "[" + to_text(*shape) + "]";
  return to_text(std::get<Dtype>(argument));
}

std::string to_text(const Type& type) {
  const auto list = [](const auto& items) {
    std::string text;
    for (const auto& item : items) {
      if (!text.empty()) text += ", ";
      text += to_text(item);
    }
    return text;
  };
  switch (type->kind) {
    case TypeKind::scalar:
      return to_text(type->dtype);
    case TypeKind::tensor:
      return "Tensor[" + to_text(type->shape) + "; " + to_text(type->dtype) + "]";
    case TypeKind::tuple:
      return "(" + list(type->elements) + (type->elements.size() == 1 ? ",)" : ")");
    case TypeKind::optional:
      return to_text(type->elements.at(0)) + "?";
    case TypeKind::array:
      return "[" + to_text(type->elements.at(0)) + "; " + to_text(type->length) + "]";
    case TypeKind::block:
    case TypeKind::structure:
    case TypeKind::enumeration:
      return type->args.empty() ? type->name : type->name + "<" + list(type->args) + ">";
    case TypeKind::shape:
      return "[" + to_text(type->shape) + "]";
    case TypeKind::unit:
      return "()";
  }
  return {};
}

std::string to_text(const Constraint& constraint) {
  if (!constraint.text.empty()) return constraint.text;
  return to_text(constraint.lhs) + " " + std::string(relation_symbol(constraint.relation)) + " " +
         to_text(constraint.rhs);
}

std::string to_text(const std::vector<Generic>& generics) {
  if (generics.empty()) return {};
  std::string text = "<";
  for (const Generic& generic : generics) {
    if (text.size() > 1) text += ", ";
    switch (generic.kind) {
      case GenericKind::dim:
        text += generic.name + ": Dim";
        break;
      case GenericKind::shape:
        text += "*" + generic.name + ": Shape";
        break;
      case GenericKind::dtype:
        text += generic.name + ": " + std::string(class_text(generic.dtype_class));
        break;
    }
    if (generic.default_argument) text += " = " + to_text(*generic.default_argument);
  }
  return text + ">";
}

}  // namespace linnet::ir
