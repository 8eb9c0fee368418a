#pragma once
// Expressions as short text: constants for the box that reads them, the bodies of index notation.

#include <functional>
#include <string>
#include <vector>

#include "codegen/ir/ir.hpp"

namespace linnet::diagram {

/// An expression and how tightly its outermost operator binds.
struct Text {
  static constexpr int primary = 9;

  std::string text;
  int precedence = primary;
};

/// The text of a value that a region only uses.
using OuterText = std::function<Text(int id)>;

/// `+`, `<=`, `min`, ...: the operator of elementwise arithmetic, empty for other ops. As Linnet
/// spells it, or as print does (`×` for `*`).
[[nodiscard]] std::string operator_sign(const ir::Op& op, bool print);

/// Whether `operator_sign` stands between its operands.
[[nodiscard]] bool is_infix(ir::OpKind kind);

/// `0.5`, `true`, `H / 2`, `Mean`: the constant that an op gives; empty when it gives none.
[[nodiscard]] std::string constant_text(const ir::Op& op);

/// An arithmetic op over its operands, written out; operands in parentheses where they must be.
[[nodiscard]] Text arithmetic_text(const ir::Op& op, const std::vector<Text>& operands);

/// What a comprehension or reduction computes: `[m, n] = sum[k] a[m, k] * b[k, n]`, without the
/// brackets for a reduction. Long texts are cut.
[[nodiscard]] std::string index_notation(const ir::Op& op, const OuterText& outer);

}  // namespace linnet::diagram
