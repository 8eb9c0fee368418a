#include "codegen/syntax/diagnostics.hpp"

#include <algorithm>
#include <tuple>

namespace linnet::syntax {

void DiagnosticSink::sort_by_place() {
  std::stable_sort(
      diagnostics_.begin(), diagnostics_.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return std::tuple(a.span.file, a.span.begin) < std::tuple(b.span.file, b.span.begin);
      });
}

}  // namespace linnet::syntax
