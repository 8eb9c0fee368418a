// `linnet diagram`: an entry as a dataflow drawing.

#include <cstdio>
#include <memory>

#include "codegen/cli/command.hpp"
#include "codegen/cli/pipeline.hpp"
#include "codegen/diagram/build.hpp"
#include "codegen/diagram/find_entry.hpp"
#include "codegen/diagram/write.hpp"

namespace linnet::cli {
namespace {

struct DiagramFlags {
  std::string file;
  std::string entry;
  std::string output;
  diagram::Options options;
  bool no_arithmetic = false;
  std::string format = "svg";
  std::string theme = "light";
};

int refuse(const std::string& message) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  return exit_input_errors;
}

int draw(const Session& session, const DiagramFlags& flags) {
  // As it was written: the optimiser moves and merges what the reader looks for.
  PipelineOptions pipeline;
  pipeline.optimize = false;
  syntax::SourceManager sources;
  const Loaded loaded = load_program(session, flags.file, pipeline, sources);
  if (!loaded.program) return exit_input_errors;
  const diagram::FoundEntry found = diagram::find_entry(*loaded.program, flags.entry);
  if (found.entry == nullptr) return refuse(found.error);
  constexpr auto too_large =
      "the drawing would be too large to read: lower --expand, or leave out boxes with "
      "--no-arithmetic";
  diagram::Options options = flags.options;
  options.arithmetic = !flags.no_arithmetic;
  const auto graph = diagram::build(*loaded.program, *found.entry, options);
  if (!graph) return refuse(too_large);
  keep_inputs(flags.output, loaded.dependencies);
  const auto theme = flags.theme == "dark" ? diagram::Theme::dark : diagram::Theme::light;
  if (flags.format == "dot") {
    write_output(flags.output, write_dot(*graph, theme));
    return exit_ok;
  }
  const auto layout = diagram::lay_out(*graph);
  if (!layout) return refuse(too_large);
  write_output(flags.output, flags.format == "svg" ? write_svg(*graph, *layout, theme)
                                                   : write_tikz(*graph, *layout, theme));
  return exit_ok;
}

}  // namespace

void add_diagram(CLI::App& program, Session& session) {
  auto flags = std::make_shared<DiagramFlags>();
  CLI::App* command = add_command(program, session, "diagram", "draw an entry as a dataflow graph");
  command->add_option("FILE", flags->file, "a .linnet file, a plan, or - for a plan on input")
      ->required();
  command->add_option("--entry", flags->entry, "forward, Model.forward or the full name")
      ->type_name("E")
      ->required();
  command->add_option("--expand", flags->options.expand, "open calls so many levels deep")
      ->type_name("N")
      ->check(CLI::Range(0, 64));
  command->add_flag("--params", flags->options.parameters, "draw the weights");
  command->add_flag("--no-arithmetic", flags->no_arithmetic,
                    "leave out elementwise arithmetic, casts and views");
  command->add_option("--format", flags->format, "what is written")
      ->check(CLI::IsMember({"svg", "tikz", "dot"}));
  command->add_option("--theme", flags->theme, "the colours")
      ->check(CLI::IsMember({"light", "dark"}));
  command->add_option("-o,--output", flags->output, "the drawing; - is standard output")
      ->type_name("OUT")
      ->required();
  command->callback([flags, &session] { session.exit_code = draw(session, *flags); });
}

}  // namespace linnet::cli
