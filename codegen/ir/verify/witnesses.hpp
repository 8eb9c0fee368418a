#pragma once
// What can be said against an equation without a proof: assignments at which it is false.
//
// Two dimensions are taken to be different only where a witness shows it: an assignment to the
// symbols and packs in scope that satisfies all constraints in scope, at which their values
// differ. What is equal under the constraints is equal at every witness, so that no valid
// program is refused, however its compiler wrote its extents; polynomials that differ rarely
// agree at several points (Schwartz and Zippel), so that little else passes.

#include <unordered_map>
#include <vector>

#include "codegen/ir/ir.hpp"
#include "codegen/ir/verify/effort.hpp"

namespace linnet::ir::detail {

class Witnesses {
 public:
  /// Starts a scope: with the symbols of `generics`, in which `constraints` hold.
  void find(const std::vector<const Generic*>& generics,
            const std::vector<Constraint>& constraints);

  /// Whether no witness shows the two different.
  [[nodiscard]] bool may_equal(const Dim& a, const Dim& b);
  /// The first constraint of a callee or block, whose symbols `with` binds, that is false at a
  /// witness; null when there is none.
  [[nodiscard]] const Constraint* broken(const std::vector<Constraint>& constraints,
                                         const Substitution& with);
  /// Forgets the witnesses at which `a` is less than `b`: the program ends with an error there,
  /// so that what follows need not hold for them.
  void assume_at_least(const Dim& a, const Dim& b);

  Effort& effort() { return effort_; }

 private:
  struct Values {
    Dim dim;  ///< kept alive: its address is the key
    std::vector<std::optional<std::int64_t>> at;
  };
  [[nodiscard]] std::optional<std::int64_t> value(std::size_t witness, const Dim& dim);
  [[nodiscard]] sema::dims::Bindings inside(std::size_t witness, const Substitution& with);

  Effort effort_;
  std::vector<sema::dims::Bindings> witnesses_;
  std::unordered_map<const DimNode*, Values> values_;
};

}  // namespace linnet::ir::detail
