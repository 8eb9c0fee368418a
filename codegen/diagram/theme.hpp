#pragma once
// Colours and shapes: the same in every format.

#include <string_view>
#include <vector>

#include "codegen/diagram/graph.hpp"
#include "codegen/diagram/write.hpp"

namespace linnet::diagram {

enum class Outline {
  rectangle,
  rounded,
  pill,      ///< round ends
  cylinder,  ///< what is stored
  octagon,   ///< cut corners
  hexagon,   ///< pointed ends
  dot
};

[[nodiscard]] Outline outline_of(NodeKind kind);

/// Colours are six hexadecimal digits.
struct Paint {
  std::string_view fill;
  std::string_view stroke;
};

struct Colours {
  std::string_view background;
  std::string_view text;
  std::string_view muted;       ///< details, labels of values
  std::string_view line;        ///< data
  std::string_view faint_line;  ///< order and control
  std::string_view region_stroke;
  std::string_view region_fill[2];  ///< by the parity of the depth
};

[[nodiscard]] const Colours& colours_of(Theme theme);
[[nodiscard]] Paint paint_of(NodeKind kind, Theme theme);

/// How many regions are around each one.
[[nodiscard]] std::vector<int> cluster_depths(const Graph& graph);

}  // namespace linnet::diagram
