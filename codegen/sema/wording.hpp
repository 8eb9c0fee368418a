#pragma once
// Phrases that messages share.

#include <string>
#include <string_view>
#include <vector>

#include "codegen/sema/types.hpp"

namespace linnet::sema {

/// "1 axis", "2 axes"
[[nodiscard]] std::string counted(std::size_t count, std::string_view one, std::string_view many);

/// "`a`, `b`"
[[nodiscard]] std::string quoted_list(const std::vector<std::string>& names);

/// A type in backquotes; a literal's in words.
[[nodiscard]] std::string described(const ir::Type& type);

/// "cast<f32>(x)"
[[nodiscard]] std::string cast_text(const ir::Dtype& dtype, std::string_view value);

/// "[B, 2 * H]"
[[nodiscard]] std::string shape_text(const ir::Type& tensor);

/// "`u8` holds 0 to 255"
[[nodiscard]] std::string range_text(const ir::Dtype& dtype);

/// How a function of the prelude is called: "`exp(x)`".
[[nodiscard]] std::string_view prelude_form(std::string_view name);

}  // namespace linnet::sema
