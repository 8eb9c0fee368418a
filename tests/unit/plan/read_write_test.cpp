// Plans from elsewhere read; ours come back byte for byte; broken ones are named.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "codegen/ir/print.hpp"
#include "codegen/plan/plan.hpp"
#include "tests/unit/plan/sample_plan.hpp"

using linnet::ir::Problem;
using Json = nlohmann::json;
namespace plan = linnet::plan;

namespace {

std::string text_of(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) text += problem.where + ": " + problem.message + "\n";
  return text;
}

/// The problems of a text, as lines; empty when it reads.
std::string problems_of(const std::string& text) {
  std::vector<Problem> problems;
  const auto program = plan::read(text, problems);
  CHECK(program.has_value() == problems.empty());
  return text_of(problems);
}

/// The sample with one place of it replaced.
std::string replaced(const char* pointer, const Json& value) {
  Json document = Json::parse(linnet::test::sample_plan);
  document[Json::json_pointer(pointer)] = value;
  return document.dump();
}

std::string removed(const char* parent, const char* key) {
  Json document = Json::parse(linnet::test::sample_plan);
  document[Json::json_pointer(parent)].erase(key);
  return document.dump();
}

}  // namespace

TEST_CASE("a plan of another compiler reads, and comes back byte for byte") {
  std::vector<Problem> problems;
  const auto program = plan::read(linnet::test::sample_plan, problems);
  INFO(text_of(problems));
  REQUIRE(program.has_value());
  CHECK(program->module == "demo.scale");
  CHECK(program->manifest.size() == 2);
  CHECK(program->functions.at(1).states == std::vector<std::string>{"last"});
  // A value's name that is no identifier is only dropped.
  CHECK(program->functions[0].body.ops[0].regions[0].ops[0].regions[0].ops[0].results[0].name ==
        "");

  const std::string written = plan::write(*program);
  const auto again = plan::read(written, problems);
  INFO(text_of(problems));
  REQUIRE(again.has_value());
  CHECK(plan::write(*again) == written);
  CHECK(linnet::ir::dump(*again) == linnet::ir::dump(*program));
}

TEST_CASE("blocks keep the order of the document") {
  Json document = Json::parse(linnet::test::sample_plan);
  std::string text = document.dump();
  const std::string block =
      R"({"module":"demo","pub":false,"generics":[],"constraints":[],"members":[]})";
  text.replace(text.find(R"("blocks":{)"), 10,
               R"("blocks":{"Zed":)" + block + R"(,"Alpha":)" + block + ",");
  std::vector<Problem> problems;
  const auto program = plan::read(text, problems);
  INFO(text_of(problems));
  REQUIRE(program.has_value());
  REQUIRE(program->blocks.size() == 3);
  CHECK(program->blocks[0].first == "Zed");
  CHECK(program->blocks[1].first == "Alpha");
  CHECK(program->blocks[2].first == "Scale");
}

TEST_CASE("what is no plan is named with its path") {
  struct Case {
    std::string text;
    std::string expected;
  };
  const std::vector<Case> cases = {
      {"", "the document: is not JSON"},
      {"[1]", "the document: must be a JSON object"},
      {"{}", "the document: has no field `version`"},
      {replaced("/version", 2), "version: version 2 of plans is not known"},
      {replaced("/version", "1"), "version: must be 1"},
      {removed("", "functions"), "has no field `functions`"},
      {replaced("/functions/1/body/ops/4/kind", "loop"),
       "functions[1].body.ops[4]: `loop` is no kind of op"},
      {replaced("/functions/0/results/0/kind", "blob"),
       "functions[0].results[0]: `blob` is no kind of type"},
      {replaced("/functions/0/results/0/dtype", "f128"), "`f128` is no dtype"},
      {replaced("/functions/0/name", "apply; evil()"), "is no name of a function"},
      {replaced("/blocks/Scale/members/0/name", "a b"), "`a b` is no name"},
      {replaced("/manifest/0/path", "../x"), "`../x` is no path of a member"},
      {replaced("/manifest/0/shape/0/sym", 9), "symbol 9 (`H`) is not in scope"},
      {replaced("/manifest/0/shape/0", -4), "an extent of -4"},
      {replaced("/manifest/0/shape/0", 1.5), "must be an integer"},
      {replaced("/manifest/0/shape/0", 18446744073709551615ULL), "is out of range"},
      {replaced("/functions/1/body/ops/2/attrs/value", 1e300), "must be an integer"},
      {replaced("/functions/1/body/ops/3/attrs/value/args/1", 0), "divides by 0"},
      {replaced("/functions/1/body/ops/3/attrs/value/args", Json::array({1})),
       "takes two arguments, not 1"},
      {replaced("/functions/1/body/ops/3/attrs/value/op", "pow"),
       "`pow` is no operator of dimensions"},
      {replaced("/functions/1/body/ops/4/operands/2", 28),
       "functions[1].body.ops[4].operands[2]: value 28 is not defined here"},
      {replaced("/functions/1/body/ops/4/operands", Json::array({23, 24})),
       "the region takes 2 arguments, not 1"},
      {replaced("/functions/1/body/ops/4/operands", Json::array({23})),
       "runs from an integer to an integer"},
      {replaced("/functions/1/body/ops/0/results/0/id", 20), "value 20 is defined twice"},
      {replaced("/functions/1/body/ops/0/attrs/name", "last"),
       "has no member `last` for `block.param`"},
      {replaced("/functions/1/body/ops/5/operands/1", 23), "state `last` is a"},
      {replaced("/functions/1/body/ops/6/operands", Json::array()),
       "gives 0 values where 1 are due"},
      {replaced("/functions/1/body/ops/6/kind", "yield"), "must end with `return`"},
      {replaced("/functions/1/block", "Nope"), "there is no block `Nope`"},
      {replaced("/functions/1/generics", Json::parse(R"([{"name":"Q","kind":"dim","sym":2}])")),
       "is declared twice"},
      {replaced("/functions/0/body/ops/0/regions/0/ops/0/attrs/reduce", "avg"),
       "`avg` is no `reduce`"},
      {replaced("/functions/0/body/ops/0/regions/0/ops/0/regions/0/ops/0/operands",
                Json::array({0, 6})),
       "has 1 positions for"},
      {replaced("/functions/0/body/ops/0/regions/0/ops/0/regions/0/ops/2/operands/1", 4),
       "of different dtypes"},
      {replaced("/constants/0/body/ops/1/kind", "const.bool"), "has no field `value`"},
      {replaced("/functions/1/body/ops/0/results/0/type/shape/1", 5),
       "`block.param` gives `Tensor[H, H; T]`, not `Tensor[H, 5; T]`"},
      {replaced("/functions/0/body/ops/0/attrs/indices/1/domain/0", 5),
       "an index over `5`, but axis 0 of `Tensor[N, N; U]` is `N`"},
      {replaced("/functions/1/states", Json::array()), "does not list `last`"},
      {replaced("/manifest/0/optional", true), "manifest[0]: `weight` is not optional"},
  };
  for (const Case& c : cases) {
    const std::string got = problems_of(c.text);
    INFO("expected: ", c.expected, "\ngot: ", got);
    CHECK(got.find(c.expected) != std::string::npos);
  }
}

