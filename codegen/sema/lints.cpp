// Warnings about what nothing uses: imports (W1001) and members (W1003). Locals (W1002) are
// found where scopes end.

#include <cstddef>

#include "codegen/sema/bodies.hpp"

namespace linnet::sema {
namespace {

bool is_exempt(const std::string& name) {
  return name.starts_with('_');
}

}  // namespace

void collect_unused(Context& context, std::vector<Warning>& warnings) {
  for (const ModuleScope& scope : context.modules) {
    for (const ImportUse& import : scope.imports) {
      if (import.used || import.failed || is_exempt(import.name)) continue;
      warnings.push_back({"W1001", import.span, "import `" + import.name + "` is never used",
                          "remove it from the `use`"});
    }
  }
  for (const BlockInfo& info : context.blocks) {
    for (std::size_t i = 0; i < info.block->members.size(); ++i) {
      const syntax::Name& name = info.block->members[i].name;
      if (info.member_used[i] || is_exempt(name.text)) continue;
      warnings.push_back({"W1003", name.span, "member `" + name.text + "` is never used",
                          "remove it, or start its name with `_`"});
    }
  }
}

}  // namespace linnet::sema
