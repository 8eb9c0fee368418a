// round_trip --std DIR FOLDER...: every Linnet file below the folders through the plan and back.
//
// For each file that checks: lowering twice gives the same bytes, reading what was written
// gives the same bytes, the verifier is content, optimising twice changes nothing, and the
// source that `emit` writes checks, emits itself again, and gives the same plan up to
// numbering (its items' full names are only the same when the program is one module beside
// the library). Exit status 77: none of the folders exists.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "codegen/ir/lower/lower.hpp"
#include "codegen/ir/renumber.hpp"
#include "codegen/optimize/optimize.hpp"
#include "codegen/plan/plan.hpp"
#include "codegen/sema/check.hpp"

namespace {

namespace fs = std::filesystem;
using namespace linnet;

int failures = 0;

void fail(const std::string& file, const std::string& what, const std::string& detail = {}) {
  ++failures;
  std::printf("%s: %s%s%s\n", file.c_str(), what.c_str(), detail.empty() ? "" : ": ",
              detail.c_str());
}

std::string first_of(const std::vector<ir::Problem>& problems) {
  return problems.empty() ? "" : problems[0].where + ": " + problems[0].message;
}

/// The program of a file; nothing when it has errors, the first of which goes to `error`.
std::optional<ir::Program> load(const std::string& file, const std::string& std_root,
                                bool optimized, std::string& error) {
  syntax::SourceManager sources;
  syntax::DiagnosticSink sink;
  const auto checked = sema::check(sources, {file}, {std_root}, sink);
  if (!checked.ok) {
    for (const syntax::Diagnostic& diagnostic : sink.diagnostics()) {
      if (error.empty()) error = diagnostic.code + " " + diagnostic.message;
    }
    return std::nullopt;
  }
  std::vector<ir::Problem> problems;
  auto program = ir::lower(checked, {}, problems);
  error = first_of(problems);
  if (program && optimized) optimize::run(*program);
  return program;
}

/// Whether everything but the library is in the root module.
bool is_one_module(const ir::Program& program) {
  const auto fits = [&](const std::string& module) {
    return module == program.module || module.starts_with("std.");
  };
  const auto of_item = [&](const std::string& full_name) {
    return fits(full_name.substr(0, full_name.find("::")));
  };
  const auto all = [](const auto& items, const auto& test) {
    return std::all_of(items.begin(), items.end(), test);
  };
  return all(program.functions, [&](const auto& item) { return of_item(item.name); }) &&
         all(program.constants, [&](const auto& item) { return of_item(item.name); }) &&
         all(program.blocks, [&](const auto& item) { return fits(item.second.module); }) &&
         all(program.structures, [&](const auto& item) { return fits(item.module); }) &&
         all(program.enumerations, [&](const auto& item) { return fits(item.module); });
}

void emit_round_trip(const std::string& file, const std::string& std_root, bool optimized,
                     ir::Program program) {
  std::vector<ir::Problem> problems;
  const auto source = plan::emit(program, problems);
  if (!source) return fail(file, "does not emit", first_of(problems));
  const std::string emitted = (fs::temp_directory_path() / "linnet_round_trip.linnet").string();
  std::ofstream(emitted) << *source;
  std::string error;
  auto again = load(emitted, std_root, optimized, error);
  if (!again) return fail(file, "what it emits does not check", error);
  const auto source_again = plan::emit(*again, problems);
  if (!source_again) return fail(file, "does not emit again", first_of(problems));
  if (*source_again != *source) return fail(file, "does not emit itself again");
  if (!is_one_module(program)) return;
  ir::renumber(program);
  ir::renumber(*again);
  if (plan::write(program) != plan::write(*again)) fail(file, "gives another plan when emitted");
}

void round_trip(const std::string& file, const std::string& std_root, bool optimized) {
  std::string error;
  const auto program = load(file, std_root, optimized, error);
  if (!program) {
    if (!optimized) fail(file, "does not check", error);
    return;
  }
  const std::string text = plan::write(*program);
  if (!optimized && plan::write(*load(file, std_root, false, error)) != text) {
    fail(file, "gives another plan the second time");
  }
  std::vector<ir::Problem> problems = ir::verify(*program);
  if (!problems.empty()) return fail(file, "is not valid", first_of(problems));
  const auto read = plan::read(text, problems);
  if (!read) return fail(file, "its plan does not read", first_of(problems));
  if (plan::write(*read) != text) fail(file, "its plan is another after reading");
  if (optimized) {
    ir::Program twice = *program;
    optimize::run(twice);
    if (plan::write(twice) != text) fail(file, "is another when optimised twice");
  }
  emit_round_trip(file, std_root, optimized, *program);
}

}  // namespace

int main(int argc, char** argv) {
  std::string std_root;
  std::vector<std::string> files;
  bool any = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--std" && i + 1 < argc) {
      std_root = argv[++i];
      continue;
    }
    if (!fs::exists(argument)) continue;
    any = true;
    for (const auto& entry : fs::recursive_directory_iterator(argument)) {
      if (entry.path().extension() == ".linnet") files.push_back(entry.path().string());
    }
  }
  if (!any) return 77;
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    round_trip(file, std_root, false);
    round_trip(file, std_root, true);
  }
  std::printf("%zu files, %d failures\n", files.size(), failures);
  return failures == 0 ? 0 : 1;
}
