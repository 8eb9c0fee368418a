#pragma once
// Words of other languages, and what Linnet writes in their place: for help lines only.

#include <string_view>

namespace linnet::syntax {

/// The dtype that a type name of another language means: `float` is `f32`. Empty when none.
[[nodiscard]] std::string_view dtype_meant_by(std::string_view word);

/// What to write for a word that begins an item elsewhere (`def`, `class`), a statement
/// (`print`, `break`), or that is a value or an operator (`None`, `and`). Empty when none.
[[nodiscard]] std::string_view item_advice(std::string_view word);
[[nodiscard]] std::string_view statement_advice(std::string_view word);
[[nodiscard]] std::string_view value_advice(std::string_view word);

/// What to write for a type (`Optional`, `list`) that is no dtype. Empty when none.
[[nodiscard]] std::string_view type_advice(std::string_view word);

/// What to write for an attribute of a tensor (`shape`, `T`, `view`). Empty when none.
[[nodiscard]] std::string_view attribute_advice(std::string_view word);

/// What to write for a character that starts no token. Empty when none.
[[nodiscard]] std::string_view character_advice(char32_t character);

}  // namespace linnet::syntax
