// The verifier's rules for single ops, in the order of plan-format.md's table.

#include <algorithm>
#include <numeric>

#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/ir/verifier.hpp"

namespace linnet::ir::detail {
namespace {

/// Whether a dtype may belong to a class; variables answer by their own class.
struct DtypeTraits {
  bool boolean = false, integer = false, floating = false;
};

DtypeTraits traits(const Dtype& dtype, const std::map<int, DtypeClass>& variables) {
  if (dtype.is_variable) {
    const auto found = variables.find(dtype.variable);
    if (found == variables.end()) return {true, true, true};
    switch (found->second) {
      case DtypeClass::any:
        return {true, true, true};
      case DtypeClass::numeric:
        return {false, true, true};
      case DtypeClass::integer:
        return {false, true, false};
      case DtypeClass::floating:
        return {false, false, true};
    }
  }
  if (dtype.scalar == Scalar::boolean) return {true, false, false};
  const bool floating = dtype.scalar >= Scalar::f16;
  return {false, !floating, floating};
}

bool is_data(const Type& type) {
  return type->kind == TypeKind::tensor || type->kind == TypeKind::scalar;
}

std::size_t rank(const Type& type) {
  return type->kind == TypeKind::tensor ? type->shape.size() : 0;
}

std::string spelled(const Op& op) {
  return "`" + std::string(op_name(op.kind)) + "`";
}

}  // namespace

bool Verifier::counts(const Op& op, std::size_t operands, std::size_t results,
                      std::size_t regions) {
  const auto wrong = [&](std::string_view what, std::size_t wanted, std::size_t got) {
    return problem(spelled(op) + " takes " + std::to_string(wanted) + " " + std::string(what) +
                   ", not " + std::to_string(got));
  };
  if (op.operands.size() != operands) return wrong("operands", operands, op.operands.size());
  if (op.regions.size() != regions) return wrong("regions", regions, op.regions.size());
  if (op.results.size() != results) return wrong("results", results, op.results.size());
  return true;
}

bool Verifier::same_dtype(const Op& op, const Types& types, std::size_t first) {
  for (std::size_t i = first; i < types.size(); ++i) {
    if (!is_data(types[i])) {
      return problem(spelled(op) + " of a `" + to_text(types[i]) + "`");
    }
    if (!equal(types[i]->dtype, types[first]->dtype)) {
      return problem(spelled(op) + " of different dtypes `" + to_text(types[first]->dtype) +
                     "` and `" + to_text(types[i]->dtype) + "`");
    }
  }
  return true;
}

void Verifier::check_result(const Op& op, const Type& expected) {
  if (op.results.empty() || !expected) return;
  if (!compatible(op.results[0].type, expected)) {
    problem(spelled(op) + " gives `" + to_text(expected) + "`, not `" +
            to_text(op.results[0].type) + "`");
  }
}

void Verifier::check_region_args(const Region& region, const Types& expected) {
  if (region.args.size() != expected.size()) {
    problem("the region takes " + std::to_string(region.args.size()) + " arguments, not " +
            std::to_string(expected.size()));
    return;
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] && !compatible(region.args[i].type, expected[i])) {
      problem("argument " + std::to_string(i) + " of the region is a `" +
              to_text(region.args[i].type) + "`, not a `" + to_text(expected[i]) + "`");
    }
  }
}

void Verifier::check_constant_op(const Op& op) {
  if (!counts(op, 0, 1, 0)) return;
  const Type& type = op.results[0].type;
  if (type->kind != TypeKind::scalar) {
    problem(spelled(op) + " gives a scalar");
    return;
  }
  const DtypeTraits dtype = traits(type->dtype, dtypes_);
  const bool fits = op.kind == OpKind::const_bool    ? dtype.boolean
                    : op.kind == OpKind::const_float ? dtype.floating
                    : op.kind == OpKind::const_int   ? dtype.integer || dtype.floating
                                                     : dtype.integer;
  if (!fits) problem(spelled(op) + " cannot be a `" + to_text(type) + "`");
  if (const auto* dim = std::get_if<Dim>(&op.attrs.value)) check_dim(*dim);
}

