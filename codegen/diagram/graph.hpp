#pragma once
// A dataflow drawing before anything has a place: boxes, what flows between them, regions.

#include <string>
#include <vector>

namespace linnet::diagram {

/// What a box stands for; each kind has a shape and a colour.
enum class NodeKind {
  input,
  output,
  call,        ///< of a fn, op or method
  arithmetic,  ///< elementwise arithmetic and casts
  view,        ///< reshapes, slices, and tensors made of nothing (`iota`, `fill`)
  reduction,   ///< comprehensions, reductions, running sums
  parameter,   ///< weights
  read,        ///< of a state
  write,       ///< to a state
  branch,      ///< what decides about an `if`, a `match` or another round
  carried,     ///< a variable at the start of a loop's body
  next,        ///< and at its end
  constant,
  joint  ///< where lines meet or begin: a dot
};

struct Node {
  NodeKind kind = NodeKind::call;
  int cluster = 0;                   ///< position in `Graph::clusters`
  std::string title;                 ///< empty for dots
  std::vector<std::string> details;  ///< smaller lines below the title
  std::vector<std::string> outputs;  ///< the types of the values that it gives, in order
  bool ordered = false;              ///< its inputs keep their order from left to right
  bool has_effect = false;           ///< changes a state: stays although nothing reads it
  int next = -1;                     ///< of a carried variable: the box of what the next round gets
};

enum class EdgeKind {
  data,
  order,   ///< of two effects on one state
  control  ///< from what decides to what it starts
};

/// Edges run from what is earlier in the program to what is later.
struct Edge {
  int from = 0;
  int output = 0;  ///< position in the outputs of `from`; data only
  int to = 0;
  EdgeKind kind = EdgeKind::data;
};

/// A box around a region of the program.
struct Cluster {
  int parent = -1;  ///< -1 for the first one, which is the drawing itself and has no box
  std::string label;
  int start = -1;  ///< the node that is there whenever something in the region is, if any
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<Cluster> clusters = {{}};
};

}  // namespace linnet::diagram
