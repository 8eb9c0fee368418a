#pragma once
// The little Unicode that source text needs: UTF-8 (RFC 3629) and how many
// terminal columns a character takes.

#include <cstddef>
#include <string>
#include <string_view>

namespace linnet::syntax {

/// A decoded character. `size` is 0 at the end of the text; an ill-formed
/// sequence has `valid` false and the size of its maximal ill-formed part (>= 1).
struct CodePoint {
  char32_t value = 0;
  std::size_t size = 0;
  bool valid = true;
};

/// Decodes the character that starts at `offset`. Overlong forms, surrogates and
/// values above U+10FFFF are ill-formed.
[[nodiscard]] CodePoint decode_utf8(std::string_view text, std::size_t offset);

/// Appends a scalar value in UTF-8; `value` must be a Unicode scalar.
void append_utf8(std::string& out, char32_t value);

/// Counts bytes that begin a character, so continuation bytes astray count nothing.
[[nodiscard]] std::size_t count_code_points(std::string_view text);

/// 3 when the text begins with a byte-order mark, else 0.
[[nodiscard]] std::size_t byte_order_mark_size(std::string_view text);

/// Columns on a terminal: 0 for combining marks and zero-width characters, 2 for
/// wide (East Asian wide and fullwidth, emoji) ones, else 1. An approximation by ranges, good
/// enough to line up underlines. Tabs and controls are the caller's business.
[[nodiscard]] int display_width(char32_t value);

}  // namespace linnet::syntax
