#include "codegen/cli/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/plan/plan.hpp"

namespace linnet::cli {

std::string parameters_text(const ir::Program& program) {
  std::string text;
  if (program.root) {
    text += fmt::format("{}{}\n", program.root->name, ir::to_text(program.root->generics));
  }
  std::size_t width = 0;
  for (const ir::ManifestEntry& entry : program.manifest) {
    width = std::max(width, entry.path.size());
  }
  for (const ir::ManifestEntry& entry : program.manifest) {
    const std::string shape = ir::to_text(entry.shape);
    fmt::format_to(std::back_inserter(text), "{:<6}  {:<{}}  {}", ir::member_kind_name(entry.kind),
                   entry.path, width,
                   shape.empty() ? ir::to_text(entry.dtype)
                                 : "[" + shape + "; " + ir::to_text(entry.dtype) + "]");
    for (const ir::Dim& count : entry.repeat) text += "  x " + ir::to_text(count);
    text += entry.optional ? "  optional\n" : "\n";
  }
  return text;
}

std::string parameters_json(const ir::Program& program) {
  using Json = nlohmann::ordered_json;
  // The plan's own writer says how each piece looks.
  const Json plan = Json::parse(plan::write(program));
  Json made = Json::object();
  for (const char* key : {"version", "module", "root", "manifest"}) made[key] = plan.at(key);
  return made.dump(2) + "\n";
}

}  // namespace linnet::cli
