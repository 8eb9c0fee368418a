#include "codegen/diagram/outline.hpp"

#include <algorithm>

namespace linnet::diagram {
namespace {

constexpr int cylinder_bulge = 4;

Stroke straight(int x, int y) {
  return {false, {}, {}, {x, y}};
}

Path polygon(const std::vector<Point>& corners) {
  Path path{corners.front(), {}, true};
  for (std::size_t i = 1; i < corners.size(); ++i) {
    path.strokes.push_back(straight(corners[i].x, corners[i].y));
  }
  return path;
}

/// A quarter of a circle, nearly; `corner` is where the sides would meet.
Stroke quarter(Point from, Point corner, Point to) {
  const auto near = [&](Point end) {
    return Point{end.x + (corner.x - end.x) * 11 / 20, end.y + (corner.y - end.y) * 11 / 20};
  };
  return {true, near(from), near(to), to};
}

Path rounded(const Box& box, int radius) {
  const int left = box.x;
  const int right = box.x + box.width;
  const int top = box.y;
  const int bottom = box.y + box.height;
  const int r = std::min({radius, box.width / 2, box.height / 2});
  Path path{{left + r, top}, {}, true};
  const auto corner = [&](Point before, Point at, Point after) {
    path.strokes.push_back(straight(before.x, before.y));
    path.strokes.push_back(quarter(before, at, after));
  };
  corner({right - r, top}, {right, top}, {right, top + r});
  corner({right, bottom - r}, {right, bottom}, {right - r, bottom});
  corner({left + r, bottom}, {left, bottom}, {left, bottom - r});
  corner({left, top + r}, {left, top}, {left + r, top});
  return path;
}

std::vector<Path> cylinder(const Box& box) {
  const int left = box.x;
  const int right = box.x + box.width;
  const int top = box.y + cylinder_bulge;
  const int bottom = box.y + box.height - cylinder_bulge;
  const int rise = cylinder_bulge * 4 / 3;
  const auto arc = [&](int from_x, int to_x, int y, int by) {
    return Stroke{true, {from_x, y + by}, {to_x, y + by}, {to_x, y}};
  };
  Path body{{left, top},
            {arc(left, right, top, -rise), straight(right, bottom), arc(right, left, bottom, rise)},
            true};
  Path rim{{left, top}, {arc(left, right, top, rise)}, false};
  return {body, rim};
}

}  // namespace

std::vector<Path> outline_paths(Outline outline, const Box& box) {
  const int left = box.x;
  const int right = box.x + box.width;
  const int top = box.y;
  const int bottom = box.y + box.height;
  const int middle = box.y + box.height / 2;
  constexpr int cut = 6;
  switch (outline) {
    case Outline::rectangle:
      return {polygon({{left, top}, {right, top}, {right, bottom}, {left, bottom}})};
    case Outline::rounded:
      return {rounded(box, 5)};
    case Outline::pill:
      return {rounded(box, box.height / 2)};
    case Outline::cylinder:
      return cylinder(box);
    case Outline::octagon:
      return {polygon({{left + cut, top},
                       {right - cut, top},
                       {right, top + cut},
                       {right, bottom - cut},
                       {right - cut, bottom},
                       {left + cut, bottom},
                       {left, bottom - cut},
                       {left, top + cut}})};
    case Outline::hexagon:
      return {polygon({{left + cut + 2, top},
                       {right - cut - 2, top},
                       {right, middle},
                       {right - cut - 2, bottom},
                       {left + cut + 2, bottom},
                       {left, middle}})};
    case Outline::dot:
      return {rounded(box, box.width / 2)};
  }
  return {};
}

Path line_path(const Line& line) {
  // The head of an arrow covers the end.
  const int end = line.to.y - (line.arrow ? arrow_length - 1 : 0);
  Path path{line.from, {}, false};
  if (line.from.x == line.to.x) {
    path.strokes.push_back(straight(line.to.x, end));
    return path;
  }
  if (line.bend_from != line.from.y) path.strokes.push_back(straight(line.from.x, line.bend_from));
  const int middle = (line.bend_from + line.bend_to) / 2;
  path.strokes.push_back(
      {true, {line.from.x, middle}, {line.to.x, middle}, {line.to.x, line.bend_to}});
  if (line.bend_to != end) path.strokes.push_back(straight(line.to.x, end));
  return path;
}

Path arrow_head(Point tip) {
  return polygon({tip,
                  {tip.x - arrow_half_width, tip.y - arrow_length},
                  {tip.x + arrow_half_width, tip.y - arrow_length}});
}

}  // namespace linnet::diagram
