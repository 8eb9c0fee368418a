// Calls of functions, methods and ops, and struct construction (language.md sections 3 to 5).

#include <algorithm>
#include <cstddef>
#include <utility>

#include "codegen/sema/body.hpp"
#include "codegen/sema/suggest.hpp"
#include "codegen/syntax/foreign.hpp"

namespace linnet::sema {
namespace {

constexpr std::size_t deepest_default = 8;
constexpr int most_defaults = 1000;  ///< inside other defaults, in one body

/// The generics of a declaration, standing for what a call bound them to.
GenericBindings bound_as(const GenericBindings& declared,
                         const std::vector<ir::GenericArgument>& arguments) {
  GenericBindings bound = declared;
  for (std::size_t i = 0; i < bound.size() && i < arguments.size(); ++i) {
    bound[i].value = arguments[i];
  }
  return bound;
}

void join(ir::Substitution& into, const ir::Substitution& from) {
  into.dims.insert(from.dims.begin(), from.dims.end());
  into.packs.insert(from.packs.begin(), from.packs.end());
  into.dtypes.insert(from.dtypes.begin(), from.dtypes.end());
}

/// Whether a value may fit a parameter type under some generics: false when its kind, its dtype
/// or its number of axes rules that out.
bool could_fit(const ir::Type& parameter, const ir::Type& argument) {
  if (mentions_pending(argument)) {
    return is_pending_number(argument) ? is_scalar(parameter) : parameter->kind == argument->kind;
  }
  if (parameter->kind != argument->kind) return false;
  if (!is_tensor(parameter)) return true;
  if (!parameter->dtype.is_variable && !dims::dtypes_equal(parameter->dtype, argument->dtype)) {
    return false;
  }
  const auto packs = std::count_if(parameter->shape.begin(), parameter->shape.end(),
                                   [](const ir::Unit& unit) { return unit.is_pack(); });
  const std::size_t least = parameter->shape.size() - static_cast<std::size_t>(packs);
  return packs == 0 ? argument->shape.size() == least : argument->shape.size() >= least;
}

}  // namespace

ExprPtr Body::fail_call(const syntax::Call& expr) {
  for (const syntax::CallArg& arg : expr.args) {
    if (arg.value->kind != syntax::ExprKind::shape) (void)check(*arg.value);
  }
  return failed(expr.span);
}

ExprPtr Body::not_callable(const syntax::Call& expr, const std::string& what, Span declared) {
  syntax::Diagnostic& report = error("E2106", expr.callee->span, what + " is not callable");
  report.with_label("no function");
  if (declared.valid()) report.with_related("declared here", declared);
  report.with_help(
      "index by brackets: `x[i]`; only functions, ops, entries and structs are called");
  return fail_call(expr);
}

ExprPtr Body::check_call(const syntax::Call& expr) {
  if (const auto* member = syntax::try_as<syntax::Member>(expr.callee.get())) {
    return call_member(*member, expr);
  }
  const auto* named = syntax::try_as<syntax::NameExpr>(expr.callee.get());
  if (named == nullptr) {
    const ExprPtr callee = check(*expr.callee);
    if (mentions_poison(callee->type)) return fail_call(expr);
    return not_callable(expr, "a value of type `" + render(callee->type) + "`", {});
  }
  const syntax::Name& name = named->name;
  if (is_prelude_function(name.text)) return call_prelude(name.text, expr);
  if (Binding* binding = find_binding(name.text)) {
    binding->used = true;
    if (binding->kind == Binding::Kind::failed) return fail_call(expr);
    return not_callable(expr, "`" + name.text + "`", binding->span);
  }
  if (in_kernel() && name.text == "program_id") return check_program_id(expr);
  if (in_kernel() && name.text == "load") return check_load(expr);
  if (const GenericBinding* generic = context_.find_generic(scope_, name.text)) {
    return not_callable(expr, "generic `" + name.text + "`", generic->span);
  }
  if (scope_.block >= 0) {
    const BlockInfo& info = context_.block_info(scope_.block);
    const auto method = info.method_index.find(name.text);
    if (method != info.method_index.end()) {
      ExprPtr own = make(expr.callee->span, own_block_type(context_, scope_.block), OwnBlock{});
      return call_function(method->second, std::move(own), expr);
    }
    const auto member = info.member_index.find(name.text);
    if (member != info.member_index.end()) {
      context_.block_info(scope_.block).member_used[static_cast<std::size_t>(member->second)] =
          true;
      syntax::Diagnostic& report =
          error("E2106", expr.callee->span, "member `" + name.text + "` is not callable");
      report.with_label("no function")
          .with_help("call a method of a child: `" + name.text + ".forward(...)`");
      return fail_call(expr);
    }
  }
  if (const Symbol* symbol = context_.find(scope_.module, name.text)) {
    return call_symbol(*symbol, name, expr);
  }
  if (is_prelude_name(name.text)) {
    const bool scalar = scalar_named(name.text).has_value();
    error("E2106", expr.callee->span, "`" + name.text + "` is not callable")
        .with_label("a type of the prelude")
        .with_help(scalar ? "convert by `cast<" + name.text + ">(...)`" : "it is no function");
    return fail_call(expr);
  }
  if (ExprPtr refused = refuse_write(name.text, expr)) return refused;
  context_.report_undeclared(name, scope_, "function", names());
  return fail_call(expr);
}

ExprPtr Body::call_symbol(const Symbol& symbol, const syntax::Name& name,
                          const syntax::Call& expr) {
  switch (symbol.kind) {
    case SymbolKind::failed:
      return fail_call(expr);
    case SymbolKind::function:
      return call_function(symbol.index, nullptr, expr);
    case SymbolKind::structure:
      return call_struct(symbol.index, nullptr, expr);
    case SymbolKind::alias:
      return call_alias(symbol.index, expr);
    case SymbolKind::kernel:
      error("E2126", expr.callee->span, "kernel `" + name.text + "` is never called")
          .with_label("a kernel is bound to an op")
          .with_related("declared here", symbol.span)
          .with_help("bind it in an op's header, `kernel " + name.text + "<...>`, and call the op");
      return fail_call(expr);
    default:
      break;
  }
  return not_callable(expr, std::string(describe(symbol.kind)) + ", `" + name.text + "`,",
                      symbol.kind == SymbolKind::module ? Span{} : symbol.span);
}

ExprPtr Body::call_member(const syntax::Member& callee, const syntax::Call& expr) {
  if (const auto* base = syntax::try_as<syntax::NameExpr>(callee.base.get())) {
    const bool is_value =
        find_binding(base->name.text) != nullptr ||
        context_.find_generic(scope_, base->name.text) != nullptr ||
        (scope_.block >= 0 &&
         context_.block_info(scope_.block).member_index.contains(base->name.text));
    const Symbol* symbol = is_value ? nullptr : context_.find(scope_.module, base->name.text);
    if (symbol != nullptr && symbol->kind == SymbolKind::failed) return fail_call(expr);
    if (symbol != nullptr && symbol->kind == SymbolKind::module) {
      syntax::Path path;
      path.segments = {base->name, callee.name};
      path.span = callee.span;
      const Symbol* item = resolver().item(path);
      return item != nullptr ? call_symbol(*item, callee.name, expr) : fail_call(expr);
    }
    const auto enumeration =
        symbol != nullptr ? named_enum(*symbol, base->span) : std::optional<EnumId>();
    if (enumeration) {
      return *enumeration < 0 ? fail_call(expr) : not_callable(expr, "an enum's variant", {});
    }
  }
  ExprPtr base = check(*callee.base);
  settle(base);
  const ir::Type type = base->type;
  if (mentions_poison(type)) return fail_call(expr);
  const std::string& name = callee.name.text;
  if (type->kind != ir::TypeKind::block) {
    syntax::Diagnostic& report =
        error("E2107", callee.name.span,
              "a value of type `" + render(type) + "` has no method `" + name + "`");
    report.with_label("no such method");
    if (type->kind == ir::TypeKind::optional) {
      report.with_help("read the optional child by `match` first");
    } else if (type->kind == ir::TypeKind::array) {
      report.with_help("index the array, `layers[0]`, or run over it by `static for`");
    } else if (const std::string_view advice = syntax::attribute_advice(name); !advice.empty()) {
      report.with_help(std::string(advice));
    } else {
      report.with_help("write `" + name + "(" + context_.short_text(callee.base->span) +
                       ")`: only blocks have methods");
    }
    return fail_call(expr);
  }
  const BlockId id = context_.declaration_of(type);
  const BlockInfo& info = context_.block_info(id);
  const auto method = info.method_index.find(name);
  if (method == info.method_index.end()) {
    const auto member = info.member_index.find(name);
    if (member != info.member_index.end()) {
      error("E2106", callee.name.span, "member `" + name + "` is not callable")
          .with_label("no function")
          .with_help("call a method: `" + name + ".forward(...)`");
      return fail_call(expr);
    }
    if (!context_.first_missing(scope_, type->name + "." + name)) return fail_call(expr);
    std::vector<std::string> names;
    for (const FunctionId known : context_.block(id).methods) {
      names.push_back(context_.function(known).name);
    }
    const std::string near = closest(name, names);
    error("E2107", callee.name.span, "block `" + type->name + "` has no method `" + name + "`")
        .with_label("no such method")
        .with_help(!near.empty()   ? "did you mean `" + near + "`?"
                   : names.empty() ? "the block declares no methods"
                                   : "its methods are " + quoted_list(names));
    return fail_call(expr);
  }
  const Function& function = context_.function(method->second);
  if (!function.is_public && function.module != scope_.module) {
    error("E1203", callee.name.span,
          "method `" + name + "` is private to block `" + type->name + "`")
        .with_label("private method")
        .with_related("declared here without `pub`", function.span)
        .with_help("declare it `pub` to call it from another module");
    return fail_call(expr);
  }
  return call_function(method->second, std::move(base), expr);
}

// --- generics of a call ----------------------------------------------------------------------

bool Body::write_generics(Inference& inference, const std::vector<ir::Generic>& generics,
                          const syntax::Call& expr, const std::string& what) {
  if (!expr.generics) return true;
  const auto& args = expr.generics->args;
  if (args.size() > generics.size()) {
    error("E2111", args[generics.size()].span,
          what + " takes " + std::to_string(generics.size()) + " generic argument" +
              (generics.size() == 1 ? "" : "s") + ", not " + std::to_string(args.size()))
        .with_label("one too many")
        .with_help(generics.empty() ? "remove the generic arguments"
                                    : "remove the arguments that it does not declare");
    return false;
  }
  bool ok = true;
  for (std::size_t i = 0; i < args.size(); ++i) {
    auto argument = resolver().argument(args[i], generics[i]);
    ok = ok && argument;
    if (argument) inference.write(i, std::move(*argument), args[i].span);
  }
  return ok;
}

bool Body::finish_generics(Inference& inference, const std::vector<ir::Generic>& generics,
                           const syntax::Call& expr, const std::string& what, bool quiet,
                           std::vector<ir::GenericArgument>& out) {
  inference.fill_defaults();
  for (std::size_t i = 0; i < generics.size(); ++i) {
    const auto& bound = inference.bound(i);
    if (!bound) {
      if (!quiet) {
        error("E2110", expr.span, "nothing says what `" + generics[i].name + "` of " + what + " is")
            .with_label("cannot infer `" + generics[i].name + "`")
            .with_help("write the generic arguments: `" +
                       std::string(context_.sources.text(expr.callee->span)) + "<...>(...)`");
      }
      return false;
    }
    const Span at = inference.span(i).valid() ? inference.span(i) : expr.span;
    if (!resolver().check_class(generics[i], *bound, at)) return false;
    if (!resolver().check_extents(generics[i], *bound, at)) return false;
    out.push_back(*bound);
  }
  return true;
}

// --- functions -------------------------------------------------------------------------------

ExprPtr Body::call_function(FunctionId id, ExprPtr receiver, const syntax::Call& expr) {
  const bool sound = settle_function(context_, id);
  const Function& function = context_.function(id);
  const std::string what = "`" + function.name + "`";
  if (references_ != nullptr) references_->push_back({false, id, expr.span});

  ::linnet::sema::Call node;
  node.function = id;
  ir::Substitution outer;
  if (receiver != nullptr) {
    node.block_generics = receiver->type->args;
    outer =
        substitution_of(context_.block(function.block).declaration.generics, node.block_generics);
  }
  Inference inference(function.generics, outer);
  bool ok = write_generics(inference, function.generics, expr, what);

  // Arguments to parameters.
  const std::size_t count = function.parameters.size();
  std::vector<ExprPtr> values(count);
  std::vector<Span> named(count);
  std::size_t position = 0;
  bool arguments_fit = true;
  bool any_named = false;
  for (const syntax::CallArg& arg : expr.args) {
    std::size_t at = count;
    if (arg.name) {
      any_named = true;
      for (std::size_t i = 0; i < count; ++i) {
        if (function.parameters[i].name == arg.name->text) at = i;
      }
      if (at == count && arguments_fit) {
        std::vector<std::string> names;
        for (const Parameter& parameter : function.parameters) names.push_back(parameter.name);
        const std::string near = closest(arg.name->text, names);
        error("E2102", arg.name->span, what + " has no parameter `" + arg.name->text + "`")
            .with_label("no such parameter")
            .with_related("declared here", function.span)
            .with_help(!near.empty()   ? "did you mean `" + near + "`?"
                       : names.empty() ? "it takes no arguments"
                                       : "its parameters are " + quoted_list(names));
        arguments_fit = false;
      }
    } else if (any_named && arguments_fit) {
      error("E2102", arg.span, "a positional argument after a named one")
          .with_label("name this one too")
          .with_help("positional arguments come first");
      arguments_fit = false;
    } else if (position < count) {
      at = position++;
    } else if (arguments_fit) {
      error("E2102", arg.span,
            what + " takes " + std::to_string(count) + " argument" + (count == 1 ? "" : "s"))
          .with_label("one too many")
          .with_related("declared here", function.span)
          .with_help("remove the arguments that it does not declare");
      arguments_fit = false;
    }
    ExprPtr value = check(*arg.value);
    if (at == count) continue;
    if (values[at] != nullptr) {
      if (arguments_fit) {
        error("E2102", arg.span, "parameter `" + function.parameters[at].name + "` is given twice")
            .with_label("given again")
            .with_related("given here", values[at]->span)
            .with_help("give each parameter once");
      }
      arguments_fit = false;
      continue;
    }
    node.evaluation.push_back(static_cast<int>(at));
    values[at] = std::move(value);
  }
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < count; ++i) {
    const bool has_default =
        context_.function_info(id).function->params[i].default_value != nullptr;
    if (values[i] == nullptr && !has_default) missing.push_back(function.parameters[i].name);
  }
  if (!missing.empty() && arguments_fit) {
    error("E2102", expr.span, what + " needs " + quoted_list(missing))
        .with_label(missing.size() == 1 ? "an argument is missing" : "arguments are missing")
        .with_related("declared here", function.span)
        .with_help("give it too: `" + missing.front() + " = ...`");
    arguments_fit = false;
  }
  if (!arguments_fit || !ok) return failed(expr.span);

