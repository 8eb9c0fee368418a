#include "codegen/sema/context.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "codegen/sema/suggest.hpp"
#include "codegen/syntax/foreign.hpp"

namespace linnet::sema {
namespace {

constexpr std::array<std::string_view, 21> prelude_functions{
    "cast",    "exp",          "log",     "sqrt",   "rsqrt", "sin",  "cos",
    "tanh",    "abs",          "min",     "max",    "shl",   "shr",  "select",
    "reshape", "broadcast_to", "permute", "concat", "iota",  "fill", "cumsum"};
constexpr std::array<std::string_view, 3> reserved_functions{"pad", "gather", "scatter"};
constexpr std::array<std::string_view, 7> prelude_types{"Tensor",  "Dim",     "Shape", "DType",
                                                        "Numeric", "Integer", "Float"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string type_key(const std::string& module, const std::string& name) {
  return module + "::" + name;
}

}  // namespace

Context::Context(ModuleGraph loaded, syntax::SourceManager& source_manager,
                 syntax::DiagnosticSink& diagnostics)
    : graph(std::move(loaded)), sources(source_manager), sink(diagnostics) {}

int Context::declaration_of(const ir::Type& type) const {
  if (type->kind != ir::TypeKind::block && type->kind != ir::TypeKind::structure &&
      type->kind != ir::TypeKind::enumeration) {
    return -1;
  }
  const auto found = type_declarations_.find(type_key(type->module, type->name));
  return found == type_declarations_.end() ? -1 : found->second;
}

void Context::remember_type(const std::string& module, const std::string& name, int index) {
  type_declarations_.emplace(type_key(module, name), index);
}

const Symbol* Context::find(int module, const std::string& name) {
  ModuleScope& scope = module_scope(module);
  const auto found = scope.symbols.find(name);
  if (found == scope.symbols.end()) return nullptr;
  const int import = found->second.import;
  if (import >= 0) scope.imports[static_cast<std::size_t>(import)].used = true;
  return &found->second;
}

const GenericBinding* Context::find_generic(const Scope& scope, std::string_view name) const {
  for (const GenericBindings* list : {scope.own, scope.outer}) {
    if (list == nullptr) continue;
    for (const GenericBinding& binding : *list) {
      if (binding.name == name) return &binding;
    }
  }
  return nullptr;
}

std::string Context::short_text(Span span) const {
  constexpr std::size_t longest = 40;
  const std::string_view text = sources.text(span);
  const bool fits = !text.empty() && text.size() <= longest &&
                    text.find('\n') == std::string_view::npos &&
                    text.find("//") == std::string_view::npos;
  return fits ? std::string(text) : "...";
}

bool Context::first_missing(const Scope& scope, const std::string& name) {
  const GenericBindings* declaration = scope.declaration != nullptr ? scope.declaration
                                       : scope.own != nullptr       ? scope.own
                                                                    : scope.outer;
  return undeclared_.emplace(declaration, scope.module, name).second;
}

void Context::report_undeclared(const syntax::Name& name, const Scope& scope, std::string_view what,
                                std::vector<std::string> candidates) {
  if (scope.block >= 0 && block_info(scope.block).refused_items.contains(name.text)) return;
  if (!first_missing(scope, name.text)) return;
  for (const GenericBindings* list : {scope.own, scope.outer}) {
    if (list == nullptr) continue;
    for (const GenericBinding& binding : *list) candidates.push_back(binding.name);
  }
  if (scope.block >= 0) {
    const BlockInfo& info = block_info(scope.block);
    for (const auto& [member, index] : info.member_index) candidates.push_back(member);
    for (const auto& [method, index] : info.method_index) candidates.push_back(method);
  }
  for (const auto& [item, symbol] : module_scope(scope.module).symbols) candidates.push_back(item);
  const bool of_type = what == "type" || what == "dtype";
  if (of_type) {
    for (int i = 0; i <= static_cast<int>(ir::Scalar::f64); ++i) {
      candidates.emplace_back(scalar_name(static_cast<ir::Scalar>(i)));
    }
  } else {
    for (const std::string_view prelude : prelude_functions) candidates.emplace_back(prelude);
  }
  for (const std::string_view prelude : prelude_types) candidates.emplace_back(prelude);
  // Hash tables have no order of their own; messages must.
  std::sort(candidates.begin(), candidates.end());

  syntax::Diagnostic& report = error(
      "E1201", name.span, "no " + std::string(what) + " `" + name.text + "` is declared here");
  report.with_label("not declared");
  const std::string near = closest(name.text, candidates);
  const bool foreign_type = of_type && (!syntax::dtype_meant_by(name.text).empty() ||
                                        !syntax::type_advice(name.text).empty());
  if (!near.empty() && !foreign_type) {
    report.with_help("did you mean `" + near + "`?");
    return;
  }
  report.with_help(undeclared_help(name.text, what));
}

std::string Context::undeclared_help(const std::string& name, std::string_view what) {
  const bool of_type = what == "type" || what == "dtype";
  if (of_type) {
    if (const auto dtype = syntax::dtype_meant_by(name); !dtype.empty()) {
      return "write `" + std::string(dtype) + "`";
    }
    if (const auto advice = syntax::type_advice(name); !advice.empty()) return std::string(advice);
  }
  if (const std::string_view module = standard_names.module_of(name); !module.empty()) {
    return "import it: `use " + std::string(module) + "::{" + name + "}`";
  }
  if (what == "value" || what == "function") {
    if (const auto advice = syntax::value_advice(name); !advice.empty()) return std::string(advice);
  }
  if (what == "dimension") return "declare it as a generic: `<" + name + ": Dim>`";
  if (what == "shape pack") return "declare it as a generic: `<*" + name + ": Shape>`";
  if (what == "variable") return "declare it: `var " + name + " = ...`";
  return of_type ? "declare it in this module, or import it with `use`"
                 : "declare it before this use, or import it with `use`";
}

void Context::report_too_deep(Span use, std::string help) {
  if (std::exchange(too_deep_reported_, true)) return;
  error("E1101", use, "these definitions are nested too deep").with_help(std::move(help));
}

bool is_reserved_prelude_function(std::string_view name) {
  return contains(reserved_functions, name);
}

bool is_prelude_function(std::string_view name) {
  return contains(prelude_functions, name) || is_reserved_prelude_function(name);
}

bool is_prelude_name(std::string_view name) {
  return is_prelude_function(name) || contains(prelude_types, name) || scalar_named(name);
}

bool refuse_prelude_name(Context& context, const syntax::Name& name) {
  if (!is_prelude_name(name.text)) return false;
  context.error("E1207", name.span, "`" + name.text + "` belongs to the prelude")
      .with_label("cannot be declared again")
      .with_help("choose another name, such as `" + name.text + "_`");
  return true;
}

std::string_view describe(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::function:
      return "a function";
    case SymbolKind::kernel:
      return "a kernel";
    case SymbolKind::structure:
      return "a struct";
    case SymbolKind::enumeration:
      return "an enum";
    case SymbolKind::alias:
      return "a type alias";
    case SymbolKind::constant:
      return "a constant";
    case SymbolKind::block:
      return "a block";
    case SymbolKind::module:
      return "a module";
    case SymbolKind::failed:
      break;
  }
  return "a name";
}

void bind(ir::Substitution& substitution, const ir::Generic& generic,
          const ir::GenericArgument& argument) {
  if (const auto* dim = std::get_if<ir::Dim>(&argument)) {
    substitution.dims[generic.id] = *dim;
  } else if (const auto* units = std::get_if<ir::ShapeUnits>(&argument)) {
    substitution.packs[generic.id] = *units;
  } else {
    substitution.dtypes[generic.id] = std::get<ir::Dtype>(argument);
  }
}

ir::GenericArgument identity(const ir::Generic& generic) {
  switch (generic.kind) {
    case ir::GenericKind::dim:
      return dims::symbol(generic.id, generic.name);
    case ir::GenericKind::shape:
      return ir::ShapeUnits{dims::unit_of_pack(generic.id, generic.name)};
    case ir::GenericKind::dtype:
      break;
  }
  ir::Dtype dtype;
  dtype.is_variable = true;
  dtype.variable = generic.id;
  dtype.name = generic.name;
  return dtype;
}

}  // namespace linnet::sema
