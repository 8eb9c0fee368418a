// Functions: their scope, results, defaults and gradients.

#include "codegen/ir/build.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/ir/verify/verifier.hpp"

namespace linnet::ir::detail {

/// The scope of a function: its own generics and constraints and those of its block.
bool Verifier::enter_function(const Function& function) {
  function_ = &function;
  std::vector<const std::vector<Generic>*> generics;
  std::vector<Constraint> constraints;
  const Block* block = nullptr;
  std::string prefix = function.name.substr(0, function.name.find("::") + 2);
  if (!function.block.empty()) {
    block = lookup_.block(function.block);
    if (block == nullptr) return problem("there is no block `" + function.block + "`");
    prefix = block->module + "::" + block->name + ".";
    generics.push_back(&block->generics);
    constraints = block->constraints;
  }
  generics.push_back(&function.generics);
  constraints.insert(constraints.end(), function.constraints.begin(), function.constraints.end());
  enter(generics, constraints);
  const bool is_named_so = function.name.starts_with(prefix) &&
                           function.name.find('.', prefix.size()) == std::string::npos;
  if (!is_named_so) {
    return problem(block == nullptr ? "is named like a method, and has no block"
                                    : "is no method of block `" + block->name + "` by its name");
  }
  if (block == nullptr) return true;
  const bool takes_block = !function.body.args.empty() &&
                           function.body.args[0].type->kind == TypeKind::block &&
                           lookup_.block(*function.body.args[0].type) == block;
  return takes_block || problem("the first argument of a method must be its block");
}

void Verifier::check_function(const Function& function) {
  if (!enter_function(function)) return;
  check_generics(function.generics);
  check_constraints(function.constraints);
  for (std::size_t i = 0; i < function.results.size(); ++i) {
    const At at(*this, element("results", i));
    check_type(function.results[i]);
  }
  if (function.kernel) check_kernel(function);
  const bool is_kernel = function.kind == FunctionKind::kernel;
  if (is_kernel && !function.kernel) problem("a kernel needs the field `kernel`");
  check_defaults(function);
  {
    const At at(*this, "body");
    check_region(function.body, is_kernel ? Terminator::either : Terminator::return_,
                 is_kernel ? Types{} : function.results);
  }
  if (function.grad) check_grad(function);
}

void Verifier::check_defaults(const Function& function) {
  const At at(*this, "defaults");
  for (const auto& [position, region] : function.defaults) {
    if (static_cast<std::size_t>(position) >= function.body.args.size()) {
      problem("there is no parameter " + std::to_string(position));
      continue;
    }
    if (!region.args.empty()) problem("a default takes no arguments");
    check_region(region, Terminator::either,
                 Types{function.body.args[static_cast<std::size_t>(position)].type});
  }
}

/// One gradient for each parameter that is a float tensor: as values, or as one tuple.
void Verifier::check_grad(const Function& function) {
  const At at(*this, "grad");
  if (function.kind != FunctionKind::op) problem("only an op has a gradient");
  // The parameters of the op are in scope, whether or not the region takes them again.
  Types parameters;
  Types expected;
  for (const Value& value : function.body.args) {
    visible_[value.id] = value.type;
    scope_.push_back(value.id);
    parameters.push_back(value.type);
    const bool is_differentiated = value.type->kind == TypeKind::tensor &&
                                   traits(value.type->dtype, dtypes_).floating &&
                                   !traits(value.type->dtype, dtypes_).integer;
    if (is_differentiated) expected.push_back(value.type);
  }
  // What the region takes is not written down: `y` and `dy`, with or without the parameters.
  Types args(2, function.results.size() == 1 ? function.results[0] : nullptr);
  if (function.grad->args.size() == parameters.size() + args.size()) {
    args.insert(args.begin(), parameters.begin(), parameters.end());
  }
  if (function.grad->args.size() == args.size()) check_region_args(*function.grad, args);
  Types given = check_region(*function.grad, Terminator::either, std::nullopt);
  if (given.size() == 1 && given[0]->kind == TypeKind::tuple) given = Types(given[0]->elements);
  if (full()) return;
  if (given.size() != expected.size()) {
    problem("gives " + std::to_string(given.size()) + " gradients for " +
            std::to_string(expected.size()) + " float tensors");
    return;
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (agree(given[i], expected[i])) continue;
    problem("gives the gradient `" + to_text(given[i]) + "` for a `" + to_text(expected[i]) + "`");
  }
}

}  // namespace linnet::ir::detail
