#pragma once
// The text inside a documentation comment.

#include <string>
#include <string_view>

namespace linnet::syntax {

/// Text of `/// ...` or `/** ... */` without the markers: one leading space of each line is
/// taken off, and in a block the `*` that many begin a line with. Control characters other than
/// line breaks and tabs are left out.
[[nodiscard]] std::string doc_text(std::string_view comment);

}  // namespace linnet::syntax
