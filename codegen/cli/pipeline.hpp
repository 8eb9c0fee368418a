#pragma once
// The way from a file to Core IR, for every command that needs a program: plan, emit, cpp,
// explain, and the later views of inspect.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/cli/session.hpp"
#include "codegen/ir/ir.hpp"
#include "codegen/ir/lower/lower.hpp"
#include "codegen/syntax/source.hpp"

namespace linnet::cli {

struct PipelineOptions {
  ir::LowerOptions lower;
  bool optimize = true;
};

/// A program, with what is known of where it came from.
struct Loaded {
  std::optional<ir::Program> program;     ///< nothing when there was an error, which was printed
  std::vector<std::string> dependencies;  ///< every file that was read
  std::map<std::string, syntax::Span> spans;  ///< of source: the functions' names, by full name
};

/// To standard error, one line each.
void print_problems(const std::string& file, const std::vector<ir::Problem>& problems);

/// Checks and lowers a `.linnet` file and prints its diagnostics. `sources` receives what the
/// spans are of.
[[nodiscard]] Loaded compile_source(const Session& session, const std::string& file,
                                    const PipelineOptions& options, syntax::SourceManager& sources);

/// Reads a plan (`-` is standard input) and prints what is wrong with it.
[[nodiscard]] Loaded read_plan(const std::string& file);

/// Source or plan. Standard input, a file named `.json` and one whose first character other than
/// white space is `{` are plans, which are taken as they are: `options.lower` does not reach them,
/// and a root in it is a wrong command line.
[[nodiscard]] Loaded load_program(const Session& session, const std::string& file,
                                  const PipelineOptions& options, syntax::SourceManager& sources);

}  // namespace linnet::cli
