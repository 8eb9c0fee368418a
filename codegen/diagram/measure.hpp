#pragma once
// How wide a text is and how large a box must be for it, in pixels.

#include <string_view>
#include <vector>

#include "codegen/diagram/graph.hpp"

namespace linnet::diagram {

constexpr int title_size = 13;  ///< of fonts
constexpr int detail_size = 11;
constexpr int title_height = 17;  ///< of lines
constexpr int detail_height = 14;
constexpr int box_padding = 5;
constexpr int label_gap = 5;      ///< between a line and the label beside it
constexpr int label_height = 17;  ///< of the strip below a box where the types of its values stand

/// Of a text in a sans-serif font; what any common one needs, so that boxes fit.
[[nodiscard]] int text_width(std::string_view text, int font_size);

struct Size {
  int width = 0;
  int height = 0;
};

/// Where below its box a node gives its values, counted from the middle of the box. Beside each
/// line there is room for its label.
[[nodiscard]] std::vector<int> output_offsets(const Node& node);

/// Of the title, counted from the top of the box.
[[nodiscard]] int first_baseline(const Node& node);

/// Of the box of a node, without the labels of its values.
[[nodiscard]] Size box_size(const Node& node);

}  // namespace linnet::diagram
