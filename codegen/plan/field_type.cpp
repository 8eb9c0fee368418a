#include "codegen/plan/field_type.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "codegen/ir/build.hpp"

namespace linnet::plan::detail {

using namespace ir;

namespace {

using Arguments = std::vector<GenericArgument>;

/// Whether a dimension, shape or dtype names no generic but `own`.
class Closed {
 public:
  explicit Closed(const std::vector<Generic>& own) {
    for (const Generic& generic : own) {
      (generic.kind == GenericKind::dtype ? dtypes_ : symbols_).insert(generic.id);
    }
  }

  [[nodiscard]] bool operator()(const Dim& dim) const {
    const bool is_symbol = dim->kind == DimKind::symbol || dim->kind == DimKind::pack_size;
    if (is_symbol) return symbols_.contains(dim->id);
    return std::all_of(dim->args.begin(), dim->args.end(), *this);
  }
  [[nodiscard]] bool operator()(const Dtype& dtype) const {
    return !dtype.is_variable || dtypes_.contains(dtype.variable);
  }
  [[nodiscard]] bool operator()(const Unit& unit) const {
    return unit.is_pack() ? symbols_.contains(unit.pack) : (*this)(unit.dim);
  }
  [[nodiscard]] bool operator()(const ShapeUnits& shape) const {
    return std::all_of(shape.begin(), shape.end(), *this);
  }
  [[nodiscard]] bool operator()(const GenericArgument& argument) const {
    return std::visit(*this, argument);
  }
  [[nodiscard]] bool operator()(const Type& type) const {
    const bool holds_dtype = type->kind == TypeKind::scalar || type->kind == TypeKind::tensor;
    return (!holds_dtype || (*this)(type->dtype)) && (*this)(type->shape) &&
           std::all_of(type->elements.begin(), type->elements.end(), *this) &&
           std::all_of(type->args.begin(), type->args.end(), *this);
  }

 private:
  std::set<int> symbols_, dtypes_;
};

/// Finds one type of a field, over the struct's generics, that gives its type at every use.
class FieldType {
 public:
  FieldType(const std::vector<Generic>& generics, const std::vector<FieldUse>& uses)
      : generics_(generics), uses_(uses) {}

  [[nodiscard]] std::optional<Type> find() const {
    std::vector<Type> tried;
    const auto fits_anew = [&](const Type& candidate) {
      const auto is_it = [&](const Type& other) { return equal(other, candidate); };
      if (tried.size() == max_tried || std::any_of(tried.begin(), tried.end(), is_it)) return false;
      tried.push_back(candidate);
      return fits(candidate);
    };
    // A use inside generic code has the generics' own names for arguments.
    for (const FieldUse& use : uses_) {
      const Type candidate = substitute(use.type, own_names(use.arguments));
      if (fits_anew(candidate)) return candidate;
      const Type general = generalized(candidate, use.arguments);
      if (fits_anew(general)) return general;
    }
    std::vector<Type> types;
    for (const FieldUse& use : uses_) types.push_back(use.type);
    const auto candidate = common(types);
    return candidate && fits(*candidate) ? candidate : std::nullopt;
  }

 private:
  /// Every candidate is held against every use; a hostile plan has many of both.
  static constexpr std::size_t max_tried = 64;

  const std::vector<Generic>& generics_;
  const std::vector<FieldUse>& uses_;

  [[nodiscard]] bool fits(const Type& candidate) const {
    return Closed(generics_)(candidate) &&
           std::all_of(uses_.begin(), uses_.end(), [&](const FieldUse& use) {
             return equal(substitute(candidate, bind(generics_, use.arguments)), use.type);
           });
  }

  [[nodiscard]] Substitution own_names(const Arguments& arguments) const {
    Substitution map;
    for (std::size_t i = 0; i < generics_.size(); ++i) {
      const GenericArgument own = as_argument(generics_[i]);
      if (const auto* dim = std::get_if<Dim>(&arguments[i])) {
        if ((*dim)->kind == DimKind::symbol) map.dims.emplace((*dim)->id, std::get<Dim>(own));
      } else if (const auto* shape = std::get_if<ShapeUnits>(&arguments[i])) {
        const bool is_pack = shape->size() == 1 && shape->front().is_pack();
        if (is_pack) map.packs.emplace(shape->front().pack, std::get<ShapeUnits>(own));
      } else if (const auto& dtype = std::get<Dtype>(arguments[i]); dtype.is_variable) {
        map.dtypes.emplace(dtype.variable, std::get<Dtype>(own));
      }
    }
    return map;
  }

