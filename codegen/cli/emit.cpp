// `linnet emit`: Linnet source back from a plan.

#include <memory>

#include "codegen/cli/command.hpp"
#include "codegen/cli/pipeline.hpp"
#include "codegen/plan/plan.hpp"

namespace linnet::cli {
namespace {

int emit(const std::string& file) {
  const auto program = read_plan(file).program;
  if (!program) return exit_input_errors;
  std::vector<ir::Problem> problems;
  const auto source = plan::emit(*program, problems);
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
  command->callback([file, &session] { session.exit_code = emit(*file); });
}

}  // namespace linnet::cli
