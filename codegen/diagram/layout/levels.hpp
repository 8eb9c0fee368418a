#pragma once
// The graph as a tree of levels.

#include <vector>

#include "codegen/diagram/layout/level.hpp"

namespace linnet::diagram {

/// A level for each cluster, with the boxes of its nodes and the lines between them. Regions
/// inside are items whose size is not known yet, and pins at them have no place yet.
[[nodiscard]] std::vector<Level> make_levels(const Graph& graph);

}  // namespace linnet::diagram
