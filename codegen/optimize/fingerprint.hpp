#pragma once
// Text that is equal exactly for ops that compute the same.

#include <string>
#include <unordered_map>

#include "codegen/ir/ir.hpp"

namespace linnet::optimize {

/// Values are told apart by id, constants by what they are, and what is defined inside an op
/// by its order there.
class Fingerprints {
 public:
  void note_constant(const ir::Op& op) { constants_.emplace(op.results[0].id, of(op)); }
  [[nodiscard]] std::string of(const ir::Op& op) const;

 private:
  std::unordered_map<int, std::string> constants_;
};

}  // namespace linnet::optimize
