#include "codegen/cli/pipeline.hpp"

#include <cstdio>
#include <stdexcept>
#include <utility>

#include "codegen/optimize/optimize.hpp"
#include "codegen/plan/plan.hpp"
#include "codegen/sema/check.hpp"

namespace linnet::cli {

void print_problems(const std::string& file, const std::vector<ir::Problem>& problems) {
  for (const ir::Problem& problem : problems) {
    std::fprintf(stderr, "error: %s: %s: %s\n", file == "-" ? "standard input" : file.c_str(),
                 problem.where.c_str(), problem.message.c_str());
  }
}

namespace {

Loaded parse_plan(const std::string& file, const std::string& text) {
  Loaded loaded;
  std::vector<ir::Problem> problems;
  loaded.program = plan::read(text, problems);
  print_problems(file, problems);
  if (file != "-") loaded.dependencies = {file};
  return loaded;
}

bool is_plan(const std::string& file, const std::string& text) {
  if (file == "-" || file.ends_with(".json")) return true;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '{';
}

}  // namespace

Loaded compile_source(const Session& session, const std::string& file,
                      const PipelineOptions& options, syntax::SourceManager& sources) {
  require_file(file);
  syntax::DiagnosticSink sink;
  const sema::CheckedProgram checked =
      sema::check(sources, {file}, {standard_library(session)}, sink);
  print_diagnostics(sink, sources, DiagnosticFormat::text);
  Loaded loaded;
  loaded.dependencies = checked.dependencies;
  if (!checked.ok) return loaded;
  std::vector<ir::Problem> problems;
  auto program = ir::lower(checked, options.lower, problems);
  print_problems(file, problems);
  if (!program) return loaded;
  // What lowering makes must be a plan that we would read ourselves.
  if (const auto broken = ir::verify(*program, 1); !broken.empty()) {
    throw std::logic_error("lowering gave no valid program, please report the input: " +
                           broken[0].where + ": " + broken[0].message);
  }
  if (options.optimize) optimize::run(*program);
  for (const sema::Function& function : checked.functions) {
    loaded.spans.emplace(function.full_name, function.span);
  }
  loaded.program = std::move(program);
  return loaded;
}

Loaded read_plan(const std::string& file) {
  return parse_plan(file, read_input(file));
}

Loaded load_program(const Session& session, const std::string& file, const PipelineOptions& options,
                    syntax::SourceManager& sources) {
  const std::string text = read_input(file);
  if (!is_plan(file, text)) return compile_source(session, file, options, sources);
  if (!options.lower.root.empty()) {
    throw CommandLineError{"--root goes with a .linnet file: a plan has the root it was made with"};
  }
  return parse_plan(file, text);
}

}  // namespace linnet::cli