  // Generics: from typed arguments first, then from literals.
  bool quiet = !sound;
  std::vector<Inference::Pair> typed;
  for (std::size_t i = 0; i < count; ++i) {
    if (values[i] == nullptr) continue;
    const ir::Type& type = values[i]->type;
    quiet = quiet || mentions_poison(type);
    if (!mentions_pending(type)) {
      typed.push_back({function.parameters[i].type, type, values[i]->span});
    }
  }
  inference.learn_all(typed);
  for (std::size_t i = 0; i < count; ++i) {
    if (values[i] == nullptr || !mentions_pending(values[i]->type)) continue;
    const ir::Type& type = values[i]->type;
    if (type == pending_integer() && inference.wants_dtype(function.parameters[i].type)) {
      inference.learn_dtype(function.parameters[i].type, dtype_of(ir::Scalar::i64),
                            values[i]->span);
    } else if (type == pending_float() && inference.wants_dtype(function.parameters[i].type)) {
      inference.learn_dtype(function.parameters[i].type, dtype_of(ir::Scalar::f64),
                            values[i]->span);
    } else {
      inference.learn(function.parameters[i].type, type, values[i]->span);
    }
  }
  for (std::size_t i = 0; !quiet && i < count; ++i) {
    if (values[i] == nullptr || could_fit(function.parameters[i].type, values[i]->type)) continue;
    // An argument that fits under no generics explains more than a generic that nothing binds.
    Place place;
    place.what = "argument `" + function.parameters[i].name + "`";
    place.declared = function.frame.locals[i].span;
    place.declared_as = "the parameter";
    join(outer, inference.substitution());
    (void)report_mismatch(*values[i], dims::substitute(function.parameters[i].type, outer), place);
    return failed(expr.span);
  }
  if (!finish_generics(inference, function.generics, expr, what, quiet, node.generics)) {
    return failed(expr.span);
  }
  node.substitution = outer;
  join(node.substitution, inference.substitution());

