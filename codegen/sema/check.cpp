#include "codegen/sema/check.hpp"

#include <utility>

#include "codegen/sema/bodies.hpp"
#include "codegen/sema/context.hpp"
#include "codegen/sema/modules.hpp"

namespace linnet::sema {
namespace {

/// Warnings of the standard library are not the user's, unless it is what is being checked.
bool concerns_user(const Context& context, const Span& span) {
  for (std::size_t i = 0; i < context.graph.modules.size(); ++i) {
    const LoadedModule& module = context.graph.modules[i];
    if (module.file != span.file) continue;
    if (!module.in_std) return true;
    for (const int root : context.graph.roots) {
      if (root == static_cast<int>(i)) return true;
    }
    return false;
  }
  return true;
}

}  // namespace

CheckedProgram check(syntax::SourceManager& sources, const std::vector<std::string>& root_files,
                     const CheckOptions& options, syntax::DiagnosticSink& sink) {
  const int errors_before = sink.error_count();
  Context context(load_modules(sources, root_files, options, sink), sources, sink);
  context.standard_names = StandardNames(options.std_root);
  std::vector<Warning> warnings;
  declare_all(context);
  check_bodies(context, warnings);
  check_cycles(context);

  context.program.ok = sink.error_count() == errors_before;
  if (context.program.ok) {
    collect_unused(context, warnings);
    for (Warning& warning : warnings) {
      if (!concerns_user(context, warning.span)) continue;
      sink.warning(warning.code, warning.span, std::move(warning.message))
          .with_help(std::move(warning.help));
    }
  }
  context.program.roots = context.graph.roots;
  context.program.dependencies = context.graph.dependencies;
  sink.sort_by_place();
  return std::move(context.program);
}

}  // namespace linnet::sema
