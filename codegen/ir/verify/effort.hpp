#pragma once
// What evaluating dimensions may cost in one verification.

#include <cstdint>
#include <optional>

#include "codegen/ir/types.hpp"
#include "codegen/sema/dims/evaluate.hpp"

namespace linnet::ir::detail {

/// A bound on work that a hostile document could make quadratic: calls times constraints, dims
/// times uses. Once it is spent, dimensions have no value any more, so that nothing is refused
/// for its extents. Programs of thousands of ops use a small part.
class Effort {
 public:
  /// The value of a dimension; none where it has none, or when the effort is spent.
  [[nodiscard]] std::optional<std::int64_t> evaluate(const Dim& dim,
                                                     const sema::dims::Bindings& bindings);
  /// Whether the relation holds, if that can be told.
  [[nodiscard]] std::optional<bool> evaluate(const Constraint& constraint,
                                             const sema::dims::Bindings& bindings);
  /// Pays for work of another kind; false when nothing is left.
  bool spend(std::int64_t steps);

 private:
  std::int64_t left_ = 10'000'000;
};

}  // namespace linnet::ir::detail
