// Values, regions and what all ops have in common; which file knows which op.

#include <algorithm>

#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/ir/verify/verifier.hpp"

namespace linnet::ir::detail {

void Verifier::define(const Value& value) {
  if (!defined_.insert(value.id).second) {
    problem("value " + std::to_string(value.id) + " is defined twice");
  }
  check_type(value.type);
  visible_[value.id] = value.type;
  scope_.push_back(value.id);
  // Where an extent would be negative the program ends here.
  for (const Unit& unit : shape_of(value.type)) {
    const bool is_known = unit.is_pack() || unit.dim->args.empty();
    if (!is_known) witnesses_.assume_at_least(unit.dim, make_constant(0));
  }
}

Verifier::Types Verifier::check_region(const Region& region, Terminator terminator,
                                       const std::optional<Types>& expected) {
  const std::size_t outer = scope_.size();
  for (std::size_t i = 0; i < region.args.size(); ++i) {
    const At at(*this, element("args", i));
    define(region.args[i]);
  }
  Types given;
  for (std::size_t i = 0; i < region.ops.size() && !full(); ++i) {
    const At at(*this, element("ops", i));
    const Op& op = region.ops[i];
    const bool is_terminator = op.kind == OpKind::yield || op.kind == OpKind::return_;
    const bool is_last = i + 1 == region.ops.size();
    if (is_terminator && !is_last) problem("ops follow the end of the region");
    check_op(op);
    if (!is_last || !is_terminator) continue;
    if (terminator == Terminator::return_ && op.kind != OpKind::return_) {
      problem("a function must end with `return`");
    }
    if (terminator == Terminator::yield && op.kind != OpKind::yield) {
      problem("`return` inside a nested region");
    }
    if (expected && op.operands.size() != expected->size()) {
      problem("gives " + std::to_string(op.operands.size()) + " values where " +
              std::to_string(expected->size()) + " are due");
      continue;
    }
    for (const int operand : op.operands) {
      const auto found = visible_.find(operand);
      if (found != visible_.end()) given.push_back(found->second);
    }
    if (given.size() != op.operands.size()) given.clear();
    for (std::size_t k = 0; expected && k < given.size(); ++k) {
      const Type& due = (*expected)[k];
      if (!due || agree(given[k], due)) continue;
      problem("gives `" + to_text(given[k]) + "` where `" + to_text(due) + "` is due");
    }
  }
  const bool ends = !region.ops.empty() && (region.ops.back().kind == OpKind::yield ||
                                            region.ops.back().kind == OpKind::return_);
  if (!ends) problem("the region does not end with `yield` or `return`");
  while (scope_.size() > outer) {
    visible_.erase(scope_.back());
    scope_.pop_back();
  }
  return given;
}

void Verifier::check_region_args(const Region& region, const Types& expected) {
  if (region.args.size() != expected.size()) {
    problem("the region takes " + std::to_string(region.args.size()) + " arguments, not " +
            std::to_string(expected.size()));
    return;
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] && !agree(region.args[i].type, expected[i])) {
      problem("argument " + std::to_string(i) + " of the region is a `" +
              to_text(region.args[i].type) + "`, not a `" + to_text(expected[i]) + "`");
    }
  }
}

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
  if (!agree(op.results[0].type, expected)) {
    problem(spelled(op) + " gives `" + to_text(expected) + "`, not `" +
            to_text(op.results[0].type) + "`");
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
  if (types.size() == op.operands.size()) check_op_kind(op, types);
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    const At at(*this, element("results", i));
    define(op.results[i]);
  }
}

void Verifier::check_op_kind(const Op& op, const Types& types) {
  switch (op.kind) {
    case OpKind::const_int:
    case OpKind::const_bool:
    case OpKind::const_float:
    case OpKind::const_dim:
      return check_constant_op(op);
    case OpKind::reshape:
    case OpKind::broadcast:
    case OpKind::fill:
    case OpKind::iota:
    case OpKind::permute:
    case OpKind::concat:
    case OpKind::cumsum:
      return check_view(op, types);
    case OpKind::slice:
      return check_slice(op, types);
    case OpKind::tensor_element:
      return check_element(op, types);
    case OpKind::comprehension:
    case OpKind::reduce:
      return check_index_notation(op, types);
    case OpKind::enum_const:
    case OpKind::tuple_make:
    case OpKind::struct_make:
    case OpKind::tuple_get:
    case OpKind::struct_get:
    case OpKind::option_some:
    case OpKind::option_none:
      return check_aggregate(op, types);
    case OpKind::option_match:
    case OpKind::enum_match:
    case OpKind::if_:
      return check_branch(op, types);
    case OpKind::call:
    case OpKind::semantic_call:
      return check_call(op, types);
    case OpKind::array_get:
      return check_array_get(op, types);
    case OpKind::block_param:
    case OpKind::block_sub:
    case OpKind::state_read:
    case OpKind::state_write:
      return check_member(op, types);
    case OpKind::static_for:
    case OpKind::static_range:
    case OpKind::for_:
    case OpKind::while_:
      return check_loop(op, types);
    case OpKind::kernel_program_id:
    case OpKind::kernel_load:
    case OpKind::kernel_store:
    case OpKind::kernel_atomic_add:
    case OpKind::kernel_atomic_max:
    case OpKind::kernel_atomic_min:
      return check_kernel_op(op, types);
    case OpKind::yield:
    case OpKind::return_:
      if (!op.results.empty() || !op.regions.empty()) {
        problem(spelled(op) + " has neither results nor regions");
      }
      return;
    default:
      return check_elementwise(op, types);
  }
}

std::string spelled(const Op& op) {
  return "`" + std::string(op_name(op.kind)) + "`";
}

std::string listed(const std::vector<Type>& types) {
  std::string text;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (i > 0) text += i + 1 == types.size() ? " and " : ", ";
    text += "`" + to_text(types[i]) + "`";
  }
  return text;
}

}  // namespace linnet::ir::detail
