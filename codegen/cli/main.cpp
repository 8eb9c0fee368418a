// The program `linnet`: source of a network in, diagnostics, a plan or a C++ header out.
//
//   text --syntax--> tree --sema--> checked program --ir--> Core IR --optimize--> Core IR
//        --plan--> plan JSON            --cpp--> header
//
// Each command runs a part of that and has a file of its own.

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "codegen/cli/command.hpp"
#include "codegen/sema/suggest.hpp"

namespace linnet::cli {

CLI::App* add_command(CLI::App& program, Session& session, const std::string& name,
                      const std::string& description) {
  CLI::App* command = program.add_subcommand(name, description);
  command->add_option("--std", session.std_option, "folder of the standard library")
      ->type_name("DIR");
  return command;
}

namespace {

/// In the order of `--help`.
constexpr auto commands = {add_check, add_lint, add_fmt,     add_inspect, add_plan,
                           add_emit,  add_cpp,  add_explain, add_init,    add_diagram};

/// A first word that names no command, which is likelier misspelt than left out.
void refuse_unknown_command(const CLI::App& program, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  const std::string near = sema::closest(word, names);
  throw CommandLineError{
      "`" + word + "` is no command" +
      (near.empty() ? "; `linnet --help` lists them" : ", did you mean `" + near + "`?")};
}

int run(int argc, char** argv) {
  CLI::App program("Linnet: typed tensor programs as C++ headers", "linnet");
  program.set_version_flag("--version", "linnet " LINNET_VERSION " (language 0.1)");
  program.require_subcommand(1);
  program.get_formatter()->column_width(28);
  Session session;
  for (const auto add : commands) add(program, session);
  try {
    if (argc > 1 && argv[1][0] != '-') refuse_unknown_command(program, argv[1]);
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? exit_ok : exit_wrong_command_line;
  } catch (const CommandLineError& error) {
    std::fprintf(stderr, "linnet: %s\n", error.message.c_str());
    return exit_wrong_command_line;
  }
  // What the commands print piece by piece is told here whether it arrived.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::fprintf(stderr, "linnet: cannot write standard output: %s\n", std::strerror(errno));
    return exit_wrong_command_line;
  }
  return session.exit_code;
}

}  // namespace
}  // namespace linnet::cli

int main(int argc, char** argv) {
  try {
    return linnet::cli::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "linnet: internal error: %s\n", error.what());
    return linnet::cli::exit_wrong_command_line;
  }
}
