#pragma once
// The formats of a drawing.

#include <string>

#include "codegen/diagram/graph.hpp"
#include "codegen/diagram/layout/layout.hpp"

namespace linnet::diagram {

enum class Theme { light, dark };

/// SVG 1.1: shapes, paths and text, nothing that runs or is loaded.
[[nodiscard]] std::string write_svg(const Graph& graph, const Layout& layout, Theme theme);
/// A LaTeX document of its own.
[[nodiscard]] std::string write_tikz(const Graph& graph, const Layout& layout, Theme theme);
/// For Graphviz, which makes its own layout.
[[nodiscard]] std::string write_dot(const Graph& graph, Theme theme);

}  // namespace linnet::diagram
