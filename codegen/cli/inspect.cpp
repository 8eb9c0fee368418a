// `linnet inspect`: what the stages of the compiler make of a file.

#include <cstdio>
#include <memory>

#include "codegen/cli/command.hpp"
#include "codegen/cli/parameters.hpp"
#include "codegen/cli/pipeline.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/plan/plan.hpp"
#include "codegen/syntax/dump.hpp"
#include "codegen/syntax/lexer.hpp"
#include "codegen/syntax/parser.hpp"

namespace linnet::cli {
namespace {

struct InspectFlags {
  std::string file;
  bool tokens = false;
  bool ast = false;
  bool core_ir = false;
  bool emit = false;
  bool parameters = false;
  bool optimize = false;
  bool json = false;
};

/// Tokens and tree are of this file alone: nothing that it imports is read.
int inspect_syntax(const InspectFlags& flags) {
  syntax::SourceManager sources;
  syntax::DiagnosticSink sink;
  const std::string shown = flags.file == "-" ? "<stdin>" : flags.file;
  const syntax::SourceFile& file = sources.add(shown, read_input(flags.file));
  if (flags.tokens) {
    write_output("-", dump(syntax::tokenize(file, sink), file));
  } else {
    syntax::NodeIds ids;
    if (const auto module = syntax::parse(file, ids, sink)) {
      write_output("-", dump(*module, file, true));
    }
  }
  sink.sort_by_place();
  print_diagnostics(sink, sources, DiagnosticFormat::text);
  return sink.has_errors() ? exit_input_errors : exit_ok;
}

int inspect_program(const Session& session, const InspectFlags& flags) {
  PipelineOptions options;
  options.optimize = flags.optimize;
  syntax::SourceManager sources;
  const auto program = load_program(session, flags.file, options, sources).program;
  if (!program) return exit_input_errors;
  if (flags.core_ir) {
    write_output("-", ir::dump(*program));
  } else if (flags.emit) {
    std::vector<ir::Problem> problems;
    const auto source = plan::emit(*program, problems);
    print_problems(flags.file, problems);
    if (!source) return exit_input_errors;
    write_output("-", *source);
  } else {
    write_output("-", flags.json ? parameters_json(*program) : parameters_text(*program));
  }
  return exit_ok;
}

int inspect(const Session& session, const InspectFlags& flags) {
  if (flags.json && !flags.parameters) throw CommandLineError{"--json goes with --parameters"};
  if (flags.optimize && !flags.core_ir && !flags.emit) {
    throw CommandLineError{"-O goes with --core-ir and --emit"};
  }
  if (!flags.tokens && !flags.ast) return inspect_program(session, flags);
  return inspect_syntax(flags);
}

}  // namespace

void add_inspect(CLI::App& program, Session& session) {
  auto flags = std::make_shared<InspectFlags>();
  CLI::App* command =
      add_command(program, session, "inspect", "show what a stage of the compiler makes of a file");
  CLI::Option_group* view = command->add_option_group("view", "one of these");
  view->add_flag("--tokens", flags->tokens, "the tokens");
  view->add_flag("--ast", flags->ast, "the syntax tree");
  view->add_flag("--core-ir", flags->core_ir, "the Core IR");
  view->add_flag("--emit", flags->emit, "the Core IR as Linnet source");
  view->add_flag("--parameters", flags->parameters, "the parameters, buffers and states by path");
  view->require_option(1);
  command->add_flag("-O", flags->optimize, "after the optimiser");
  command->add_flag("--json", flags->json, "the parameters as JSON");
  command->add_option("FILE", flags->file, "a .linnet file or a plan; `-` is standard input")
      ->required();
  command->callback([flags, &session] { session.exit_code = inspect(session, *flags); });
}

}  // namespace linnet::cli