void Verifier::check_elementwise(const Op& op, const Types& types) {
  const bool is_select = op.kind == OpKind::select;
  const bool is_unary = op.kind == OpKind::not_ || op.kind == OpKind::neg ||
                        op.kind == OpKind::cast || op.kind == OpKind::abs ||
                        (op.kind >= OpKind::exp && op.kind <= OpKind::tanh);
  if (!counts(op, is_select ? 3 : is_unary ? 1 : 2, 1, 0)) return;
  const Type& result = op.results[0].type;
  if (op.kind == OpKind::compare && types[0]->kind == TypeKind::enumeration) {
    if (!compatible(types[0], types[1])) problem("compares values of different enums");
    check_result(op, make_scalar(Scalar::boolean));
    return;
  }
  if (is_select && (!is_data(types[0]) || !traits(types[0]->dtype, dtypes_).boolean)) {
    problem("the condition of `select` is no `bool`");
    return;
  }
  if (!same_dtype(op, types, is_select ? 1 : 0)) return;
  if (!is_data(result)) {
    problem(spelled(op) + " cannot give a `" + to_text(result) + "`");
    return;
  }
  const Dtype& dtype = types[is_select ? 1 : 0]->dtype;
  const DtypeTraits kind = traits(dtype, dtypes_);
  bool fits = true;
  switch (op.kind) {
    case OpKind::exp:
    case OpKind::log:
    case OpKind::sqrt:
    case OpKind::rsqrt:
    case OpKind::sin:
    case OpKind::cos:
    case OpKind::tanh:
      fits = kind.floating;
      break;
    case OpKind::and_:
    case OpKind::or_:
    case OpKind::not_:
      fits = kind.boolean;
      break;
    case OpKind::bitand_:
    case OpKind::bitor_:
    case OpKind::bitxor:
      fits = kind.boolean || kind.integer;
      break;
    case OpKind::shl:
    case OpKind::shr:
      fits = kind.integer;
      break;
    case OpKind::compare:
    case OpKind::cast:
    case OpKind::select:
      break;
    default:
      fits = kind.integer || kind.floating;
      break;
  }
  if (!fits) problem(spelled(op) + " of `" + to_text(dtype) + "`");
  if (op.kind == OpKind::compare) {
    if (!traits(result->dtype, dtypes_).boolean) problem("`compare` gives `bool`");
  } else if (op.kind != OpKind::cast && !equal(result->dtype, dtype)) {
    problem(spelled(op) + " of `" + to_text(dtype) + "` cannot give `" + to_text(result->dtype) +
            "`");
  }
  std::size_t widest = 0;
  for (const Type& type : types) widest = std::max(widest, rank(type));
  if (rank(result) != widest) {
    problem(spelled(op) + " gives rank " + std::to_string(widest) + ", not `" + to_text(result) +
            "`");
  }
}

