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
#include <optional>
#include <string>
#include <vector>

#include "codegen/ir/lower/lower.hpp"
#include "codegen/ir/renumber.hpp"
#include "codegen/optimize/optimize.hpp"
#include "codegen/plan/plan.hpp"
#include "codegen/sema/check.hpp"
#include "codegen/syntax/format.hpp"

namespace {

namespace fs = std::filesystem;
using namespace linnet;

int failures = 0;
int untold = 0;  ///< stripped plans with a struct that nobody could reconstruct

void fail(const std::string& file, const std::string& what, const std::string& detail = {}) {
  ++failures;
  std::printf("%s: %s%s%s\n", file.c_str(), what.c_str(), detail.empty() ? "" : ": ",
              detail.c_str());
}

std::string first_of(const std::vector<ir::Problem>& problems) {
  return problems.empty() ? "" : problems[0].where + ": " + problems[0].message;
}

/// A way of making a plan.
struct Variant {
  const char* name;
  bool optimized = false;
  bool functions_only = false;
  bool stripped = false;  ///< as another compiler writes it: without the extension fields
};

constexpr Variant variants[] = {
    {"unoptimised"},
    {"optimised", true},
    {"functions", true, true},
    {"stripped", false, false, true},
    {"optimised and stripped", true, false, true},
};

void strip(ir::Program& program) {
  const auto forget_texts = [](std::vector<ir::Constraint>& constraints) {
    for (ir::Constraint& constraint : constraints) constraint.text.clear();
  };
  program.doc.clear();
  program.structures.clear();
  program.enumerations.clear();
  if (program.root) forget_texts(program.root->constraints);
  for (auto& [key, block] : program.blocks) {
    block.doc.clear();
    forget_texts(block.constraints);
    for (ir::Member& member : block.members) member.doc.clear();
  }
  for (ir::Function& function : program.functions) {
    function.doc.clear();
    function.defaults.clear();
    forget_texts(function.constraints);
  }
}

struct Source {
  std::string path;
  std::string text;  ///< of the file, when it is in none
};

struct Compiled {
  std::optional<ir::Program> program;  ///< nothing when there are errors
  std::string message;                 ///< the first diagnostic, warnings included
};

Compiled compile(const Source& source, const std::string& std_root, const Variant& variant) {
  syntax::SourceManager sources;
  syntax::DiagnosticSink sink;
  sema::CheckOptions options{std_root};
  if (!source.text.empty()) options.texts.emplace(source.path, source.text);
  const auto checked = sema::check(sources, {source.path}, options, sink);
  Compiled out;
  if (!sink.diagnostics().empty()) {
    const syntax::Diagnostic& first = sink.diagnostics().front();
    out.message = first.code + " " + first.message;
  }
  if (!checked.ok) return out;
  std::vector<ir::Problem> problems;
  ir::LowerOptions lower_options;
  lower_options.functions_only = variant.functions_only;
  out.program = ir::lower(checked, lower_options, problems);
  if (!problems.empty()) out.message = first_of(problems);
  if (!out.program) return out;
  if (variant.optimized) optimize::run(*out.program);
  if (variant.stripped) strip(*out.program);
  return out;
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

bool is_formatted(const std::string& text) {
  const syntax::SourceFile file(0, "round_trip.linnet", text);
  syntax::DiagnosticSink sink;
  const auto formatted = syntax::format(file, sink);
  return formatted && *formatted == text;
}

void emit_round_trip(const std::string& file, const std::string& std_root, const Variant& variant,
                     ir::Program program, bool has_warnings) {
  const auto fails = [&](const std::string& what, const std::string& detail = {}) {
    fail(file, std::string(variant.name) + ": " + what, detail);
  };
  std::vector<ir::Problem> problems;
  const auto text = plan::emit(program, problems);
  if (!text) {
    // A struct that a plan neither declares, makes nor reads has no fields that anybody could tell.
    const std::string reason = first_of(problems);
    const bool is_untold = variant.stripped && reason.find(
                                                   "a struct that the plan does not "
                                                   "declare") != std::string::npos;
    if (!is_untold) return fails("does not emit", reason);
    ++untold;
    return;
  }
  if (!is_formatted(*text)) fails("what it emits is not formatted");
  const std::string path = (fs::temp_directory_path() / "linnet_round_trip.linnet").string();
  Compiled again = compile({path, *text}, std_root, variant);
  if (!again.program) return fails("what it emits does not check", again.message);
  if (!again.message.empty() && !has_warnings) fails("what it emits has a warning", again.message);
  const auto text_again = plan::emit(*again.program, problems);
  if (!text_again) return fails("does not emit again", first_of(problems));
  if (*text_again != *text) return fails("does not emit itself again");
  if (!is_one_module(program)) return;
  ir::renumber(program);
  ir::renumber(*again.program);
  if (plan::write(program) != plan::write(*again.program)) fails("gives another plan when emitted");
}

void round_trip(const std::string& file, const std::string& std_root, const Variant& variant) {
  const Compiled compiled = compile({file, {}}, std_root, variant);
  if (!compiled.program) {
    if (&variant == &variants[0]) fail(file, "does not check", compiled.message);
    return;
  }
  const ir::Program& program = *compiled.program;
  const std::string text = plan::write(program);
  if (!variant.optimized && plan::write(*compile({file, {}}, std_root, variant).program) != text) {
    fail(file, "gives another plan the second time");
  }
  std::vector<ir::Problem> problems = ir::verify(program);
  if (!problems.empty()) return fail(file, "is not valid", first_of(problems));
  auto read = plan::read(text, problems);
  if (!read) return fail(file, "its plan does not read", first_of(problems));
  if (variant.stripped) strip(*read);  // of the declarations that the reader tells from their uses
  if (plan::write(*read) != text) fail(file, "its plan is another after reading");
  if (variant.optimized) {
    ir::Program twice = program;
    optimize::run(twice);
    if (plan::write(twice) != text) fail(file, "is another when optimised twice");
  }
  emit_round_trip(file, std_root, variant, program, !compiled.message.empty());
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
    for (const Variant& variant : variants) round_trip(file, std_root, variant);
  }
  std::printf("%zu files, %d failures; %d stripped plans do not tell a struct\n", files.size(),
              failures, untold);
  return failures == 0 ? 0 : 1;
}
