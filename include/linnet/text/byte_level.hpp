// The byte alphabet of byte-level BPE (GPT-2): every byte has a printable character, so that
// vocabularies can be written as text. Printable Latin-1 bytes stand for themselves, the
// other 68 take U+0100 and on, in byte order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "linnet/text/utf8.hpp"

namespace linnet::text {

[[nodiscard]] constexpr bool byte_level_prints_itself(unsigned byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

inline constexpr std::size_t byte_level_alphabet_end = 0x100 + 68;

/// Byte of each character of the alphabet, -1 for characters outside it.
inline constexpr auto byte_of_character = [] {
  std::array<std::int16_t, byte_level_alphabet_end> table{};
  table.fill(-1);
  std::size_t next = 0x100;
  for (unsigned byte = 0; byte < 256; ++byte)
    table[byte_level_prints_itself(byte) ? byte : next++] = static_cast<std::int16_t>(byte);
  return table;
}();

/// Appends the bytes that a token's text stands for; false where the text has a character
/// outside the alphabet, and then `out` is as it was.
inline bool append_byte_level(std::string& out, std::string_view token) {
  const std::size_t before = out.size();
  for (std::size_t at = 0; at < token.size();) {
    const Utf8Character c = utf8_decode(token, at);
    if (!c.valid || c.code_point >= byte_level_alphabet_end ||
        byte_of_character[c.code_point] < 0) {
      out.resize(before);
      return false;
    }
    out += static_cast<char>(byte_of_character[c.code_point]);
    at += c.length;
  }
  return true;
}

}  // namespace linnet::text
