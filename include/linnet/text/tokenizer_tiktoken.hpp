// Rank files of tiktoken: a line a token, its bytes in Base64 and its rank, which is its id.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "linnet/core/result.hpp"
#include "linnet/text/tokenizer.hpp"

namespace linnet::text {

/// A control token beside the rank file, which holds none.
struct ControlToken {
  std::string_view content;
  TokenId id = -1;
};

namespace detail {

/// Appends the bytes of a Base64 text (RFC 4648, padded); false when it is malformed.
inline bool append_base64(std::string& out, std::string_view text) {
  constexpr auto values = [] {
    std::array<std::int8_t, 256> table{};
    table.fill(-1);
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < digits.size(); ++i)
      table[static_cast<std::uint8_t>(digits[i])] = static_cast<std::int8_t>(i);
    return table;
  }();
  if (text.empty() || text.size() % 4 != 0) return false;
  std::size_t padding = 0;
  while (padding < 2 && text[text.size() - 1 - padding] == '=') ++padding;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool pad = i >= text.size() - padding;
    const int value = pad ? 0 : values[static_cast<std::uint8_t>(text[i])];
    if (value < 0) return false;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    if (i % 4 != 3) continue;
    const std::size_t whole = i + 1 == text.size() ? 3 - padding : 3;
    for (std::size_t b = 0; b < whole; ++b) out += static_cast<char>(bits >> (16 - 8 * b) & 0xFF);
    bits = 0;
  }
  return true;
}

}  // namespace detail

/// The tokenizer of a rank file's text, with the pattern of its family and its control tokens.
[[nodiscard]] inline Result<Tokenizer> tokenizer_from_tiktoken(
    std::string_view ranks, PreTokenizer pre_tokenizer, std::span<const ControlToken> control) {
  TokenizerParts parts;
  parts.pre_tokenizer = std::move(pre_tokenizer);
  parts.merge_by_rank = true;
  parts.whole_pieces = true;
  std::string bytes;
  std::size_t line_number = 0;
  const auto bad = [&](std::string_view why) {
    return Error{ErrorCode::invalid_file,
                 "rank file, line " + std::to_string(line_number) + ": " + std::string(why)};
  };
  while (!ranks.empty()) {
    ++line_number;
    const std::size_t end = ranks.find('\n');
    std::string_view line = ranks.substr(0, end);
    ranks.remove_prefix(end == std::string_view::npos ? ranks.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) return bad("expected a token and its rank");
    bytes.clear();
    if (!detail::append_base64(bytes, line.substr(0, space))) return bad("the token is no Base64");
    const std::string_view number = line.substr(space + 1);
    TokenId id = -1;
    const auto [stop, failed] = std::from_chars(number.data(), number.data() + number.size(), id);
    // A vocabulary of more than this is no vocabulary; it keeps a hostile id from taking memory.
    constexpr TokenId largest = 1 << 24;
    if (failed != std::errc() || stop != number.data() + number.size() || id < 0 || id > largest)
      return bad("the rank is no number from 0 to 16777216");
    if (!parts.vocabulary.add(id, bytes)) return bad("the rank is taken already");
  }
  for (const ControlToken& token : control) {
    if (token.id < 0 || !parts.vocabulary.add(token.id, token.content))
      return Error{ErrorCode::invalid_file, "control token " + std::string(token.content) +
                                                ": its id " + std::to_string(token.id) +
                                                " is taken"};
    parts.added.add({std::string(token.content), token.id, true});
  }
  return Tokenizer::make(std::move(parts));
}

}  // namespace linnet::text
