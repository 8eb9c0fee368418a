#pragma once
// The order of reads and writes of states, as edges where the data does not already give it.

#include <map>
#include <string>
#include <vector>

#include "codegen/diagram/graph.hpp"

namespace linnet::diagram {

class EffectOrder {
 public:
  /// What happened last to each state, on one way through the program.
  struct Latest {
    std::vector<int> writes;
    std::vector<int> reads;  ///< since those writes
  };
  using Frontier = std::map<std::string, Latest>;

  /// Adds its edges to `graph`.
  explicit EffectOrder(Graph& graph) : graph_(graph) {}

  void read(const std::string& state, int node);
  void write(const std::string& state, int node);

  /// For branches: each starts where the others do, and all are joined behind them.
  [[nodiscard]] const Frontier& frontier() const { return frontier_; }
  void restart(Frontier frontier) { frontier_ = std::move(frontier); }
  void join(const Frontier& other);

 private:
  Graph& graph_;
  Frontier frontier_;

  void order(int earlier, int later);
};

}  // namespace linnet::diagram
