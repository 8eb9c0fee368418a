// The document: declarations, functions with their states, the root and its manifest.

#include "codegen/ir/lower/lower.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "codegen/ir/build.hpp"
#include "codegen/ir/lower/body.hpp"

namespace linnet::ir {
namespace {

using detail::Body;
using detail::Ids;
using detail::StateUse;

/// Arrays of children multiply nothing here, but children of children do.
constexpr std::size_t max_manifest = 1'000'000;

/// Each constant carries those that it uses, so that a long chain of them grows with its square.
constexpr int max_values = 2'000'000;

std::size_t at(int position) {
  return static_cast<std::size_t>(position);
}

class Lowering {
 public:
  Lowering(const sema::CheckedProgram& checked, const LowerOptions& options,
           std::vector<Problem>& problems)
      : checked_(checked), options_(options), problems_(problems) {}

  std::optional<Program> run();

 private:
  void blocks();
  Function function(const sema::Function& source);
  void kernel(const sema::Function& source, Body& body, Function& out);
  [[nodiscard]] Type block_type(sema::BlockId id) const;
  Region grad(const sema::Function& source, Body& body);
  Constant constant(const sema::Constant& source);
  void states();
  bool root();
  int choose_root();
  bool manifest(const Block& block, const Substitution& map, const std::string& prefix,
                const std::vector<Dim>& repeat, bool optional);
  [[nodiscard]] const Block* find_block(const TypeNode& type) const;
  [[nodiscard]] bool has_entry(const sema::Block& block) const;

