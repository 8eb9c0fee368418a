// `linnet check` and `linnet lint`: the checker over files with everything they import.

#include <cstdio>
#include <memory>

#include "codegen/cli/command.hpp"
#include "codegen/sema/check.hpp"

namespace linnet::cli {
namespace {

struct CheckFlags {
  std::vector<std::string> paths;
  bool strict = false;  ///< warnings fail too
  bool json = false;
};

int check(const Session& session, const CheckFlags& flags) {
  const std::vector<std::string> files = linnet_files(flags.paths);
  syntax::SourceManager sources;
  syntax::DiagnosticSink sink;
  const auto checked = sema::check(sources, files, {standard_library(session)}, sink);
  print_diagnostics(sink, sources, flags.json ? DiagnosticFormat::json : DiagnosticFormat::text);
  if (!flags.json) std::fprintf(stderr, "%s\n", summary(sink).c_str());
  const bool failed = sink.has_errors() || (flags.strict && sink.warning_count() != 0);
  return failed ? exit_input_errors : exit_ok;
}

void add(CLI::App& program, Session& session, const std::string& name,
         const std::string& description, bool strict) {
  auto flags = std::make_shared<CheckFlags>();
  flags->strict = strict;
  CLI::App* command = add_command(program, session, name, description);
  command->add_option("PATH", flags->paths, "files, or directories of .linnet files")->required();
  if (!strict) command->add_flag("--strict", flags->strict, "fail on warnings too");
  command->add_flag("--json", flags->json, "print the diagnostics as one JSON document");
  command->callback([flags, &session] { session.exit_code = check(session, *flags); });
}

}  // namespace

void add_check(CLI::App& program, Session& session) {
  add(program, session, "check", "check files and everything that they import", false);
}

void add_lint(CLI::App& program, Session& session) {
  add(program, session, "lint", "check, and fail on warnings", true);
}

}  // namespace linnet::cli
