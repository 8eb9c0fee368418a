#include "codegen/cli/session.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <system_error>

#include "codegen/syntax/render.hpp"

namespace linnet::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t largest_input = std::size_t{64} << 20;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// The folder of this program, empty where the system does not tell.
fs::path program_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path{} : program.parent_path();
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

/// Throws CommandLineError where nothing is there or the way to it is barred.
fs::file_status status_of_existing(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    throw CommandLineError{"`" + path + "` does not exist"};
  }
  if (error) throw CommandLineError{"cannot read `" + path + "`: " + error.message()};
  return status;
}

std::string read_all(std::FILE* file, const std::string& shown) {
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file)) {
    text.append(buffer, count);
    if (text.size() > largest_input) {
      throw CommandLineError{shown + " is over 64 MiB, too large for a source file"};
    }
  }
  if (std::ferror(file) != 0) {
    throw CommandLineError{"cannot read " + shown + ": " + std::strerror(errno)};
  }
  return text;
}

void find_linnet_files(const std::string& folder, std::set<std::string>& found) {
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::none, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    std::error_code ignored;
    if (at->is_directory(ignored)) {
      if (name.starts_with('.') || name == "build") at.disable_recursion_pending();
    } else if (at->path().extension() == ".linnet" && !name.starts_with('.')) {
      found.insert(at->path().string());
    }
  }
  if (error) throw CommandLineError{"cannot search " + folder + ": " + error.message()};
}

}  // namespace

std::string standard_library(const Session& session) {
  const auto given = [](const std::string& folder, const std::string& where) {
    if (!is_folder(folder)) {
      throw CommandLineError{"the standard library `" + folder + "` of " + where +
                             " is no directory"};
    }
    return folder;
  };
  if (!session.std_option.empty()) return given(session.std_option, "--std");
  if (const char* variable = std::getenv("LINNET_STD"); variable != nullptr && *variable != '\0') {
    return given(variable, "LINNET_STD");
  }
  const fs::path folder = program_folder();
  const fs::path installed = folder.parent_path() / "share" / "linnet" / "stdlib";
  if (!folder.empty() && is_folder(installed)) return installed.string();
  if (is_folder(LINNET_STDLIB_SOURCE_DIR)) return LINNET_STDLIB_SOURCE_DIR;
  throw CommandLineError{
      "the standard library was not found; name its folder with --std or LINNET_STD"};
}

std::vector<std::string> linnet_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  std::set<std::string> known;
  for (const std::string& path : paths) {
    if (!fs::is_directory(status_of_existing(path))) {
      require_file(path);
      if (known.insert(path).second) files.push_back(path);
      continue;
    }
    std::set<std::string> found;
    find_linnet_files(path, found);
    if (found.empty()) throw CommandLineError{"no .linnet file in `" + path + "`"};
    for (const std::string& file : found) {
      require_file(file);
      if (known.insert(file).second) files.push_back(file);
    }
  }
  return files;
}

std::string read_input(const std::string& path) {
  if (path == "-") return read_all(stdin, "standard input");
  const std::string shown = "`" + path + "`";
  const fs::file_status status = status_of_existing(path);
  if (fs::is_directory(status)) throw CommandLineError{shown + " is a directory"};
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) throw CommandLineError{"cannot read " + shown + ": " + std::strerror(errno)};
  return read_all(file.get(), shown);
}

void require_file(const std::string& path) {
  const std::string shown = "`" + path + "`";
  const fs::file_status status = status_of_existing(path);
  std::error_code error;
  if (fs::is_directory(status)) throw CommandLineError{shown + " is a directory"};
  if (!fs::is_regular_file(status)) throw CommandLineError{shown + " is no regular file"};
  if (fs::file_size(path, error) > largest_input && !error) {
    throw CommandLineError{shown + " is over 64 MiB, too large for a source file"};
  }
  if (!File(std::fopen(path.c_str(), "rb"))) {
    throw CommandLineError{"cannot read " + shown + ": " + std::strerror(errno)};
  }
}

void keep_inputs(const std::string& output, const std::vector<std::string>& inputs) {
  if (output.empty() || output == "-") return;
  for (const std::string& input : inputs) {
    std::error_code missing;
    if (fs::equivalent(output, input, missing)) {
      throw CommandLineError{"the output `" + output + "` would replace the input `" + input + "`"};
    }
  }
}

void write_output(const std::string& path, std::string_view text) {
  if (path.empty() || path == "-") {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (std::fflush(stdout) != 0 || !written) {
      throw CommandLineError{std::string("cannot write standard output: ") + std::strerror(errno)};
    }
    return;
  }
  const auto fail = [&](const std::string& why) {
    throw CommandLineError{"cannot write `" + path + "`: " + why};
  };
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) fail("it is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    // A device or a pipe is no file that another could take the place of.
    File device(std::fopen(path.c_str(), "wb"));
    if (!device) fail(std::strerror(errno));
    const bool sent = std::fwrite(text.data(), 1, text.size(), device.get()) == text.size();
    if (std::fclose(device.release()) != 0 || !sent) fail(std::strerror(errno));
    return;
  }
  // A link stays a link to the file that is replaced.
  fs::path target = fs::weakly_canonical(path, error);
  if (error) target = path;
  const fs::path beside = target.string() + ".new" + std::to_string(::getpid());
  File file(std::fopen(beside.c_str(), "wb"));
  if (!file) fail(std::strerror(errno));
  const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  const bool closed = std::fclose(file.release()) == 0;
  const int failure = errno;
  if (!written || !closed) {
    fs::remove(beside, error);
    fail(std::strerror(failure));
  }
  if (fs::exists(status)) fs::permissions(beside, status.permissions(), error);
  fs::rename(beside, target, error);
  if (error) {
    const std::string why = error.message();
    fs::remove(beside, error);
    fail(why);
  }
}

void print_diagnostics(const syntax::DiagnosticSink& sink, const syntax::SourceManager& sources,
                       DiagnosticFormat format) {
  if (format == DiagnosticFormat::json) {
    write_output("-", syntax::render_json(sink.diagnostics(), sources));
    return;
  }
  const bool colour = ::isatty(STDERR_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  std::string text;
  for (const syntax::Diagnostic& diagnostic : sink.diagnostics()) {
    text += syntax::render_text(diagnostic, sources, colour) + "\n";
  }
  std::fwrite(text.data(), 1, text.size(), stderr);
}

std::string summary(const syntax::DiagnosticSink& sink) {
  const auto counted = [](int count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  if (sink.error_count() == 0 && sink.warning_count() == 0) return "no errors";
  if (sink.warning_count() == 0) return counted(sink.error_count(), "error");
  if (sink.error_count() == 0) return counted(sink.warning_count(), "warning");
  return counted(sink.error_count(), "error") + ", " + counted(sink.warning_count(), "warning");
}

}  // namespace linnet::cli
