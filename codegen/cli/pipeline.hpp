#pragma once
// The way from a file to Core IR, for every command that needs a program: plan, emit, cpp,
// explain, and the later views of inspect.

#include <optional>
#include <string>
#include <vector>

#include "codegen/cli/session.hpp"
#include "codegen/ir/ir.hpp"
#include "codegen/ir/lower/lower.hpp"

namespace linnet::cli {

struct PipelineOptions {
  ir::LowerOptions lower;
  bool optimize = true;
};

/// To standard error, one line each.
void print_problems(const std::string& file, const std::vector<ir::Problem>& problems);

/// Checks and lowers a `.linnet` file. Prints its diagnostics; gives nothing when there is an
/// error among them. `dependencies`, when given, receives every file that was read.
[[nodiscard]] std::optional<ir::Program> compile_source(
    const Session& session, const std::string& file, const PipelineOptions& options,
    std::vector<std::string>* dependencies = nullptr);

/// Reads a plan (`-` is standard input) and prints what is wrong with it.
[[nodiscard]] std::optional<ir::Program> read_plan(const std::string& file);

/// Source or plan: a file whose first character other than white space is `{` is a plan,
/// which is taken as it is. Standard input must be a plan.
[[nodiscard]] std::optional<ir::Program> load_program(
    const Session& session, const std::string& file, const PipelineOptions& options,
    std::vector<std::string>* dependencies = nullptr);

}  // namespace linnet::cli
