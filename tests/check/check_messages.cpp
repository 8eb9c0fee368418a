// Compares what the checker says about wrong programs with what it said when someone last read
// it, so that the quality of messages is seen in reviews.
//
//   check_messages --std DIR [--update] FOLDER
//
// Every `NAME.linnet` in the folder is checked alone; `NAME.txt` is its report, to the byte.
// `--update` writes the reports anew. Exit status: 0 all as expected, 1 not, 2 a wrong command
// line.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "codegen/sema/check.hpp"
#include "codegen/syntax/render.hpp"

namespace fs = std::filesystem;

namespace {

struct Options {
  std::string std_root;
  std::string folder;
  bool update = false;
};

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> programs(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".linnet") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string report_on(const fs::path& program, const std::string& std_root) {
  linnet::syntax::SourceManager sources;
  linnet::syntax::DiagnosticSink sink;
  // Reports name files as they were given: by the name alone they are the same everywhere.
  const std::string name = program.filename().string();
  (void)linnet::sema::check(sources, {name}, {std_root, {{name, read(program)}}}, sink);
  std::string text;
  for (const auto& diagnostic : sink.diagnostics()) {
    text += linnet::syntax::render_text(diagnostic, sources, false) + "\n";
  }
  return text;
}

void print_difference(const std::string& expected, const std::string& got) {
  const auto differs = std::mismatch(expected.begin(), expected.end(), got.begin(), got.end());
  const auto line_of = [](const std::string& text, std::string::const_iterator at) {
    const auto offset = static_cast<std::size_t>(at - text.begin());
    const std::size_t before = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    return text.substr(begin, text.find('\n', offset) - begin);
  };
  std::printf("  - %s\n  + %s\n", line_of(expected, differs.first).c_str(),
              line_of(got, differs.second).c_str());
}

int run(const Options& options) {
  int wrong = 0;
  const std::vector<fs::path> all = programs(options.folder);
  for (const fs::path& program : all) {
    const fs::path golden = fs::path(program).replace_extension(".txt");
    const std::string got = report_on(program, options.std_root);
    if (options.update) {
      std::ofstream(golden, std::ios::binary) << got;
      continue;
    }
    const std::string expected = read(golden);
    if (got == expected) continue;
    ++wrong;
    std::printf("%s differs, first here (--update writes it anew):\n", golden.filename().c_str());
    print_difference(expected, got);
  }
  std::printf("%zu reports, %d differ\n", all.size(), wrong);
  return wrong == 0 && !all.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--update") {
      options.update = true;
    } else if (word == "--std" && i + 1 < argc) {
      options.std_root = argv[++i];
    } else {
      options.folder = word;
    }
  }
  if (options.folder.empty() || options.std_root.empty()) {
    std::fprintf(stderr, "usage: check_messages --std DIR [--update] FOLDER\n");
    return 2;
  }
  return run(options);
}
