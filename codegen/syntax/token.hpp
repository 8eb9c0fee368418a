#pragma once
// Tokens and comments: what the lexer makes of a file's text (language.md section 1).

#include <cstdint>
#include <string_view>
#include <vector>

#include "codegen/syntax/source.hpp"

namespace linnet::syntax {

// clang-format off
enum class TokenKind : std::uint8_t {
  end_of_file, identifier, integer, floating, string,

  // keywords, in the order of language.md
  kw_module, kw_use, kw_pub, kw_crate, kw_self, kw_super, kw_as, kw_const, kw_type, kw_struct,
  kw_enum, kw_fn, kw_op, kw_block, kw_entry, kw_param, kw_buffer, kw_state, kw_sub, kw_let,
  kw_var, kw_return, kw_if, kw_else, kw_match, kw_static, kw_for, kw_in, kw_while, kw_where,
  kw_true, kw_false, kw_none, kw_some, kw_extern,

  // reserved words; `yield` and `kernel` have uses, the others are only forbidden as names
  kw_async, kw_await, kw_effect, kw_unsafe, kw_macro, kw_trait, kw_impl, kw_derive, kw_rng,
  kw_mut, kw_ref, kw_yield, kw_kernel, kw_device,

  left_paren, right_paren, left_bracket, right_bracket, left_brace, right_brace,
  comma, semicolon, colon, double_colon, dot, dot_dot, ellipsis, arrow, fat_arrow, question,
  assign, equal, not_equal, less, less_equal, greater, greater_equal,
  plus, minus, star, slash, percent, ampersand, double_ampersand, pipe, double_pipe, caret, bang,
};
// clang-format on

[[nodiscard]] constexpr bool is_word(TokenKind kind) {
  return kind >= TokenKind::kw_module && kind <= TokenKind::kw_device;
}
[[nodiscard]] constexpr bool is_reserved(TokenKind kind) {
  return kind >= TokenKind::kw_async && kind <= TokenKind::kw_device;
}

/// The fixed spelling, or a description ("identifier") of an open class.
[[nodiscard]] std::string_view spelling(TokenKind kind);
/// A stable name for `inspect --tokens`: "identifier", "keyword", "punctuation", ...
[[nodiscard]] std::string_view class_name(TokenKind kind);

struct Token {
  TokenKind kind = TokenKind::end_of_file;
  /// A lexical error was reported between the previous token and this one (or in
  /// this one), so a syntax error here is likely its consequence.
  bool after_error = false;
  bool first_on_line = false;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t comments = 0;  ///< index of the first comment between the previous token and this
};

struct Comment {
  bool block = false;
  bool doc = false;  ///< `///` or `/** */`
  std::uint32_t begin = 0;
  std::uint32_t end = 0;  ///< without the line break of a line comment
};

/// All tokens of a file, ended by `end_of_file`; and its comments in order.
struct TokenStream {
  std::vector<Token> tokens;
  std::vector<Comment> comments;

  /// Index after the last comment in front of token `at`.
  [[nodiscard]] std::uint32_t comments_end(std::size_t at) const {
    return at + 1 < tokens.size() ? tokens[at + 1].comments
                                  : static_cast<std::uint32_t>(comments.size());
  }
};

/// A comment trails the token before it when it stands on that token's line and ends the
/// line, together with those between; all others lead the token after them. This is the
/// first comment that leads token `at`, `comments_end(at)` when none does.
[[nodiscard]] std::size_t first_leading_comment(const TokenStream& stream, std::string_view text,
                                                std::size_t at);

/// How many line breaks `text` has in [begin, end).
[[nodiscard]] int line_breaks(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace linnet::syntax
