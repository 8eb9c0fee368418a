// What each flag of the command adds or takes away.
#include "tests/unit/diagram/support.hpp"

using namespace linnet::diagram;
using linnet::test::graph_of;
using linnet::test::has_edge;
using linnet::test::has_node;
using linnet::test::has_region;
using linnet::test::node_of;

namespace {

const std::string model = R"(use std.nn.linear::{Linear, linear}
block Mlp<H: Dim> {
    sub up: Linear<H, 2 * H, f32>
    sub down: Linear<2 * H, H, f32>
    pub fn forward<S: Dim>(x: Tensor[S, H; f32]) -> Tensor[S, H; f32] {
        return down.forward(tanh(up.forward(x)))
    }
}
pub block Model {
    sub mlp: Mlp<8>
    param head: Tensor[3, 8; f32]
    pub entry f<B: Dim>(x: Tensor[B, 8; f32]) -> Tensor[B, 3; f32] {
        return linear(x + mlp.forward(x), head)
    }
}
)";

}  // namespace

TEST_CASE("--expand opens calls, in the symbols of the entry") {
  const Graph closed = graph_of("expand0", model);
  CHECK(closed.clusters.size() == 1);
  CHECK(has_edge(closed, "x", "mlp"));
  const Graph once = graph_of("expand1", model, {1, false, true});
  CHECK(has_region(once, "mlp"));
  CHECK(has_region(once, "linear"));
  CHECK(has_edge(once, "x", "up"));
  CHECK(has_edge(once, "up", "tanh"));
  const int tanh = node_of(once, "tanh");
  REQUIRE(tanh >= 0);
  CHECK(once.nodes[static_cast<std::size_t>(tanh)].outputs ==
        std::vector<std::string>{"[B, 16; f32]"});
  const Graph twice = graph_of("expand2", model, {2, false, true});
  CHECK(has_region(twice, "up"));
  CHECK(twice.clusters.size() > once.clusters.size());
}

TEST_CASE("--params draws weights with path and shape") {
  const Graph without = graph_of("params0", model);
  CHECK_FALSE(has_node(without, "head"));
  const int call = node_of(without, "linear");
  REQUIRE(call >= 0);
  // A weight without a box is named by its reader.
  CHECK(without.nodes[static_cast<std::size_t>(call)].details ==
        std::vector<std::string>{"weight = head", "bias = none"});
  const Graph with = graph_of("params1", model, {0, true, true});
  const int head = node_of(with, "head");
  REQUIRE(head >= 0);
  CHECK(with.nodes[static_cast<std::size_t>(head)].details ==
        std::vector<std::string>{"[3, 8; f32]"});
  CHECK(has_edge(with, "head", "linear"));
  // A closed call has all that it reads on one card.
  const int card = node_of(with, "weights of mlp");
  REQUIRE(card >= 0);
  const auto& lines = with.nodes[static_cast<std::size_t>(card)].details;
  CHECK(std::find(lines.begin(), lines.end(), "up.weight [16, 8; f32]") != lines.end());
}

TEST_CASE("--no-arithmetic lets lines run through") {
  const Graph graph = graph_of("no_arithmetic", model, {0, false, false});
  CHECK_FALSE(has_node(graph, "+"));
  CHECK(has_edge(graph, "x", "linear"));
  CHECK(has_edge(graph, "mlp", "linear"));
}
