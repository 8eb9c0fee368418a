// Declarations of structs and enums, told from their uses.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "codegen/ir/build.hpp"
#include "codegen/ir/lookup.hpp"
#include "codegen/ir/walk.hpp"
#include "codegen/plan/complete.hpp"
#include "codegen/plan/field_type.hpp"

namespace linnet::plan::detail {

using namespace ir;

namespace {

struct FoundStructure {
  Type example;
  bool is_made = false;
  std::map<std::size_t, std::vector<FieldUse>> fields;  ///< by position, of those that are used

  void note(std::size_t position, const Type& owner, const Type& type) {
    fields[position].push_back({owner->args, type});
  }
};

class Declarations {
 public:
  Declarations(Program& program, std::vector<Problem>& problems)
      : program_(program), problems_(problems), lookup_(program), types_(value_types(program)) {}

  /// Whether there is any new declaration.
  bool run() {
    each_named_type();
    for_each_body(std::as_const(program_),
                  [&](const Region& region) { walk(region, [&](const Op& op) { note(op); }); });
    // Built before they are added: looking up goes by the program as it is.
    for (std::size_t i = 0; i < enumerations_.size(); ++i) {
      enumerations_[i].generics = generics_for(enumeration_examples_[i]->args);
    }
    std::vector<Structure> structures;
    for (const auto& key : structure_order_) {
      if (auto found = structure(structures_.at(key))) structures.push_back(std::move(*found));
    }
    const bool any = !structures.empty() || !enumerations_.empty();
    std::move(structures.begin(), structures.end(), std::back_inserter(program_.structures));
    std::move(enumerations_.begin(), enumerations_.end(),
              std::back_inserter(program_.enumerations));
    return any;
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
  std::vector<Type> enumeration_examples_;  ///< one type of each of them
  int next_symbol_ = 0;
  int next_dtype_ = 0;

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
    for (const Enumeration& enumeration : program_.enumerations) {
      note_numbers(enumeration.generics);
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
    enumeration_examples_.push_back(type);
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

  std::vector<Generic> generics_for(const std::vector<GenericArgument>& arguments) {
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

  /// Null, and a problem, for a struct whose fields cannot be told.
  std::optional<Structure> structure(const FoundStructure& found) {
    Structure out;
    out.name = found.example->name;
    out.module = found.example->module;
    out.generics = generics_for(found.example->args);
    const auto refuse = [&](const std::string& message) {
      problems_.push_back(
          {out.module + "::" + out.name, "a struct that the plan does not declare; " + message});
      return std::nullopt;
    };
    if (found.fields.empty() && !found.is_made) {
      return refuse("it is neither made nor read, so its fields are not known");
    }
    for (const auto& [position, uses] : found.fields) {
      const std::string field = "field " + std::to_string(out.fields.size());
      if (position != out.fields.size()) {
        return refuse("its " + field + " is neither made nor read, so its type is not known");
      }
      const bool same_form = std::all_of(uses.begin(), uses.end(), [&](const FieldUse& use) {
        return std::equal(use.arguments.begin(), use.arguments.end(), found.example->args.begin(),
                          found.example->args.end(),
                          [](const auto& a, const auto& b) { return a.index() == b.index(); });
      });
      if (!same_form) return refuse("it has other generic arguments in other places");
      const auto type = find_field_type(out.generics, uses);
      if (!type) return refuse("no one type of its " + field + " gives that of every use");
      out.fields.emplace_back("field_" + std::to_string(position), *type);
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

bool declare_missing(Program& program, std::vector<Problem>& problems) {
  return Declarations(program, problems).run();
}

}  // namespace linnet::plan::detail
