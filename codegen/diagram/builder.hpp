#pragma once
// How the ops of an entry become boxes; one file a family of ops.

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "codegen/diagram/build.hpp"
#include "codegen/diagram/effect_order.hpp"
#include "codegen/diagram/graph.hpp"
#include "codegen/diagram/notation.hpp"
#include "codegen/ir/lookup.hpp"

namespace linnet::diagram {

/// One value that a box gives.
struct Source {
  int node = 0;
  int output = 0;
  auto operator<=>(const Source&) const = default;
};

struct Bound;
/// What an SSA value is in the drawing; shared, because tuples share their parts.
using BoundPtr = std::shared_ptr<const Bound>;

struct Bound {
  std::vector<Source> sources;  ///< where lines to its readers begin; several behind hidden boxes
  Text text;                    ///< without sources: a constant, or the path of a block or weight
  std::string name;             ///< in the source, empty for none
  std::string origin;           ///< what index notation calls a value without a name
  bool is_some = false;         ///< an optional that is known to have a value
  std::vector<BoundPtr> parts;  ///< of a tuple or struct, which has nothing else
  ir::Dim length;               ///< of an array of blocks

  [[nodiscard]] bool is_text() const { return sources.empty() && parts.empty(); }
};

class Builder {
 public:
  Builder(const ir::Program& program, const Options& options)
      : lookup_(program), options_(options), effects_(graph_) {}

  [[nodiscard]] std::optional<Graph> run(const ir::Function& entry);

 private:
  using Bounds = std::vector<BoundPtr>;
  /// Where ops are drawn. Ids are unique in a program, but a function can be open twice.
  struct Frame {
    std::unordered_map<int, BoundPtr> values;
    int expand = 0;    ///< levels of calls that may still be opened
    std::string path;  ///< of the block whose method is open; paths are written from there on
  };

  const ir::Lookup lookup_;
  const Options options_;
  Graph graph_;
  EffectOrder effects_;
  std::set<std::tuple<int, int, int>> edges_;             ///< from, output, to
  std::unordered_map<std::string, int> parameter_nodes_;  ///< by cluster and path
  std::size_t copied_sources_ = 0;
  int depth_ = 0;
  bool too_large_ = false;

  // build.cpp: regions, and the making of boxes and edges.
  /// Draws the ops; what the region yields or returns.
  Bounds region(const ir::Region& body, Frame& frame, int cluster);
  void op(const ir::Op& op, Frame& frame, int cluster);
  int add_node(NodeKind kind, int cluster, std::string title);
  /// A box that gives one value, whose line has no label.
  int add_source(NodeKind kind, int cluster, std::string title);
  int add_cluster(int parent, std::string label);
  void add_edge(const Edge& edge);
  /// Lines from everything that a value is made of.
  void feed(int node, const Bound& value);
  /// A value of `type` that `node` gives; a tuple is an output for each of its leaves.
  BoundPtr give(int node, const ir::Type& type, const std::string& origin);
  void bind(Frame& frame, const ir::Value& value, BoundPtr bound);
  [[nodiscard]] const BoundPtr& value(const Frame& frame, int id) const;
  [[nodiscard]] Text text_of(const Frame& frame, int id) const;
  /// The text of a constant or path, as it is written in a frame.
  [[nodiscard]] static Text text_in(const Frame& frame, const Bound& bound);
  [[nodiscard]] static std::string path_in(const Frame& frame, const std::string& path);
  static BoundPtr as_text(Text text);
  static BoundPtr renamed(const BoundPtr& bound, const std::string& name);

  // build_elementwise.cpp
  void arithmetic(const ir::Op& op, Frame& frame, int cluster);
  void view(const ir::Op& op, Frame& frame, int cluster);
  /// A box, or with `--no-arithmetic` lines that run through where it would be.
  void elementwise(NodeKind kind, std::string title, const ir::Op& op, Frame& frame, int cluster);

  // build_reductions.cpp
  void reduction(const ir::Op& op, Frame& frame, int cluster);
  /// Lines from everything that the regions of an op read from outside.
  void feed_captured(int node, const ir::Op& op, Frame& frame, int cluster);

  // build_aggregates.cpp
  void make_tuple(const ir::Op& op, Frame& frame);
  void get_part(const ir::Op& op, Frame& frame);

  // build_calls.cpp
  void call(const ir::Op& op, Frame& frame, int cluster);
  void closed_call(const ir::Op& op, const ir::Function& callee, Frame& frame, int cluster);
  void open_call(const ir::Op& op, const ir::Function& callee, Frame& frame, int cluster);
  /// Where the block of a method is; empty for functions and for the entry's own block.
  [[nodiscard]] std::string path_of(const ir::Function& callee, const ir::Op& op,
                                    const Frame& frame) const;
  [[nodiscard]] std::vector<std::string> call_details(const ir::Op& op, const ir::Function& callee,
                                                      const Frame& frame) const;
  void feed_parameters(int node, const ir::Op& op, const ir::Function& callee, const Frame& frame,
                       const std::string& path);

  // build_members.cpp
  void member(const ir::Op& op, Frame& frame, int cluster);
  BoundPtr parameter(const std::string& path, const ir::Type& type, const Frame& frame,
                     int cluster);
  void read_state(const ir::Op& op, Frame& frame, int cluster);
  void write_state(const ir::Op& op, Frame& frame, int cluster);

  // build_branches.cpp
  void branches(const ir::Op& op, Frame& frame, int cluster);
  /// The box of what decides, in the region of all arms; -1 when the region's label says it.
  int add_gate(const ir::Op& op, const Frame& frame, int cluster);
  /// What an arm yields, as something that comes from a box inside its region.
  BoundPtr inside_arm(const Bound& result, int cluster);
  BoundPtr join(const Bounds& arms, const ir::Type& type, int cluster);

  // build_loops.cpp
  void loop(const ir::Op& op, Frame& frame, int cluster);
  [[nodiscard]] std::string loop_label(const ir::Op& op, const Frame& frame) const;
  /// A carried variable at the start of a body, and at its end.
  BoundPtr carry_in(const Bound& initial, const ir::Type& type, const std::string& name,
                    int cluster);
  /// Says which box at the end is the next round's value of which one at the start.
  void link(const Bound& start, const Bound& end);
  BoundPtr carry_out(const Bound& last, const ir::Type& type, const std::string& name, int cluster);
};

}  // namespace linnet::diagram