  /// The type with a generic for every dtype and extent that is one of the arguments.
  [[nodiscard]] Type generalized(const Type& type, const Arguments& arguments) const {
    TypeNode out = *type;
    const auto replace = [&](auto& part) {
      using Part = std::decay_t<decltype(part)>;
      for (std::size_t i = 0; i < generics_.size(); ++i) {
        const auto* argument = std::get_if<Part>(&arguments[i]);
        if (argument == nullptr || !equal(*argument, part)) continue;
        part = std::get<Part>(as_argument(generics_[i]));
        return;
      }
    };
    if (type->kind == TypeKind::scalar || type->kind == TypeKind::tensor) replace(out.dtype);
    for (Unit& unit : out.shape) {
      if (!unit.is_pack()) replace(unit.dim);
    }
    for (Type& element : out.elements) element = generalized(element, arguments);
    for (GenericArgument& argument : out.args) std::visit(replace, argument);
    return std::make_shared<const TypeNode>(std::move(out));
  }

  /// What all uses share, with a generic where they differ as its arguments do.
  template <class Part>
  [[nodiscard]] std::optional<Part> common_part(const std::vector<Part>& parts) const {
    for (std::size_t i = 0; i < generics_.size(); ++i) {
      bool is_argument = true;
      for (std::size_t use = 0; use < parts.size(); ++use) {
        const auto* argument = std::get_if<Part>(&uses_[use].arguments[i]);
        is_argument = is_argument && argument != nullptr && equal(*argument, parts[use]);
      }
      if (is_argument) return std::get<Part>(as_argument(generics_[i]));
    }
    const bool same = std::all_of(parts.begin(), parts.end(),
                                  [&](const Part& part) { return equal(part, parts[0]); });
    return same ? std::optional(parts[0]) : std::nullopt;
  }

  [[nodiscard]] std::optional<Type> common(const std::vector<Type>& types) const {
    const Type& first = types[0];
    const bool same_form = std::all_of(types.begin(), types.end(), [&](const Type& type) {
      return type->kind == first->kind && type->shape.size() == first->shape.size() &&
             type->elements.size() == first->elements.size() &&
             type->args.size() == first->args.size() && type->name == first->name &&
             type->module == first->module;
    });
    if (!same_form) return std::nullopt;
    TypeNode out = *first;
    const auto each = [&](const auto& part_of) {
      std::vector<std::decay_t<decltype(part_of(first))>> parts;
      for (const Type& type : types) parts.push_back(part_of(type));
      return parts;
    };
    if (first->kind == TypeKind::scalar || first->kind == TypeKind::tensor) {
      const auto dtype = common_part(each([](const Type& type) { return type->dtype; }));
      if (!dtype) return std::nullopt;
      out.dtype = *dtype;
    }
    for (std::size_t i = 0; i < first->shape.size(); ++i) {
      const bool has_pack = std::any_of(types.begin(), types.end(),
                                        [&](const Type& type) { return type->shape[i].is_pack(); });
      if (has_pack) return std::nullopt;
      const auto dim = common_part(each([&](const Type& type) { return type->shape[i].dim; }));
      if (!dim) return std::nullopt;
      out.shape[i].dim = *dim;
    }
    for (std::size_t i = 0; i < first->elements.size(); ++i) {
      const auto element = common(each([&](const Type& type) { return type->elements[i]; }));
      if (!element) return std::nullopt;
      out.elements[i] = *element;
    }
    for (std::size_t i = 0; i < first->args.size(); ++i) {
      const auto argument = common_argument(each([&](const Type& type) { return type->args[i]; }));
      if (!argument) return std::nullopt;
      out.args[i] = *argument;
    }
    return std::make_shared<const TypeNode>(std::move(out));
  }

  [[nodiscard]] std::optional<GenericArgument> common_argument(const Arguments& arguments) const {
    const auto as = [&](auto part) -> std::optional<GenericArgument> {
      using Part = decltype(part);
      std::vector<Part> parts;
      for (const GenericArgument& argument : arguments) {
        const auto* same_kind = std::get_if<Part>(&argument);
        if (same_kind == nullptr) return std::nullopt;
        parts.push_back(*same_kind);
      }
      const auto found = common_part(parts);
      return found ? std::optional<GenericArgument>(*found) : std::nullopt;
    };
    return std::visit([&](const auto& first) { return as(first); }, arguments[0]);
  }
};

}  // namespace

std::optional<Type> find_field_type(const std::vector<Generic>& generics,
                                    const std::vector<FieldUse>& uses) {
  return FieldType(generics, uses).find();
}

}  // namespace linnet::plan::detail
