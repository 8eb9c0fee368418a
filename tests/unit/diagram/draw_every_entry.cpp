// draw_every_entry --std DIR FOLDER...: every entry of every Linnet file below the folders, drawn
// in all formats.
//
// Each drawing is laid out as it must be (geometry.hpp), the same when made again, well-formed,
// and not larger than a drawing of so many boxes has to be.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "codegen/diagram/build.hpp"
#include "codegen/diagram/write.hpp"
#include "codegen/ir/lower/lower.hpp"
#include "codegen/sema/check.hpp"
#include "tests/unit/diagram/geometry.hpp"
#include "tests/unit/diagram/xml.hpp"

namespace {

namespace fs = std::filesystem;
using namespace linnet;

int failures = 0;
int drawings = 0;

void fail(const std::string& where, const std::string& what) {
  ++failures;
  std::printf("%s: %s\n", where.c_str(), what.c_str());
}

void check_drawing(const std::string& where, const diagram::Graph& graph) {
  ++drawings;
  const auto layout = diagram::lay_out(graph);
  if (!layout) return fail(where, "cannot be laid out");
  for (const std::string& problem : test::GeometryCheck(graph, *layout).run()) {
    fail(where, problem);
  }
  for (const diagram::Theme theme : {diagram::Theme::light, diagram::Theme::dark}) {
    const std::string svg = write_svg(graph, *layout, theme);
    if (svg != write_svg(graph, *diagram::lay_out(graph), theme)) fail(where, "is not repeatable");
    if (const auto problem = test::xml_problem(svg)) fail(where, "is no XML: " + *problem);
    const std::size_t parts = graph.nodes.size() + graph.clusters.size() + layout->lines.size();
    for (const std::string& text :
         {svg, write_tikz(graph, *layout, theme), write_dot(graph, theme)}) {
      if (text.empty() || text.size() > 8000 + 1500 * parts) fail(where, "has an odd size");
    }
  }
}

void draw_entries(const std::string& file, const std::string& std_root) {
  syntax::SourceManager sources;
  syntax::DiagnosticSink sink;
  const auto checked = sema::check(sources, {file}, {std_root}, sink);
  if (!checked.ok) return;  // other tests say so
  std::vector<ir::Problem> problems;
  const auto program = ir::lower(checked, {}, problems);
  if (!program) return;
  for (const ir::Function& function : program->functions) {
    if (function.kind != ir::FunctionKind::entry) continue;
    for (const diagram::Options& options :
         {diagram::Options{0, false, true}, diagram::Options{3, true, true},
          diagram::Options{1, false, false}}) {
      const std::string where =
          file + " " + function.name + " --expand " + std::to_string(options.expand);
      const auto graph = diagram::build(*program, function, options);
      if (graph) {
        check_drawing(where, *graph);
      } else {
        fail(where, "is too large");
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string std_root;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--std" && i + 1 < argc) {
      std_root = argv[++i];
      continue;
    }
    if (!fs::exists(argument)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(argument)) {
      if (entry.path().extension() == ".linnet") files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) draw_entries(file, std_root);
  std::printf("%d drawings, %d failures\n", drawings, failures);
  return failures == 0 && drawings > 0 ? 0 : 1;
}