void Verifier::check_view(const Op& op, const Types& types) {
  const bool many = op.kind == OpKind::concat;
  if (!counts(op,
              many                      ? std::max<std::size_t>(types.size(), 1)
              : op.kind == OpKind::iota ? 0
                                        : 1,
              1, 0)) {
    return;
  }
  const Type& result = op.results[0].type;
  if (!types.empty() && !same_dtype(op, types, 0)) return;
  if (!is_data(result) || (!types.empty() && !equal(result->dtype, types[0]->dtype))) {
    problem(spelled(op) + " cannot give a `" + to_text(result) + "`");
    return;
  }
  switch (op.kind) {
    case OpKind::reshape:
    case OpKind::broadcast:
    case OpKind::fill:
    case OpKind::iota:
      check_shape(op.attrs.shape);
      if (op.kind == OpKind::fill && types[0]->kind != TypeKind::scalar) {
        problem("`fill` takes a scalar");
      }
      if (op.kind == OpKind::broadcast && rank(types[0]) > op.attrs.shape.size()) {
        problem("`broadcast` to fewer axes");
      }
      if (op.kind == OpKind::iota && op.attrs.shape.size() != 1) problem("`iota` has one axis");
      check_result(op, op.attrs.shape.empty() ? make_scalar(result->dtype)
                                              : make_tensor(op.attrs.shape, result->dtype));
      break;
    case OpKind::permute: {
      std::vector<int> sorted = op.attrs.permutation;
      std::sort(sorted.begin(), sorted.end());
      std::vector<int> axes(rank(types[0]));
      std::iota(axes.begin(), axes.end(), 0);
      if (sorted != axes) {
        problem("the axes of `permute` are no permutation of those of `" + to_text(types[0]) + "`");
        break;
      }
      ShapeUnits shape;
      for (const int axis : op.attrs.permutation) {
        shape.push_back(types[0]->shape[static_cast<std::size_t>(axis)]);
      }
      if (!shape.empty()) check_result(op, make_tensor(std::move(shape), types[0]->dtype));
      break;
    }
    default:
      for (const Type& type : types) {
        if (rank(type) != rank(result)) problem(spelled(op) + " of different ranks");
        if (static_cast<std::size_t>(op.attrs.axis) >= rank(type)) {
          problem("axis " + std::to_string(op.attrs.axis) + " is not one of `" + to_text(type) +
                  "`");
        }
      }
      if (op.kind == OpKind::cumsum) check_result(op, types[0]);
      break;
  }
}

void Verifier::check_slice(const Op& op, const Types& types) {
  if (types.empty() || types[0]->kind != TypeKind::tensor) {
    problem("`slice` takes a tensor first");
    return;
  }
  std::size_t runtime = 0, covered = 0, kept = 0;
  for (std::size_t i = 0; i < op.attrs.axes.size(); ++i) {
    const At at(*this, element("attrs.axes", i));
    const SliceAxis& axis = op.attrs.axes[i];
    const std::size_t units = axis.whole ? axis.whole_units.size() : 1;
    if (axis.whole) check_shape(axis.whole_units);
    for (const Dim& bound : {axis.start, axis.stop, axis.step}) {
      if (bound) check_dim(bound);
    }
    if (const auto step = constant_value(axis.step); step && *step <= 0) {
      problem("a step of " + std::to_string(*step));
    }
    if (!axis.whole && covered < types[0]->shape.size() && types[0]->shape[covered].is_pack()) {
      problem("cuts into the pack `*" + types[0]->shape[covered].pack_name + "`");
    }
    covered += units;
    if (axis.whole || !axis.squeeze) kept += units;
    if (!axis.whole && axis.squeeze && !axis.start) ++runtime;
  }
  if (covered != types[0]->shape.size()) {
    problem("`slice` covers " + std::to_string(covered) + " axes of `" + to_text(types[0]) + "`");
    return;
  }
  if (!counts(op, runtime + 1, 1, 0)) return;
  for (std::size_t i = 1; i < types.size(); ++i) {
    if (!is_integer_scalar(types[i])) problem("an index of `slice` is no integer");
  }
  const Type& result = op.results[0].type;
  if (!is_data(result) || !equal(result->dtype, types[0]->dtype) || rank(result) != kept) {
    problem("`slice` cannot give `" + to_text(result) + "`");
  }
}

void Verifier::check_element(const Op& op, const Types& types) {
  if (types.empty() || types[0]->kind != TypeKind::tensor || op.results.size() != 1) {
    problem("`tensor.element` takes a tensor and gives a scalar");
    return;
  }
  std::size_t covered = 0;
  for (std::size_t i = 1; i < types.size(); ++i) {
    const auto run = runs_.find(op.operands[i]);
    if (run != runs_.end()) {
      covered += run->second;
    } else if (is_integer_scalar(types[i])) {
      ++covered;
    } else {
      problem("a position of `tensor.element` is no integer");
      return;
    }
  }
  if (covered != rank(types[0])) {
    problem("`tensor.element` has " + std::to_string(covered) + " positions for `" +
            to_text(types[0]) + "`");
  }
  check_result(op, make_scalar(types[0]->dtype));
}

