#pragma once
// From an entry of a program to the graph of its drawing.

#include <optional>
#include <string>

#include "codegen/diagram/graph.hpp"
#include "codegen/ir/ir.hpp"

namespace linnet::diagram {

struct Options {
  int expand = 0;           ///< how many levels of calls are opened
  bool parameters = false;  ///< boxes for weights
  bool arithmetic = true;   ///< boxes for elementwise arithmetic, casts and views
};

/// A drawing of more boxes than this is refused: nobody could read it.
constexpr std::size_t max_nodes = 20000;
constexpr std::size_t max_edges = 100000;

/// The program must be valid (ir/verify.hpp). Nothing when the drawing would be too large.
[[nodiscard]] std::optional<Graph> build(const ir::Program& program, const ir::Function& entry,
                                         const Options& options);

}  // namespace linnet::diagram
