#include "codegen/diagram/measure.hpp"

#include <algorithm>
#include <array>

namespace linnet::diagram {
namespace {

constexpr int dot_size = 6;

/// The rim of a cylinder is above the text.
int rim_height(const Node& node) {
  return node.kind == NodeKind::read || node.kind == NodeKind::write ? 5 : 0;
}

/// Advance widths in hundredths of the font size, for the characters from ` ` to `~`. Each is
/// rounded up from the widest of the usual sans-serif fonts (Helvetica, Arial, DejaVu Sans).
constexpr std::array<unsigned char, 95> widths = {
    32, 41, 46, 84, 64, 95, 78, 28, 40,  40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 56, 102, 69, 69, 73, 78, 67, 62, 79, 76, 30, 51, 68, 57, 87, 75, 79,
    67, 79, 73, 67, 62, 74, 69, 99, 69,  67, 69, 40, 34, 40, 84, 56, 51, 62, 64, 56, 64, 62, 36, 64,
    64, 28, 28, 60, 28, 98, 64, 62, 64,  64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84};
constexpr int other_width = 102;

}  // namespace

int text_width(std::string_view text, int font_size) {
  int hundredths = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) == 0x80U) continue;  // inside a character
    hundredths +=
        byte >= ' ' && byte <= '~' ? widths[byte - static_cast<unsigned>(' ')] : other_width;
  }
  return (hundredths * font_size + 99) / 100;
}

std::vector<int> output_offsets(const Node& node) {
  // Beside each line there is room for its label.
  std::vector<int> offsets;
  int next = 0;
  for (const std::string& label : node.outputs) {
    offsets.push_back(next);
    next += std::max(18, text_width(label, detail_size) + 2 * label_gap + 8);
  }
  if (!offsets.empty()) {
    const int middle = offsets.back() / 2;
    for (int& offset : offsets) offset -= middle;
  }
  return offsets;
}

int first_baseline(const Node& node) {
  constexpr int below_baseline = 4;
  return box_padding + rim_height(node) + title_height - below_baseline;
}

Size box_size(const Node& node) {
  if (node.kind == NodeKind::joint) return {dot_size, dot_size};
  int width = text_width(node.title, title_size);
  for (const std::string& detail : node.details) {
    width = std::max(width, text_width(detail, detail_size));
  }
  // Lines begin at the bottom.
  const std::vector<int> offsets = output_offsets(node);
  if (!offsets.empty()) width = std::max(width, offsets.back() - offsets.front());
  const int lines = title_height + detail_height * static_cast<int>(node.details.size());
  // Round and cut ends need room beside the text.
  return {std::max(width + 20, 34), lines + 2 * box_padding + rim_height(node)};
}

}  // namespace linnet::diagram
