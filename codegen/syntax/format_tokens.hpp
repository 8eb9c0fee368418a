#pragma once
// The formatter's view of a file: its tokens in order, each taking the comments
// around it along, so that no comment can get lost.

#include <deque>
#include <string>
#include <string_view>

#include "codegen/syntax/brackets.hpp"
#include "codegen/syntax/layout.hpp"
#include "codegen/syntax/token.hpp"

namespace linnet::syntax {

/// A comment trails the token before it when it stands on that token's line and ends the
/// line; all others lead the token after it.
class FormatTokens {
 public:
  FormatTokens(const SourceFile& file, const TokenStream& stream, Layout& out)
      : text_(file.text()), stream_(stream), brackets_(stream.tokens), out_(out) {}

  [[nodiscard]] TokenKind kind(std::size_t ahead = 0) const;
  [[nodiscard]] std::string_view spelling(std::size_t ahead = 0) const;

  /// Writes the next token with its comments.
  void take();
  /// The same for one that is known to come next.
  void take(TokenKind wanted);
  bool take_if(TokenKind wanted);
  /// `>`, also as the first half of a `>=`.
  void take_closing_angle();

  /// Writes the comments that lead the next token now, where the indent is still that of
  /// the list or body that the token closes.
  void take_leading_comments();

  /// The number of line breaks in front of the next token, or of the comments that lead it.
  [[nodiscard]] int newlines_before() const;
  /// Is there a line break between the next token and the one after it?
  [[nodiscard]] bool breaks_after() const;
  /// The kind of the first token from this place of the text on.
  [[nodiscard]] TokenKind kind_from(std::uint32_t begin) const;
  /// Is there a line break in this part of the text?
  [[nodiscard]] bool breaks_between(std::uint32_t begin, std::uint32_t end) const;
  /// The next token opens a bracket: does a comma stand before its closing partner?
  [[nodiscard]] bool keeps_last_comma() const;

 private:
  /// Where the comments in front of token `at` begin to lead it; those before trail the previous.
  [[nodiscard]] std::size_t first_leading(std::size_t at) const;
  [[nodiscard]] std::size_t end_before_comment(std::size_t comment, std::size_t at) const;
  [[nodiscard]] int newlines(std::size_t begin, std::size_t end) const;
  [[nodiscard]] std::string_view comment_text(const Comment& comment);
  /// Comments that share a line.
  [[nodiscard]] std::string_view joined_text(std::size_t first, std::size_t last);
  void take_trailing_comments();

  std::string_view text_;
  const TokenStream& stream_;
  Brackets brackets_;
  Layout& out_;
  std::size_t next_ = 0;
  bool leading_taken_ = false;
  bool half_taken_ = false;  ///< of a `>=`
  std::deque<std::string> rewritten_;
};

}  // namespace linnet::syntax
