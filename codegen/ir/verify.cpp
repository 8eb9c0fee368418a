#include "codegen/ir/verify.hpp"

#include <algorithm>
#include <utility>

#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/ir/verifier.hpp"

namespace linnet::ir {
namespace detail {
namespace {

GenericKind kind_of(const GenericArgument& argument) {
  if (std::holds_alternative<Dim>(argument)) return GenericKind::dim;
  return std::holds_alternative<ShapeUnits>(argument) ? GenericKind::shape : GenericKind::dtype;
}

/// Calls `visit(callee)` for every call in a region, nested ones included.
template <class Visit>
void each_callee(const Region& region, const Visit& visit) {
  for (const Op& op : region.ops) {
    if (op.kind == OpKind::call || op.kind == OpKind::semantic_call) visit(op.attrs.callee);
    for (const Region& inner : op.regions) each_callee(inner, visit);
  }
}

}  // namespace

bool Verifier::problem(std::string message) {
  if (!full()) {
    problems_.push_back({path_.empty() ? "the document" : path_, std::move(message)});
  }
  return false;
}

std::vector<Problem> Verifier::run() {
  declarations();
  for (std::size_t i = 0; i < program_.blocks.size() && !full(); ++i) {
    const At at(*this, "blocks." + program_.blocks[i].first);
    check_block(program_.blocks[i].second);
  }
  check_manifest();
  for (std::size_t i = 0; i < program_.constants.size() && !full(); ++i) {
    const At at(*this, element("constants", i));
    check_constant(program_.constants[i]);
  }
  for (std::size_t i = 0; i < program_.functions.size() && !full(); ++i) {
    const At at(*this, element("functions", i));
    check_function(program_.functions[i]);
  }
  if (problems_.empty()) check_recursion();
  return std::move(problems_);
}

// --- declarations ----------------------------------------------------------------------

void Verifier::declare_generics(const std::vector<Generic>& generics) {
  for (std::size_t i = 0; i < generics.size(); ++i) {
    const At at(*this, element("generics", i));
    const Generic& generic = generics[i];
    const bool fresh = generic.kind == GenericKind::dtype
                           ? declared_dtypes_.insert(generic.id).second
                           : declared_symbols_.emplace(generic.id, generic.kind).second;
    if (!fresh) {
      problem("number " + std::to_string(generic.id) + " of `" + generic.name +
              "` is declared twice in the document");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (generics[j].name == generic.name) problem("two generics named `" + generic.name + "`");
    }
  }
}

/// Every name and number of the document, before anything is used.
void Verifier::declarations() {
  std::unordered_set<std::string> names;
  for (const auto& [key, block] : program_.blocks) {
    const At at(*this, "blocks." + key);
    if (!names.insert(block.module + "::" + block.name).second) {
      problem("two blocks `" + block.name + "` in module `" + block.module + "`");
    }
    declare_generics(block.generics);
  }
  names.clear();
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const At at(*this, element("functions", i));
    if (!names.insert(program_.functions[i].name).second) {
      problem("two functions `" + program_.functions[i].name + "`");
    }
    declare_generics(program_.functions[i].generics);
  }
  for (std::size_t i = 0; i < program_.structures.size(); ++i) {
    const At at(*this, element("structs", i));
    declare_generics(program_.structures[i].generics);
  }
}

void Verifier::enter_generics(const std::vector<Generic>& generics) {
  for (const Generic& generic : generics) {
    if (generic.kind == GenericKind::dtype) {
      dtypes_.emplace(generic.id, generic.dtype_class);
    } else {
      symbols_.emplace(generic.id, generic.kind);
    }
  }
}

void Verifier::check_generics(const std::vector<Generic>& generics) {
  for (std::size_t i = 0; i < generics.size(); ++i) {
    const Generic& generic = generics[i];
    if (!generic.default_argument) continue;
    const At at(*this, element("generics", i) + ".default");
    if (kind_of(*generic.default_argument) != generic.kind) {
      problem("is of another kind than `" + generic.name + "`");
    }
    check_argument(*generic.default_argument);
  }
}

void Verifier::check_constraints(const std::vector<Constraint>& constraints) {
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const At at(*this, element("constraints", i));
    check_dim(constraints[i].lhs);
    check_dim(constraints[i].rhs);
  }
}

void Verifier::check_block(const Block& block) {
  symbols_.clear();
  dtypes_.clear();
  enter_generics(block.generics);
  check_generics(block.generics);
  check_constraints(block.constraints);
  std::unordered_set<std::string> names;
  for (std::size_t i = 0; i < block.members.size(); ++i) {
    const At at(*this, element("members", i));
    const Member& member = block.members[i];
    if (!names.insert(member.name).second) problem("two members `" + member.name + "`");
    Type type = member.type;
    if (type->kind == TypeKind::optional) type = type->elements[0];
    if (member.kind == MemberKind::sub) {
      if (type->kind == TypeKind::array) type = type->elements[0];
      if (type->kind != TypeKind::block) problem("a `sub` must be a block");
    } else if (type->kind != TypeKind::tensor && type->kind != TypeKind::scalar) {
      problem("a `" + std::string(member_kind_name(member.kind)) + "` must be a tensor");
    }
    const At in_type(*this, "type");
    check_type(member.type);
  }
}

