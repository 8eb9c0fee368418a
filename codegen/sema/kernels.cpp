// Kernel headers and their bindings to ops (language.md section 10).

#include "codegen/sema/kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "codegen/sema/wording.hpp"

namespace linnet::sema {
namespace {

/// Parameters in a grid are run-time values.
class ParameterNames final : public LocalNames {
 public:
  explicit ParameterNames(const Function& function) : function_(function) {}
  std::optional<LocalMeaning> meaning(const std::string& name) override {
    for (const Local& local : function_.frame.locals) {
      if (local.name != name) continue;
      LocalMeaning meaning;
      meaning.failed = mentions_poison(local.type);
      meaning.what = "a value of type `" + render(local.type) + "`";
      return meaning;
    }
    return std::nullopt;
  }
  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const Local& local : function_.frame.locals) all.push_back(local.name);
    return all;
  }

 private:
  const Function& function_;
};

bool has_known_rank(const ir::Type& type) {
  return is_tensor(type) && std::none_of(type->shape.begin(), type->shape.end(),
                                         [](const ir::Unit& unit) { return unit.is_pack(); });
}

/// E2127 for types that no kernel takes or writes; what the names are is not said again.
bool check_types(Context& context, const syntax::Kernel& kernel, Function& function) {
  bool ok = true;
  const auto refused = [&](LocalId local) {
    at(function.frame.locals, local).type = poison_type();
    ok = false;
  };
  for (std::size_t i = 0; i < kernel.params.size(); ++i) {
    const ir::Type& type = function.parameters[i].type;
    if (is_poison(type) || is_scalar(type) || has_known_rank(type)) continue;
    context
        .error("E2127", kernel.params[i].type->span,
               "a kernel's parameter is a tensor of known rank or a scalar")
        .with_label("this is `" + render(type) + "`")
        .with_help("give it a fixed number of axes");
    refused(function.parameters[i].local);
  }
  for (std::size_t i = 0; i < kernel.results.size(); ++i) {
    const ir::Type& type = function.kernel_results[i].type;
    if (is_poison(type) || has_known_rank(type)) continue;
    context
        .error("E2127", kernel.results[i].type->span, "a kernel's result is a tensor of known rank")
        .with_label("this is `" + render(type) + "`")
        .with_help("a single number is `Tensor[1; T]`");
    refused(function.kernel_results[i].local);
  }
  return ok;
}

void settle_hints(Context& context, Resolver& resolver, const syntax::Kernel& kernel,
                  Function& function) {
  for (const syntax::KernelHint& hint : kernel.hints) {
    const bool warps = hint.kind == syntax::KernelHintKind::warps;
    const std::string name = warps ? "warps" : "stages";
    std::optional<std::int64_t>& target = warps ? function.warps : function.stages;
    const auto dim = resolver.dimension(*hint.value);
    if (!dim) continue;
    const auto value = dims::as_constant(*dim);
    if (!value || *value <= 0 || target) {
      context
          .error(value || target ? "E2127" : "E2123", hint.span,
                 target ? "`" + name + "` is given twice"
                        : "`" + name + "` must be a positive constant")
          .with_help("write it once, as a number: `" + name + "(4)`");
      continue;
    }
    target = *value;
  }
}

}  // namespace

bool settle_kernel(Context& context, FunctionId id, const Scope& scope) {
  const syntax::Kernel& kernel = *context.function_info(id).kernel;
  Function& function = context.function(id);
  function.result = unit_type();
  bool ok = true;
  Resolver types(context, scope);
  for (const syntax::KernelResult& written : kernel.results) {
    KernelResult result;
    result.name = written.name.text;
    result.type = types.type(*written.type);
    ok = ok && !is_poison(result.type);
    result.local = static_cast<LocalId>(function.frame.locals.size());
    function.frame.locals.push_back({result.name, result.type, false, written.name.span});
    function.kernel_results.push_back(std::move(result));
  }
  ok = check_types(context, kernel, function) && ok;
  ParameterNames names(function);
  Resolver resolver(context, scope, &names);
  for (const syntax::ExprPtr& size : kernel.grid) {
    const auto dim = resolver.extent(*size);
    ok = ok && dim;
    if (dim) function.grid.push_back(*dim);
  }
  if (kernel.grid.size() > 3) {
    context.error("E2127", kernel.grid[3]->span, "a grid has at most three sizes")
        .with_label("a fourth one")
        .with_help("combine axes: `grid(B * H, S)`");
    ok = false;
  }
  settle_hints(context, resolver, kernel, function);
  return ok;
}

