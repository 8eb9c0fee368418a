// `linnet inspect`: what the stages of the compiler make of a file.

#include <cstdio>
#include <memory>

#include "codegen/cli/command.hpp"
#include "codegen/syntax/dump.hpp"
#include "codegen/syntax/lexer.hpp"
#include "codegen/syntax/parser.hpp"

namespace linnet::cli {
namespace {

struct InspectFlags {
  std::string file;
  bool tokens = false;
  bool ast = false;
};

int finish(syntax::DiagnosticSink& sink, const syntax::SourceManager& sources) {
  sink.sort_by_place();
  print_diagnostics(sink, sources, DiagnosticFormat::text);
  return sink.has_errors() ? exit_input_errors : exit_ok;
}

int inspect_syntax(const InspectFlags& flags) {
  syntax::SourceManager sources;
  syntax::DiagnosticSink sink;
  const syntax::SourceFile& file = sources.add(flags.file, read_input(flags.file));
  if (flags.tokens) {
    write_output("-", dump(syntax::tokenize(file, sink), file));
  } else {
    syntax::NodeIds ids;
    if (const auto module = syntax::parse(file, ids, sink)) {
      write_output("-", dump(*module, file, true));
    }
  }
  return finish(sink, sources);
}

}  // namespace

void add_inspect(CLI::App& program, Session& session) {
  auto flags = std::make_shared<InspectFlags>();
  CLI::App* command =
      add_command(program, session, "inspect", "show what a stage of the compiler makes of a file");
  CLI::Option_group* view = command->add_option_group("view", "one of these");
  view->add_flag("--tokens", flags->tokens, "the tokens");
  view->add_flag("--ast", flags->ast, "the syntax tree");
  view->require_option(1);
  command->add_option("FILE", flags->file, "a .linnet file, or `-`")->required();
  command->callback([flags, &session] { session.exit_code = inspect_syntax(*flags); });
}

}  // namespace linnet::cli
