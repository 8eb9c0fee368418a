// Declarations of structs and enums, told from their uses.

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "codegen/ir/build.hpp"
#include "codegen/ir/lookup.hpp"
#include "codegen/ir/walk.hpp"
#include "codegen/plan/emit/prepare.hpp"

namespace linnet::plan::detail {

using namespace ir;

namespace {

using Arguments = std::vector<GenericArgument>;

/// The type of a field where the struct has these arguments.
struct FieldUse {
  Arguments arguments;
  Type type;
};

struct FoundStructure {
  Type example;
  bool is_made = false;
  std::vector<std::vector<FieldUse>> fields;

  void note(std::size_t position, const Type& owner, const Type& type) {
    if (fields.size() <= position) fields.resize(position + 1);
    for (const FieldUse& use : fields[position]) {
      if (equal(use.type, type) &&
          std::equal(use.arguments.begin(), use.arguments.end(), owner->args.begin(),
                     owner->args.end(), [](const auto& a, const auto& b) { return equal(a, b); })) {
        return;
      }
    }
    fields[position].push_back({owner->args, type});
  }
};

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
    // A use inside generic code has the generics' own names for arguments.
    for (const FieldUse& use : uses_) {
      const Type candidate = substitute(use.type, own_names(use.arguments));
      if (fits(candidate)) return candidate;
      const Type general = generalized(candidate, use.arguments);
      if (fits(general)) return general;
    }
    std::vector<Type> types;
    for (const FieldUse& use : uses_) types.push_back(use.type);
    const auto candidate = common(types);
    return candidate && fits(*candidate) ? candidate : std::nullopt;
  }

 private:
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

class Declarations {
 public:
  Declarations(Program& program, std::vector<Problem>& problems)
      : program_(program), problems_(problems), lookup_(program), types_(value_types(program)) {}

  void run() {
    for_each_body(program_,
                  [&](Region& region) { walk(region, [&](Op& op) { list_generics(op); }); });
    each_named_type();
    for_each_body(std::as_const(program_),
                  [&](const Region& region) { walk(region, [&](const Op& op) { note(op); }); });
    // Built before they are added: looking up goes by the program as it is.
    std::vector<Structure> structures;
    for (const auto& key : structure_order_) structures.push_back(structure(structures_.at(key)));
    std::move(structures.begin(), structures.end(), std::back_inserter(program_.structures));
    std::move(enumerations_.begin(), enumerations_.end(),
              std::back_inserter(program_.enumerations));
  }

 private:
  using Key = std::pair<std::string, std::string>;

  Program& program_;
  std::vector<Problem>& problems_;
  Lookup lookup_;
  std::map<int, Type> types_;
  std::map<Key, FoundStructure> structures_;
  std::vector<Key> structure_order_;
  std::vector<Enumeration> enumerations_;
  int next_symbol_ = 0;
  int next_dtype_ = 0;

  /// The generics of a call in their order, which only the substitution has to tell.
  void list_generics(Op& op) const {
    const Function* callee = lookup_.function(op.attrs.callee);
    if (callee == nullptr || !op.attrs.generics.empty()) return;
    for (const Generic& generic : callee->generics) {
      op.attrs.generics.push_back(substitute(as_argument(generic), op.attrs.substitution));
    }
  }

  void each_named_type() {
    const auto note_type = [&](const Type& type) {
      each_type(type, [&](const Type& part) { note(part); });
    };
    const auto note_numbers = [&](const std::vector<Generic>& generics) {
      for (const Generic& generic : generics) {
        int& next = generic.kind == GenericKind::dtype ? next_dtype_ : next_symbol_;
        next = std::max(next, generic.id + 1);
      }
    };
    for (const Structure& structure : program_.structures) {
      note_numbers(structure.generics);
      for (const auto& [name, type] : structure.fields) note_type(type);
    }
    for (const auto& [key, block] : program_.blocks) note_numbers(block.generics);
    for (const Function& function : program_.functions) {
      note_numbers(function.generics);
      for (const Type& type : function.results) note_type(type);
    }
    for (const auto& [id, type] : types_) note_type(type);
  }

  void note(const Type& type) {
    if (type->kind == TypeKind::structure) (void)structure_of(type);
    if (type->kind == TypeKind::enumeration) (void)enumeration_of(type);
  }

  /// Null for one that the plan declares.
  FoundStructure* structure_of(const Type& type) {
    if (lookup_.structure(*type) != nullptr) return nullptr;
    const Key key{type->module, type->name};
    const auto [found, is_new] = structures_.try_emplace(key);
    if (is_new) {
      structure_order_.push_back(key);
      found->second.example = type;
    }
    return &found->second;
  }

