#pragma once
// Where everything in a drawing is.
//
// The layout is a layered one, region by region from the inside out: a region that has its layout
// is one box in the region around it, and lines cross its border at ports. So regions stay in one
// piece however the rest is arranged. One file a step:
//
//   levels.cpp      the graph as a tree of levels, its edges cut where they cross a border
//   layers.cpp      a row for each box, by longest paths
//   bends.cpp       places where lines pass through the rows between their ends
//   order.cpp       the order in each row, with few crossings
//   pins.cpp        where on the top of a box its lines arrive
//   place.cpp       horizontal places
//   straighten.cpp  lines that can be straight
//   compact.cpp     unconnected parts side by side
//   layout.cpp      vertical places, and all levels put together

#include <optional>
#include <string>
#include <vector>

#include "codegen/diagram/graph.hpp"

namespace linnet::diagram {

/// Integers, so that a drawing is the same on every machine.
struct Point {
  int x = 0;
  int y = 0;
};

struct Box {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

/// A line downwards: straight from `from` to `from_bend` high, a curve, straight on to `to`.
struct Line {
  Point from;
  int bend_from = 0;
  int bend_to = 0;
  Point to;
  EdgeKind kind = EdgeKind::data;
  bool arrow = false;
};

struct ValueLabel {
  Point at;  ///< left end, on the base line
  std::string text;
};

struct Layout {
  int width = 0;
  int height = 0;
  std::vector<Box> nodes;             ///< as in the graph
  std::vector<Box> clusters;          ///< as in the graph; the first one is the whole drawing
  std::vector<Point> cluster_labels;  ///< left ends of the base lines
  std::vector<Line> lines;
  std::vector<ValueLabel> labels;
};

/// Nothing when lines would pass through more places than can be laid out.
[[nodiscard]] std::optional<Layout> lay_out(const Graph& graph);

}  // namespace linnet::diagram
