#pragma once
// The seam between the program and its commands. A command is one file with one
// function `add_<name>`, declared here and listed in main.cpp; it adds its
// subcommand and sets `session.exit_code` in the callback.

#include <CLI/CLI.hpp>
#include <string>

#include "codegen/cli/session.hpp"

namespace linnet::cli {

/// A subcommand with the options that every command has (`--std DIR`).
CLI::App* add_command(CLI::App& program, Session& session, const std::string& name,
                      const std::string& description);

void add_check(CLI::App& program, Session& session);
void add_lint(CLI::App& program, Session& session);
void add_fmt(CLI::App& program, Session& session);
void add_inspect(CLI::App& program, Session& session);
void add_plan(CLI::App& program, Session& session);
void add_emit(CLI::App& program, Session& session);
void add_cpp(CLI::App& program, Session& session);
void add_explain(CLI::App& program, Session& session);
void add_init(CLI::App& program, Session& session);
void add_diagram(CLI::App& program, Session& session);

}  // namespace linnet::cli
