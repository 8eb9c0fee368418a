// Programs that no person wrote: the drawing is bounded, escaped, or refused.
#include <string>

#include "codegen/diagram/effect_order.hpp"
#include "codegen/ir/build.hpp"
#include "codegen/plan/plan.hpp"
#include "tests/unit/diagram/support.hpp"
#include "tests/unit/diagram/xml.hpp"

using namespace linnet::diagram;
namespace ir = linnet::ir;

namespace {

ir::Type scalar() {
  return ir::make_scalar(ir::Scalar::f32);
}

ir::Op op(ir::OpKind kind, std::vector<int> operands, int result) {
  ir::Op made;
  made.kind = kind;
  made.operands = std::move(operands);
  if (result >= 0) made.results = {{result, "", scalar()}};
  return made;
}

/// An entry over one input with id 0.
ir::Program program_of(std::vector<ir::Op> ops, const std::string& input = "x") {
  ir::Program program;
  ir::Function function;
  function.name = "m::f";
  function.kind = ir::FunctionKind::entry;
  function.results = {scalar()};
  function.body.args = {{0, input, scalar()}};
  function.body.ops = std::move(ops);
  program.functions.push_back(std::move(function));
  return program;
}

std::optional<Graph> built(const ir::Program& program, const Options& options = {}) {
  return build(program, program.functions[0], options);
}

}  // namespace

TEST_CASE("names of any length and content") {
  const std::string name = "\x01<script>&\"'" + std::string(100000, 'W') + "\xff";
  auto program = program_of({op(ir::OpKind::exp, {0}, 1), op(ir::OpKind::return_, {1}, -1)}, name);
  program.functions[0].body.ops[0].results[0].name = name;
  const auto graph = built(program);
  REQUIRE(graph.has_value());
  const Layout layout = linnet::test::laid_out(*graph);
  CHECK(layout.width < 2000);
  const std::string svg = write_svg(*graph, layout, Theme::light);
  const auto problem = linnet::test::xml_problem(svg);
  CHECK_MESSAGE(!problem.has_value(), problem.value_or(""));
  CHECK(svg.find("<script") == std::string::npos);
  CHECK(write_tikz(*graph, layout, Theme::dark).find('\x01') == std::string::npos);
  CHECK(write_dot(*graph, Theme::dark).find('\x01') == std::string::npos);
}

TEST_CASE("an entry without ops, and one without anything") {
  const auto empty = built(program_of({}));
  REQUIRE(empty.has_value());
  CHECK(empty->nodes.size() == 1);
  auto bare = program_of({});
  bare.functions[0].body.args.clear();
  const auto nothing = built(bare);
  REQUIRE(nothing.has_value());
  linnet::test::laid_out(*nothing);
}

TEST_CASE("a long chain is drawn, one beyond reading is refused") {
  const auto chain = [](int length) {
    std::vector<ir::Op> ops;
    for (int i = 0; i < length; ++i) ops.push_back(op(ir::OpKind::exp, {i}, i + 1));
    ops.push_back(op(ir::OpKind::return_, {length}, -1));
    return program_of(std::move(ops));
  };
  const auto graph = built(chain(5000));
  REQUIRE(graph.has_value());
  const auto layout = lay_out(*graph);
  REQUIRE(layout.has_value());
  CHECK(layout->width < 500);
  CHECK_FALSE(built(chain(30000)).has_value());
  // Hidden, a chain of any length is one line.
  const auto hidden = built(chain(30000), {0, false, false});
  REQUIRE(hidden.has_value());
  CHECK(hidden->nodes.size() == 2);
}

TEST_CASE("lines that all stay alive are refused, not spread over millions of places") {
  // Every value of a long chain is read again at its end.
  Graph graph;
  for (int i = 0; i < 5000; ++i) {
    graph.nodes.push_back({NodeKind::call, 0, "f", {}, {"f32"}});
    if (i > 0) graph.edges.push_back({i - 1, 0, i, EdgeKind::data});
    if (i > 0 && i < 4998) graph.edges.push_back({i, 0, 4999, EdgeKind::data});
  }
  std::erase_if(graph.edges, [](const Edge& edge) { return edge.to <= edge.from; });
  CHECK_FALSE(lay_out(graph).has_value());
}