void Verifier::check_index_notation(const Op& op, const Types&) {
  if (!counts(op, 0, 1, 1)) return;
  const Region& region = op.regions[0];
  ShapeUnits domain;
  if (region.args.size() != op.attrs.indices.size()) {
    problem("the region has " + std::to_string(region.args.size()) + " arguments for " +
            std::to_string(op.attrs.indices.size()) + " indices");
    return;
  }
  for (std::size_t i = 0; i < region.args.size(); ++i) {
    const ShapeUnits& units = op.attrs.indices[i].domain;
    check_shape(units);
    domain.insert(domain.end(), units.begin(), units.end());
    const Type& type = region.args[i].type;
    if (type->kind != TypeKind::shape && !is_integer_scalar(type)) {
      problem("index `" + op.attrs.indices[i].name + "` is a `" + to_text(type) + "`");
    }
    runs_[region.args[i].id] = units.size();
  }
  const Type& result = op.results[0].type;
  if (!is_data(result)) {
    problem(spelled(op) + " cannot give a `" + to_text(result) + "`");
    return;
  }
  if (op.kind == OpKind::comprehension) {
    if (!domain.empty()) check_result(op, make_tensor(domain, result->dtype));
  } else {
    const bool logical = op.attrs.reduce == ReduceKind::any || op.attrs.reduce == ReduceKind::all;
    const DtypeTraits dtype = traits(result->dtype, dtypes_);
    if (result->kind != TypeKind::scalar) problem("`reduce` gives a scalar");
    if (logical ? !dtype.boolean : !dtype.integer && !dtype.floating) {
      problem("`" + std::string(reduce_name(op.attrs.reduce)) + "` of `" + to_text(result->dtype) +
              "`");
    }
  }
  const At at(*this, "regions[0]");
  check_region(region, Terminator::yield, {make_scalar(result->dtype)});
}

void Verifier::check_aggregate(const Op& op, const Types& types) {
  const auto position = [&]() -> std::size_t {
    const auto* value = std::get_if<std::int64_t>(&op.attrs.value);
    return value == nullptr ? 0 : static_cast<std::size_t>(*value);
  };
  switch (op.kind) {
    case OpKind::tuple_make:
      if (counts(op, types.size(), 1, 0)) check_result(op, make_tuple(types));
      break;
    case OpKind::struct_make: {
      if (!counts(op, types.size(), 1, 0)) return;
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
        if (!compatible(field, types[i])) {
          problem("field `" + structure->fields[i].first + "` is a `" + to_text(field) +
                  "`, not a `" + to_text(types[i]) + "`");
        }
      }
      break;
    }
    case OpKind::tuple_get:
      if (!counts(op, 1, 1, 0)) return;
      if (types[0]->kind != TypeKind::tuple || position() >= types[0]->elements.size()) {
        problem("no element " + std::to_string(position()) + " in `" + to_text(types[0]) + "`");
      } else {
        check_result(op, types[0]->elements[position()]);
      }
      break;
    case OpKind::struct_get: {
      if (!counts(op, 1, 1, 0)) return;
      if (types[0]->kind != TypeKind::structure) {
        problem("`struct.get` of a `" + to_text(types[0]) + "`");
        return;
      }
      const Structure* structure = lookup_.structure(*types[0]);
      if (structure == nullptr) return;
      if (position() >= structure->fields.size()) {
        problem("no field " + std::to_string(position()) + " in `" + structure->name + "`");
        return;
      }
      check_result(op, substitute(structure->fields[position()].second,
                                  bind(structure->generics, types[0]->args)));
      break;
    }
    case OpKind::option_some:
      if (counts(op, 1, 1, 0)) check_result(op, make_optional(types[0]));
      break;
    case OpKind::option_none:
      if (counts(op, 0, 1, 0) && op.results[0].type->kind != TypeKind::optional) {
        problem("`option.none` gives an optional");
      }
      break;
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
      break;
  }
}