void Verifier::check_manifest() {
  symbols_.clear();
  dtypes_.clear();
  if (program_.root) enter_generics(program_.root->generics);
  for (std::size_t i = 0; i < program_.manifest.size() && !full(); ++i) {
    const At at(*this, element("manifest", i));
    const ManifestEntry& entry = program_.manifest[i];
    if (!program_.root) problem("there is a manifest, but no root");
    if (entry.kind == MemberKind::sub) problem("a `sub` has no data of its own");
    check_dtype(entry.dtype);
    check_shape(entry.shape);
    for (const Dim& count : entry.repeat) check_dim(count);
  }
  if (!program_.root) return;
  const At at(*this, "root");
  const bool known =
      std::any_of(program_.blocks.begin(), program_.blocks.end(),
                  [&](const auto& b) { return b.second.name == program_.root->name; });
  if (!known) problem("there is no block `" + program_.root->name + "`");
  check_generics(program_.root->generics);
  check_constraints(program_.root->constraints);
}

void Verifier::check_constant(const Constant& constant) {
  symbols_.clear();
  dtypes_.clear();
  visible_.clear();
  scope_.clear();
  check_type(constant.type);
  const At at(*this, "body");
  if (!constant.body.args.empty()) problem("the body of a constant takes no arguments");
  check_region(constant.body, Terminator::either, {constant.type});
}

void Verifier::check_function(const Function& function) {
  function_ = &function;
  symbols_.clear();
  dtypes_.clear();
  visible_.clear();
  scope_.clear();
  if (!function.block.empty()) {
    const Block* block = lookup_.block(function.block);
    if (block == nullptr) {
      problem("there is no block `" + function.block + "`");
      return;
    }
    enter_generics(block->generics);
    const bool takes_block = !function.body.args.empty() &&
                             function.body.args[0].type->kind == TypeKind::block &&
                             lookup_.block(*function.body.args[0].type) == block;
    if (!takes_block) problem("the first argument of a method must be its block");
  }
  enter_generics(function.generics);
  check_generics(function.generics);
  check_constraints(function.constraints);
  for (std::size_t i = 0; i < function.results.size(); ++i) {
    const At at(*this, element("results", i));
    check_type(function.results[i]);
  }
  if (function.kernel) check_kernel(function);
  if (function.kind == FunctionKind::kernel && !function.kernel) {
    problem("a kernel needs the field `kernel`");
  }
  for (const auto& [position, region] : function.defaults) {
    const At at(*this, "defaults");
    if (static_cast<std::size_t>(position) >= function.body.args.size()) {
      problem("there is no parameter " + std::to_string(position));
      continue;
    }
    if (!region.args.empty()) problem("a default takes no arguments");
    check_region(region, Terminator::either,
                 {function.body.args[static_cast<std::size_t>(position)].type});
  }
  {
    const At at(*this, "body");
    const bool is_kernel = function.kind == FunctionKind::kernel;
    check_region(function.body, is_kernel ? Terminator::either : Terminator::return_,
                 is_kernel ? std::vector<Type>{} : function.results);
  }
  if (function.grad) {
    const At at(*this, "grad");
    if (function.kind != FunctionKind::op) problem("only an op has a gradient");
    // The parameters of the op are in scope; one gradient for each float tensor.
    for (const Value& value : function.body.args) {
      visible_[value.id] = value.type;
      scope_.push_back(value.id);
    }
    if (function.grad->ops.empty()) {
      problem("is empty");
      return;
    }
    std::vector<Type> expected;
    for (const int id : function.grad->ops.back().operands) {
      (void)id;
      expected.push_back(nullptr);
    }
    check_region(*function.grad, Terminator::either, expected);
  }
}

void Verifier::check_kernel(const Function& function) {
  const At at(*this, "kernel");
  const KernelBinding& kernel = *function.kernel;
  if (function.kind == FunctionKind::kernel) {
    if (kernel.grid.size() > 3) problem("a grid has one to three sizes");
    for (const Dim& extent : kernel.grid) check_dim(extent);
    for (std::size_t i = 0; i < kernel.results.size(); ++i) {
      const At result(*this, element("results", i));
      define(kernel.results[i]);
    }
    return;
  }
  if (function.kind != FunctionKind::op) problem("only an op binds a kernel");
  if (kernel.callee.empty()) return;
  const Function* callee = lookup_.function(kernel.callee);
  if (callee == nullptr || callee->kind != FunctionKind::kernel) {
    problem("there is no kernel `" + kernel.callee + "`");
    return;
  }
  check_arguments(callee->generics, kernel.generics);
}