TEST_CASE("hidden boxes that pass everything on are refused") {
  std::vector<ir::Op> ops;
  // Alternating: a call that stays, and a sum over it and all before.
  ops.push_back(op(ir::OpKind::cumsum, {0}, 1));
  int sum = 1;
  int next = 2;
  for (int i = 0; i < 8000; ++i) {
    ops.push_back(op(ir::OpKind::cumsum, {0}, next));
    ops.push_back(op(ir::OpKind::add, {sum, next}, next + 1));
    sum = next + 1;
    next += 2;
  }
  ops.push_back(op(ir::OpKind::return_, {sum}, -1));
  CHECK_FALSE(built(program_of(std::move(ops)), {0, false, false}).has_value());
}

TEST_CASE("regions nested beyond reading are refused") {
  const auto nested = [](int depth) {
    int next = 1;
    ir::Region inner;
    inner.ops = {op(ir::OpKind::exp, {0}, next), op(ir::OpKind::yield, {next}, -1)};
    for (int i = 0; i < depth; ++i) {
      ir::Op branch = op(ir::OpKind::if_, {0}, ++next);
      ir::Region other;
      other.ops = {op(ir::OpKind::yield, {0}, -1)};
      branch.regions = {std::move(inner), std::move(other)};
      inner = {};
      inner.ops = {std::move(branch), op(ir::OpKind::yield, {next}, -1)};
    }
    auto program = program_of(std::move(inner.ops));
    program.functions[0].body.ops.back().kind = ir::OpKind::return_;
    return program;
  };
  const auto graph = built(nested(40));
  REQUIRE(graph.has_value());
  linnet::test::laid_out(*graph);
  CHECK_FALSE(built(nested(390)).has_value());
}

TEST_CASE("a plan whose functions call each other in a circle is refused by the reader") {
  auto program = program_of({op(ir::OpKind::call, {0}, 1), op(ir::OpKind::return_, {1}, -1)});
  program.module = "m";
  program.functions[0].body.ops[0].attrs.callee = "m::f";
  std::vector<ir::Problem> problems;
  CHECK_FALSE(linnet::plan::read(linnet::plan::write(program), problems).has_value());
  REQUIRE_FALSE(problems.empty());
  CHECK(problems[0].message == "function `m::f` calls itself");
}

TEST_CASE("effects after many arms are bounded") {
  // One state, written in each of many arms, then read as often: every read is after every write.
  Graph graph;
  EffectOrder effects(graph);
  EffectOrder::Frontier after;
  for (int arm = 0; arm < 2000; ++arm) {
    effects.restart({});
    effects.write("s", arm);
    effects.join(after);
    after = effects.frontier();
  }
  for (int read = 0; read < 2000; ++read) effects.read("s", 2000 + read);
  CHECK(graph.edges.size() <= max_edges + 1);
}

TEST_CASE("calls that double at each level stay bounded") {
  // f0 calls f1 twice, which calls f2 twice, ...; every call doubles a dimension, too.
  ir::Program program = program_of({});
  program.functions.clear();
  constexpr int levels = 40;
  int id = 0;
  for (int level = 0; level < levels; ++level) {
    ir::Function function;
    function.name = "m::f" + std::to_string(level);
    function.kind = level == 0 ? ir::FunctionKind::entry : ir::FunctionKind::fn;
    function.generics = {{"N", ir::GenericKind::dim, level, ir::DtypeClass::any, {}}};
    const ir::Dim n = ir::make_symbol(level, "N");
    const ir::Type type = ir::make_tensor({ir::make_unit(n)}, ir::make_dtype(ir::Scalar::f32));
    function.results = {type};
    int value = id++;
    function.body.args = {{value, "x", type}};
    for (int i = 0; i < 2; ++i) {
      ir::Op each = op(level + 1 < levels ? ir::OpKind::call : ir::OpKind::exp, {value}, id);
      each.results[0].type = type;
      if (level + 1 < levels) {
        each.attrs.callee = "m::f" + std::to_string(level + 1);
        each.attrs.substitution.dims[level + 1] =
            ir::make_dim(ir::DimKind::mod, {ir::make_dim(ir::DimKind::mul, {n, n}), n});
      }
      value = id++;
      function.body.ops.push_back(each);
    }
    function.body.ops.push_back(op(ir::OpKind::return_, {value}, -1));
    program.functions.push_back(std::move(function));
  }
  for (const int expand : {0, 3}) {
    const auto graph = built(program, {expand, true, true});
    REQUIRE(graph.has_value());
    for (const Node& node : graph->nodes) {
      for (const std::string& label : node.outputs) CHECK(label.size() < 200);
    }
    linnet::test::laid_out(*graph);
  }
  CHECK_FALSE(built(program, {64, true, true}).has_value());
}