TEST_CASE("calls must fit their callee") {
  const std::string call = "/functions/1/body/ops/4/regions/0/ops/0";
  const auto at = [&](const char* rest) { return call + rest; };
  CHECK(problems_of(replaced(at("/attrs/callee").c_str(), "demo.scale::none"))
            .find("there is no function `demo.scale::none`") != std::string::npos);
  CHECK(problems_of(replaced(at("/attrs/callee").c_str(), "demo.scale::Scale.step"))
            .find("which is no op") != std::string::npos);
  CHECK(problems_of(replaced(at("/attrs/substitution/dims").c_str(), Json::object()))
            .find("generic `N` of `demo.scale::apply` is not bound") != std::string::npos);
  CHECK(problems_of(replaced(at("/attrs/substitution/dtypes/1").c_str(), "f32"))
            .find("argument 0 of `demo.scale::apply` is a") != std::string::npos);
  CHECK(problems_of(replaced(at("/attrs/substitution/dims").c_str(), Json::parse(R"({"x":1})")))
            .find("`x` is no number of a generic") != std::string::npos);
  CHECK(problems_of(replaced(at("/attrs/generics").c_str(), Json::array({Json::object()})))
            .find("must hold one of") != std::string::npos);
  CHECK(problems_of(replaced(at("/operands").c_str(), Json::array({27})))
            .find("takes 2 operands, not 1") != std::string::npos);
}

TEST_CASE("recursion is refused") {
  Json document = Json::parse(linnet::test::sample_plan);
  // `apply` calls itself on its own arguments before it returns.
  Json call = document["functions"][1]["body"]["ops"][4]["regions"][0]["ops"][0];
  call["operands"] = {0, 1};
  call["results"][0] = document["functions"][0]["body"]["ops"][0]["results"][0];
  call["results"][0]["id"] = 90;
  call["attrs"].erase("generics");
  call["attrs"]["substitution"] = Json::parse(
      R"({"dims":{"2":{"sym":2,"name":"N"}},"packs":{"1":[{"pack":1,"name":"S"}]},"dtypes":{"1":{"var":1,"name":"U"}}})");
  auto& ops = document["functions"][0]["body"]["ops"];
  ops.insert(ops.begin(), call);
  CHECK(problems_of(document.dump()).find("`demo.scale::apply` calls itself") != std::string::npos);
}

TEST_CASE("hostile documents end in an error") {
  // Deep nesting of every recursive part, spliced into the text: the JSON library copies
  // recursively, so that the test may not build such a document itself.
  const auto nested = [](const char* pointer, int depth, const std::string& open,
                         const std::string& inner, const std::string& close) {
    std::string text = replaced(pointer, "HERE");
    std::string deep;
    for (int i = 0; i < depth; ++i) deep += open;
    deep += inner;
    for (int i = 0; i < depth; ++i) deep += close;
    return problems_of(text.replace(text.find("\"HERE\""), 6, deep));
  };
  CHECK(problems_of(std::string(200000, '[')).find("is not JSON") != std::string::npos);
  for (const int depth : {1000, 100000}) {
    CHECK(nested("/manifest/0/shape/0", depth, R"({"op":"add","args":[1,)", "1", "]}")
              .find("too large") != std::string::npos);
    CHECK(nested("/functions/0/results/0", depth, R"({"kind":"optional","inner":)",
                 R"({"kind":"unit"})", "}")
              .find("nested too deeply") != std::string::npos);
    CHECK(nested("/functions/0/body", depth,
                 R"({"args":[],"ops":[{"kind":"if","operands":[],"results":[],"regions":[)",
                 R"({"args":[],"ops":[]})", "]}]}")
              .find("nested too deeply") != std::string::npos);
  }
  // Many problems are cut short.
  Json many = Json::array();
  for (int i = 0; i < 5000; ++i) many.push_back("nonsense");
  std::vector<Problem> problems;
  CHECK_FALSE(plan::read(replaced("/functions", many), problems).has_value());
  CHECK(problems.size() <= 20);
}