  for (std::size_t i = 0; i < count; ++i) {
    if (values[i] == nullptr) continue;
    const ir::Type type = dims::substitute(function.parameters[i].type, node.substitution);
    Place place;
    place.what = "argument `" + function.parameters[i].name + "`";
    place.declared = context_.function(id).frame.locals[i].span;
    place.declared_as = "the parameter";
    ok = accept(values[i], type, place) && ok;
  }
  if (!ok) return failed(expr.span);
  const ir::Type result = dims::substitute(function.result, node.substitution);
  if (!check_size(result, expr.span)) return failed(expr.span);
  if (!resolver().prove_where(function.constraints, node.substitution, what, expr.span)) {
    return failed(expr.span);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const ir::Type type = dims::substitute(function.parameters[i].type, node.substitution);
    const Span at = values[i] != nullptr ? values[i]->span : expr.span;
    if (!resolver().check_extents(type, at)) return failed(expr.span);
  }
  if (!resolver().check_extents(result, expr.span)) return failed(expr.span);
  const GenericBindings own = bound_as(context_.function_info(id).bindings, node.generics);
  const GenericBindings of_block =
      function.block >= 0
          ? bound_as(context_.block_info(function.block).bindings, node.block_generics)
          : GenericBindings{};
  for (std::size_t i = 0; i < count; ++i) {
    if (values[i] != nullptr) continue;
    const ir::Type type = dims::substitute(function.parameters[i].type, node.substitution);
    values[i] = default_argument(id, i, own, of_block, type, expr.span);
    node.evaluation.push_back(static_cast<int>(i));
  }
  if (!sound && mentions_poison(function.result)) return failed(expr.span);
  if (function.result->kind == ir::TypeKind::unit) {
    error("E2101", expr.span, "the call of " + what + " is no value")
        .with_label("the function has no result")
        .with_related("declared here", function.span)
        .with_help("declare a result with `->`");
    return failed(expr.span);
  }
  node.receiver = std::move(receiver);
  node.arguments = std::move(values);
  return make(expr.span, result, std::move(node));
}

