// Headers of blocks, structs, aliases and functions, settled at the first need.

#include <algorithm>
#include <cstddef>
#include <utility>

#include "codegen/sema/kernels.hpp"
#include "codegen/sema/resolve.hpp"
#include "codegen/syntax/format.hpp"

namespace linnet::sema {
namespace {

using ir::TypeKind;

constexpr int deepest_definition = 128;

/// Counts nested definitions that are being settled.
class Nesting {
 public:
  Nesting() { ++depth(); }
  ~Nesting() { --depth(); }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  [[nodiscard]] bool too_deep() const { return depth() > deepest_definition; }

 private:
  static int& depth() {
    thread_local int count = 0;
    return count;
  }
};

ir::Relation relation_of(syntax::RelationOp op) {
  switch (op) {
    case syntax::RelationOp::eq:
      return ir::Relation::eq;
    case syntax::RelationOp::ne:
      return ir::Relation::ne;
    case syntax::RelationOp::lt:
      return ir::Relation::lt;
    case syntax::RelationOp::le:
      return ir::Relation::le;
    case syntax::RelationOp::gt:
      return ir::Relation::gt;
    case syntax::RelationOp::ge:
      break;
  }
  return ir::Relation::ge;
}

/// Defaults of generics; each may name the generics before it.
bool settle_generics(Context& context, Scope scope, const syntax::Generics& written,
                     const GenericBindings& bindings, std::vector<ir::Generic>& generics) {
  bool ok = true;
  scope.declaration = &bindings;
  GenericBindings before;
  for (std::size_t i = 0; i < generics.size() && i < written.params.size(); ++i) {
    if (const auto& default_arg = written.params[i].default_arg) {
      scope.own = &before;
      Resolver resolver(context, scope);
      const auto argument = resolver.argument(*default_arg, generics[i], "E2112");
      if (argument && resolver.check_class(generics[i], *argument, default_arg->span)) {
        generics[i].default_argument = *argument;
      } else {
        ok = false;
      }
    }
    before.push_back(bindings[i]);
  }
  return ok;
}

bool settle_where(Context& context, Scope scope, const std::vector<syntax::WhereRelation>& where,
                  std::vector<ir::Constraint>& constraints) {
  bool ok = true;
  scope.prove_divisors = false;
  Resolver resolver(context, scope);
  for (const syntax::WhereRelation& relation : where) {
    const auto lhs = resolver.dimension(*relation.lhs);
    const auto rhs = resolver.dimension(*relation.rhs);
    if (!lhs || !rhs) {
      ok = false;
      continue;
    }
    constraints.push_back({relation_of(relation.op), *lhs, *rhs,
                           syntax::format(relation, context.sources.text(relation.span))});
  }
  return ok;
}

bool is_sub_type(const ir::Type& type) {
  if (type->kind == TypeKind::block) return true;
  return (type->kind == TypeKind::optional || type->kind == TypeKind::array) &&
         inner_type(type)->kind == TypeKind::block;
}

bool is_optional_tensor(const ir::Type& type) {
  return type->kind == TypeKind::optional && is_tensor(inner_type(type));
}

/// E4101 and E4102 of one member; false when its type is not to be relied on.
bool check_member(Context& context, const syntax::BlockMember& member, const ir::Type& type) {
  const bool is_sub = member.kind == syntax::MemberKind::sub;
  const bool is_param = member.kind == syntax::MemberKind::param;
  const std::string keyword(syntax::spelling(member.kind));
  bool fits = is_sub ? is_sub_type(type) : is_tensor(type);
  if (is_param) fits = fits || is_optional_tensor(type);
  if (!fits) {
    const char* help = is_sub     ? "a `sub` is a block, an optional block or an array of blocks"
                       : is_param ? "a `param` is a tensor or an optional tensor; a single number "
                                    "is `Tensor[1; T]`"
                                  : "it must be a tensor; a single number is `Tensor[1; T]`";
    context
        .error("E4101", member.type->span,
               "a `" + keyword + "` cannot be of type `" + render(type) + "`")
        .with_label(is_sub ? "no block" : "no tensor")
        .with_help(help);
    return false;
  }
  if (member.value == nullptr) return true;
  const bool is_none = member.value->kind == syntax::ExprKind::none;
  if ((is_param || is_sub) && is_none) {
    if (type->kind == TypeKind::optional) return true;
    context.error("E4101", member.value->span, "`= none` needs an optional type")
        .with_label("`" + member.name.text + "` is not optional")
        .with_help("write the type with a `?`, or remove `= none`");
    return true;
  }
  context.error("E4102", member.value->span, "a `" + keyword + "` has no value in the source")
      .with_label("remove this")
      .with_help(is_param ? "a weight comes from the checkpoint; only `= none` may follow an "
                            "optional type"
                          : "remove `= ...`");
  return true;
}

void settle_parameters(Context& context, const Scope& scope,
                       const std::vector<syntax::Param>& written, Function& function, bool& ok) {
  Resolver resolver(context, scope);
  for (const syntax::Param& param : written) {
    const ir::Type type = resolver.type(*param.type);
    ok = ok && !is_poison(type);
    Parameter made;
    made.name = param.name.text;
    made.type = type;
    made.local = static_cast<LocalId>(function.frame.locals.size());
    function.frame.locals.push_back({param.name.text, type, false, param.name.span});
    function.parameters.push_back(std::move(made));
  }
}

}  // namespace

Scope block_scope(Context& context, BlockId id, const dims::Facts& facts) {
  const BlockInfo& info = context.block_info(id);
  Scope scope;
  scope.module = context.block(id).module;
  scope.block = id;
  scope.outer = &info.bindings;
  scope.facts = &facts;
  return scope;
}

Scope function_scope(Context& context, FunctionId id, const dims::Facts& facts) {
  const Function& function = context.function(id);
  Scope scope;
  if (function.block >= 0) scope = block_scope(context, function.block, facts);
  scope.module = function.module;
  scope.own = &context.function_info(id).bindings;
  scope.facts = &facts;
  return scope;
}

void add_facts(Context& context, FunctionId id, dims::Facts& facts) {
  const Function& function = context.function(id);
  if (function.block >= 0) {
    for (const ir::Constraint& constraint : context.block(function.block).declaration.constraints) {
      facts.add(constraint);
    }
  }
  for (const ir::Constraint& constraint : function.constraints) facts.add(constraint);
}

ir::Type own_block_type(Context& context, BlockId id) {
  const ir::Block& block = context.block(id).declaration;
  std::vector<ir::GenericArgument> arguments;
  for (const ir::Generic& generic : block.generics) arguments.push_back(identity(generic));
  return named_type(TypeKind::block, block.name, block.module, std::move(arguments));
}

bool settle_block(Context& context, BlockId id) {
  BlockInfo& info = context.block_info(id);
  if (info.header != State::fresh) return !info.failed;
  info.header = State::open;
  ir::Block& block = context.block(id).declaration;
  const dims::Facts none;
  Scope scope = block_scope(context, id, none);
  Scope outside = scope;
  outside.outer = nullptr;
  outside.block = -1;
  bool ok = !info.failed;
  ok = settle_where(context, scope, info.block->where, block.constraints) && ok;
  dims::Facts facts;
  for (const ir::Constraint& constraint : block.constraints) facts.add(constraint);
  outside.facts = &facts;
  ok = settle_generics(context, outside, info.block->generics, info.bindings, block.generics) && ok;
  info.failed = !ok;
  info.header = State::done;
  return ok;
}

void settle_members(Context& context, BlockId id) {
  BlockInfo& info = context.block_info(id);
  const Nesting nesting;
  if (info.members != State::fresh || nesting.too_deep()) return;
  info.members = State::open;
  (void)settle_block(context, id);
  ir::Block& block = context.block(id).declaration;
  dims::Facts facts;
  for (const ir::Constraint& constraint : block.constraints) facts.add(constraint);
  Resolver resolver(context, block_scope(context, id, facts));
  for (std::size_t i = 0; i < info.block->members.size(); ++i) {
    const syntax::BlockMember& member = info.block->members[i];
    const ir::Type type = resolver.type(*member.type, TypePlace::any);
    if (!is_poison(type) && check_member(context, member, type)) block.members[i].type = type;
  }
  info.members = State::done;
}

void settle_struct(Context& context, StructId id) {
  StructInfo& info = context.struct_info(id);
  if (info.header != State::fresh) return;
  info.header = State::open;
  Scope scope;
  scope.module = info.module;
  (void)settle_generics(context, scope, info.structure->generics, info.bindings,
                        context.structure(id).generics);
  info.header = State::done;
}

void settle_enum(Context& context, EnumId id) {
  EnumInfo& info = context.enum_info(id);
  if (info.header != State::fresh) return;
  info.header = State::open;
  Scope scope;
  scope.module = info.module;
  (void)settle_generics(context, scope, info.enumeration->generics, info.bindings,
                        context.enumeration(id).generics);
  info.header = State::done;
}

void settle_fields(Context& context, StructId id) {
  settle_struct(context, id);
  StructInfo& info = context.struct_info(id);
  const Nesting nesting;
  if (info.fields != State::fresh || nesting.too_deep()) return;
  info.fields = State::open;
  Scope scope;
  scope.module = info.module;
  scope.own = &info.bindings;
  Resolver resolver(context, scope);
  ir::Structure& structure = context.structure(id);
  for (std::size_t i = 0; i < info.structure->fields.size(); ++i) {
    structure.fields[i].second = resolver.type(*info.structure->fields[i].type);
  }
  info.fields = State::done;
}

bool settle_alias(Context& context, int id, Span use) {
  AliasInfo& info = context.alias(id);
  if (info.state == State::open) {
    context
        .error("E2122", info.alias->name.span,
               "type `" + info.alias->name.text + "` is defined through itself")
        .with_label("its own definition needs it")
        .with_related("used here", use)
        .with_help("break the circle: an alias is replaced by its definition");
    return false;
  }
  if (info.state == State::done) return !is_poison(info.type);
  const Nesting nesting;
  if (nesting.too_deep()) {
    context.report_too_deep(use, "declare types before those that use them");
    return false;
  }
  info.state = State::open;
  Scope scope;
  scope.module = info.module;
  bool ok = settle_generics(context, scope, info.alias->generics, info.bindings, info.generics);
  scope.own = &info.bindings;
  const ir::Type type = Resolver(context, scope).type(*info.alias->type, TypePlace::any);
  info.type = ok ? type : poison_type();
  info.state = State::done;
  return !is_poison(info.type);
}

bool settle_function(Context& context, FunctionId id) {
  FunctionInfo& info = context.function_info(id);
  if (info.header != State::fresh) return !info.failed;
  info.header = State::open;
  Function& function = context.function(id);
  bool ok = !info.failed;
  ok = (function.block < 0 || settle_block(context, function.block)) && ok;
  const bool is_kernel = info.kernel != nullptr;
  const syntax::Generics& generics = is_kernel ? info.kernel->generics : info.function->generics;
  const auto& where = is_kernel ? info.kernel->where : info.function->where;
  const auto& parameters = is_kernel ? info.kernel->params : info.function->params;

  const dims::Facts none;
  Scope scope = function_scope(context, id, none);
  scope.parameters = &parameters;
  ok = settle_where(context, scope, where, function.constraints) && ok;

  dims::Facts facts;
  add_facts(context, id, facts);
  scope.facts = &facts;
  ok = settle_generics(context, scope, generics, info.bindings, function.generics) && ok;
  settle_parameters(context, scope, parameters, function, ok);
  if (is_kernel) {
    ok = settle_kernel(context, id, scope) && ok;
  } else if (info.function->result == nullptr) {
    function.result = unit_type();
  } else {
    function.result = Resolver(context, scope).type(*info.function->result);
    ok = ok && !is_poison(function.result);
  }
  info.failed = !ok;
  info.header = State::done;
  return ok;
}

}  // namespace linnet::sema
