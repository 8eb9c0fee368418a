// Which boxes, lines and regions the ops of an entry become.
#include "tests/unit/diagram/support.hpp"

using namespace linnet::diagram;
using linnet::test::graph_of;
using linnet::test::has_edge;
using linnet::test::has_node;
using linnet::test::has_region;
using linnet::test::node_of;

namespace {

const Node& node(const Graph& graph, const std::string& title) {
  const int found = node_of(graph, title);
  INFO(title);
  REQUIRE(found >= 0);
  return graph.nodes[static_cast<std::size_t>(found)];
}

}  // namespace

TEST_CASE("inputs, arithmetic and outputs, labelled with their types") {
  const Graph graph = graph_of("arithmetic",
                               "pub entry f<S: Dim>(x: Tensor[S, 4; f32]) -> Tensor[S, 4; f32] {\n"
                               "    let y = exp(x) * 0.5\n    return x + y\n}\n");
  CHECK(node(graph, "x").kind == NodeKind::input);
  CHECK(node(graph, "x").outputs == std::vector<std::string>{"[S, 4; f32]"});
  CHECK(node(graph, "× 0.5").kind == NodeKind::arithmetic);
  CHECK(has_edge(graph, "x", "exp"));
  CHECK(has_edge(graph, "exp", "× 0.5"));
  CHECK(has_edge(graph, "x", "+"));
  CHECK(has_edge(graph, "× 0.5", "+"));
  CHECK(has_edge(graph, "+", "output"));
  CHECK(graph.nodes.size() == 5);
}

TEST_CASE("constants are part of the label that reads them, on the side where they stand") {
  const Graph graph = graph_of("constants",
                               "pub entry f<H: Dim>(x: Tensor[H; f32]) -> Tensor[H; f32]\n"
                               "where H > 0 {\n"
                               "    return rsqrt(cast<f32>(H)) * (1.0 - x)\n}\n");
  CHECK(has_node(graph, "1 −"));
  CHECK(has_node(graph, "rsqrt(H) ×"));
}

TEST_CASE("index notation is one box with its formula") {
  const Graph graph =
      graph_of("notation",
               "pub entry f<M: Dim, K: Dim, N: Dim>(a: Tensor[M, K; f32], b: Tensor[K, N; f32])\n"
               "    -> Tensor[M, N; f32] {\n"
               "    let c[m, n] = sum[k] a[m, k] * (b[k, n] + 1.0)\n    return c\n}\n");
  CHECK(node(graph, "c[m, n] = sum[k] a[m, k] * (b[k, n] + 1)").kind == NodeKind::reduction);
  CHECK(has_edge(graph, "a", "c[m, n] = sum[k] a[m, k] * (b[k, n] + 1)"));
  CHECK(has_edge(graph, "b", "c[m, n] = sum[k] a[m, k] * (b[k, n] + 1)"));
}

TEST_CASE("calls are labelled by op, method path, block and constant arguments") {
  const Graph graph = graph_of("calls", R"(use std.nn.linear::{Linear}
op scale(x: Tensor[4; f32], by: f32) -> Tensor[4; f32] { return x * by }
block Layer {
    sub proj: Linear<4, 4, f32>
    pub fn forward(x: Tensor[4; f32]) -> Tensor[4; f32] { return proj.forward(x) }
    pub fn twice(x: Tensor[4; f32]) -> Tensor[4; f32] { return forward(forward(x)) }
}
pub block Model<L: Dim> {
    sub layers: [Layer; L]
    pub entry f(x: Tensor[4; f32]) -> Tensor[4; f32] {
        var y = scale(x, 2.0)
        static for layer in layers {
            y = layer.twice(layer.forward(y))
        }
        return y
    }
}
)");
  CHECK(node(graph, "scale").details == std::vector<std::string>{"by = 2"});
  CHECK(has_region(graph, "× L · layer in layers"));
  CHECK(node(graph, "layers[*]").details == std::vector<std::string>{"Layer"});
  CHECK(has_edge(graph, "layers[*]", "layers[*].twice"));
  CHECK(has_edge(graph, "scale", "y"));
}

