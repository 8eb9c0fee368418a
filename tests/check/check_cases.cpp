// Runs language cases through the checker and prints a table of those that differ.
//
//   check_cases --std DIR [--exceptions FILE] [--only TEXT] ROOT...
//
// A ROOT has folders `valid` and `invalid`. A case is a file `NAME.linnet`, or a package
// `NAME/` whose root is `src/lib.linnet`. Its first line is the whole expectation:
// `// expect: ok`, or `// expect: E1101 line 7, E1101 line 12`; for a package whose
// manifest is wrong it is in a file EXPECT. See cases/README.md.
//
// Each case runs in a process of its own, so a crash or a hang is one row of the table.
// Exit status: 0 all as expected, 1 not, 77 a ROOT does not exist (CTest: skipped).

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <compare>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "codegen/sema/check.hpp"

namespace fs = std::filesystem;

namespace {

constexpr unsigned seconds_per_case = 20;
constexpr int skipped = 77;

struct Case {
  std::string name;  ///< "invalid/007_bad_binary"
  fs::path root_file;
  std::string expected;
};

struct Options {
  std::string std_root;
  std::string only;
  fs::path exceptions;
  std::vector<fs::path> roots;
};

std::string first_line(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::getline(file, line);
  if (line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
  return line;
}

/// One diagnostic, ordered as expectations are: by line.
struct Found {
  int line = 0;  ///< 0 where there is no place
  std::string code;
  auto operator<=>(const Found&) const = default;
};

std::string shown(std::vector<Found> list) {
  std::sort(list.begin(), list.end());
  std::string text;
  for (const Found& one : list) {
    text += (text.empty() ? "" : ", ") + one.code;
    if (one.line != 0) text += " line " + std::to_string(one.line);
  }
  return text.empty() ? "ok" : text;
}

/// The text after `expect:` in the order of lines, or what is wrong with it.
std::string expectation(const std::string& line) {
  const std::size_t at = line.find("expect: ");
  if (at == std::string::npos) return "(no expectation)";
  std::vector<Found> list;
  std::string rest = line.substr(at + 8);
  if (rest == "ok") return "ok";
  while (!rest.empty()) {
    const std::size_t comma = rest.find(", ");
    const std::string one = rest.substr(0, comma);
    const std::size_t space = one.find(" line ");
    list.push_back(
        {space == std::string::npos ? 0 : std::stoi(one.substr(space + 6)), one.substr(0, space)});
    rest.erase(0, comma == std::string::npos ? rest.size() : comma + 2);
  }
  return shown(std::move(list));
}

std::vector<Case> find_cases(const fs::path& root) {
  std::vector<Case> cases;
  for (const char* kind : {"valid", "invalid"}) {
    if (!fs::is_directory(root / kind)) continue;
    for (const auto& entry : fs::directory_iterator(root / kind)) {
      const bool package = entry.is_directory();
      if (!package && entry.path().extension() != ".linnet") continue;
      Case one;
      one.name = std::string(kind) + "/" + entry.path().stem().string();
      one.root_file = package ? entry.path() / "src" / "lib.linnet" : entry.path();
      const fs::path separate = entry.path() / "EXPECT";
      one.expected =
          expectation(first_line(package && fs::exists(separate) ? separate : one.root_file));
      cases.push_back(std::move(one));
    }
  }
  std::sort(cases.begin(), cases.end(),
            [](const Case& a, const Case& b) { return a.name < b.name; });
  return cases;
}

std::string check(const Case& one, const std::string& std_root) {
  linnet::syntax::SourceManager sources;
  linnet::syntax::DiagnosticSink sink;
  const auto program = linnet::sema::check(sources, {one.root_file.string()}, {std_root}, sink);
  std::vector<Found> found;
  for (const auto& diagnostic : sink.diagnostics()) {
    Found made;
    made.code = diagnostic.code;
    // The cases do not say where in a manifest the error is.
    if (diagnostic.span.valid() && diagnostic.code != "E5001") {
      made.line = sources.file(diagnostic.span.file).position(diagnostic.span.begin).line;
    }
    found.push_back(std::move(made));
  }
  return shown(std::move(found));
}

/// `check` in a child process.
std::string check_apart(const Case& one, const std::string& std_root) {
  int ends[2];
  if (::pipe(ends) != 0) return std::string("no pipe: ") + std::strerror(errno);
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child < 0) return std::string("no process: ") + std::strerror(errno);
  if (child == 0) {
    ::close(ends[0]);
    ::alarm(seconds_per_case);
    const std::string text = check(one, std_root);
    const bool written =
        ::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t count; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return signal == SIGALRM ? "no end within " + std::to_string(seconds_per_case) + " s"
                             : std::string("crash: ") + strsignal(signal);
  }
  return WEXITSTATUS(status) == 0 ? text
                                  : "crash: exit status " + std::to_string(WEXITSTATUS(status));
}

/// Lines `name  reason`; `#` begins a comment.
std::map<std::string, std::string> read_exceptions(const fs::path& path) {
  std::map<std::string, std::string> exceptions;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t space = line.find(' ');
    if (line.empty() || line.front() == '#' || space == std::string::npos) continue;
    exceptions[line.substr(0, space)] = line.substr(line.find_first_not_of(' ', space));
  }
  return exceptions;
}

int run(const Options& options) {
  const auto exceptions = read_exceptions(options.exceptions);
  std::vector<std::tuple<std::string, std::string, std::string>> misses;
  std::size_t total = 0;
  std::size_t excepted = 0;
  for (const fs::path& root : options.roots) {
    if (!fs::is_directory(root)) {
      std::printf("skipped: there are no cases at %s\n", root.c_str());
      return skipped;
    }
    for (const Case& one : find_cases(root)) {
      if (one.name.find(options.only) == std::string::npos) continue;
      ++total;
      const std::string got = check_apart(one, options.std_root);
      const bool as_expected = got == one.expected;
      const auto exception = exceptions.find(one.name);
      if (exception != exceptions.end()) {
        ++excepted;
        if (as_expected) {
          misses.emplace_back(one.name, "an exception", "as the case says: remove the exception");
        } else {
          std::printf("excepted: %s: %s\n", one.name.c_str(), exception->second.c_str());
        }
      } else if (!as_expected) {
        misses.emplace_back(one.name, one.expected, got);
      }
    }
  }
  if (!misses.empty()) {
    std::printf("%-40s %-34s %s\n", "case", "expected", "got");
    for (const auto& [name, expected, got] : misses) {
      std::printf("%-40s %-34s %s\n", name.c_str(), expected.c_str(), got.c_str());
    }
  }
  std::printf("%zu of %zu cases as expected, %zu excepted\n", total - misses.size() - excepted,
              total, excepted);
  return misses.empty() && total > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag.starts_with("--") && i + 1 < argc) {
      const std::string value = argv[++i];
      if (flag == "--std") {
        options.std_root = value;
      } else if (flag == "--only") {
        options.only = value;
      } else if (flag == "--exceptions") {
        options.exceptions = value;
      } else {
        std::fprintf(stderr, "unknown option %s\n", flag.c_str());
        return 2;
      }
    } else {
      options.roots.emplace_back(flag);
    }
  }
  if (options.roots.empty()) {
    std::fprintf(stderr,
                 "usage: check_cases --std DIR [--exceptions FILE] [--only TEXT] ROOT...\n");
    return 2;
  }
  return run(options);
}