/// The default of a parameter, checked once more in terms of the caller: with the callee's names
/// in scope, its generics standing for what the call bound them to.
ExprPtr Body::default_argument(FunctionId id, std::size_t parameter, const GenericBindings& own,
                               const GenericBindings& outer, const ir::Type& type, Span call) {
  if (std::find(defaults_open_.begin(), defaults_open_.end(), id) != defaults_open_.end()) {
    return failed(call);  // a default that needs itself: the call graph's circle is reported
  }
  if (defaults_open_.size() >= deepest_default || default_count_ >= most_defaults) {
    if (!too_deep_) {
      error("E1101", call, "the defaults of this call nest too deep")
          .with_label("each of them calls functions with defaults of their own")
          .with_help("give some of the arguments");
    }
    too_deep_ = true;
    return failed(call);
  }
  if (!defaults_open_.empty()) ++default_count_;
  const syntax::Param& param = context_.function_info(id).function->params[parameter];
  // What a default calls is recorded where it is declared.
  std::vector<Reference>* const saved_references = std::exchange(references_, nullptr);
  const Scope saved_scope = scope_;
  const int saved_depth = std::exchange(index_depth_, 0);
  auto saved_names = std::exchange(by_name_, {});
  const std::size_t mark = bindings_.size();
  scope_.module = context_.function(id).module;
  scope_.block = -1;
  scope_.own = &own;
  scope_.outer = &outer;
  scope_.declaration = &context_.function_info(id).bindings;
  defaults_open_.push_back(id);
  Place place;
  place.what = "the default of `" + param.name.text + "`";
  ExprPtr value = check_as(*param.default_value, type, place);
  defaults_open_.pop_back();
  bindings_.resize(mark);
  by_name_ = std::move(saved_names);
  index_depth_ = saved_depth;
  scope_ = saved_scope;
  references_ = saved_references;
  value->span = call;
  return value;
}

