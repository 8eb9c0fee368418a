#pragma once
// The outlines of boxes as paths, for every format that draws them itself.

#include <vector>

#include "codegen/diagram/layout/layout.hpp"
#include "codegen/diagram/theme.hpp"

namespace linnet::diagram {

/// A piece of a path: to a point, straight or along a cubic curve.
struct Stroke {
  bool curved = false;
  Point first;  ///< control points of a curve
  Point second;
  Point to;
};

struct Path {
  Point start;
  std::vector<Stroke> strokes;
  bool closed = true;
};

/// The outline first, then lines on it.
[[nodiscard]] std::vector<Path> outline_paths(Outline outline, const Box& box);

[[nodiscard]] Path line_path(const Line& line);

/// Half the width and the length of an arrow's head.
constexpr int arrow_half_width = 3;
constexpr int arrow_length = 7;
[[nodiscard]] Path arrow_head(Point tip);

}  // namespace linnet::diagram
