// The generator on whole programs: what a header holds, and what it refuses. That headers
// compute the right numbers is tested in tests/run, how they look in tests/golden.
#include <doctest/doctest.h>

#include <string>

#include "codegen/cpp/header.hpp"
#include "codegen/ir/build.hpp"
#include "codegen/plan/plan.hpp"
#include "tests/unit/plan/sample_plan.hpp"

namespace ir = linnet::ir;

namespace {

ir::Program sample() {
  std::vector<ir::Problem> problems;
  auto program = linnet::plan::read(linnet::test::sample_plan, problems);
  REQUIRE(program.has_value());
  return *program;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a plan of another compiler becomes a header, the same every time") {
  const ir::Program program = sample();
  const linnet::cpp::Header header = linnet::cpp::generate(program);
  REQUIRE(header.errors.empty());
  CHECK(header.text == linnet::cpp::generate(program).text);
  CHECK(has(header.text, "namespace demo::scale {"));
  CHECK(has(header.text, "struct Scale {"));
  CHECK(has(header.text, "linnet::ops::contract<U>("));
  CHECK(has(header.text, "step_workspace_bytes"));
  CHECK(has(header.text, "inline constexpr float EPS"));
  CHECK(has(header.text, "require<\"Scale\", \"where H > 0\""));
  CHECK_FALSE(has(header.text, "/home/"));
  for (std::size_t at = 0; at < header.text.size();) {
    const std::size_t end = header.text.find('\n', at);
    CHECK_FALSE(header.text.substr(at, end - at).ends_with(' '));
    at = end + 1;
  }
}

TEST_CASE("the default policy of entries is the caller's choice") {
  const linnet::cpp::Header header = linnet::cpp::generate(sample(), {"exact"});
  CHECK(has(header.text, "linnet::Numerics P = linnet::Numerics::exact"));
}

TEST_CASE("what an entry needs and cannot be generated is an error that names it") {
  ir::Program program = sample();
  for (ir::Function& function : program.functions) {
    if (function.name != "demo.scale::apply") continue;
    function.body.ops[0].kind = ir::OpKind::kernel_load;
    function.body.ops[0].regions.clear();
  }
  const linnet::cpp::Header header = linnet::cpp::generate(program);
  CHECK(header.text.empty());
  REQUIRE(header.errors.size() == 1);
  CHECK(header.errors[0].function == "demo.scale::apply");
  CHECK(has(header.errors[0].message, "not implemented"));
  CHECK(has(header.errors[0].message, "kernel.load"));
}

TEST_CASE("a call that binds too little is refused") {
  ir::Program program = sample();
  for (ir::Function& function : program.functions) {
    for (ir::Op& op : function.body.ops) {
      for (ir::Region& region : op.regions) {
        for (ir::Op& inner : region.ops) {
          if (inner.kind == ir::OpKind::semantic_call) inner.attrs.substitution = {};
        }
      }
    }
  }
  const linnet::cpp::Header header = linnet::cpp::generate(program);
  REQUIRE_FALSE(header.errors.empty());
  CHECK(has(header.errors[0].message, "does not bind"));
}

TEST_CASE("an expression nested too deeply is refused before the stack ends") {
  ir::Program program;
  program.module = "deep";
  ir::Function function;
  function.name = "deep::forward";
  function.kind = ir::FunctionKind::entry;
  const ir::Type type = ir::make_scalar(ir::Scalar::f32);
  function.results = {type};
  function.body.args = {{0, "x", type}};
  constexpr int depth = 100000;
  for (int i = 0; i < depth; ++i) {
    ir::Op op;
    op.kind = ir::OpKind::neg;
    op.operands = {i};
    op.results = {{i + 1, "", type}};
    function.body.ops.push_back(op);
  }
  ir::Op end;
  end.kind = ir::OpKind::return_;
  end.operands = {depth};
  function.body.ops.push_back(end);
  program.functions.push_back(function);
  const linnet::cpp::Header header = linnet::cpp::generate(program);
  // Either way is fine: written in pieces, or refused by name.
  if (!header.errors.empty()) CHECK(has(header.errors[0].message, "not implemented"));
}