void Verifier::check_branch(const Op& op, const Types& types) {
  const bool is_enum = op.kind == OpKind::enum_match;
  if (!counts(op, 1, op.results.size(), is_enum ? op.attrs.variants.size() : 2)) return;
  Types first_args;
  if (op.kind == OpKind::if_) {
    if (!is_scalar_of(types[0], Scalar::boolean)) problem("the condition of `if` is no `bool`");
  } else if (op.kind == OpKind::option_match) {
    if (types[0]->kind != TypeKind::optional) {
      problem("`option.match` of a `" + to_text(types[0]) + "`");
      return;
    }
    first_args.push_back(types[0]->elements[0]);
  } else {
    if (types[0]->kind != TypeKind::enumeration) {
      problem("`enum.match` of a `" + to_text(types[0]) + "`");
      return;
    }
    std::vector<std::string> variants = op.attrs.variants;
    std::sort(variants.begin(), variants.end());
    if (std::adjacent_find(variants.begin(), variants.end()) != variants.end()) {
      problem("two arms for one variant");
    }
    if (const auto* enumeration = lookup_.enumeration(*types[0])) {
      std::vector<std::string> all = enumeration->variants;
      std::sort(all.begin(), all.end());
      if (variants != all) problem("the arms are not the variants of `" + enumeration->name + "`");
    }
  }
  Types results;
  for (const Value& value : op.results) results.push_back(value.type);
  for (std::size_t i = 0; i < op.regions.size(); ++i) {
    const At at(*this, element("regions", i));
    check_region_args(op.regions[i], i == 0 ? first_args : Types{});
    check_region(op.regions[i], Terminator::yield, results);
  }
}

void Verifier::check_call(const Op& op, const Types& types) {
  const Function* callee = lookup_.function(op.attrs.callee);
  if (callee == nullptr) {
    problem("there is no function `" + op.attrs.callee + "`");
    return;
  }
  if (callee->kind == FunctionKind::kernel) {
    problem("a kernel is never called");
    return;
  }
  if (op.kind == OpKind::semantic_call && callee->kind != FunctionKind::op) {
    problem("`semantic.call` of `" + callee->name + "`, which is no op");
  }
  if (!counts(op, callee->body.args.size(), callee->results.size(), 0)) return;
  const Substitution& map = op.attrs.substitution;
  for (const auto& [number, dim] : map.dims) check_dim(dim);
  for (const auto& [number, shape] : map.packs) check_shape(shape);
  for (const auto& [number, dtype] : map.dtypes) check_dtype(dtype);
  for (const Generic& generic : callee->generics) {
    const bool bound = generic.kind == GenericKind::dim     ? map.dims.contains(generic.id)
                       : generic.kind == GenericKind::shape ? map.packs.contains(generic.id)
                                                            : map.dtypes.contains(generic.id);
    if (!bound) {
      problem("generic `" + generic.name + "` of `" + callee->name + "` is not bound");
      return;
    }
  }
  if (!op.attrs.generics.empty()) check_arguments(callee->generics, op.attrs.generics);
  Substitution all = map;
  if (!types.empty() && types[0]->kind == TypeKind::block && !callee->block.empty()) {
    if (const Block* block = lookup_.block(callee->block)) {
      const Substitution own = bind(block->generics, types[0]->args);
      all.dims.insert(own.dims.begin(), own.dims.end());
      all.packs.insert(own.packs.begin(), own.packs.end());
      all.dtypes.insert(own.dtypes.begin(), own.dtypes.end());
    }
  }
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Type parameter = substitute(callee->body.args[i].type, all);
    if (!compatible(parameter, types[i])) {
      problem("argument " + std::to_string(i) + " of `" + callee->name + "` is a `" +
              to_text(types[i]) + "`, not a `" + to_text(parameter) + "`");
    }
  }
  for (std::size_t i = 0; i < callee->results.size(); ++i) {
    const Type result = substitute(callee->results[i], all);
    if (!compatible(result, op.results[i].type)) {
      problem("`" + callee->name + "` gives a `" + to_text(result) + "`, not a `" +
              to_text(op.results[i].type) + "`");
    }
  }
}

