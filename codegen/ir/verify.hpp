#pragma once
// The verifier: whether a Program is a well-formed plan.
//
// Run on every plan that is read, after lowering, and after every pass in debug builds. It
// checks names, numbering, single assignment, operand counts, kinds, dtypes and shapes, regions
// with their arguments and terminators, callees with their substitutions and constraints, and
// the manifest. It does not prove extents equal, which the checker did before the plan was
// written: two compilers may write one extent in two ways. It refuses extents that differ at
// some assignment under which all constraints in scope hold (verify/witnesses.hpp).

#include <string>
#include <vector>

#include "codegen/ir/ir.hpp"

namespace linnet::ir {

/// What is wrong and where: a path into the plan document such as
/// `functions[3].body.ops[2].operands[0]`.
struct Problem {
  std::string where;
  std::string message;
  bool operator==(const Problem&) const = default;
};

/// The first problems found (at most `limit`), empty when the program is well formed.
[[nodiscard]] std::vector<Problem> verify(const Program& program, std::size_t limit = 20);

}  // namespace linnet::ir