  Enumeration* enumeration_of(const Type& type) {
    if (lookup_.enumeration(*type) != nullptr) return nullptr;
    for (Enumeration& known : enumerations_) {
      if (known.name == type->name && known.module == type->module) return &known;
    }
    enumerations_.push_back({type->name, type->module, {}, {}});
    return &enumerations_.back();
  }

  void note(const Op& op) {
    const auto type_of = [&](int id) -> const Type& { return types_.at(id); };
    if (op.kind == OpKind::struct_make) {
      const Type& type = op.results[0].type;
      FoundStructure* found = structure_of(type);
      if (found == nullptr) return;
      found->is_made = true;
      for (std::size_t i = 0; i < op.operands.size(); ++i) {
        found->note(i, type, type_of(op.operands[i]));
      }
    } else if (op.kind == OpKind::struct_get) {
      const Type& type = type_of(op.operands[0]);
      const auto position = static_cast<std::size_t>(std::get<std::int64_t>(op.attrs.value));
      FoundStructure* found = structure_of(type);
      if (found != nullptr) found->note(position, type, op.results[0].type);
    } else if (op.kind == OpKind::enum_const) {
      if (Enumeration* found = enumeration_of(op.results[0].type)) add(*found, {op.attrs.name});
    } else if (op.kind == OpKind::enum_match) {
      Enumeration* found = enumeration_of(type_of(op.operands[0]));
      if (found == nullptr) return;
      // A match names all variants in their order; what was made before falls in line.
      const std::vector<std::string> made = std::exchange(found->variants, {});
      add(*found, op.attrs.variants);
      add(*found, made);
    }
  }

  static void add(Enumeration& enumeration, const std::vector<std::string>& variants) {
    for (const std::string& variant : variants) {
      auto& list = enumeration.variants;
      if (std::find(list.begin(), list.end(), variant) == list.end()) list.push_back(variant);
    }
  }

  std::vector<Generic> generics_for(const Arguments& arguments) {
    std::vector<Generic> generics;
    for (const GenericArgument& argument : arguments) {
      Generic generic;
      const std::string number = std::to_string(generics.size());
      if (std::holds_alternative<Dtype>(argument)) {
        generic.kind = GenericKind::dtype;
        generic.id = next_dtype_++;
        generic.name = "T" + number;
      } else {
        const bool is_shape = std::holds_alternative<ShapeUnits>(argument);
        generic.kind = is_shape ? GenericKind::shape : GenericKind::dim;
        generic.id = next_symbol_++;
        generic.name = (is_shape ? "S" : "N") + number;
      }
      generics.push_back(std::move(generic));
    }
    return generics;
  }

  Structure structure(const FoundStructure& found) {
    Structure out;
    out.name = found.example->name;
    out.module = found.example->module;
    out.generics = generics_for(found.example->args);
    const auto refuse = [&](const std::string& message) {
      problems_.push_back(
          {out.module + "::" + out.name, "a struct that the plan does not declare; " + message});
    };
    if (found.fields.empty() && !found.is_made) {
      refuse("it is neither made nor read, so its fields are not known");
    }
    for (std::size_t i = 0; i < found.fields.size(); ++i) {
      const std::string name = "field_" + std::to_string(i);
      const std::vector<FieldUse>& uses = found.fields[i];
      const bool same_form = std::all_of(uses.begin(), uses.end(), [&](const FieldUse& use) {
        return std::equal(use.arguments.begin(), use.arguments.end(), found.example->args.begin(),
                          found.example->args.end(),
                          [](const auto& a, const auto& b) { return a.index() == b.index(); });
      });
      if (uses.empty()) {
        refuse("its field " + std::to_string(i) +
               " is neither made nor read, so its type is not known");
      } else if (!same_form) {
        refuse("it has other generic arguments in other places");
      } else if (const auto type = FieldType(out.generics, uses).find()) {
        out.fields.emplace_back(name, *type);
      } else {
        refuse("no one type of its field " + std::to_string(i) + " gives that of every use");
      }
    }
    return out;
  }
};

}  // namespace

std::map<int, Type> value_types(const Program& program) {
  std::map<int, Type> types;
  const auto note = [&types](const std::vector<Value>& values) {
    for (const Value& value : values) types.emplace(value.id, value.type);
  };
  for_each_body(program, [&](const Region& region) {
    note(region.args);
    walk(region, [&](const Op& op) {
      note(op.results);
      for (const Region& inner : op.regions) note(inner.args);
    });
  });
  for (const Function& function : program.functions) {
    if (function.kernel) note(function.kernel->results);
  }
  return types;
}

void declare_missing(Program& program, std::vector<Problem>& problems) {
  Declarations(program, problems).run();
}

}  // namespace linnet::plan::detail
