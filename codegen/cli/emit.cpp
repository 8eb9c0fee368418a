// `linnet emit`: Linnet source back from a plan.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "codegen/cli/command.hpp"
#include "codegen/cli/pipeline.hpp"
#include "codegen/optimize/optimize.hpp"
#include "codegen/plan/plan.hpp"
#include "codegen/sema/check.hpp"

namespace linnet::cli {
namespace {

/// The files of the standard library that a plan has items of.
std::vector<std::string> library_files(const ir::Program& program, const std::string& std_root) {
  std::set<std::string> modules;
  for (const ir::Function& function : program.functions) {
    modules.insert(function.name.substr(0, function.name.find("::")));
  }
  for (const auto& [key, block] : program.blocks) modules.insert(block.module);
  std::vector<std::string> files;
  for (std::string module : modules) {
    if (!module.starts_with("std.")) continue;
    std::replace(module.begin(), module.end(), '.', '/');
    const auto file = std::filesystem::path(std_root) / (module.substr(4) + ".linnet");
    if (std::filesystem::is_regular_file(file)) files.push_back(file.string());
  }
  return files;
}

/// The items of `std` that mean in the plan what they mean in the library installed here.
std::set<std::string> importable(const Session& session, const ir::Program& program) {
  const std::string std_root = standard_library(session);
  const std::vector<std::string> files = library_files(program, std_root);
  if (files.empty()) return {};
  syntax::SourceManager sources;
  syntax::DiagnosticSink sink;
  const sema::CheckedProgram checked = sema::check(sources, files, {std_root}, sink);
  std::vector<ir::Problem> problems;
  auto library = checked.ok ? ir::lower(checked, {}, problems) : std::nullopt;
  if (!library) return {};
  // Plans are optimised or not, and another compiler's may become the same when they are.
  std::set<std::string> same = plan::same_items(program, *library);
  optimize::run(*library);
  same.merge(plan::same_items(program, *library));
  ir::Program optimized = program;
  optimize::run(optimized);
  same.merge(plan::same_items(optimized, *library));
  return same;
}

int emit(const Session& session, const std::string& file) {
  const auto program = read_plan(file).program;
  if (!program) return exit_input_errors;
  const std::set<std::string> imports = importable(session, *program);
  std::vector<ir::Problem> problems;
  const auto source = plan::emit(*program, problems, &imports);
  print_problems(file, problems);
  if (!source) return exit_input_errors;
  write_output("-", *source);
  return exit_ok;
}

}  // namespace

void add_emit(CLI::App& program, Session& session) {
  auto file = std::make_shared<std::string>();
  CLI::App* command = add_command(program, session, "emit", "print the Linnet source of a plan");
  command->add_option("PLAN", *file, "a plan, or - for standard input")->required();
  command->callback([file, &session] { session.exit_code = emit(session, *file); });
}

}  // namespace linnet::cli
