// Types in source and the generic arguments that they take (language.md section 3).

#include "codegen/sema/resolve.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace linnet::sema {
namespace {

using ir::TypeKind;

constexpr int deepest_type = 200;

bool is_block_like(const ir::Type& type) {
  return type->kind == TypeKind::block || type->kind == TypeKind::array;
}

std::string count(std::size_t n, const char* noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

std::string kind_name(const ir::Generic& generic) {
  switch (generic.kind) {
    case ir::GenericKind::dim:
      return "a dimension";
    case ir::GenericKind::shape:
      return "a shape";
    case ir::GenericKind::dtype:
      break;
  }
  return "a dtype";
}

/// `*S: Shape`, `T: Float`, as a declaration writes it.
std::string declaration_text(const ir::Generic& generic) {
  switch (generic.kind) {
    case ir::GenericKind::dim:
      return generic.name + ": Dim";
    case ir::GenericKind::shape:
      return "*" + generic.name + ": Shape";
    case ir::GenericKind::dtype:
      break;
  }
  return generic.name + ": " + std::string(class_name(generic.dtype_class));
}

/// The path of a one-name type as a name expression would hold it.
const syntax::Name* single_name(const syntax::GenericArg& written) {
  if (written.kind != syntax::GenericArgKind::name || written.name.segments.size() != 1) {
    return nullptr;
  }
  return &written.name.segments.front();
}

}  // namespace

const Symbol* Resolver::item(const syntax::Path& path) {
  const Symbol* symbol = context_.find(scope_.module, path.segments.front().text);
  if (symbol == nullptr || path.segments.size() == 1) return symbol;
  if (symbol->kind == SymbolKind::failed) return symbol;
  const syntax::Name& name = path.segments[1];
  if (symbol->kind != SymbolKind::module || path.segments.size() > 2) {
    context_
        .error(
            "E1201", path.span,
            "`" + path.segments.front().text + "` has no item `" + path.segments.back().text + "`")
        .with_label("not declared")
        .with_help("write the item's name, or `module.name` of an imported module");
    static const Symbol failed;
    return &failed;
  }
  const ModuleScope& scope = context_.module_scope(symbol->index);
  static const Symbol failed;
  const auto visibility = scope.is_public.find(name.text);
  if (visibility == scope.is_public.end()) {
    // A module with syntax errors declares nothing; its own errors say enough.
    if (context_.graph.modules[static_cast<std::size_t>(symbol->index)].ast != nullptr) {
      context_
          .error("E1201", name.span,
                 "module `" + context_.module_name(symbol->index) + "` has no item `" + name.text +
                     "`")
          .with_label("not declared there")
          .with_help("use an item that the module declares `pub`");
    }
    return &failed;
  }
  if (!visibility->second) {
    context_
        .error("E1203", name.span,
               "`" + name.text + "` is private to module `" + context_.module_name(symbol->index) +
                   "`")
        .with_label("private item")
        .with_related("declared here without `pub`", scope.symbols.at(name.text).span)
        .with_help("declare it `pub` to use it here");
    return &failed;
  }
  return &scope.symbols.at(name.text);
}

ir::Type Resolver::type(const syntax::Type& type, TypePlace place) {
  if (depth_ > deepest_type) {
    context_.error("E1101", type.span, "this type is nested too deep");
    return poison_type();
  }
  ++depth_;
  ir::Type made = poison_type();
  switch (type.kind) {
    case syntax::TypeKind::path:
      made = path_type(syntax::as<syntax::PathType>(type));
      break;
    case syntax::TypeKind::tensor:
      made = tensor(syntax::as<syntax::TensorType>(type));
      break;
    case syntax::TypeKind::tuple: {
      std::vector<ir::Type> elements;
      for (const syntax::TypePtr& element : syntax::as<syntax::TupleType>(type).elements) {
        elements.push_back(this->type(*element, TypePlace::value));
      }
      made = tuple_type(std::move(elements));
      if (mentions_poison(made)) made = poison_type();
      break;
    }
    case syntax::TypeKind::array:
      made = array(syntax::as<syntax::ArrayType>(type));
      break;
    case syntax::TypeKind::optional: {
      const ir::Type inner = this->type(*syntax::as<syntax::OptionalType>(type).element, place);
      made = is_poison(inner) ? inner : optional_type(inner);
      break;
    }
  }
  --depth_;
  if (!within_limits(made)) {
    context_.error("E1101", type.span, "this type is too large")
        .with_label("written out, it has thousands of parts")
        .with_help("split it into smaller types");
    return poison_type();
  }
  if (place == TypePlace::value && refuse_block(made, type.span)) return poison_type();
  return made;
}

bool Resolver::refuse_block(const ir::Type& type, Span span) {
  const ir::Type& inner = type->kind == TypeKind::optional ? inner_type(type) : type;
  if (!is_block_like(inner)) return false;
  context_.error("E1208", span, "`" + render(type) + "` is no type of a value")
      .with_label(inner->kind == TypeKind::array ? "an array of blocks" : "a block")
      .with_help("a block is the type of a `sub` member; pass tensors to a function");
  return true;
}

ir::Type Resolver::array(const syntax::ArrayType& type) {
  const ir::Type element = this->type(*type.element, TypePlace::any);
  const auto length = extent(*type.length);
  if (is_poison(element) || !length) return poison_type();
  return array_type(element, *length);
}

ir::Type Resolver::tensor(const syntax::TensorType& type) {
  const auto units = shape(type.shape);
  const ir::Type element = this->type(*type.dtype, TypePlace::value);
  if (!units || is_poison(element)) return poison_type();
  if (!is_scalar(element)) {
    context_
        .error("E2101", type.dtype->span,
               "a tensor has no elements of type `" + render(element) + "`")
        .with_label("a dtype is needed")
        .with_help("write a scalar dtype such as `f32`, or a dtype generic");
    return poison_type();
  }
  return tensor_type(*units, element->dtype);
}

ir::Type Resolver::path_type(const syntax::PathType& type) {
  const syntax::Name& name = type.path.segments.front();
  const syntax::GenericArgs* args = type.args ? &*type.args : nullptr;
  if (type.path.segments.size() == 1) {
    std::optional<ir::Dtype> dtype;
    if (const GenericBinding* generic = context_.find_generic(scope_, name.text)) {
      const auto* variable = std::get_if<ir::Dtype>(&generic->value);
      if (variable == nullptr && generic->twice) return poison_type();
      if (variable == nullptr) {
        context_.error("E1208", type.span, "`" + name.text + "` is no type")
            .with_label("a type is needed")
            .with_related("declared here", generic->span)
            .with_help("use a dtype generic, a dtype or a declared type");
        return poison_type();
      }
      dtype = *variable;
    } else if (const auto scalar = scalar_named(name.text)) {
      dtype = dtype_of(*scalar);
    }
    if (dtype) {
      if (args == nullptr) return scalar_type(*dtype);
      context_.error("E2111", args->span, "`" + name.text + "` takes no generic arguments")
          .with_label("remove these")
          .with_help("a dtype stands alone");
      return poison_type();
    }
  }
  const Symbol* symbol = item(type.path);
  if (symbol != nullptr) {
    const ir::Type made = declared_type(*symbol, type);
    return is_poison(made) || check_extents(made, type.span) ? made : poison_type();
  }
  if (is_prelude_name(name.text)) {
    context_.error("E1208", type.span, "`" + name.text + "` alone is no type")
        .with_label("a type is needed")
        .with_help(name.text == "Tensor" ? "write the shape and dtype: `Tensor[B, H; f32]`"
                                         : "use a dtype, `Tensor[...]` or a declared type");
    return poison_type();
  }
  context_.report_undeclared(name, scope_, "type");
  return poison_type();
}

namespace {

/// Whether a default that is written has failed, which is reported where it is.
bool lacks_default(const syntax::Generics& written, const std::vector<ir::Generic>& generics) {
  for (std::size_t i = 0; i < generics.size() && i < written.params.size(); ++i) {
    if (written.params[i].default_arg && !generics[i].default_argument) return true;
  }
  return false;
}

}  // namespace

ir::Type Resolver::declared_type(const Symbol& symbol, const syntax::PathType& type) {
  const std::string name = type.path.segments.back().text;
  const syntax::GenericArgs* args = type.args ? &*type.args : nullptr;
  switch (symbol.kind) {
    case SymbolKind::structure: {
      settle_struct(context_, symbol.index);
      const ir::Structure& structure = context_.structure(symbol.index);
      if (lacks_default(context_.struct_info(symbol.index).structure->generics,
                        structure.generics)) {
        return poison_type();
      }
      auto arguments = type_arguments(args, structure.generics, "struct `" + name + "`", type.span);
      if (!arguments) return poison_type();
      return named_type(TypeKind::structure, structure.name, structure.module,
                        std::move(*arguments));
    }
    case SymbolKind::enumeration: {
      settle_enum(context_, symbol.index);
      const ir::Enumeration& enumeration = context_.enumeration(symbol.index);
      auto arguments = type_arguments(args, enumeration.generics, "enum `" + name + "`", type.span);
      if (!arguments) return poison_type();
      return named_type(TypeKind::enumeration, enumeration.name, enumeration.module,
                        std::move(*arguments));
    }
    case SymbolKind::alias: {
      if (!settle_alias(context_, symbol.index, type.span)) return poison_type();
      const AliasInfo& alias = context_.alias(symbol.index);
      const auto arguments = type_arguments(args, alias.generics, "type `" + name + "`", type.span);
      if (!arguments) return poison_type();
      return dims::substitute(alias.type, substitution_of(alias.generics, *arguments));
    }
    case SymbolKind::block:
      return block_type(symbol.index, type);
    case SymbolKind::failed:
      return poison_type();
    default:
      break;
  }
  context_
      .error("E1208", type.span,
             "`" + name + "` is " + std::string(describe(symbol.kind)) + ", no type")
      .with_label("a type is needed")
      .with_related("declared here", symbol.span)
      .with_help("use a dtype, `Tensor[...]`, a struct, an enum, an alias or a block");
  return poison_type();
}

ir::Type Resolver::block_type(int id, const syntax::PathType& type) {
  const bool sound = settle_block(context_, id);
  const ir::Block& block = context_.block(id).declaration;
  if (!sound && lacks_default(context_.block_info(id).block->generics, block.generics)) {
    return poison_type();
  }
  const auto arguments = type_arguments(type.args ? &*type.args : nullptr, block.generics,
                                        "block `" + block.name + "`", type.span);
  if (!arguments || !sound) return poison_type();
  if (!prove_where(block.constraints, substitution_of(block.generics, *arguments),
                   "block `" + block.name + "`", type.span)) {
    return poison_type();
  }
  return named_type(TypeKind::block, block.name, block.module, *arguments);
}

std::optional<ir::Dtype> Resolver::dtype(const syntax::Name& name) {
  if (const GenericBinding* generic = context_.find_generic(scope_, name.text)) {
    if (const auto* variable = std::get_if<ir::Dtype>(&generic->value)) return *variable;
  } else if (const auto scalar = scalar_named(name.text)) {
    return dtype_of(*scalar);
  } else if (const Symbol* symbol = context_.find(scope_.module, name.text)) {
    if (symbol->kind == SymbolKind::failed) return std::nullopt;
    if (symbol->kind == SymbolKind::alias) {
      if (!settle_alias(context_, symbol->index, name.span)) return std::nullopt;
      const AliasInfo& alias = context_.alias(symbol->index);
      if (alias.generics.empty() && is_scalar(alias.type)) return alias.type->dtype;
    }
  } else {
    context_.report_undeclared(name, scope_, "dtype");
    return std::nullopt;
  }
  context_.error("E1208", name.span, "`" + name.text + "` is no dtype")
      .with_label("a dtype is needed")
      .with_help("write a scalar dtype such as `f32`, or a dtype generic");
  return std::nullopt;
}

// --- generic arguments -----------------------------------------------------------------------

void Resolver::report_kind(const syntax::GenericArg& written, const ir::Generic& generic,
                           const char* code, const std::string& got) {
  context_
      .error(code, written.span,
             "generic `" + generic.name + "` is " + kind_name(generic) + ", and this is " + got)
      .with_label("declared `" + declaration_text(generic) + "`")
      .with_help("write " + kind_name(generic) + " here");
}

std::optional<ir::GenericArgument> Resolver::argument(const syntax::GenericArg& written,
                                                      const ir::Generic& generic,
                                                      const char* wrong_kind) {
  switch (generic.kind) {
    case ir::GenericKind::dim:
      return dim_argument(written, generic, wrong_kind);
    case ir::GenericKind::shape:
      return shape_argument(written, generic, wrong_kind);
    case ir::GenericKind::dtype:
      break;
  }
  return dtype_argument(written, generic, wrong_kind);
}

std::optional<ir::GenericArgument> Resolver::dim_argument(const syntax::GenericArg& written,
                                                          const ir::Generic& generic,
                                                          const char* code) {
  const auto as_argument = [](const std::optional<ir::Dim>& dim) {
    return dim ? std::optional<ir::GenericArgument>(*dim) : std::nullopt;
  };
  if (written.kind == syntax::GenericArgKind::dimension)
    return as_argument(extent(*written.dimension));
  if (written.kind != syntax::GenericArgKind::name) {
    report_kind(written, generic, code,
                written.kind == syntax::GenericArgKind::shape ? "a shape" : "a type");
    return std::nullopt;
  }
  // A bare name may be a dtype, pack or type: then the kind is wrong, not the name.
  const syntax::Name& first = written.name.segments.front();
  if (const syntax::Name* name = single_name(written)) {
    const bool local = locals_ != nullptr && locals_->meaning(name->text);
    const GenericBinding* bound = local ? nullptr : context_.find_generic(scope_, name->text);
    if (bound != nullptr && bound->twice) return std::nullopt;
    if (bound != nullptr && bound->kind != ir::GenericKind::dim) {
      report_kind(written, generic, code,
                  bound->kind == ir::GenericKind::shape ? "a shape pack" : "a dtype");
      return std::nullopt;
    }
    if (!local && bound == nullptr && scalar_named(name->text)) {
      report_kind(written, generic, code, "a dtype");
      return std::nullopt;
    }
  }
  if (first.text != "Tensor") {
    const Symbol* symbol = context_.find(scope_.module, first.text);
    if (symbol != nullptr &&
        (symbol->kind == SymbolKind::structure || symbol->kind == SymbolKind::enumeration ||
         symbol->kind == SymbolKind::alias || symbol->kind == SymbolKind::block)) {
      report_kind(written, generic, code, std::string(describe(symbol->kind)));
      return std::nullopt;
    }
  }
  if (written.name.segments.size() == 1) {
    const auto dim = named_dimension(first);
    if (dim && facts().negative(*dim)) {
      context_
          .error("E2208", written.span, "the dimension `" + dims::render(*dim) + "` is negative")
          .with_label("below zero")
          .with_help("a dimension is at least 0");
      return std::nullopt;
    }
    return as_argument(dim);
  }
  const Symbol* symbol = item(written.name);
  if (symbol == nullptr) {
    context_.report_undeclared(first, scope_, "name");
    return std::nullopt;
  }
  return as_argument(constant_dimension(*symbol, written.name.segments.back()));
}

std::optional<ir::GenericArgument> Resolver::shape_argument(const syntax::GenericArg& written,
                                                            const ir::Generic& generic,
                                                            const char* code) {
  if (written.kind == syntax::GenericArgKind::shape) {
    auto units = shape(written.shape);
    if (!units) return std::nullopt;
    return std::move(*units);
  }
  if (const syntax::Name* name = single_name(written)) {
    const GenericBinding* bound = context_.find_generic(scope_, name->text);
    if (bound != nullptr) {
      if (bound->twice) return std::nullopt;
      if (const auto* pack = std::get_if<ir::ShapeUnits>(&bound->value)) return *pack;
    } else if (!scalar_named(name->text) && context_.find(scope_.module, name->text) == nullptr &&
               !is_prelude_name(name->text) &&
               (locals_ == nullptr || !locals_->meaning(name->text))) {
      context_.report_undeclared(*name, scope_, "shape pack");
      return std::nullopt;
    }
  }
  context_.error(code, written.span, "generic `" + generic.name + "` is a shape, and this is none")
      .with_label("declared `" + declaration_text(generic) + "`")
      .with_help("write the axes in brackets, `[B, S]`, or the name of a pack");
  return std::nullopt;
}

std::optional<ir::GenericArgument> Resolver::dtype_argument(const syntax::GenericArg& written,
                                                            const ir::Generic& generic,
                                                            const char* code) {
  if (const syntax::Name* name = single_name(written)) {
    const GenericBinding* bound = context_.find_generic(scope_, name->text);
    if (bound != nullptr && bound->twice) return std::nullopt;
    if (bound != nullptr && !std::holds_alternative<ir::Dtype>(bound->value)) {
      report_kind(written, generic, code,
                  bound->kind == ir::GenericKind::shape ? "a shape pack" : "a dimension");
      return std::nullopt;
    }
    if (bound == nullptr && !scalar_named(name->text)) {
      const Symbol* symbol = context_.find(scope_.module, name->text);
      const bool local = locals_ != nullptr && locals_->meaning(name->text);
      const bool is_alias = symbol != nullptr && symbol->kind == SymbolKind::alias;
      const bool failed = symbol != nullptr && symbol->kind == SymbolKind::failed;
      if (failed) return std::nullopt;
      if ((symbol != nullptr && !is_alias) || local || is_prelude_name(name->text)) {
        report_kind(written, generic, code,
                    symbol != nullptr ? std::string(describe(symbol->kind)) : "something else");
        return std::nullopt;
      }
    }
    const auto made = dtype(*name);
    if (!made) return std::nullopt;
    return *made;
  }
  report_kind(written, generic, code,
              written.kind == syntax::GenericArgKind::shape       ? "a shape"
              : written.kind == syntax::GenericArgKind::dimension ? "a dimension"
                                                                  : "a type");
  return std::nullopt;
}

bool Resolver::check_class(const ir::Generic& generic, const ir::GenericArgument& argument,
                           Span span) {
  const auto* dtype = std::get_if<ir::Dtype>(&argument);
  if (dtype == nullptr || context_.classes.belongs(*dtype, generic.dtype_class)) return true;
  const std::string wanted(class_name(generic.dtype_class));
  context_
      .error("E2112", span,
             "dtype `" + render(*dtype) + "` is outside `" + generic.name + ": " + wanted + "`")
      .with_label("`" + generic.name + "` would be `" + render(*dtype) + "`")
      .with_help(dtype->is_variable
                     ? "declare `" + dtype->name + ": " + wanted + "`"
                     : (generic.dtype_class == ir::DtypeClass::floating
                            ? "use one of `f16 bf16 f32 f64`, or `cast` the value first"
                            : "use a dtype of class `" + wanted + "`, or `cast` the value first"));
  return false;
}

std::optional<std::vector<ir::GenericArgument>> Resolver::type_arguments(
    const syntax::GenericArgs* written, const std::vector<ir::Generic>& generics,
    const std::string& what, Span span) {
  const std::size_t given = written != nullptr ? written->args.size() : 0;
  if (given > generics.size()) {
    context_
        .error("E2111", written->args[generics.size()].span,
               what + " takes " + count(generics.size(), "generic argument") + ", not " +
                   std::to_string(given))
        .with_label("one too many")
        .with_help(generics.empty() ? "remove the generic arguments"
                                    : "remove the arguments that it does not declare");
    return std::nullopt;
  }
  std::vector<ir::GenericArgument> arguments;
  ir::Substitution bound;
  for (std::size_t i = 0; i < generics.size(); ++i) {
    const ir::Generic& generic = generics[i];
    std::optional<ir::GenericArgument> argument;
    Span at = span;
    if (i < given) {
      at = written->args[i].span;
      argument = this->argument(written->args[i], generic);
      if (!argument) return std::nullopt;
    } else if (generic.default_argument) {
      argument = dims::substitute(*generic.default_argument, bound);
      if (!check_extents(generic, *argument, span)) return std::nullopt;
    } else {
      context_.error("E2111", span, what + " needs generic argument `" + generic.name + "`")
          .with_label("`" + declaration_text(generic) + "` has no default")
          .with_help("write all arguments up to the first default, in declaration order");
      return std::nullopt;
    }
    if (!check_class(generic, *argument, at)) return std::nullopt;
    bind(bound, generic, *argument);
    arguments.push_back(std::move(*argument));
  }
  return arguments;
}

namespace {

/// The symbols of a constraint with what they are bound to, where that is something else.
std::vector<std::pair<std::string, std::string>> named_values(
    const ir::Constraint& constraint, const ir::Substitution& substitution) {
  std::vector<std::pair<std::string, std::string>> found;
  std::vector<const ir::DimNode*> open{constraint.lhs.get(), constraint.rhs.get()};
  std::set<const ir::DimNode*> seen;  // parts of a dimension are shared
  while (!open.empty()) {
    const ir::DimNode& node = *open.back();
    open.pop_back();
    if (!seen.insert(&node).second) continue;
    for (const ir::Dim& argument : node.args) open.push_back(argument.get());
    if (node.kind != ir::DimKind::symbol) continue;
    const auto bound = substitution.dims.find(node.id);
    if (bound == substitution.dims.end()) continue;
    std::pair<std::string, std::string> entry{node.name, dims::render(bound->second)};
    const bool known = std::find(found.begin(), found.end(), entry) != found.end();
    if (entry.first != entry.second && !known) found.push_back(std::move(entry));
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

bool Resolver::prove_where(const std::vector<ir::Constraint>& constraints,
                           const ir::Substitution& substitution, const std::string& what,
                           Span span) {
  for (const ir::Constraint& constraint : constraints) {
    const ir::Constraint here = dims::substitute(constraint, substitution);
    if (facts().prove(here)) continue;
    const bool is_false = facts().refute(here);
    syntax::Diagnostic& report =
        context_.error("E2206", span, what + " needs `" + constraint.text + "`");
    const std::string relation = dims::render(here);
    for (const auto& [name, value] : named_values(constraint, substitution)) {
      report.with_note("here `" + name + "` is `" + value + "`");
    }
    report.with_label("`" + relation + "` " + (is_false ? "is false" : "is not provable here"));
    report.with_help(is_false ? "choose generic arguments for which it holds"
                              : "add `where " + relation + "` to the enclosing declaration");
    return false;
  }
  return true;
}

ir::Substitution substitution_of(const std::vector<ir::Generic>& generics,
                                 const std::vector<ir::GenericArgument>& arguments) {
  ir::Substitution substitution;
  for (std::size_t i = 0; i < generics.size() && i < arguments.size(); ++i) {
    bind(substitution, generics[i], arguments[i]);
  }
  return substitution;
}

}  // namespace linnet::sema
