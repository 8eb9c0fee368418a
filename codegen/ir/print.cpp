#include "codegen/ir/print.hpp"

#include <string_view>

#include "codegen/ir/names.hpp"
#include "codegen/sema/dims/render.hpp"

namespace linnet::ir {
namespace {

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
  return sema::dims::render(dim);
}
std::string to_text(const Unit& unit) {
  return sema::dims::render(unit);
}
std::string to_text(const ShapeUnits& shape) {
  return sema::dims::render(shape);
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
  return sema::dims::render(constraint);
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
