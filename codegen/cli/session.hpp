#pragma once
// What the commands share: exit codes, where the standard library is, reading
// input, and printing diagnostics.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/syntax/diagnostics.hpp"
#include "codegen/syntax/source.hpp"

namespace linnet::cli {

/// language.md section 16.
enum ExitCode : int { exit_ok = 0, exit_input_errors = 1, exit_wrong_command_line = 2 };

/// A command line that cannot be carried out: a path that does not exist, an output that
/// cannot be written. `main` prints the message and exits with 2.
struct CommandLineError {
  std::string message;
};

struct Session {
  std::string std_option;  ///< `--std DIR`, empty when not given
  int exit_code = exit_ok;
};

/// The folder of the standard library: `--std`, else `LINNET_STD`, else
/// `../share/linnet/stdlib` of the program, else the source tree that it was built from.
/// Throws CommandLineError when none of them is a folder.
[[nodiscard]] std::string standard_library(const Session& session);

/// The `.linnet` files that the paths mean: files as they are (whatever their ending),
/// directories searched for `*.linnet`, hidden ones and `build` left out, in a stable order.
/// Throws CommandLineError for a path that does not exist, a directory without any, and a file
/// that `require_file` refuses.
[[nodiscard]] std::vector<std::string> linnet_files(const std::vector<std::string>& paths);

/// The bytes of a file, `-` for standard input. Throws CommandLineError when it does not
/// exist, is no regular file, cannot be read, or is over 64 MiB.
[[nodiscard]] std::string read_input(const std::string& path);

/// Throws CommandLineError, with the reason, unless `path` is a regular file that can be read and
/// is at most 64 MiB long.
void require_file(const std::string& path);

/// Throws CommandLineError when writing `output` would replace one of the `inputs`.
void keep_inputs(const std::string& output, const std::vector<std::string>& inputs);

/// Replaces a file's content whole, through a file beside it; `-` and "" are standard output.
/// Devices and pipes are written as they are. Throws CommandLineError when it cannot be written.
void write_output(const std::string& path, std::string_view text);

enum class DiagnosticFormat { text, json };

/// Prints diagnostics ordered by place: text to standard error, in colour on a terminal
/// unless NO_COLOR is set, JSON to standard output.
void print_diagnostics(const syntax::DiagnosticSink& sink, const syntax::SourceManager& sources,
                       DiagnosticFormat format);

/// "2 errors, 1 warning"; "no errors" when there is neither.
[[nodiscard]] std::string summary(const syntax::DiagnosticSink& sink);

}  // namespace linnet::cli
