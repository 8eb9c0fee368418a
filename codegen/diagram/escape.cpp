#include "codegen/diagram/escape.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace linnet::diagram {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// The length of the character at the start of `text`; 0 when that is no UTF-8 character that a
/// document may hold (U+FFFE and U+FFFF, surrogates and overlong forms may not be in XML).
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned>(static_cast<unsigned char>(text[i])) : 0U;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7F ? 1 : 0;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (length == 0 || lead > 0xF4) return 0;
  unsigned code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    code = code << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::array<unsigned, 5> least = {0, 0, 0xA0, 0x800, 0x10000};
  if (code < least[length] || code > 0x10FFFF) return 0;
  if ((code >= 0xD800 && code <= 0xDFFF) || (code & 0xFFFEU) == 0xFFFEU) return 0;
  return length;
}

/// `one` says what a valid character becomes.
template <class One>
std::string escaped(std::string_view text, std::string_view invalid, const One& one) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) {
      out += invalid;
      text.remove_prefix(1);
      continue;
    }
    out += one(text.substr(0, length));
    text.remove_prefix(length);
  }
  return out;
}

template <std::size_t N>
std::string_view translated(
    const std::array<std::pair<std::string_view, std::string_view>, N>& table,
    std::string_view character) {
  for (const auto& [from, to] : table) {
    if (from == character) return to;
  }
  return {};
}

using Entry = std::pair<std::string_view, std::string_view>;

constexpr auto xml_table = std::to_array<Entry>(
    {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});

constexpr auto dot_table = std::to_array<Entry>({{"\"", "\\\""}, {"\\", "\\\\"}});

// What plain TeX fonts have, so that no font package is needed.
constexpr auto tex_table = std::to_array<Entry>({
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"%", "\\%"},
    {"_", "\\_"},
    {"^", "\\textasciicircum{}"},
    {"~", "\\textasciitilde{}"},
    {"<", "\\textless{}"},
    {">", "\\textgreater{}"},
    {"|", "\\textbar{}"},
    {"\"", "''"},
    {"`", "\\`{}"},
    // Two in a row would be a ligature.
    {"-", "{-}"},
    {"'", "{'}"},
    {"…", "\\dots{}"},
    {"·", "$\\cdot$"},
    {"×", "$\\times$"},
    {"÷", "$\\div$"},
    {"−", "$-$"},
});

}  // namespace

std::string escape_xml(std::string_view text) {
  return escaped(text, replacement, [](std::string_view character) {
    const std::string_view entity = translated(xml_table, character);
    return entity.empty() ? character : entity;
  });
}

std::string escape_dot(std::string_view text) {
  return escaped(text, replacement, [](std::string_view character) {
    const std::string_view escape = translated(dot_table, character);
    return escape.empty() ? character : escape;
  });
}

std::string escape_tex(std::string_view text) {
  return escaped(text, "?", [](std::string_view character) {
    const std::string_view command = translated(tex_table, character);
    if (!command.empty()) return command;
    return character.size() == 1 ? character : std::string_view("?");
  });
}

}  // namespace linnet::diagram