/// Functions that call themselves, directly or not, have no meaning in Linnet and no end in
/// generated C++. Depth-first with an explicit stack: the chain may be as long as the plan.
void Verifier::check_recursion() {
  enum class Mark : std::uint8_t { unseen, active, done };
  std::unordered_map<std::string, std::vector<std::string>> callees;
  for (const Function& function : program_.functions) {
    auto& list = callees[function.name];
    const auto note = [&list](const std::string& callee) { list.push_back(callee); };
    each_callee(function.body, note);
    if (function.grad) each_callee(*function.grad, note);
  }
  std::unordered_map<std::string, Mark> marks;
  for (const Function& start : program_.functions) {
    if (marks[start.name] != Mark::unseen) continue;
    std::vector<std::pair<std::string, std::size_t>> stack{{start.name, 0}};
    marks[start.name] = Mark::active;
    while (!stack.empty()) {
      auto& [name, next] = stack.back();
      const auto& list = callees[name];
      if (next == list.size()) {
        marks[name] = Mark::done;
        stack.pop_back();
        continue;
      }
      const std::string callee = list[next++];
      Mark& mark = marks[callee];
      if (mark == Mark::active) {
        problem("function `" + callee + "` calls itself");
        return;
      }
      if (mark == Mark::unseen) {
        mark = Mark::active;
        stack.emplace_back(callee, 0);
      }
    }
  }
}

// --- types -------------------------------------------------------------------------------

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
    }
    check_argument(arguments[i]);
  }
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
      check_type(type->elements[0]);
      break;
    case TypeKind::tuple:
    case TypeKind::optional:
      for (const Type& inner : type->elements) check_type(inner);
      break;
    case TypeKind::block: {
      const Block* block = lookup_.block(*type);
      if (block == nullptr) {
        problem("there is no block `" + type->name + "` in module `" + type->module + "`");
      } else {
        check_arguments(block->generics, type->args);
      }
      break;
    }
    case TypeKind::structure: {
      const Structure* structure = lookup_.structure(*type);
      if (structure != nullptr) {
        check_arguments(structure->generics, type->args);
      } else {
        for (const GenericArgument& argument : type->args) check_argument(argument);
      }
      break;
    }
    case TypeKind::enumeration:
    case TypeKind::unit:
      break;
  }
}

bool compatible(const ShapeUnits& a, const ShapeUnits& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].is_pack() != b[i].is_pack()) return false;
    if (a[i].is_pack()) {
      if (a[i].pack != b[i].pack) return false;
      continue;
    }
    const auto left = constant_value(a[i].dim);
    const auto right = constant_value(b[i].dim);
    if (left && right && *left != *right) return false;
  }
  return true;
}

bool compatible(const Type& a, const Type& b) {
  if (a == b) return true;
  if (a->kind != b->kind) return false;
  switch (a->kind) {
    case TypeKind::scalar:
      return equal(a->dtype, b->dtype);
    case TypeKind::tensor:
      return equal(a->dtype, b->dtype) && compatible(a->shape, b->shape);
    case TypeKind::shape:
      return compatible(a->shape, b->shape);
    case TypeKind::block:
    case TypeKind::structure:
    case TypeKind::enumeration:
      return a->name == b->name && a->module == b->module && a->args.size() == b->args.size();
    default:
      return std::equal(a->elements.begin(), a->elements.end(), b->elements.begin(),
                        b->elements.end(),
                        [](const Type& x, const Type& y) { return compatible(x, y); });
  }
}

bool is_scalar_of(const Type& type, Scalar scalar) {
  return type->kind == TypeKind::scalar && !type->dtype.is_variable && type->dtype.scalar == scalar;
}

bool is_integer_scalar(const Type& type) {
  if (type->kind != TypeKind::scalar) return false;
  if (type->dtype.is_variable) return true;
  return type->dtype.scalar >= Scalar::i8 && type->dtype.scalar <= Scalar::u64;
}

// --- values and regions --------------------------------------------------------------------

void Verifier::define(const Value& value) {
  if (!defined_.insert(value.id).second) {
    problem("value " + std::to_string(value.id) + " is defined twice");
  }
  check_type(value.type);
  visible_[value.id] = value.type;
  scope_.push_back(value.id);
}

void Verifier::check_region(const Region& region, Terminator terminator,
                            const std::vector<Type>& expected) {
  const std::size_t outer = scope_.size();
  for (std::size_t i = 0; i < region.args.size(); ++i) {
    const At at(*this, element("args", i));
    define(region.args[i]);
  }
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
    if (op.operands.size() != expected.size()) {
      problem("gives " + std::to_string(op.operands.size()) + " values where " +
              std::to_string(expected.size()) + " are due");
      continue;
    }
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const auto found = visible_.find(op.operands[k]);
      if (found == visible_.end() || !expected[k]) continue;
      if (!compatible(found->second, expected[k])) {
        problem("gives `" + to_text(found->second) + "` where `" + to_text(expected[k]) +
                "` is due");
      }
    }
  }
  const bool ends = !region.ops.empty() && (region.ops.back().kind == OpKind::yield ||
                                            region.ops.back().kind == OpKind::return_);
  if (!ends) problem("the region does not end with `yield` or `return`");
  while (scope_.size() > outer) {
    visible_.erase(scope_.back());
    scope_.pop_back();
  }
}

}  // namespace detail

std::vector<Problem> verify(const Program& program, std::size_t limit) {
  return detail::Verifier(program, limit).run();
}

}  // namespace linnet::ir
