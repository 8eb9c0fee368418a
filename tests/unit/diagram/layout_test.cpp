// The steps of the layout, on graphs made by hand.
#include <string>

#include "codegen/diagram/layout/level.hpp"
#include "tests/unit/diagram/support.hpp"

using namespace linnet::diagram;
using linnet::test::laid_out;

namespace {

int add(Graph& graph, const std::string& title, int cluster = 0, NodeKind kind = NodeKind::call) {
  Node node;
  node.kind = kind;
  node.cluster = cluster;
  node.title = title;
  node.outputs = {"[B, S; f32]"};
  graph.nodes.push_back(node);
  return static_cast<int>(graph.nodes.size()) - 1;
}

void connect(Graph& graph, int from, int to) {
  graph.edges.push_back({from, 0, to, EdgeKind::data});
}

/// A level with `count` items of equal size and a line for each pair.
Level level_of(int count, const std::vector<std::pair<int, int>>& lines) {
  Level level;
  level.items.resize(static_cast<std::size_t>(count));
  for (Item& item : level.items) item.left = item.right = item.height = 10;
  for (const auto& [from, to] : lines) {
    Net* net = nullptr;
    for (Net& known : level.nets) {
      if (known.from.item == from) net = &known;
    }
    if (net == nullptr) {
      level.nets.emplace_back();
      net = &level.nets.back();
      net->from.item = from;
    }
    net->to.push_back({to, 0, 0});
  }
  return level;
}

std::vector<int> rows_of(const Level& level) {
  std::vector<int> rows;
  for (const Item& item : level.items) rows.push_back(item.row);
  return rows;
}

}  // namespace

TEST_CASE("rows are longest paths, sources stand above their first reader") {
  //  0 -> 1 -> 2 -> 3, 0 -> 3, 4 -> 3
  Level level = level_of(5, {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {4, 3}});
  assign_rows(level);
  CHECK(rows_of(level) == std::vector<int>{0, 1, 2, 3, 2});
}

TEST_CASE("a long line gets a bend in each row, one trunk for all readers") {
  Level level = level_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 3}, {0, 4}});
  assign_rows(level);
  int budget = 10;
  REQUIRE(add_bends(level, budget));
  CHECK(budget == 7);
  CHECK(level.nets[0].bends.size() == 3);
  for (const Segment& segment : level.segments) {
    CHECK(item_at(level, segment.lower.item).row == item_at(level, segment.upper.item).row + 1);
  }
  int none = 2;
  Level again = level_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 3}, {0, 4}});
  assign_rows(again);
  CHECK_FALSE(add_bends(again, none));
}

TEST_CASE("lines that need not cross do not") {
  // 0 and 1 feed 5 and 4: one swap undoes the crossing.
  Level level = level_of(6, {{0, 5}, {1, 4}, {2, 3}});
  assign_rows(level);
  int budget = 10;
  REQUIRE(add_bends(level, budget));
  order_rows(level);
  place_rows(level);
  for (const Segment& a : level.segments) {
    CHECK(pin_x(level, a.upper) == pin_x(level, a.lower));
  }
}

TEST_CASE("neighbours keep their distance") {
  Level level = level_of(5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}});
  assign_rows(level);
  int budget = 10;
  REQUIRE(add_bends(level, budget));
  order_rows(level);
  place_rows(level);
  for (const std::vector<int>& row : level.rows) {
    for (std::size_t i = 1; i < row.size(); ++i) {
      const Item& left = item_at(level, row[i - 1]);
      const Item& right = item_at(level, row[i]);
      CHECK(right.x - left.x >= distance(left, right));
    }
  }
  // The reader of all stands over their middle.
  CHECK(level.items[0].x == (level.items[1].x + level.items[4].x) / 2);
}

