#include "codegen/syntax/format_tokens.hpp"

#include <algorithm>
#include <stdexcept>

namespace linnet::syntax {
namespace {

/// Nothing separates a comment from one of these that follows it on the line.
bool closes(TokenKind kind) {
  using enum TokenKind;
  switch (kind) {
    case right_paren:
    case right_bracket:
    case right_brace:
    case comma:
    case semicolon:
    case colon:
    case double_colon:
    case dot:
    case question:
      return true;
    default:
      return false;
  }
}

}  // namespace

TokenKind FormatTokens::kind(std::size_t ahead) const {
  return stream_.tokens[std::min(next_ + ahead, stream_.tokens.size() - 1)].kind;
}

std::string_view FormatTokens::spelling(std::size_t ahead) const {
  const Token& token = stream_.tokens[std::min(next_ + ahead, stream_.tokens.size() - 1)];
  return text_.substr(token.begin, token.end - token.begin);
}

int FormatTokens::newlines(std::size_t begin, std::size_t end) const {
  return line_breaks(text_, begin, end);
}

/// End of what stands before comment `comment`, which is in front of token `at`.
std::size_t FormatTokens::end_before_comment(std::size_t comment, std::size_t at) const {
  if (comment > stream_.tokens[at].comments) return stream_.comments[comment - 1].end;
  return at > 0 ? stream_.tokens[at - 1].end : 0;
}

std::size_t FormatTokens::first_leading(std::size_t at) const {
  const std::size_t first = first_leading_comment(stream_, text_, at);
  if (at == 0 || !closes(stream_.tokens[at].kind)) return first;
  // Comments on the line of the previous token do not lead a bracket or comma.
  std::size_t same_line = first;
  while (same_line < stream_.comments_end(at) &&
         newlines(end_before_comment(same_line, at), stream_.comments[same_line].begin) == 0) {
    ++same_line;
  }
  return same_line;
}

std::string_view FormatTokens::comment_text(const Comment& comment) {
  std::string_view text = text_.substr(comment.begin, comment.end - comment.begin);
  if (!comment.block) {
    const std::size_t last = text.find_last_not_of(" \t\f\v\r");
    return text.substr(0, last + 1);
  }
  if (text.find('\r') == std::string_view::npos) return text;
  std::string unix_lines;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') unix_lines += text[i];
  }
  return rewritten_.emplace_back(std::move(unix_lines));
}

std::string_view FormatTokens::joined_text(std::size_t first, std::size_t last) {
  if (last - first == 1) return comment_text(stream_.comments[first]);
  std::string line;
  for (std::size_t i = first; i < last; ++i) {
    if (i > first) line += ' ';
    line += comment_text(stream_.comments[i]);
  }
  return rewritten_.emplace_back(std::move(line));
}

bool FormatTokens::keeps_last_comma() const {
  using enum TokenKind;
  std::size_t close = brackets_.partner(next_);
  if (close == 0 && kind() == less) {
    // The generics of a declaration, whose kinds and defaults no generic argument has.
    int angles = 0;
    for (close = next_; close + 1 < stream_.tokens.size(); ++close) {
      const TokenKind at = stream_.tokens[close].kind;
      if (at == less) ++angles;
      if ((at == greater || at == greater_equal) && --angles == 0) break;
      const bool opens = at == left_paren || at == left_bracket;
      if (opens && brackets_.partner(close) != 0) close = brackets_.partner(close);
    }
  }
  return close > next_ && stream_.tokens[close - 1].kind == comma;
}

int FormatTokens::newlines_before() const {
  const std::size_t first = first_leading(next_);
  const std::size_t last = stream_.comments_end(next_);
  const std::size_t begin =
      first < last ? stream_.comments[first].begin : stream_.tokens[next_].begin;
  return newlines(end_before_comment(first, next_), begin);
}

bool FormatTokens::breaks_after() const {
  const std::size_t after = std::min(next_ + 1, stream_.tokens.size() - 1);
  return newlines(stream_.tokens[next_].end, stream_.tokens[after].begin) > 0;
}

TokenKind FormatTokens::kind_from(std::uint32_t begin) const {
  return std::lower_bound(stream_.tokens.begin(), stream_.tokens.end() - 1, begin,
                          [](const Token& token, std::uint32_t at) { return token.begin < at; })
      ->kind;
}

bool FormatTokens::breaks_between(std::uint32_t begin, std::uint32_t end) const {
  return newlines(begin, end) > 0;
}

void FormatTokens::take_leading_comments() {
  if (leading_taken_) return;
  leading_taken_ = true;
  const std::size_t first = first_leading(next_);
  const std::size_t last = stream_.comments_end(next_);
  const auto begin_of = [&](std::size_t comment) {
    return comment < last ? stream_.comments[comment].begin : stream_.tokens[next_].begin;
  };
  for (std::size_t i = first; i < last;) {
    std::size_t end = i + 1;  // of those on one line
    while (end < last && newlines(stream_.comments[end - 1].end, begin_of(end)) == 0) ++end;
    const int before = newlines(end_before_comment(i, next_), begin_of(i));
    const int after = newlines(stream_.comments[end - 1].end, begin_of(end));
    const std::string_view text = joined_text(i, end);
    const bool alone = after > 0 || kind() == TokenKind::end_of_file;
    if (alone) {
      out_.own_line_comment(text, i > first && before > 1, after > 1);
    } else if (closes(kind())) {
      out_.trailing_comment(text, false);
    } else {
      out_.inline_comment(text);
    }
    i = end;
  }
}

void FormatTokens::take_trailing_comments() {
  const std::size_t first = stream_.tokens[next_].comments;
  const std::size_t last = first_leading(next_);
  for (std::size_t i = first; i < last; ++i) {
    const Comment& comment = stream_.comments[i];
    const std::size_t end = stream_.comments_end(next_);
    const std::size_t next =
        i + 1 < end ? stream_.comments[i + 1].begin : stream_.tokens[next_].begin;
    const bool ends_line = !comment.block || newlines(comment.end, next) > 0;
    out_.trailing_comment(comment_text(comment), ends_line);
  }
}

void FormatTokens::take() {
  take_leading_comments();
  if (kind() == TokenKind::end_of_file) return;
  out_.text(half_taken_ ? spelling().substr(1) : spelling());
  half_taken_ = false;
  leading_taken_ = false;
  ++next_;
  take_trailing_comments();
}

void FormatTokens::take(TokenKind wanted) {
  const bool second_half = half_taken_ && wanted == TokenKind::assign;
  if (kind() != wanted && !second_half) {
    throw std::logic_error("the formatter and the parser disagree about `" +
                           std::string(spelling()) + "`");
  }
  take();
}

bool FormatTokens::take_if(TokenKind wanted) {
  if (kind() != wanted) return false;
  take();
  return true;
}

void FormatTokens::take_closing_angle() {
  if (kind() != TokenKind::greater_equal) {
    take(TokenKind::greater);
    return;
  }
  take_leading_comments();
  out_.text(spelling().substr(0, 1));
  half_taken_ = true;
}

}  // namespace linnet::syntax
