#pragma once
// Which bracket belongs to which, computed once for the whole token stream so
// that look-ahead and recovery take constant time.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codegen/syntax/token.hpp"

namespace linnet::syntax {

class Brackets {
 public:
  explicit Brackets(const std::vector<Token>& tokens);

  /// Index of the closing partner of an opening `( [ {`, or of a `<` that could begin
  /// generic arguments; 0 when it has none.
  [[nodiscard]] std::size_t partner(std::size_t open) const { return partner_[open]; }
  /// A `,` (or `;`) stands directly inside the bracket.
  [[nodiscard]] bool has_comma(std::size_t open) const { return (marks_[open] & comma_mark) != 0; }
  [[nodiscard]] bool has_semicolon(std::size_t open) const {
    return (marks_[open] & semicolon_mark) != 0;
  }

 private:
  static constexpr std::uint8_t comma_mark = 1;
  static constexpr std::uint8_t semicolon_mark = 2;

  std::vector<std::uint32_t> partner_;
  std::vector<std::uint8_t> marks_;
};

}  // namespace linnet::syntax
