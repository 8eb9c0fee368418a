// Dimensions, shapes and types: whether they are well formed, and whether two may be equal.

#include <algorithm>

#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/ir/verify/verifier.hpp"

namespace linnet::ir::detail {
namespace {

GenericKind kind_of(const GenericArgument& argument) {
  if (std::holds_alternative<Dim>(argument)) return GenericKind::dim;
  return std::holds_alternative<ShapeUnits>(argument) ? GenericKind::shape : GenericKind::dtype;
}

DtypeTraits traits(DtypeClass dtype_class) {
  switch (dtype_class) {
    case DtypeClass::any:
      return {true, true, true};
    case DtypeClass::numeric:
      return {false, true, true};
    case DtypeClass::integer:
      return {false, true, false};
    case DtypeClass::floating:
      return {false, false, true};
  }
  return {};
}

}  // namespace

// --- well formed ---------------------------------------------------------------------------

void Verifier::check_dim(const Dim& dim) {
  switch (dim->kind) {
    case DimKind::constant:
      return;
    case DimKind::symbol:
    case DimKind::pack_size: {
      const auto found = symbols_.find(dim->id);
      const GenericKind wanted =
          dim->kind == DimKind::symbol ? GenericKind::dim : GenericKind::shape;
      if (found == symbols_.end() || found->second != wanted) {
        problem("symbol " + std::to_string(dim->id) + " (`" + dim->name + "`) is not in scope");
      }
      return;
    }
    case DimKind::floordiv:
    case DimKind::mod:
      if (const auto divisor = constant_value(dim->args[1]); divisor && *divisor <= 0) {
        problem("divides by " + std::to_string(*divisor));
      }
      break;
    default:
      break;
  }
  for (const Dim& arg : dim->args) check_dim(arg);
}

void Verifier::check_shape(const ShapeUnits& shape) {
  for (const Unit& unit : shape) {
    if (!unit.is_pack()) {
      check_dim(unit.dim);
      if (const auto extent = constant_value(unit.dim); extent && *extent < 0) {
        problem("an extent of " + std::to_string(*extent));
      }
      continue;
    }
    const auto found = symbols_.find(unit.pack);
    if (found == symbols_.end() || found->second != GenericKind::shape) {
      problem("pack " + std::to_string(unit.pack) + " (`" + unit.pack_name + "`) is not in scope");
    }
  }
}

void Verifier::check_dtype(const Dtype& dtype) {
  if (dtype.is_variable && !dtypes_.contains(dtype.variable)) {
    problem("dtype variable " + std::to_string(dtype.variable) + " (`" + dtype.name +
            "`) is not in scope");
  }
}

void Verifier::check_argument(const GenericArgument& argument) {
  if (const auto* dim = std::get_if<Dim>(&argument)) {
    check_dim(*dim);
  } else if (const auto* shape = std::get_if<ShapeUnits>(&argument)) {
    check_shape(*shape);
  } else {
    check_dtype(std::get<Dtype>(argument));
  }
}

void Verifier::check_arguments(const std::vector<Generic>& generics,
                               const std::vector<GenericArgument>& arguments) {
  if (generics.size() != arguments.size()) {
    problem("takes " + std::to_string(generics.size()) + " generics, not " +
            std::to_string(arguments.size()));
    return;
  }
  for (std::size_t i = 0; i < generics.size(); ++i) {
    if (kind_of(arguments[i]) != generics[i].kind) {
      problem("generic `" + generics[i].name + "` is bound to another kind");
      continue;
    }
    check_argument(arguments[i]);
    const auto* dtype = std::get_if<Dtype>(&arguments[i]);
    if (dtype == nullptr) continue;
    const DtypeTraits may = traits(*dtype, dtypes_);
    const DtypeTraits wanted = traits(generics[i].dtype_class);
    if ((may.boolean && !wanted.boolean) || (may.integer && !wanted.integer) ||
        (may.floating && !wanted.floating)) {
      problem("generic `" + generics[i].name + "` is bound to `" + to_text(*dtype) +
              "`, which is not in the class `" +
              std::string(dtype_class_name(generics[i].dtype_class)) + "`");
    }
  }
}

void Verifier::check_bound(const std::vector<Constraint>& constraints, const Substitution& with,
                           const std::string& name) {
  const Constraint* broken = witnesses_.broken(constraints, with);
  if (broken == nullptr) return;
  Constraint here = substitute(*broken, with);
  here.text.clear();  // the callee's words
  problem("`" + name + "` needs `" + to_text(*broken) + "`, and `" + to_text(here) +
          "` does not follow here");
}

void Verifier::check_block_type(const Type& type) {
  const Block* block = lookup_.block(*type);
  if (block == nullptr) {
    problem("there is no block `" + type->name + "` in module `" + type->module + "`");
    return;
  }
  check_arguments(block->generics, type->args);
  check_bound(block->constraints, bind(block->generics, type->args), block->name);
}

void Verifier::check_type(const Type& type) {
  switch (type->kind) {
    case TypeKind::scalar:
      check_dtype(type->dtype);
      break;
    case TypeKind::tensor:
      check_dtype(type->dtype);
      check_shape(type->shape);
      break;
    case TypeKind::shape:
      check_shape(type->shape);
      break;
    case TypeKind::array:
      check_dim(type->length);
      if (const auto length = constant_value(type->length); length && *length < 0) {
        problem("a length of " + std::to_string(*length));
      }
      check_type(type->elements[0]);
      break;
    case TypeKind::tuple:
    case TypeKind::optional:
      for (const Type& inner : type->elements) check_type(inner);
      break;
    case TypeKind::block:
      check_block_type(type);
      break;
    case TypeKind::structure:
    case TypeKind::enumeration: {
      const Structure* structure = lookup_.structure(*type);
      const Enumeration* enumeration = lookup_.enumeration(*type);
      if (structure != nullptr) {
        check_arguments(structure->generics, type->args);
      } else if (enumeration != nullptr) {
        check_arguments(enumeration->generics, type->args);
      } else {
        for (const GenericArgument& argument : type->args) check_argument(argument);
      }
      break;
    }
    case TypeKind::unit:
      break;
  }
}

// --- equal -----------------------------------------------------------------------------------

bool Verifier::agree(const Unit& a, const Unit& b) {
  if (a.is_pack() || b.is_pack()) return a.is_pack() && b.is_pack() && a.pack == b.pack;
  return witnesses_.may_equal(a.dim, b.dim);
}

bool Verifier::agree(const ShapeUnits& a, const ShapeUnits& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [this](const Unit& x, const Unit& y) { return agree(x, y); });
}

