// Tuples, structs, optionals and enums: making them and taking them apart.

#include <algorithm>

#include "codegen/ir/build.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/ir/verify/verifier.hpp"

namespace linnet::ir::detail {

void Verifier::check_aggregate(const Op& op, const Types& types) {
  switch (op.kind) {
    case OpKind::tuple_make:
      if (counts(op, types.size(), 1, 0)) check_result(op, make_tuple(types));
      return;
    case OpKind::struct_make:
      if (counts(op, types.size(), 1, 0)) check_struct_make(op, types);
      return;
    case OpKind::tuple_get:
    case OpKind::struct_get:
      if (counts(op, 1, 1, 0)) check_get(op, types);
      return;
    case OpKind::option_some:
      if (counts(op, 1, 1, 0)) check_result(op, make_optional(types[0]));
      return;
    case OpKind::option_none:
      if (counts(op, 0, 1, 0) && op.results[0].type->kind != TypeKind::optional) {
        problem("`option.none` gives an optional");
      }
      return;
    default:  // enum.const
      if (!counts(op, 0, 1, 0)) return;
      if (op.results[0].type->kind != TypeKind::enumeration) {
        problem("`enum.const` gives an enum");
      } else if (const auto* enumeration = lookup_.enumeration(*op.results[0].type)) {
        const auto& variants = enumeration->variants;
        if (std::find(variants.begin(), variants.end(), op.attrs.name) == variants.end()) {
          problem("`" + enumeration->name + "` has no variant `" + op.attrs.name + "`");
        }
      }
      return;
  }
}

void Verifier::check_struct_make(const Op& op, const Types& types) {
  const Type& result = op.results[0].type;
  if (result->kind != TypeKind::structure) {
    problem("`struct.make` gives a struct");
    return;
  }
  const Structure* structure = lookup_.structure(*result);
  if (structure == nullptr) return;
  if (structure->fields.size() != types.size()) {
    problem("`" + structure->name + "` has " + std::to_string(structure->fields.size()) +
            " fields, not " + std::to_string(types.size()));
    return;
  }
  const Substitution map = bind(structure->generics, result->args);
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Type field = substitute(structure->fields[i].second, map);
    if (agree(field, types[i])) continue;
    problem("field `" + structure->fields[i].first + "` is a `" + to_text(field) + "`, not a `" +
            to_text(types[i]) + "`");
  }
}

void Verifier::check_get(const Op& op, const Types& types) {
  const auto* value = std::get_if<std::int64_t>(&op.attrs.value);
  const auto position = value == nullptr ? 0 : static_cast<std::size_t>(*value);
  const bool is_tuple = op.kind == OpKind::tuple_get;
  if (types[0]->kind != (is_tuple ? TypeKind::tuple : TypeKind::structure)) {
    problem(spelled(op) + " of a `" + to_text(types[0]) + "`");
    return;
  }
  if (is_tuple) {
    if (position < types[0]->elements.size()) {
      check_result(op, types[0]->elements[position]);
    } else {
      problem("no element " + std::to_string(position) + " in `" + to_text(types[0]) + "`");
    }
    return;
  }
  const Structure* structure = lookup_.structure(*types[0]);
  if (structure == nullptr) return;
  if (position >= structure->fields.size()) {
    problem("no field " + std::to_string(position) + " in `" + structure->name + "`");
    return;
  }
  check_result(op, substitute(structure->fields[position].second,
                              bind(structure->generics, types[0]->args)));
}

}  // namespace linnet::ir::detail
