#pragma once
// Any text as a text of a format: what the format gives a meaning is escaped, and control
// characters, which no format can hold, become U+FFFD or `?`.

#include <string>
#include <string_view>

namespace linnet::diagram {

[[nodiscard]] std::string escape_xml(std::string_view text);
[[nodiscard]] std::string escape_dot(std::string_view text);
/// TeX gets ASCII and the signs that the drawings use; any other character becomes `?`.
[[nodiscard]] std::string escape_tex(std::string_view text);

}  // namespace linnet::diagram
