#pragma once
// What must hold of any layout: nothing overlaps, nothing leaves its region, lines go down and
// around the boxes.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "codegen/diagram/layout/layout.hpp"
#include "codegen/diagram/measure.hpp"

namespace linnet::test {

inline bool overlap(const diagram::Box& a, const diagram::Box& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

inline bool contains(const diagram::Box& outer, const diagram::Box& inner) {
  return inner.x >= outer.x && inner.y >= outer.y &&
         inner.x + inner.width <= outer.x + outer.width &&
         inner.y + inner.height <= outer.y + outer.height;
}

class GeometryCheck {
 public:
  GeometryCheck(const diagram::Graph& graph, const diagram::Layout& layout)
      : graph_(graph), layout_(layout) {}

  /// What is wrong, at most a few lines; empty when all is well.
  std::vector<std::string> run() {
    boxes();
    regions();
    labels();
    for (std::size_t i = 0; i < layout_.lines.size(); ++i) line(i);
    return problems_;
  }

 private:
  const diagram::Graph& graph_;
  const diagram::Layout& layout_;
  std::vector<std::string> problems_;

  void expect(bool holds, const std::string& what) {
    if (!holds && problems_.size() < 5) problems_.push_back(what);
  }

  bool is_inside(int cluster, std::size_t region) const {
    for (int c = cluster; c >= 0; c = graph_.clusters[static_cast<std::size_t>(c)].parent) {
      if (static_cast<std::size_t>(c) == region) return true;
    }
    return false;
  }

  std::string name(std::size_t node) const {
    return "node " + std::to_string(node) + " `" + graph_.nodes[node].title + "`";
  }

  void boxes() {
    const auto& boxes = layout_.nodes;
    for (std::size_t a = 0; a < boxes.size(); ++a) {
      expect(boxes[a].width > 0 && boxes[a].height > 0, name(a) + " has no size");
      for (std::size_t b = a + 1; b < boxes.size(); ++b) {
        expect(!overlap(boxes[a], boxes[b]), name(a) + " overlaps " + name(b));
      }
    }
  }

  void regions() {
    const auto& regions = layout_.clusters;
    for (std::size_t c = 0; c < regions.size(); ++c) {
      const int parent = graph_.clusters[c].parent;
      if (parent >= 0) {
        expect(contains(regions[static_cast<std::size_t>(parent)], regions[c]),
               "region " + std::to_string(c) + " leaves the one around it");
      }
      for (std::size_t n = 0; n < layout_.nodes.size(); ++n) {
        if (is_inside(graph_.nodes[n].cluster, c)) {
          expect(contains(regions[c], layout_.nodes[n]), name(n) + " leaves its region");
        } else {
          expect(!overlap(regions[c], layout_.nodes[n]), name(n) + " is in a foreign region");
        }
      }
      for (std::size_t d = c + 1; d < regions.size(); ++d) {
        if (is_inside(static_cast<int>(d), c)) continue;
        expect(!overlap(regions[c], regions[d]),
               "regions " + std::to_string(c) + " and " + std::to_string(d) + " overlap");
      }
    }
  }

  void labels() {
    std::vector<diagram::Box> places;
    for (const diagram::ValueLabel& label : layout_.labels) {
      places.push_back(
          {label.at.x, label.at.y - 9, diagram::text_width(label.text, diagram::detail_size), 11});
    }
    for (std::size_t c = 1; c < layout_.clusters.size(); ++c) {
      const diagram::Point at = layout_.cluster_labels[c];
      const int width = diagram::text_width(graph_.clusters[c].label, diagram::detail_size);
      places.push_back({at.x, at.y - 9, width, 11});
      expect(contains(layout_.clusters[c], places.back()), "a region's label leaves it");
    }
    for (std::size_t a = 0; a < places.size(); ++a) {
      for (std::size_t b = a + 1; b < places.size(); ++b) {
        expect(!overlap(places[a], places[b]), "two labels overlap");
      }
      for (std::size_t n = 0; n < layout_.nodes.size(); ++n) {
        expect(!overlap(places[a], layout_.nodes[n]), "a label overlaps " + name(n));
      }
    }
  }

  void line(std::size_t index) {
    const diagram::Line& line = layout_.lines[index];
    const std::string what = "line " + std::to_string(index);
    expect(line.from.y <= line.bend_from && line.bend_from <= line.bend_to &&
               line.bend_to <= line.to.y,
           what + " does not go down");
    const int left = std::min(line.from.x, line.to.x);
    const diagram::Box parts[] = {
        {line.from.x, line.from.y, 1, line.bend_from - line.from.y},
        {left, line.bend_from, std::max(line.from.x, line.to.x) - left + 1,
         line.bend_to - line.bend_from},
        {line.to.x, line.bend_to, 1, line.to.y - line.bend_to}};
    for (const diagram::Box& part : parts) {
      for (std::size_t n = 0; n < layout_.nodes.size(); ++n) {
        expect(!overlap(part, layout_.nodes[n]), what + " crosses " + name(n));
      }
    }
  }
};

}  // namespace linnet::test