  const sema::CheckedProgram& checked_;
  const LowerOptions& options_;
  std::vector<Problem>& problems_;
  Program out_;
  Ids ids_;
  std::vector<std::vector<StateUse>> state_uses_;  ///< by function
};

// --- declarations --------------------------------------------------------------------------

void Lowering::blocks() {
  std::map<std::string, int> count;
  for (const sema::Block& block : checked_.blocks) ++count[block.declaration.name];
  for (const sema::Block& block : checked_.blocks) {
    const Block& declared = block.declaration;
    const bool unique = count[declared.name] == 1;
    out_.blocks.emplace_back(unique ? declared.name : declared.module + "::" + declared.name,
                             declared);
  }
}

const Block* Lowering::find_block(const TypeNode& type) const {
  for (const sema::Block& block : checked_.blocks) {
    const Block& declared = block.declaration;
    if (declared.name == type.name && declared.module == type.module) return &declared;
  }
  return nullptr;
}

Constant Lowering::constant(const sema::Constant& source) {
  Constant out;
  out.name = source.full_name;
  out.is_public = source.is_public;
  out.type = source.type;
  out.contextual = source.contextual;
  out.body = Body(checked_, source.frame, ids_).value_region(*source.body);
  return out;
}

// --- functions -----------------------------------------------------------------------------

/// A block as its own methods see it.
Type Lowering::block_type(sema::BlockId id) const {
  const Block& block = checked_.blocks[at(id)].declaration;
  std::vector<GenericArgument> own;
  for (const Generic& generic : block.generics) own.push_back(as_argument(generic));
  return make_named(TypeKind::block, block.name, block.module, std::move(own));
}

/// `grad` sees what the op's body does (its block, its parameters), then the result and the
/// gradient that arrives.
Region Lowering::grad(const sema::Function& source, Body& body) {
  std::vector<Value> args;
  if (source.block >= 0) args.push_back(body.own_block(block_type(source.block)));
  for (const sema::Parameter& parameter : source.parameters) {
    args.push_back(body.parameter(parameter.name, parameter.local, parameter.type));
  }
  for (const sema::LocalId local : {source.grad->result, source.grad->gradient}) {
    const std::string name = local >= 0 ? source.frame.locals[at(local)].name : std::string{};
    args.push_back(body.parameter(name, local, source.result));
  }
  return body.statements_region(std::move(args), source.grad->body);
}

void Lowering::kernel(const sema::Function& source, Body& body, Function& out) {
  KernelBinding binding;
  binding.grid = source.grid;
  binding.warps = source.warps;
  binding.stages = source.stages;
  for (const sema::KernelResult& result : source.kernel_results) {
    binding.results.push_back(body.kernel_result(result));
    out.results.push_back(result.type);
  }
  out.kernel = std::move(binding);
}

Function Lowering::function(const sema::Function& source) {
  Function out;
  out.name = source.full_name;
  out.kind = source.kind;
  out.is_public = source.is_public;
  out.generics = source.generics;
  out.constraints = source.constraints;
  out.doc = source.doc;
  Body body(checked_, source.frame, ids_);
  std::vector<Value> args;
  if (source.block >= 0) {
    out.block = out_.blocks[at(source.block)].first;
    args.push_back(body.own_block(block_type(source.block)));
  }
  const std::size_t first = args.size();
  for (const sema::Parameter& parameter : source.parameters) {
    args.push_back(body.parameter(parameter.name, parameter.local, parameter.type));
  }
  if (source.kind == FunctionKind::kernel) {
    kernel(source, body, out);
  } else if (source.result && source.result->kind != TypeKind::unit) {
    out.results.push_back(source.result);
  }
  out.body = body.statements_region(std::move(args), source.body);
  if (source.grad) out.grad = grad(source, body);
  if (source.kernel) {
    out.kernel.emplace();
    out.kernel->callee = checked_.functions[at(source.kernel->kernel)].full_name;
    out.kernel->generics = source.kernel->generics;
  }
  for (std::size_t i = 0; i < source.parameters.size(); ++i) {
    const sema::ExprPtr& value = source.parameters[i].default_value;
    if (!value) continue;
    Body default_body(checked_, source.frame, ids_);
    out.defaults.emplace(static_cast<int>(first + i), default_body.value_region(*value));
  }
  state_uses_.push_back(body.state_uses());
  return out;
}

/// The states of each function in order of first use, those of its callees under the path of
/// the child that they are called on. Callees come first; the stack is explicit because chains
/// of calls may be long.
void Lowering::states() {
  const std::size_t count = checked_.functions.size();
  std::vector<bool> done(count, false);
  std::vector<std::size_t> stack;
  for (std::size_t start = 0; start < count; ++start) {
    stack.push_back(start);
    while (!stack.empty()) {
      const std::size_t current = stack.back();
      if (done[current]) {
        stack.pop_back();
        continue;
      }
      const std::size_t before = stack.size();
      for (const StateUse& use : state_uses_[current]) {
        if (use.callee >= 0 && !done[at(use.callee)]) stack.push_back(at(use.callee));
      }
      if (stack.size() != before) continue;
      std::vector<std::string>& states = out_.functions[current].states;
      std::set<std::string> seen;
      const auto add = [&](std::string path) {
        if (seen.insert(path).second) states.push_back(std::move(path));
      };
      for (const StateUse& use : state_uses_[current]) {
        if (use.callee < 0) {
          add(use.path);
          continue;
        }
        for (const std::string& inner : out_.functions[at(use.callee)].states) {
          add(use.path.empty() ? inner : use.path + "." + inner);
        }
      }
      done[current] = true;
      stack.pop_back();
    }
  }
}

// --- root and manifest -----------------------------------------------------------------------

bool Lowering::has_entry(const sema::Block& block) const {
  return std::any_of(block.methods.begin(), block.methods.end(), [&](sema::FunctionId method) {
    return checked_.functions[at(method)].kind == FunctionKind::entry;
  });
}

/// Position of the root block, -1 for none.
int Lowering::choose_root() {
  const int root_module = checked_.roots.empty() ? -1 : checked_.roots.back();
  int any = -1, named = -1, last = -1, last_public = -1;
  for (std::size_t i = 0; i < checked_.blocks.size(); ++i) {
    const sema::Block& block = checked_.blocks[i];
    const int position = static_cast<int>(i);
    const bool here = block.module == root_module;
    if (block.declaration.name == options_.root) (here ? named : any) = position;
    if (!here || !has_entry(block)) continue;
    last = position;
    if (block.declaration.is_public) last_public = position;
  }
  if (!options_.root.empty()) return named >= 0 ? named : any;
  return last_public >= 0 ? last_public : last;
}

bool Lowering::manifest(const Block& block, const Substitution& map, const std::string& prefix,
                        const std::vector<Dim>& repeat, bool optional) {
  for (const Member& member : block.members) {
    Type type = substitute(member.type, map);
    const bool is_optional = optional || type->kind == TypeKind::optional;
    if (type->kind == TypeKind::optional) type = type->elements.at(0);
    std::string path = prefix.empty() ? member.name : prefix + "." + member.name;
    if (member.kind != MemberKind::sub) {
      if (out_.manifest.size() >= max_manifest) {
        problems_.push_back({block.name, "has more than a million parameters"});
        return false;
      }
      out_.manifest.push_back({path, member.kind, type->dtype, type->shape, repeat, is_optional});
      continue;
    }
    std::vector<Dim> inner_repeat = repeat;
    if (type->kind == TypeKind::array) {
      path += "[*]";
      inner_repeat.push_back(type->length);
      type = type->elements.at(0);
    }
    const Block* child = find_block(*type);
    if (child == nullptr) continue;
    if (!manifest(*child, bind(child->generics, type->args), path, inner_repeat, is_optional)) {
      return false;
    }
  }
  return true;
}

bool Lowering::root() {
  if (options_.functions_only) return true;
  const int chosen = choose_root();
  if (chosen < 0) {
    if (options_.root.empty()) return true;
    problems_.push_back({out_.module, "has no block `" + options_.root + "`"});
    return false;
  }
  const Block& block = checked_.blocks[at(chosen)].declaration;
  out_.root = Root{block.name, block.generics, block.constraints};
  return manifest(block, {}, {}, {}, false);
}

std::optional<Program> Lowering::run() {
  if (!checked_.roots.empty()) {
    const sema::Module& module = checked_.modules[at(checked_.roots.back())];
    out_.module = module.name;
    out_.doc = module.doc;
  }
  blocks();
  out_.structures = checked_.structs;
  out_.enumerations = checked_.enums;
  const auto too_large = [&](const std::string& name) {
    if (ids_.constants_too_deep) {
      problems_.push_back({name, "uses constants that are defined through more than " +
                                     std::to_string(Ids::max_constant_depth) + " others in a row"});
    } else if (ids_.count() > max_values) {
      problems_.push_back({name, "the program has more than two million values up to here"});
    }
    return !problems_.empty();
  };
  for (const sema::Function& source : checked_.functions) {
    out_.functions.push_back(function(source));
    if (too_large(source.full_name)) return std::nullopt;
  }
  states();
  for (const sema::Constant& source : checked_.constants) {
    out_.constants.push_back(constant(source));
    if (too_large(source.full_name)) return std::nullopt;
  }
  if (!root()) return std::nullopt;
  return std::move(out_);
}

}  // namespace

std::optional<Program> lower(const sema::CheckedProgram& checked, const LowerOptions& options,
                             std::vector<Problem>& problems) {
  return Lowering(checked, options, problems).run();
}

}  // namespace linnet::ir
