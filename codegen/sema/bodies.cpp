// Whole bodies: functions with their defaults and gradients, and constants.

#include <algorithm>
#include <cstddef>
#include <utility>

#include "codegen/sema/bodies.hpp"
#include "codegen/sema/body.hpp"
#include "codegen/sema/kernels.hpp"

namespace linnet::sema {
namespace {

constexpr int deepest_constant = 128;

bool returns_at_end(const syntax::Body& body) {
  return !body.statements.empty() &&
         body.statements.back()->kind == syntax::StatementKind::give_back;
}

}  // namespace

Body::Body(Context& context, Scope scope, dims::Facts& facts, Frame& frame,
           std::vector<Reference>* references, FunctionId function)
    : context_(context),
      scope_(scope),
      facts_(facts),
      frame_(frame),
      references_(references),
      function_(function),
      result_(unit_type()) {
  scope_.facts = &facts_;
  index_states_.resize(frame_.indices.size());
}

bool Body::in_kernel() const {
  return function_ >= 0 && context_.function(function_).kind == ir::FunctionKind::kernel;
}

void Body::check_function() {
  Function& function = context_.function(function_);
  const FunctionInfo& info = context_.function_info(function_);
  check_defaults();
  const std::size_t mark = scope_mark();
  for (std::size_t i = 0; i < frame_.locals.size(); ++i) {
    const Local& parameter = frame_.locals[i];
    if (parameter.name == "_") continue;
    // Of two parameters of one name neither is known to be meant.
    const auto twice = std::count_if(frame_.locals.begin(), frame_.locals.end(),
                                     [&](const Local& l) { return l.name == parameter.name; });
    bind_name(parameter.name, twice > 1 ? Binding::Kind::failed : Binding::Kind::local,
              parameter.span, false)
        .id = static_cast<LocalId>(i);
  }
  result_ = function.result;
  if (in_kernel()) {
    result_writes_.assign(function.kernel_results.size(), -1);
    check_statements(info.kernel->body, BodyKind::function, function.body);
    leave_scope(mark);
    return;
  }
  check_statements(info.function->body, BodyKind::function, function.body);
  check_ending(info.function->body, function.result, function.span);
  leave_scope(mark);
  if (info.function->grad) check_grad();
}

void Body::check_ending(const syntax::Body& body, const ir::Type& result, Span name) {
  if (result->kind == ir::TypeKind::unit || returns_at_end(body) || returned_) return;
  error("E2120", name, "this function does not end with `return`")
      .with_label("returns `" + (is_poison(result) ? std::string("a value") : render(result)) + "`")
      .with_help("end its body with `return ...`");
}

void Body::check_defaults() {
  Function& function = context_.function(function_);
  const FunctionInfo& info = context_.function_info(function_);
  const auto& params = info.kernel != nullptr ? info.kernel->params : info.function->params;
  const Scope saved = scope_;
  scope_.block = -1;  // a default knows generics, but no members
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (params[i].default_value == nullptr) continue;
    if (info.kernel != nullptr) {
      error("E2127", params[i].default_value->span, "a kernel's parameter has no default")
          .with_label("remove this")
          .with_help("give the op a default instead");
      continue;
    }
    Parameter& parameter = function.parameters[i];
    Place place{Place::Kind::expected, "the default of `" + parameter.name + "`",
                params[i].type->span, "the parameter's type"};
    parameter.default_value = check_as(*params[i].default_value, parameter.type, place);
  }
  scope_ = saved;
}

void Body::check_grad() {
  Function& function = context_.function(function_);
  const FunctionInfo& info = context_.function_info(function_);
  const syntax::GradClause& clause = *info.function->grad;
  const auto refuse = [&](Span span, const std::string& message, const std::string& help) {
    error("E2125", span, message).with_label("no gradient here").with_help(help);
  };
  if (function.kind != ir::FunctionKind::op) {
    refuse(clause.span, "only an op may have a `grad`", "declare the function as `op`");
    return;
  }
  if (info.failed) return;
  const auto is_float = [&](const ir::Type& type) {
    return is_number_like(type) && context_.classes.is_floating(type->dtype);
  };
  if (!is_float(function.result)) {
    refuse(info.function->result != nullptr ? info.function->result->span : clause.span,
           "an op with a `grad` returns one float tensor or scalar",
           "remove the `grad`, or return a float");
    return;
  }
  Grad grad;
  std::vector<ir::Type> wanted;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const ir::Type& type = function.parameters[i].type;
    if (!is_number_like(type)) {
      refuse(info.function->params[i].type->span,
             "an op with a `grad` takes only tensors and scalars",
             "parameter `" + function.parameters[i].name + "` has type `" + render(type) + "`");
      return;
    }
    if (!is_tensor(type) || !context_.classes.is_floating(type->dtype)) continue;
    grad.wanted.push_back(static_cast<int>(i));
    wanted.push_back(type);
  }
  if (wanted.empty()) {
    refuse(clause.span, "no parameter takes a gradient",
           "only float tensors are differentiated: remove the `grad`");
    return;
  }
  const std::size_t mark = scope_mark();
  for (const Parameter& parameter : function.parameters) {
    if (parameter.name == "_") continue;
    bind_name(parameter.name, Binding::Kind::local,
              frame_.locals[static_cast<std::size_t>(parameter.local)].span, false)
        .id = parameter.local;
  }
  const auto bind_one = [&](const syntax::Name& name) {
    (void)refuse_prelude_name(context_, name);
    const LocalId id = add_local(name.text, function.result, name.span);
    if (Binding* binding = find_binding(name.text)) binding->lint = false;
    return id;
  };
  const auto refuse_twice = [&](const syntax::Name& name, Span first) {
    error("E1205", name.span, "two names of this `grad` are `" + name.text + "`")
        .with_label("declared again")
        .with_related("first declared here", first)
        .with_help("rename one of the two");
  };
  for (const syntax::Name* name : {&clause.result, &clause.gradient}) {
    for (const Parameter& parameter : function.parameters) {
      if (parameter.name != name->text || parameter.name == "_") continue;
      refuse_twice(*name, at(frame_.locals, parameter.local).span);
    }
  }
  if (clause.result.text == clause.gradient.text && clause.result.text != "_") {
    refuse_twice(clause.gradient, clause.result.span);
  }
  grad.result = bind_one(clause.result);
  grad.gradient = bind_one(clause.gradient);
  result_ = wanted.size() == 1 ? wanted.front() : tuple_type(std::move(wanted));
  returned_ = false;
  // The derivative may use the op itself: that is no recursion of the op.
  std::vector<Reference>* const saved = std::exchange(references_, nullptr);
  check_statements(clause.body, BodyKind::function, grad.body);
  references_ = saved;
  check_ending(clause.body, result_, clause.span);
  leave_scope(mark);
  function.grad = std::move(grad);
}