bool Verifier::agree(const GenericArgument& a, const GenericArgument& b) {
  if (a.index() != b.index()) return false;
  if (const auto* dim = std::get_if<Dim>(&a)) {
    return witnesses_.may_equal(*dim, std::get<Dim>(b));
  }
  if (const auto* shape = std::get_if<ShapeUnits>(&a)) {
    return agree(*shape, std::get<ShapeUnits>(b));
  }
  return equal(std::get<Dtype>(a), std::get<Dtype>(b));
}

bool Verifier::agree(const Type& a, const Type& b) {
  if (a == b) return true;
  if (a->kind != b->kind) return false;
  switch (a->kind) {
    case TypeKind::scalar:
      return equal(a->dtype, b->dtype);
    case TypeKind::tensor:
      return equal(a->dtype, b->dtype) && agree(a->shape, b->shape);
    case TypeKind::shape:
      return agree(a->shape, b->shape);
    case TypeKind::block:
    case TypeKind::structure:
    case TypeKind::enumeration:
      return a->name == b->name && a->module == b->module &&
             std::equal(a->args.begin(), a->args.end(), b->args.begin(), b->args.end(),
                        [this](const auto& x, const auto& y) { return agree(x, y); });
    case TypeKind::array:
      if (!witnesses_.may_equal(a->length, b->length)) return false;
      [[fallthrough]];
    default:
      return std::equal(a->elements.begin(), a->elements.end(), b->elements.begin(),
                        b->elements.end(),
                        [this](const Type& x, const Type& y) { return agree(x, y); });
  }
}

bool Verifier::may_be_one(const Unit& unit) {
  return !unit.is_pack() && witnesses_.may_equal(unit.dim, make_constant(1));
}

bool Verifier::broadcasts(const ShapeUnits& from, const ShapeUnits& to) {
  if (from.size() > to.size()) return false;
  return std::equal(from.rbegin(), from.rend(), to.rbegin(),
                    [this](const Unit& x, const Unit& y) { return agree(x, y) || may_be_one(x); });
}

// --- questions ---------------------------------------------------------------------------------

bool is_scalar_of(const Type& type, Scalar scalar) {
  return type->kind == TypeKind::scalar && !type->dtype.is_variable && type->dtype.scalar == scalar;
}

bool is_integer_scalar(const Type& type) {
  if (type->kind != TypeKind::scalar) return false;
  if (type->dtype.is_variable) return true;
  return type->dtype.scalar >= Scalar::i8 && type->dtype.scalar <= Scalar::u64;
}

bool is_data(const Type& type) {
  return type->kind == TypeKind::tensor || type->kind == TypeKind::scalar;
}

const ShapeUnits& shape_of(const Type& type) {
  static const ShapeUnits none;
  return type->kind == TypeKind::tensor ? type->shape : none;
}

std::size_t rank(const Type& type) {
  return shape_of(type).size();
}

Type make_data(ShapeUnits shape, const Dtype& dtype) {
  return shape.empty() ? make_scalar(dtype) : make_tensor(std::move(shape), dtype);
}

DtypeTraits traits(const Dtype& dtype, const std::map<int, DtypeClass>& variables) {
  if (dtype.is_variable) {
    const auto found = variables.find(dtype.variable);
    return traits(found == variables.end() ? DtypeClass::any : found->second);
  }
  if (dtype.scalar == Scalar::boolean) return {true, false, false};
  const bool floating = dtype.scalar >= Scalar::f16;
  return {false, !floating, floating};
}

}  // namespace linnet::ir::detail