void check_kernel_use(Context& context, FunctionId id) {
  const FunctionInfo& info = context.function_info(id);
  if (info.function == nullptr || !info.function->kernel) return;
  const syntax::KernelBinding& binding = *info.function->kernel;
  Function& op = context.function(id);
  dims::Facts facts;
  add_facts(context, id, facts);
  Resolver resolver(context, function_scope(context, id, facts));
  const std::string name = binding.path.segments.back().text;
  const auto disagree = [&](Span span, const std::string& message, const std::string& label,
                            const std::string& help, Span kernel_span) {
    syntax::Diagnostic& report = context.error("E2126", span, message);
    report.with_label(label);
    if (kernel_span.valid()) report.with_related("the kernel", kernel_span);
    report.with_help(help);
  };
  if (op.kind != ir::FunctionKind::op) {
    disagree(binding.span, "only an op is bound to a kernel", "not an op", "declare it as `op`",
             {});
    return;
  }
  const Symbol* symbol = resolver.item(binding.path);
  if (symbol == nullptr) {
    context.report_undeclared(binding.path.segments.front(), function_scope(context, id, facts),
                              "kernel");
    return;
  }
  if (symbol->kind == SymbolKind::failed) return;
  if (symbol->kind != SymbolKind::kernel) {
    disagree(binding.path.span,
             "`" + name + "` is " + std::string(describe(symbol->kind)) + ", no kernel",
             "a kernel is needed", "name an item declared by `kernel`", symbol->span);
    return;
  }
  const FunctionId kernel_id = symbol->index;
  const bool sound = settle_function(context, kernel_id);
  const Function& kernel = context.function(kernel_id);
  const std::size_t given = binding.args ? binding.args->args.size() : 0;
  if (given != kernel.generics.size()) {
    context
        .error("E2111", binding.args ? binding.args->span : binding.span,
               "kernel `" + name + "` has " + std::to_string(kernel.generics.size()) +
                   " generics, and the header binds " + std::to_string(given))
        .with_label("bind all of them")
        .with_related("the kernel", kernel.span)
        .with_help("an op's header binds every generic of its kernel, in order");
    return;
  }
  KernelUse use;
  use.kernel = kernel_id;
  for (std::size_t i = 0; i < given; ++i) {
    const syntax::GenericArg& written = binding.args->args[i];
    const auto argument = resolver.argument(written, kernel.generics[i]);
    if (!argument || !resolver.check_class(kernel.generics[i], *argument, written.span)) return;
    use.generics.push_back(*argument);
  }
  if (!sound || info.failed) return;
  const ir::Substitution substitution = substitution_of(kernel.generics, use.generics);
  if (kernel.parameters.size() != op.parameters.size()) {
    disagree(binding.span,
             "kernel `" + name + "` takes " +
                 counted(kernel.parameters.size(), "parameter", "parameters") + ", and the op " +
                 std::to_string(op.parameters.size()),
             "they disagree", "the kernel takes the op's parameters, in order", kernel.span);
    return;
  }
  for (std::size_t i = 0; i < op.parameters.size(); ++i) {
    const ir::Type wanted = dims::substitute(kernel.parameters[i].type, substitution);
    if (dims::types_equal(facts, wanted, op.parameters[i].type)) continue;
    disagree(binding.span,
             "kernel `" + name + "` takes `" + render(wanted) + "` for `" + op.parameters[i].name +
                 "`, and the op `" + render(op.parameters[i].type) + "`",
             "they disagree", "the kernel takes the op's parameters, in order",
             kernel.frame.locals[i].span);
    return;
  }
  std::vector<ir::Type> results;
  for (const KernelResult& result : kernel.kernel_results) {
    results.push_back(dims::substitute(result.type, substitution));
  }
  const ir::Type made = results.size() == 1 ? results.front() : tuple_type(std::move(results));
  if (!dims::types_equal(facts, made, op.result)) {
    disagree(binding.span,
             "kernel `" + name + "` writes `" + render(made) + "`, and the op returns `" +
                 render(op.result) + "`",
             "they disagree", "the kernel writes what the op returns, a tuple for several results",
             kernel.span);
    return;
  }
  for (const ir::Dim& tile : context.function_info(kernel_id).tiles) {
    const auto extent = dims::as_constant(dims::simplify(dims::substitute(tile, substitution)));
    if (!extent || (*extent > 0 && (*extent & (*extent - 1)) == 0)) continue;
    context
        .error(
            "E2127", binding.args ? binding.args->span : binding.span,
            "a tile of kernel `" + name + "` would have " + std::to_string(*extent) + " elements")
        .with_label("no power of two")
        .with_related("the kernel", kernel.span)
        .with_help("tile sizes are powers of two: pad the tile and mask its end");
    return;
  }
  op.kernel = std::move(use);
}

}  // namespace linnet::sema