ExprPtr Body::check_constant(const syntax::Expr& value, const syntax::Type* annotation) {
  if (annotation == nullptr) return check(value);
  const ir::Type type = resolver().type(*annotation);
  if (is_poison(type)) {
    (void)check(value);
    return failed(value.span);
  }
  ExprPtr made = check(value);
  Place place{Place::Kind::expected, "the constant", annotation->span, "its type"};
  if (!accept(made, type, place)) made->type = poison_type();
  return made;
}

void report_circular_constant(Context& context, ConstantId id, Span use) {
  ConstantInfo& info = context.constant_info(id);
  if (std::exchange(info.failed, true)) return;
  const syntax::Name& name = info.constant->name;
  context.error("E2122", name.span, "constant `" + name.text + "` is defined through itself")
      .with_label("its own value needs it")
      .with_related("used here", use)
      .with_help("break the circle: give one of the constants a value of its own");
}

bool settle_constant(Context& context, ConstantId id, Span use) {
  static thread_local int depth = 0;
  ConstantInfo& info = context.constant_info(id);
  if (info.state == State::done) return !info.failed;
  const syntax::Const& written = *info.constant;
  if (info.state == State::open) {
    report_circular_constant(context, id, use);
    return false;
  }
  if (depth >= deepest_constant) {
    context.report_too_deep(use, "declare constants before those that use them");
    return false;
  }
  ++depth;
  info.state = State::open;
  Constant& constant = context.constant(id);
  dims::Facts facts;
  Scope scope;
  scope.module = constant.module;
  scope.facts = &facts;
  Body body(context, scope, facts, constant.frame, &info.references, -1);
  ExprPtr value = body.check_constant(*written.value, written.type.get());
  body.finish_constant(value, constant);
  --depth;
  info.failed = info.failed || mentions_poison(value->type);
  info.state = State::done;
  if (!info.failed) {
    constant.type = value->type;
    constant.body = std::move(value);
  }
  return !info.failed;
}

void Body::finish_constant(ExprPtr& value, Constant& constant) {
  if (const ir::Dim dim = compile_time(*value)) {
    constant.contextual = true;
    constant.value = dim;
  }
  settle(value);
}

void check_bodies(Context& context, std::vector<Warning>& warnings) {
  for (std::size_t i = 0; i < context.blocks.size(); ++i) {
    settle_members(context, static_cast<BlockId>(i));
  }
  for (std::size_t i = 0; i < context.structs.size(); ++i) {
    settle_fields(context, static_cast<StructId>(i));
  }
  for (std::size_t i = 0; i < context.enums.size(); ++i) {
    settle_enum(context, static_cast<EnumId>(i));
  }
  for (std::size_t i = 0; i < context.aliases.size(); ++i) {
    (void)settle_alias(context, static_cast<int>(i), context.aliases[i].alias->name.span);
  }
  for (std::size_t i = 0; i < context.constants.size(); ++i) {
    (void)settle_constant(context, static_cast<ConstantId>(i),
                          context.constants[i].constant->name.span);
  }
  for (std::size_t i = 0; i < context.functions.size(); ++i) {
    const auto id = static_cast<FunctionId>(i);
    (void)settle_function(context, id);
    dims::Facts facts;
    add_facts(context, id, facts);
    Function& function = context.function(id);
    Body body(context, function_scope(context, id, facts), facts, function.frame,
              &context.function_info(id).references, id);
    body.check_function();
    check_kernel_use(context, id);
    for (auto& [name, span] : body.take_unused()) {
      warnings.push_back(
          {"W1002", span, "`" + name + "` is never read", "remove it, or start its name with `_`"});
    }
  }
}

}  // namespace linnet::sema
