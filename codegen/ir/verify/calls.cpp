// Calls and the members of blocks.

#include <algorithm>

#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/ir/verify/verifier.hpp"

namespace linnet::ir::detail {
namespace {

/// What a substitution binds a generic to, if it does.
std::optional<GenericArgument> bound(const Substitution& map, const Generic& generic) {
  const auto in = [&](const auto& bindings) -> std::optional<GenericArgument> {
    const auto found = bindings.find(generic.id);
    return found == bindings.end() ? std::nullopt : std::optional<GenericArgument>(found->second);
  };
  switch (generic.kind) {
    case GenericKind::dim:
      return in(map.dims);
    case GenericKind::shape:
      return in(map.packs);
    case GenericKind::dtype:
      return in(map.dtypes);
  }
  return std::nullopt;
}

bool declares(const std::vector<Generic>& generics, GenericKind kind, int number) {
  return std::any_of(generics.begin(), generics.end(), [&](const Generic& generic) {
    return generic.kind == kind && generic.id == number;
  });
}

}  // namespace

/// A call binds every generic of its callee, in both of its attributes alike, and it may bind those
/// of a method's block, which the block's type binds too.
bool Verifier::check_substitution(const Op& op, const Function& callee) {
  const Substitution& map = op.attrs.substitution;
  const Block* block = callee.block.empty() ? nullptr : lookup_.block(callee.block);
  const auto check_bindings = [&](GenericKind kind, const auto& bindings) {
    for (const auto& [number, argument] : bindings) {
      check_argument(argument);
      if (declares(callee.generics, kind, number)) continue;
      if (block != nullptr && declares(block->generics, kind, number)) continue;
      problem("binds a " + std::string(generic_kind_name(kind)) + " " + std::to_string(number) +
              ", which `" + callee.name + "` has not");
    }
  };
  check_bindings(GenericKind::dim, map.dims);
  check_bindings(GenericKind::shape, map.packs);
  check_bindings(GenericKind::dtype, map.dtypes);
  std::vector<GenericArgument> arguments;
  for (const Generic& generic : callee.generics) {
    const auto argument = bound(map, generic);
    if (!argument) {
      return problem("generic `" + generic.name + "` of `" + callee.name + "` is not bound");
    }
    arguments.push_back(*argument);
  }
  check_arguments(callee.generics, arguments);
  const std::vector<GenericArgument>& listed = op.attrs.generics;
  if (listed.empty()) return true;
  check_arguments(callee.generics, listed);
  for (std::size_t i = 0; i < std::min(listed.size(), arguments.size()); ++i) {
    if (agree(listed[i], arguments[i])) continue;
    problem("generic `" + callee.generics[i].name + "` of `" + callee.name + "` is `" +
            to_text(listed[i]) + "` in one list and `" + to_text(arguments[i]) + "` in the other");
  }
  return true;
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
  const bool is_op = callee->kind == FunctionKind::op;
  if ((op.kind == OpKind::semantic_call) != is_op) {
    problem(spelled(op) + " of `" + callee->name + "`, which is " + (is_op ? "an op" : "no op"));
  }
  // A call stands for its value: there are no statements that only call.
  if (callee->results.empty()) problem("`" + callee->name + "` gives nothing to call it for");
  if (!counts(op, callee->body.args.size(), callee->results.size(), 0)) return;
  if (!check_substitution(op, *callee)) return;
  Substitution all = op.attrs.substitution;
  const Block* block = callee->block.empty() ? nullptr : lookup_.block(callee->block);
  if (block != nullptr && !types.empty() && types[0]->kind == TypeKind::block) {
    const Substitution own = bind(block->generics, types[0]->args);
    all.dims.insert(own.dims.begin(), own.dims.end());
    all.packs.insert(own.packs.begin(), own.packs.end());
    all.dtypes.insert(own.dtypes.begin(), own.dtypes.end());
  }
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Type parameter = substitute(callee->body.args[i].type, all);
    if (!agree(parameter, types[i])) {
      problem("argument " + std::to_string(i) + " of `" + callee->name + "` is a `" +
              to_text(types[i]) + "`, not a `" + to_text(parameter) + "`");
    }
  }
  for (std::size_t i = 0; i < callee->results.size(); ++i) {
    const Type result = substitute(callee->results[i], all);
    if (!agree(result, op.results[i].type)) {
      problem("`" + callee->name + "` gives a `" + to_text(result) + "`, not a `" +
              to_text(op.results[i].type) + "`");
    }
  }
  // Those of its block hold wherever there is a value of the block's type.
  check_bound(callee->constraints, all, callee->name);
}

void Verifier::check_array_get(const Op& op, const Types& types) {
  if (!counts(op, 2, 1, 0)) return;
  if (types[0]->kind != TypeKind::array || !is_integer_scalar(types[1])) {
    problem("`array.get` takes an array and an integer");
    return;
  }
  check_result(op, types[0]->elements[0]);
  const auto position = numbers_.find(op.operands[1]);
  if (position == numbers_.end()) return;
  const auto number = constant_value(position->second);
  const auto length = constant_value(types[0]->length);
  if (number && (*number < 0 || (length && *number >= *length))) {
    problem("element " + std::to_string(*number) + " of `" + to_text(types[0]) + "`");
  }
}

void Verifier::check_member(const Op& op, const Types& types) {
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
  } else if (!agree(type, types[1])) {
    problem("state `" + op.attrs.name + "` is a `" + to_text(type) + "`, not a `" +
            to_text(types[1]) + "`");
  }
}

}  // namespace linnet::ir::detail
