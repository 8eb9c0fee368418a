#pragma once
// The dimension solver: what can be proven about dimensions (language.md sections 3 to 5).
//
// A proof speaks about every assignment of non-negative integers to symbols and pack sizes under
// which all facts hold and every division that is written has a positive divisor. The solver is
// sound: it never proves what fails for such an assignment. It is incomplete: `false` only means
// "not proven". Every question has a budget, so that no input can hang it; overflow of 64-bit
// coefficients and expressions beyond the limits of build.hpp are "not proven" too.
//
// Includes the whole seam: building, substituting, rendering, evaluating, shapes.

#include <cstdint>
#include <memory>
#include <optional>

#include "codegen/ir/types.hpp"
#include "codegen/sema/dims/build.hpp"
#include "codegen/sema/dims/evaluate.hpp"
#include "codegen/sema/dims/render.hpp"
#include "codegen/sema/dims/shapes.hpp"
#include "codegen/sema/dims/substitute.hpp"

namespace linnet::sema::dims {

/// Facts in scope and questions about them. Facts may come in any order. Questions are logically
/// const: they only fill caches. Not for concurrent use; movable, not copyable.
class Facts {
 public:
  Facts();
  ~Facts();
  Facts(Facts&&) noexcept;
  Facts& operator=(Facts&&) noexcept;

  /// A relation that holds from here to the matching `pop`: a `where`, or something proven.
  void add(const ir::Constraint& constraint);
  void add(ir::Relation relation, ir::Dim lhs, ir::Dim rhs);
  void push();
  void pop();

  [[nodiscard]] bool prove(const ir::Constraint& constraint) const;
  [[nodiscard]] bool prove(ir::Relation relation, const ir::Dim& lhs, const ir::Dim& rhs) const;
  /// Whether the relation is false under every assignment (its negation is proven).
  [[nodiscard]] bool refute(const ir::Constraint& constraint) const;
  [[nodiscard]] bool refute(ir::Relation relation, const ir::Dim& lhs, const ir::Dim& rhs) const;

  [[nodiscard]] bool equal(const ir::Dim& a, const ir::Dim& b) const;
  /// E2205 asks this of a divisor.
  [[nodiscard]] bool positive(const ir::Dim& dim) const;
  /// E2208 asks this of a dimension.
  [[nodiscard]] bool negative(const ir::Dim& dim) const;

  /// The shortest equal expression that the solver knows: normal form with everything folded that
  /// the facts allow, or the expression itself where that is not longer.
  [[nodiscard]] ir::Dim simplify(const ir::Dim& dim) const;
  /// The value, when the facts leave only one.
  [[nodiscard]] std::optional<std::int64_t> constant_value(const ir::Dim& dim) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// `Facts{}.simplify(dim)`: folding without facts.
[[nodiscard]] ir::Dim simplify(const ir::Dim& dim);

}  // namespace linnet::sema::dims
