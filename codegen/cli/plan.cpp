// `linnet plan`: a checked, lowered program as one JSON document (plan-format.md).

#include <memory>

#include "codegen/cli/command.hpp"
#include "codegen/cli/pipeline.hpp"
#include "codegen/cpp/kernel_table.hpp"
#include "codegen/ir/walk.hpp"
#include "codegen/plan/plan.hpp"

namespace linnet::cli {
namespace {

struct PlanFlags {
  std::string file;
  std::string output = "-";
  std::string numerics = "exact";
  bool no_optimize = false;
  PipelineOptions pipeline;
};

/// Notes on each call of an op which native kernel the policy puts in its place.
void select_kernels(ir::Program& program, const std::string& numerics) {
  ir::for_each_body(program, [exact = numerics == "exact"](ir::Region& region) {
    ir::walk(region, [exact](ir::Op& op) {
      if (op.kind != ir::OpKind::semantic_call) return;
      if (const cpp::Kernel* kernel = cpp::choose_kernel(op, exact)) {
        op.attrs.selected = "linnet::kernels::" + kernel->function;
      }
    });
  });
}

int write_plan(const Session& session, const PlanFlags& flags) {
  PipelineOptions options = flags.pipeline;
  options.optimize = !flags.no_optimize;
  syntax::SourceManager sources;
  Loaded loaded = compile_source(session, flags.file, options, sources);
  if (!loaded.program) return exit_input_errors;
  keep_inputs(flags.output, loaded.dependencies);
  select_kernels(*loaded.program, flags.numerics);
  write_output(flags.output, plan::write(*loaded.program));
  return exit_ok;
}

}  // namespace

void add_plan(CLI::App& program, Session& session) {
  auto flags = std::make_shared<PlanFlags>();
  CLI::App* command = add_command(program, session, "plan", "print the plan of a file as JSON");
  CLI::Option* root =
      command->add_option("--root", flags->pipeline.lower.root,
                          "the root block (default: the last public one with an entry)");
  command
      ->add_flag("--functions", flags->pipeline.lower.functions_only,
                 "no root: the entries of the module")
      ->excludes(root);
  command->add_option("--numerics", flags->numerics, "the numerics policy")
      ->check(CLI::IsMember({"exact", "equivalent", "fast"}));
  command->add_flag("--no-optimize", flags->no_optimize, "the program as it was lowered");
  command->add_option("-o,--output", flags->output, "the plan; - is standard output")
      ->type_name("OUT.json");
  command->add_option("FILE", flags->file, "a .linnet file")->required();
  command->callback([flags, &session] { session.exit_code = write_plan(session, *flags); });
}

}  // namespace linnet::cli