// --- structs ---------------------------------------------------------------------------------

ExprPtr Body::call_alias(int id, const syntax::Call& expr) {
  if (!settle_alias(context_, id, expr.callee->span)) return fail_call(expr);
  const AliasInfo& alias = context_.alias(id);
  const auto arguments =
      resolver().type_arguments(expr.generics ? &*expr.generics : nullptr, alias.generics,
                                "type `" + alias.alias->name.text + "`", expr.callee->span);
  if (!arguments) return fail_call(expr);
  const ir::Type type = dims::substitute(alias.type, substitution_of(alias.generics, *arguments));
  if (type->kind != ir::TypeKind::structure) {
    return not_callable(expr, "type `" + render(type) + "`", alias.alias->name.span);
  }
  return call_struct(context_.declaration_of(type), &type->args, expr);
}

ExprPtr Body::call_struct(StructId id, const std::vector<ir::GenericArgument>* fixed,
                          const syntax::Call& expr) {
  settle_fields(context_, id);
  const ir::Structure& structure = context_.structure(id);
  const Span declared = context_.struct_info(id).structure->name.span;
  const std::string what = "struct `" + structure.name + "`";
  Inference inference(structure.generics, {});
  bool ok = true;
  if (fixed != nullptr) {
    for (std::size_t i = 0; i < fixed->size(); ++i) inference.write(i, (*fixed)[i], expr.span);
  } else {
    ok = write_generics(inference, structure.generics, expr, what);
  }

  StructMake node;
  const std::size_t count = structure.fields.size();
  node.fields.resize(count);
  bool fields_fit = true;
  for (const syntax::CallArg& arg : expr.args) {
    ExprPtr value = check(*arg.value);
    std::size_t at = count;
    std::string message;
    Span place = arg.span;
    std::string help = "give every field once, by name";
    if (!arg.name) {
      message = "the fields of " + what + " are given by name";
      if (count != 0) help = "write `" + structure.fields.front().first + " = ...`";
    } else {
      std::vector<std::string> names;
      for (std::size_t i = 0; i < count; ++i) {
        names.push_back(structure.fields[i].first);
        if (structure.fields[i].first == arg.name->text) at = i;
      }
      if (at == count) {
        message = what + " has no field `" + arg.name->text + "`";
        place = arg.name->span;
        const std::string near = closest(arg.name->text, names);
        help =
            near.empty() ? "its fields are " + quoted_list(names) : "did you mean `" + near + "`?";
        if (names.empty()) help = "it has no fields";
      } else if (node.fields[at] != nullptr) {
        message = "field `" + arg.name->text + "` is given twice";
      }
    }
    if (!message.empty()) {
      if (fields_fit) {
        error("E2102", place, message).with_related("declared here", declared).with_help(help);
      }
      fields_fit = false;
      continue;
    }
    node.fields[at] = std::move(value);
    node.evaluation.push_back(static_cast<int>(at));
  }
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < count; ++i) {
    if (node.fields[i] == nullptr) missing.push_back(structure.fields[i].first);
  }
  if (!missing.empty() && fields_fit) {
    error("E2102", expr.span, what + " needs " + quoted_list(missing))
        .with_label(missing.size() == 1 ? "a field is missing" : "fields are missing")
        .with_related("declared here", declared)
        .with_help("give every field once, by name");
    fields_fit = false;
  }
  if (!ok || !fields_fit) return failed(expr.span);

  bool quiet = false;
  std::vector<Inference::Pair> typed;
  for (std::size_t i = 0; i < count; ++i) {
    const ir::Type& type = node.fields[i]->type;
    quiet = quiet || mentions_poison(type) || mentions_poison(structure.fields[i].second);
    if (!mentions_pending(type)) {
      typed.push_back({structure.fields[i].second, type, node.fields[i]->span});
    }
  }
  inference.learn_all(typed);
  for (std::size_t i = 0; i < count; ++i) {
    const ir::Type& type = node.fields[i]->type;
    if (!is_pending_number(type) || !inference.wants_dtype(structure.fields[i].second)) continue;
    inference.learn_dtype(structure.fields[i].second,
                          dtype_of(type == pending_integer() ? ir::Scalar::i64 : ir::Scalar::f64),
                          node.fields[i]->span);
  }
  std::vector<ir::GenericArgument> arguments;
  if (!finish_generics(inference, structure.generics, expr, what, quiet, arguments)) {
    return failed(expr.span);
  }
  const ir::Substitution substitution = substitution_of(structure.generics, arguments);
  for (std::size_t i = 0; i < count; ++i) {
    Place place;
    place.kind = Place::Kind::field;
    place.what = "field `" + structure.fields[i].first + "`";
    place.declared = context_.struct_info(id).structure->fields[i].name.span;
    place.declared_as = "the field";
    ok =
        accept(node.fields[i], dims::substitute(structure.fields[i].second, substitution), place) &&
        ok;
  }
  ir::Type made =
      named_type(ir::TypeKind::structure, structure.name, structure.module, std::move(arguments));
  if (!ok || !resolver().check_extents(made, expr.span)) return failed(expr.span);
  return make(expr.span, std::move(made), std::move(node));
}

}  // namespace linnet::sema