void Verifier::check_member(const Op& op, const Types& types) {
  if (op.kind == OpKind::array_get) {
    if (!counts(op, 2, 1, 0)) return;
    if (types[0]->kind != TypeKind::array || !is_integer_scalar(types[1])) {
      problem("`array.get` takes an array and an integer");
    } else {
      check_result(op, types[0]->elements[0]);
    }
    return;
  }
  const bool is_write = op.kind == OpKind::state_write;
  if (!counts(op, is_write ? 2 : 1, is_write ? op.results.size() : 1, 0)) return;
  if (types[0]->kind != TypeKind::block) {
    problem(spelled(op) + " of a `" + to_text(types[0]) + "`");
    return;
  }
  const Block* block = lookup_.block(*types[0]);
  if (block == nullptr) return;
  const Member* member = find_member(*block, op.attrs.name);
  const auto fits = [&] {
    switch (op.kind) {
      case OpKind::block_param:
        return member->kind == MemberKind::param || member->kind == MemberKind::buffer;
      case OpKind::block_sub:
        return member->kind == MemberKind::sub;
      default:
        return member->kind == MemberKind::state;
    }
  };
  if (member == nullptr || !fits()) {
    problem("block `" + block->name + "` has no member `" + op.attrs.name + "` for " + spelled(op));
    return;
  }
  const Type type = substitute(member->type, bind(block->generics, types[0]->args));
  if (!is_write) {
    check_result(op, type);
  } else if (!op.results.empty()) {
    problem("`state.write` has no result");
  } else if (!compatible(type, types[1])) {
    problem("state `" + op.attrs.name + "` is a `" + to_text(type) + "`, not a `" +
            to_text(types[1]) + "`");
  }
}

void Verifier::check_loop(const Op& op, const Types& types) {
  // The operands before the carried values, and what the body is given for them.
  std::size_t fixed = 0;
  Types body_args;
  if (op.kind == OpKind::static_for) {
    if (types.empty() || types[0]->kind != TypeKind::array) {
      problem("`static_for` runs over an array");
      return;
    }
    fixed = 1;
    body_args.push_back(types[0]->elements[0]);
  } else if (op.kind != OpKind::while_) {
    if (types.size() < 2 || !is_integer_scalar(types[0]) || !is_integer_scalar(types[1])) {
      problem(spelled(op) + " runs from an integer to an integer");
      return;
    }
    fixed = 2;
    body_args.push_back(make_scalar(Scalar::i64));
  }
  const Types carried(types.begin() + static_cast<std::ptrdiff_t>(fixed), types.end());
  body_args.insert(body_args.end(), carried.begin(), carried.end());
  const bool is_while = op.kind == OpKind::while_;
  const bool is_scan = op.kind == OpKind::for_ && op.results.size() == carried.size() + 1;
  if (!counts(op, types.size(), carried.size() + (is_scan ? 1 : 0), is_while ? 2 : 1)) return;
  for (std::size_t i = 0; i < carried.size(); ++i) {
    if (!compatible(carried[i], op.results[i].type)) {
      problem("result " + std::to_string(i) + " is a `" + to_text(op.results[i].type) +
              "`, but carries a `" + to_text(carried[i]) + "`");
    }
  }
  if (is_while) {
    const At at(*this, "regions[0]");
    check_region_args(op.regions[0], carried);
    check_region(op.regions[0], Terminator::yield, {make_scalar(Scalar::boolean)});
  }
  const std::size_t body = is_while ? 1 : 0;
  const At at(*this, element("regions", body));
  check_region_args(op.regions[body], body_args);
  Types yields = carried;
  if (is_scan) yields.push_back(nullptr);
  check_region(op.regions[body], Terminator::yield, yields);
}

