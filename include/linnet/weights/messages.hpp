// Wording shared by the errors of this folder: names from files are hostile text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "linnet/core/result.hpp"

namespace linnet::weights {

/// `name` in backquotes, fit for a terminal: control characters and invalid bytes as `?`, long
/// names cut.
[[nodiscard]] inline std::string in_backquotes(std::string_view name) {
  constexpr std::size_t longest = 120;
  std::string text = "`";
  for (const char c : name.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x20 || byte == 0x7f || byte == '`' ? '?' : c;
  }
  if (name.size() > longest) text += "...";
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
