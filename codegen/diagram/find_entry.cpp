#include "codegen/diagram/find_entry.hpp"

#include <vector>

#include "codegen/diagram/label.hpp"
#include "codegen/sema/suggest.hpp"

namespace linnet::diagram {
namespace {

/// A program has a few entries; of one that has thousands the first say enough.
constexpr std::size_t max_listed = 20;

std::string listed(const std::vector<const ir::Function*>& entries) {
  std::string text;
  for (std::size_t i = 0; i < entries.size() && i < max_listed; ++i) {
    text += "\n  " + shortened(entries[i]->name, 120);
  }
  if (entries.size() > max_listed) {
    text += "\n  … and " + std::to_string(entries.size() - max_listed) + " more";
  }
  return text;
}

std::string suggestion(const std::vector<const ir::Function*>& entries, std::string_view name) {
  std::vector<std::string> candidates;
  for (const ir::Function* entry : entries) {
    candidates.emplace_back(bare_name(entry->name));
    candidates.emplace_back(local_name(entry->name));
    candidates.push_back(entry->name);
  }
  const std::string close = sema::closest(name, candidates);
  return close.empty() ? "" : "; did you mean `" + close + "`?";
}

}  // namespace

FoundEntry find_entry(const ir::Program& program, std::string_view name) {
  std::vector<const ir::Function*> entries;
  std::vector<const ir::Function*> matches;
  for (const ir::Function& function : program.functions) {
    if (function.kind != ir::FunctionKind::entry) continue;
    entries.push_back(&function);
    if (function.name == name) return {&function, {}};
    if (local_name(function.name) == name || bare_name(function.name) == name) {
      matches.push_back(&function);
    }
  }
  if (matches.size() == 1) return {matches[0], {}};
  const std::string quoted = "`" + shortened(name, 120) + "`";
  if (!matches.empty())
    return {nullptr, quoted + " is the name of several entries:" + listed(matches)};
  if (entries.empty()) return {nullptr, "there is no entry to draw"};
  return {nullptr, "there is no entry " + quoted + suggestion(entries, name) +
                       "\nThe entries are:" + listed(entries)};
}

}  // namespace linnet::diagram
