#pragma once
// Linnet source as a string, checked and lowered, for tests.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "codegen/ir/lower/lower.hpp"
#include "codegen/sema/check.hpp"

namespace linnet::test {

/// The program of a module's text. Fails the test when the text has errors. `name` keeps the
/// files of tests that run at the same time apart.
inline ir::Program compile(const std::string& name, const std::string& source,
                           const ir::LowerOptions& options = {}) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "linnet_unit_tests";
  fs::create_directories(folder);
  const fs::path file = folder / (name + ".linnet");
  std::ofstream(file) << source;
  syntax::SourceManager sources;
  syntax::DiagnosticSink sink;
  const auto checked = sema::check(sources, {file.string()}, {LINNET_SOURCE_DIR "/stdlib"}, sink);
  fs::remove(file);
  for (const syntax::Diagnostic& diagnostic : sink.diagnostics()) {
    INFO(diagnostic.code, " ", diagnostic.message);
    CHECK(diagnostic.severity == syntax::Severity::warning);
  }
  REQUIRE(checked.ok);
  std::vector<ir::Problem> problems;
  auto program = ir::lower(checked, options, problems);
  for (const ir::Problem& problem : problems) FAIL_CHECK(problem.where, ": ", problem.message);
  REQUIRE(program.has_value());
  for (const ir::Problem& problem : ir::verify(*program)) {
    FAIL_CHECK(problem.where, ": ", problem.message);
  }
  return std::move(*program);
}

}  // namespace linnet::test