TEST_CASE("regions within regions, lines across their borders") {
  Graph graph;
  graph.clusters.push_back({0, "outer"});
  graph.clusters.push_back({1, "inner, with a label longer than its content"});
  graph.clusters.push_back({0, "beside"});
  const int x = add(graph, "x", 0, NodeKind::input);
  const int y = add(graph, "y", 0, NodeKind::input);
  const int a = add(graph, "a", 1);
  const int b = add(graph, "b", 2);
  const int c = add(graph, "c", 3);
  const int d = add(graph, "d", 3);
  const int out = add(graph, "out", 0, NodeKind::output);
  for (const auto& [from, to] : std::vector<std::pair<int, int>>{
           {x, a}, {x, b}, {y, b}, {a, b}, {b, c}, {y, d}, {c, out}, {d, out}, {a, out}}) {
    connect(graph, from, to);
  }
  graph.edges.push_back({a, 0, d, EdgeKind::order});
  const Layout layout = laid_out(graph);
  CHECK(layout.nodes[static_cast<std::size_t>(x)].y < layout.nodes[static_cast<std::size_t>(a)].y);
  CHECK(layout.nodes[static_cast<std::size_t>(b)].y < layout.nodes[static_cast<std::size_t>(c)].y);
}

TEST_CASE("a graph without nodes and one without lines") {
  CHECK(laid_out({}).width > 0);
  Graph graph;
  for (int i = 0; i < 5; ++i) add(graph, "lonely");
  graph.clusters.push_back({0, "empty"});
  laid_out(graph);
}

TEST_CASE("parts that nothing connects stand side by side") {
  Graph graph;
  for (int part = 0; part < 3; ++part) {
    // A wide row, so that the parts are far from each other at first.
    const int top = add(graph, "top", 0, NodeKind::input);
    for (int i = 0; i < 8; ++i) {
      const int reader = add(graph, "a box of some width");
      if (part == 1) connect(graph, top, reader);
    }
  }
  const Layout layout = laid_out(graph);
  int needed = 0;
  for (const Box& box : layout.nodes) needed += box.width + 60;
  CHECK(layout.width < needed);
}

TEST_CASE("a line that is nearly straight is made straight") {
  Graph graph;
  const int a = add(graph, "a");
  const int b = add(graph, "b");
  const int c = add(graph, "a box that both reach");
  connect(graph, a, c);
  connect(graph, b, c);
  const int d = add(graph, "d");
  connect(graph, c, d);
  for (const Line& line : laid_out(graph).lines) {
    const int aside = std::abs(line.from.x - line.to.x);
    CHECK((aside == 0 || aside > 6));
  }
}

TEST_CASE("a chain is one straight line") {
  Graph graph;
  int last = add(graph, "start", 0, NodeKind::input);
  for (int i = 0; i < 6; ++i) {
    const int next = add(graph, std::string(static_cast<std::size_t>(3 * i + 1), 'w'));
    connect(graph, last, next);
    last = next;
  }
  for (const Line& line : laid_out(graph).lines) CHECK(line.from.x == line.to.x);
}

TEST_CASE("graphs of no design keep the rules") {
  // A linear congruential sequence: the same graphs everywhere.
  std::uint32_t seed = 1;
  const auto random = [&](int below) {
    seed = seed * 1664525U + 1013904223U;
    return static_cast<int>((seed >> 8U) % static_cast<std::uint32_t>(below));
  };
  for (int round = 0; round < 40; ++round) {
    Graph graph;
    // Regions in one piece of the program each, so that lines between them go one way.
    int cluster = 0;
    for (int i = 0; i < 30; ++i) {
      if (random(6) == 0) {
        graph.clusters.push_back({cluster, "region"});
        cluster = static_cast<int>(graph.clusters.size()) - 1;
      } else if (cluster > 0 && random(5) == 0) {
        cluster = graph.clusters[static_cast<std::size_t>(cluster)].parent;
      }
      const int node = add(graph, std::string(static_cast<std::size_t>(random(20)) + 1, 'm'),
                           cluster, random(5) == 0 ? NodeKind::joint : NodeKind::call);
      for (int inputs = random(4); inputs > 0 && node > 0; --inputs) {
        connect(graph, random(node), node);
      }
    }
    laid_out(graph);
  }
}
