// `linnet cpp` and `linnet explain`: the C++ header of a program, and why its calls run what
// they run. Both take a `.linnet` file or a plan; the way to the Core IR is the same.

#include <cstdio>
#include <memory>

#include "codegen/cli/command.hpp"
#include "codegen/cli/pipeline.hpp"
#include "codegen/cpp/header.hpp"
#include "codegen/cpp/kernel_table.hpp"
#include "codegen/ir/print.hpp"

namespace linnet::cli {
namespace {

struct CppFlags {
  std::string input;
  std::string output = "-";
  std::string root;
  std::string numerics = "equivalent";
  std::string depfile;
};

Loaded load(const Session& session, const CppFlags& flags, syntax::SourceManager& sources) {
  PipelineOptions options;
  options.lower.root = flags.root;
  return load_program(session, flags.input, options, sources);
}

/// Spaces and `#` as Make and Ninja read them.
std::string depfile_path(const std::string& path) {
  std::string escaped;
  for (const char c : path) {
    if (c == ' ' || c == '#') escaped += '\\';
    if (c == '$') escaped += '$';
    escaped += c;
  }
  return escaped;
}

int write_header(const Session& session, const CppFlags& flags) {
  syntax::SourceManager sources;
  const Loaded loaded = load(session, flags, sources);
  if (!loaded.program) return exit_input_errors;
  const cpp::Header header = cpp::generate(*loaded.program, {flags.numerics});
  if (!header.errors.empty()) {
    syntax::DiagnosticSink refused;
    for (const cpp::GenerationError& error : header.errors) {
      const auto span = loaded.spans.find(error.function);
      const std::string name = error.function.empty() ? "" : "`" + error.function + "`: ";
      refused.error("E2190", span == loaded.spans.end() ? syntax::Span{} : span->second,
                    name + error.message);
    }
    print_diagnostics(refused, sources, DiagnosticFormat::text);
    return exit_input_errors;
  }
  keep_inputs(flags.output, loaded.dependencies);
  keep_inputs(flags.depfile, loaded.dependencies);
  write_output(flags.output, header.text);
  if (!flags.depfile.empty()) {
    std::string rule = depfile_path(flags.output) + ":";
    for (const std::string& file : loaded.dependencies) rule += " " + depfile_path(file);
    write_output(flags.depfile, rule + "\n");
  }
  return exit_ok;
}

void explain_region(const ir::Region& region, bool exact, const std::string& indent) {
  for (const ir::Op& op : region.ops) {
    if (op.kind == ir::OpKind::semantic_call) {
      std::string generics;
      for (const ir::GenericArgument& argument : op.attrs.generics) {
        generics += (generics.empty() ? "" : ", ") + ir::to_text(argument);
      }
      std::printf("%s%s<%s>: %s\n", indent.c_str(), op.attrs.callee.c_str(), generics.c_str(),
                  cpp::explain_choice(op, exact).c_str());
    }
    for (const ir::Region& inner : op.regions) explain_region(inner, exact, indent);
  }
}

int explain(const Session& session, const CppFlags& flags) {
  syntax::SourceManager sources;
  const Loaded loaded = load(session, flags, sources);
  if (!loaded.program) return exit_input_errors;
  const bool exact = flags.numerics == "exact";
  std::printf("numerics: %s\n", flags.numerics.c_str());
  for (const ir::Function& function : loaded.program->functions) {
    bool any = false;
    const auto look = [&](const auto& self, const ir::Region& region) -> void {
      for (const ir::Op& op : region.ops) {
        any = any || op.kind == ir::OpKind::semantic_call;
        for (const ir::Region& inner : op.regions) self(self, inner);
      }
    };
    look(look, function.body);
    if (!any) continue;
    std::printf("%s\n", function.name.c_str());
    explain_region(function.body, exact, "  ");
  }
  return exit_ok;
}

std::shared_ptr<CppFlags> add_common(CLI::App& command) {
  auto flags = std::make_shared<CppFlags>();
  command.add_option("FILE", flags->input, "a .linnet file, a plan, or - for a plan on input")
      ->required();
  command.add_option("--root", flags->root, "the root block")->type_name("BLOCK");
  command.add_option("--numerics", flags->numerics, "what entries run with by default")
      ->check(CLI::IsMember({"exact", "equivalent", "fast"}));
  return flags;
}

}  // namespace

void add_cpp(CLI::App& program, Session& session) {
  CLI::App* command = add_command(program, session, "cpp", "write the C++ header of a program");
  const auto flags = add_common(*command);
  command->add_option("-o,--output", flags->output, "the header")->type_name("OUT.linnet.hpp");
  command->add_option("--depfile", flags->depfile, "write what the header depends on, for Ninja")
      ->type_name("OUT.d");
  command->callback([flags, &session] { session.exit_code = write_header(session, *flags); });
}

void add_explain(CLI::App& program, Session& session) {
  CLI::App* command =
      add_command(program, session, "explain", "which kernel each op call gets, and why");
  const auto flags = add_common(*command);
  command->callback([flags, &session] { session.exit_code = explain(session, *flags); });
}

}  // namespace linnet::cli
