#include "codegen/syntax/diagnostics.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace linnet::syntax {

void DiagnosticSink::sort_by_place() {
  // Ties by position make it stable. (std::stable_sort of libstdc++ 12 warns under Clang.)
  std::vector<std::size_t> order(diagnostics_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    const Span left = diagnostics_[a].span;
    const Span right = diagnostics_[b].span;
    return std::tuple(left.file, left.begin, a) < std::tuple(right.file, right.begin, b);
  });
  std::vector<Diagnostic> sorted;
  sorted.reserve(order.size());
  for (const std::size_t at : order) sorted.push_back(std::move(diagnostics_[at]));
  diagnostics_ = std::move(sorted);
}

}  // namespace linnet::syntax
