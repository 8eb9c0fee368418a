// `linnet fmt`: format in place, check only, or standard input to standard output.

#include <algorithm>
#include <cstdio>
#include <memory>

#include "codegen/cli/command.hpp"
#include "codegen/syntax/format.hpp"

namespace linnet::cli {
namespace {

struct FmtFlags {
  std::vector<std::string> paths;
  bool check = false;
};

int fmt(const FmtFlags& flags) {
  if (std::find(flags.paths.begin(), flags.paths.end(), "-") != flags.paths.end()) {
    if (flags.paths.size() != 1) throw CommandLineError{"`-` stands alone, without other paths"};
  }
  const bool standard_input = flags.paths.front() == "-";
  const auto files = standard_input ? flags.paths : linnet_files(flags.paths);
  syntax::SourceManager sources;
  syntax::DiagnosticSink sink;
  bool unformatted = false;
  for (const std::string& path : files) {
    const std::string shown = path == "-" ? "<stdin>" : path;
    const syntax::SourceFile& file = sources.add(shown, read_input(path));
    const auto formatted = syntax::format(file, sink);
    if (!formatted) continue;
    const bool changed = *formatted != file.text();
    if (flags.check) {
      if (changed) std::printf("%s\n", shown.c_str());
      unformatted = unformatted || changed;
    } else if (standard_input || changed) {
      write_output(path, *formatted);
    }
  }
  sink.sort_by_place();
  print_diagnostics(sink, sources, DiagnosticFormat::text);
  if (sink.has_errors()) std::fprintf(stderr, "%s\n", summary(sink).c_str());
  return sink.has_errors() || unformatted ? exit_input_errors : exit_ok;
}

}  // namespace

void add_fmt(CLI::App& program, Session& session) {
  auto flags = std::make_shared<FmtFlags>();
  CLI::App* command = add_command(program, session, "fmt", "format files in place");
  command
      ->add_option("PATH", flags->paths,
                   "files, directories of .linnet files, or `-` for standard input")
      ->required();
  command->add_flag("--check", flags->check,
                    "change nothing, list the files that are not formatted");
  command->callback([flags, &session] { session.exit_code = fmt(*flags); });
}

}  // namespace linnet::cli
