#include "codegen/sema/check.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "codegen/sema/bodies.hpp"
#include "codegen/sema/context.hpp"
#include "codegen/sema/modules.hpp"

namespace linnet::sema {
namespace {

/// The module of a file; -1 for other files, such as a manifest.
int module_of(const Context& context, int file) {
  const std::vector<LoadedModule>& modules = context.graph.modules;
  const auto found = std::find_if(modules.begin(), modules.end(),
                                  [&](const LoadedModule& module) { return module.file == file; });
  return found == modules.end() ? -1 : static_cast<int>(found - modules.begin());
}

/// What each module is to the warnings: they are shown for the programs of root files without an
/// error, in themselves and in all that they import.
std::vector<bool> sound_modules(const Context& context, std::size_t first_diagnostic) {
  const std::vector<LoadedModule>& modules = context.graph.modules;
  std::vector<bool> sound(modules.size(), false);
  std::vector<bool> wrong(modules.size(), false);
  const auto& diagnostics = context.sink.diagnostics();
  for (std::size_t i = first_diagnostic; i < diagnostics.size(); ++i) {
    const int module = module_of(context, diagnostics[i].span.file);
    if (module < 0) return sound;  // whose fault it is nothing says
    wrong[static_cast<std::size_t>(module)] = true;
  }
  // Modules stand after what they import, but for circles, which are errors of the importer.
  for (std::size_t i = 0; i < modules.size(); ++i) {
    for (const int target : modules[i].use_targets) {
      if (target < 0 || wrong[static_cast<std::size_t>(target)]) wrong[i] = true;
    }
  }
  std::vector<int> open;
  for (const int root : context.graph.roots) {
    if (!wrong[static_cast<std::size_t>(root)]) open.push_back(root);
  }
  while (!open.empty()) {
    const auto module = static_cast<std::size_t>(open.back());
    open.pop_back();
    if (sound[module]) continue;
    sound[module] = true;
    const std::vector<int>& imported = modules[module].use_targets;
    open.insert(open.end(), imported.begin(), imported.end());
  }
  return sound;
}

/// Warnings of the standard library are not the user's, unless it is what is being checked.
bool concerns_user(const Context& context, int module) {
  const std::vector<int>& roots = context.graph.roots;
  return !context.graph.modules[static_cast<std::size_t>(module)].in_std ||
         std::find(roots.begin(), roots.end(), module) != roots.end();
}

}  // namespace

CheckedProgram check(syntax::SourceManager& sources, const std::vector<std::string>& root_files,
                     const CheckOptions& options, syntax::DiagnosticSink& sink) {
  const std::size_t diagnostics_before = sink.diagnostics().size();
  const int errors_before = sink.error_count();
  Context context(load_modules(sources, root_files, options, sink), sources, sink);
  context.standard_names = StandardNames(options.std_root);
  std::vector<Warning> warnings;
  declare_all(context);
  check_bodies(context, warnings);
  check_cycles(context);

  context.program.ok = sink.error_count() == errors_before;
  const std::vector<bool> sound = sound_modules(context, diagnostics_before);
  collect_unused(context, warnings);
  for (Warning& warning : warnings) {
    const int module = module_of(context, warning.span.file);
    if (!sound[static_cast<std::size_t>(module)] || !concerns_user(context, module)) continue;
    sink.warning(warning.code, warning.span, std::move(warning.message))
        .with_help(std::move(warning.help));
  }
  context.program.roots = context.graph.roots;
  context.program.dependencies = context.graph.dependencies;
  sink.sort_by_place();
  return std::move(context.program);
}

}  // namespace linnet::sema
