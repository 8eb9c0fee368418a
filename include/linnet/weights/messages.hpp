// Wording shared by the errors of this folder: names from files are hostile text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "linnet/core/result.hpp"
#include "linnet/text/utf8.hpp"

namespace linnet::weights {

/// `name` in backquotes, fit for a terminal: control characters and invalid bytes as `?`, long
/// names cut.
[[nodiscard]] inline std::string in_backquotes(std::string_view name) {
  constexpr std::size_t longest = 120;
  std::string text = "`";
  std::size_t at = 0;
  while (at < name.size() && at < longest) {
    const auto c = linnet::text::utf8_decode(name, at);
    // U+0080 to U+009F control a terminal as ESC sequences do.
    const bool control = c.code_point < 0x20 || (c.code_point >= 0x7f && c.code_point < 0xa0);
    if (!c.valid || control || c.code_point == '`') {
      text += '?';
    } else {
      text += name.substr(at, c.length);
    }
    at += c.length;
  }
  if (at < name.size()) text += "...";
  text += '`';
  return text;
}

/// `[2048, 576]`
[[nodiscard]] inline std::string shape_text(std::span<const std::int64_t> extents) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(extents[axis]);
  }
  text += ']';
  return text;
}

/// A file that cannot be read or is not what it claims to be: `FILE: WHY`.
[[nodiscard]] inline Error file_error(std::string_view file, std::string_view why,
                                      ErrorCode code = ErrorCode::invalid_file) {
  std::string message(file);
  message += ": ";
  message += why;
  return Error{code, std::move(message)};
}

}  // namespace linnet::weights
