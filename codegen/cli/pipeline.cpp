#include "codegen/cli/pipeline.hpp"

#include <cstdio>
#include <stdexcept>

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

std::optional<ir::Program> parse_plan(const std::string& file, const std::string& text) {
  std::vector<ir::Problem> problems;
  auto program = plan::read(text, problems);
  print_problems(file, problems);
  return program;
}

}  // namespace

std::optional<ir::Program> compile_source(const Session& session, const std::string& file,
                                          const PipelineOptions& options,
                                          std::vector<std::string>* dependencies) {
  require_file(file);
  syntax::SourceManager sources;
  syntax::DiagnosticSink sink;
  const sema::CheckedProgram checked =
      sema::check(sources, {file}, {standard_library(session)}, sink);
  print_diagnostics(sink, sources, DiagnosticFormat::text);
  if (dependencies != nullptr) *dependencies = checked.dependencies;
  if (!checked.ok) return std::nullopt;
  std::vector<ir::Problem> problems;
  auto program = ir::lower(checked, options.lower, problems);
  print_problems(file, problems);
  if (!program) return std::nullopt;
  // What lowering makes must be a plan that we would read ourselves.
  if (const auto broken = ir::verify(*program, 1); !broken.empty()) {
    throw std::logic_error("lowering gave no valid program, please report the input: " +
                           broken[0].where + ": " + broken[0].message);
  }
  if (options.optimize) optimize::run(*program);
  return program;
}

std::optional<ir::Program> read_plan(const std::string& file) {
  return parse_plan(file, read_input(file));
}

std::optional<ir::Program> load_program(const Session& session, const std::string& file,
                                        const PipelineOptions& options,
                                        std::vector<std::string>* dependencies) {
  const std::string text = read_input(file);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_plan = file == "-" || (first != std::string::npos && text[first] == '{');
  if (!is_plan) return compile_source(session, file, options, dependencies);
  if (dependencies != nullptr) *dependencies = {file};
  return parse_plan(file, text);
}

}  // namespace linnet::cli
