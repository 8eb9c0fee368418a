// UTF-8 as text arrives: decoding that replaces what is invalid, and the test for characters
// that a stream has cut in two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace linnet::text {

inline constexpr char32_t replacement_character = 0xFFFD;

/// A decoded character: its code point and the bytes that it took. An invalid sequence gives
/// the replacement character and the length of its longest valid beginning (Unicode 15, 3.9,
/// "substitution of maximal subparts"), or 1.
struct Utf8Character {
  char32_t code_point = replacement_character;
  std::size_t length = 1;
  bool valid = false;
  bool cut_short = false;  ///< invalid only because the text ends inside the sequence
};

/// Decodes the character at `at`; `at` < text.size().
[[nodiscard]] constexpr Utf8Character utf8_decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(at);
  if (lead < 0x80) return {lead, 1, true, false};

  std::size_t length = 0;
  std::uint8_t low = 0x80, high = 0xBF;  // range of the second byte
  char32_t value = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
    value = lead & 0x1F;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    value = lead & 0x0F;
    if (lead == 0xE0) low = 0xA0;   // no overlong forms
    if (lead == 0xED) high = 0x9F;  // no surrogates
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    value = lead & 0x07;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;  // nothing beyond U+10FFFF
  } else {
    return {};
  }
  for (std::size_t i = 1; i < length; ++i) {
    if (at + i == text.size()) return {replacement_character, i, false, true};
    const std::uint8_t next = byte(at + i);
    if (next < low || next > high) return {replacement_character, i, false, false};
    low = 0x80;
    high = 0xBF;
    value = value << 6 | (next & 0x3F);
  }
  return {value, length, true, false};
}

inline void utf8_append(std::string& out, char32_t c) {
  const auto put = [&](char32_t bits) { out += static_cast<char>(bits); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

[[nodiscard]] constexpr bool utf8_valid(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character c = utf8_decode(text, at);
    if (!c.valid) return false;
    at += c.length;
  }
  return true;
}

/// The text with every invalid sequence replaced by U+FFFD.
[[nodiscard]] inline std::string utf8_repair(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character c = utf8_decode(text, at);
    if (c.valid)
      out.append(text.substr(at, c.length));
    else
      utf8_append(out, replacement_character);
    at += c.length;
  }
  return out;
}

/// How many bytes at the end are the beginning of a character that more bytes could complete: 0
/// to 3.
[[nodiscard]] constexpr std::size_t utf8_cut_tail(std::string_view text) {
  for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const std::size_t at = text.size() - back;
    const auto byte = static_cast<std::uint8_t>(text[at]);
    if ((byte & 0xC0) == 0x80) continue;  // a continuation byte: look further back
    const Utf8Character c = utf8_decode(text, at);
    return c.cut_short && c.length == back ? back : 0;
  }
  return 0;
}

}  // namespace linnet::text