void Verifier::check_kernel_op(const Op& op, const Types& types) {
  if (function_ == nullptr || function_->kind != FunctionKind::kernel) {
    problem(spelled(op) + " outside a kernel");
    return;
  }
  if (op.kind == OpKind::kernel_program_id) {
    if (counts(op, 0, 1, 0)) check_result(op, make_scalar(Scalar::i32));
    return;
  }
  const bool is_load = op.kind == OpKind::kernel_load;
  const auto indices = static_cast<std::size_t>(op.attrs.index_count);
  const std::size_t least = 1 + indices + (is_load ? 0 : 1);
  const std::size_t most = least + (is_load ? 2 : 1);
  if (types.size() < least || types.size() > most) {
    problem(spelled(op) + " with " + std::to_string(indices) + " indices takes " +
            std::to_string(least) + " to " + std::to_string(most) + " operands, not " +
            std::to_string(types.size()));
    return;
  }
  if (!counts(op, types.size(), is_load ? 1 : 0, 0)) return;
  if (types[0]->kind != TypeKind::tensor || rank(types[0]) != indices) {
    problem(spelled(op) + " with " + std::to_string(indices) + " indices of a `" +
            to_text(types[0]) + "`");
    return;
  }
  for (std::size_t i = 1; i <= indices; ++i) {
    if (!is_data(types[i]) || !traits(types[i]->dtype, dtypes_).integer) {
      problem("an index of " + spelled(op) + " is no integer");
    }
  }
  const Type& value = is_load ? op.results[0].type : types[1 + indices];
  if (!is_data(value) || !equal(value->dtype, types[0]->dtype)) {
    problem(spelled(op) + " of a `" + to_text(value) + "` and `" + to_text(types[0]) + "`");
  }
  const std::size_t mask = is_load ? 1 + indices : 2 + indices;
  if (types.size() > mask &&
      (!is_data(types[mask]) || !traits(types[mask]->dtype, dtypes_).boolean)) {
    problem("the mask of " + spelled(op) + " is no `bool`");
  }
}

void Verifier::check_op(const Op& op) {
  Types types;
  types.reserve(op.operands.size());
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const auto found = visible_.find(op.operands[i]);
    if (found == visible_.end()) {
      const At at(*this, element("operands", i));
      problem("value " + std::to_string(op.operands[i]) + " is not defined here");
    } else {
      types.push_back(found->second);
    }
  }
  if (types.size() == op.operands.size()) {
    switch (op.kind) {
      case OpKind::const_int:
      case OpKind::const_bool:
      case OpKind::const_float:
      case OpKind::const_dim:
        check_constant_op(op);
        break;
      case OpKind::reshape:
      case OpKind::broadcast:
      case OpKind::fill:
      case OpKind::iota:
      case OpKind::permute:
      case OpKind::concat:
      case OpKind::cumsum:
        check_view(op, types);
        break;
      case OpKind::slice:
        check_slice(op, types);
        break;
      case OpKind::tensor_element:
        check_element(op, types);
        break;
      case OpKind::comprehension:
      case OpKind::reduce:
        check_index_notation(op, types);
        break;
      case OpKind::enum_const:
      case OpKind::tuple_make:
      case OpKind::struct_make:
      case OpKind::tuple_get:
      case OpKind::struct_get:
      case OpKind::option_some:
      case OpKind::option_none:
        check_aggregate(op, types);
        break;
      case OpKind::option_match:
      case OpKind::enum_match:
      case OpKind::if_:
        check_branch(op, types);
        break;
      case OpKind::call:
      case OpKind::semantic_call:
        check_call(op, types);
        break;
      case OpKind::block_param:
      case OpKind::block_sub:
      case OpKind::array_get:
      case OpKind::state_read:
      case OpKind::state_write:
        check_member(op, types);
        break;
      case OpKind::static_for:
      case OpKind::static_range:
      case OpKind::for_:
      case OpKind::while_:
        check_loop(op, types);
        break;
      case OpKind::kernel_program_id:
      case OpKind::kernel_load:
      case OpKind::kernel_store:
      case OpKind::kernel_atomic_add:
      case OpKind::kernel_atomic_max:
      case OpKind::kernel_atomic_min:
        check_kernel_op(op, types);
        break;
      case OpKind::yield:
      case OpKind::return_:
        if (!op.results.empty() || !op.regions.empty()) {
          problem(spelled(op) + " has neither results nor regions");
        }
        break;
      default:
        check_elementwise(op, types);
        break;
    }
  }
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    const At at(*this, element("results", i));
    define(op.results[i]);
  }
}

}  // namespace linnet::ir::detail