TEST_CASE("loops carry their variables in and out") {
  const Graph scan = graph_of("scan",
                              "pub entry f(x: f32) -> Tensor[3; f32] {\n    var y = x\n"
                              "    return for i in 0..3 {\n        y = y * x\n        yield y\n"
                              "    }\n}\n");
  CHECK(has_region(scan, "for i in 0..3"));
  CHECK(has_edge(scan, "x", "y"));
  // The index that nobody reads is not drawn.
  CHECK_FALSE(has_node(scan, "i"));
  const Graph loop = graph_of("while",
                              "pub entry f(n: i64) -> i64 {\n    var i = n\n    var c: i64 = 0\n"
                              "    while i > 1 {\n        i = i / 2\n        c = c + 1\n    }\n"
                              "    return c\n}\n");
  CHECK(has_region(loop, "while"));
  CHECK(has_node(loop, "c = 0"));
  CHECK(has_edge(loop, "> 1", "while"));
}

TEST_CASE("what only the next round reads is drawn") {
  const Graph graph = graph_of("next_round",
                               "pub entry f(n: f32) -> i64 {\n    var going = true\n"
                               "    var x = n\n    var c: i64 = 0\n    while going {\n"
                               "        x = exp(x)\n        going = x < 9.0\n        c = c + 1\n"
                               "    }\n    return c\n}\n");
  CHECK(has_edge(graph, "going = true", "while"));
  CHECK(has_edge(graph, "exp", "< 9"));
  CHECK(has_edge(graph, "< 9", "going"));
}

TEST_CASE("arms are regions that meet again") {
  const Graph graph = graph_of("branches", R"(enum Mode { Plain, Squared }
pub entry f(x: f32, m: Mode, y: f32?) -> f32 {
    let a = if x > 0.0 { exp(x) } else { x }
    let b = match m { Plain => a  Squared => a * a }
    let c = match y { some(v) => log(v)  none => 1.0 }
    return b + c
}
)");
  CHECK(has_region(graph, "then"));
  CHECK(has_region(graph, "else"));
  CHECK(has_region(graph, "match m"));
  CHECK(has_region(graph, "Squared"));
  CHECK(has_region(graph, "some(v)"));
  CHECK(has_region(graph, "none"));
  CHECK(has_node(graph, "1"));
  CHECK(has_edge(graph, "y", "y?"));
  CHECK(has_edge(graph, "> 0", "condition?"));
  CHECK(has_edge(graph, "y?", "", EdgeKind::control));
  CHECK(has_edge(graph, "y", "log"));
}

TEST_CASE("states are read and written in order") {
  const Graph graph = graph_of("states", R"(
pub block Counter {
    state count: Tensor[1; i64]
    pub entry f(x: Tensor[1; i64]) -> Tensor[1; i64] {
        let before = count
        count = x
        let between = count
        count = before + 1
        return between
    }
}
)");
  CHECK(node(graph, "read count").kind == NodeKind::read);
  CHECK(node(graph, "write count").kind == NodeKind::write);
  CHECK(has_edge(graph, "read count", "write count", EdgeKind::order));
  CHECK(has_edge(graph, "write count", "read count", EdgeKind::order));
  CHECK(has_edge(graph, "x", "write count"));
}

TEST_CASE("order that the data gives already is not drawn again") {
  const Graph graph = graph_of("implied_order", R"(
pub block Counter {
    state count: Tensor[1; i64]
    pub entry f() -> Tensor[1; i64] {
        count = count + 1
        return count
    }
}
)");
  CHECK_FALSE(has_edge(graph, "read count", "write count", EdgeKind::order));
  CHECK(has_edge(graph, "write count", "read count", EdgeKind::order));
}

TEST_CASE("what nobody reads is not drawn") {
  const Graph graph = graph_of("unread",
                               "pub entry f(x: f32) -> f32 {\n    let _y = exp(x)\n"
                               "    return log(x)\n}\n");
  CHECK_FALSE(has_node(graph, "exp"));
}
