#pragma once
// What a finished graph says twice or for nobody, taken out.

#include "codegen/diagram/graph.hpp"

namespace linnet::diagram {

/// Drops order edges between boxes that other edges order already, as far as a short search sees.
void drop_implied_order(Graph& graph);

/// Drops boxes that nothing reads, except inputs, outputs and effects, and regions left empty.
void drop_unread(Graph& graph);

}  // namespace linnet::diagram
