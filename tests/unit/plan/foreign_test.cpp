// What plans of other writers leave off, say otherwise or get wrong in one field.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "codegen/ir/build.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/plan/plan.hpp"
#include "tests/unit/plan/sample_plan.hpp"

using namespace linnet::ir;
using Json = nlohmann::json;
namespace plan = linnet::plan;

namespace {

Json sample() {
  return Json::parse(linnet::test::sample_plan);
}

Json replaced(const std::string& pointer, const Json& value) {
  Json document = sample();
  document[Json::json_pointer(pointer)] = value;
  return document;
}

/// The problems of a plan, as lines; empty when it reads.
std::string problems_of(const Json& document) {
  std::vector<Problem> problems;
  (void)plan::read(document.dump(), problems);
  std::string text;
  for (const Problem& problem : problems) text += problem.where + ": " + problem.message + "\n";
  return text;
}

std::optional<Program> read(const Json& document) {
  std::vector<Problem> problems;
  auto program = plan::read(document.dump(), problems);
  for (const Problem& problem : problems) FAIL_CHECK(problem.where << ": " << problem.message);
  return program;
}

/// A plan of one function `m::f`, which takes `args` and returns `result`, value 9.
Json one_function(const std::string& args, const std::string& ops, const std::string& result) {
  return Json::parse(
      R"({"version":1,"module":"m","root":null,"manifest":[],"blocks":{},
    "constants":[],"functions":[{"name":"m::f","kind":"entry","block":null,"pub":true,
      "generics":[],"constraints":[],"states":[],"results":[)" +
      result + R"(],"body":{"args":[)" + args + R"(],"ops":[)" + ops +
      R"({"kind":"return","operands":[9],"results":[],"attrs":{},"regions":[]}]}}]})");
}

std::string value(int id, const std::string& type) {
  return R"({"id":)" + std::to_string(id) + R"(,"name":"","type":)" + type + "}";
}

std::string op(const std::string& kind, const std::string& operands, const std::string& result,
               const std::string& attrs = "{}") {
  return R"({"kind":")" + kind + R"(","operands":)" + operands + R"(,"results":[)" + result +
         R"(],"attrs":)" + attrs + R"(,"regions":[]},)";
}

std::string scalar(const std::string& dtype) {
  return R"({"kind":"scalar","dtype":")" + dtype + R"("})";
}

std::string pair_of(const std::string& dtype) {
  return R"({"kind":"struct","name":"Pair","module":"m","args":[{"dtype":")" + dtype + R"("}]})";
}

const std::string call = "/functions/1/body/ops/4/regions/0/ops/0";

}  // namespace

TEST_CASE("an empty word is no word") {
  struct Case {
    const char* pointer;
    const char* expected;
  };
  const std::vector<Case> cases = {
      {"/functions/0/generics/2/class", "`` is no class of dtypes"},
      {"/functions/0/generics/2/kind", "`` is no kind of generic"},
      {"/functions/0/kind", "`` is no kind of function"},
      {"/functions/0/results/0/kind", "`` is no kind of type"},
      {"/functions/0/body/ops/0/kind", "`` is no kind of op"},
      {"/functions/0/body/ops/0/regions/0/ops/0/attrs/reduce", "`` is no `reduce`"},
      {"/blocks/Scale/constraints/0/relation", "`` is no relation"},
      {"/blocks/Scale/members/0/kind", "`` is no kind of member"},
      {"/manifest/0/kind", "`` is no kind of member"},
  };
  for (const Case& c : cases) {
    const std::string got = problems_of(replaced(c.pointer, ""));
    INFO("expected: ", c.expected, "\ngot: ", got);
    CHECK(got.find(c.expected) != std::string::npos);
  }
}

TEST_CASE("a field of the wrong type is named where nothing would read it") {
  struct Case {
    std::string pointer;
    Json value;
    const char* expected;
  };
  const std::string multiplication = "/functions/0/body/ops/0/regions/0/ops/0/regions/0/ops/2";
  const std::vector<Case> cases = {
      {multiplication + "/attrs", nullptr, "ops[2].attrs: must be an object, not null"},
      {multiplication + "/attrs", Json::array(), "ops[2].attrs: must be an object, not an array"},
      {multiplication + "/attrs", "x", "ops[2].attrs: must be an object, not a string"},
      {multiplication + "/regions", nullptr, "ops[2].regions: must be an array"},
      {"/functions/0/kernel", 5, "functions[0].kernel: must be an object, not a number"},
      {call + "/attrs/selected", 5, "attrs.selected: must be the name of a kernel"},
  };
  for (const Case& c : cases) {
    const std::string got = problems_of(replaced(c.pointer, c.value));
    INFO("expected: ", c.expected, "\ngot: ", got);
    CHECK(got.find(c.expected) != std::string::npos);
  }
  Json missing = sample();
  missing[Json::json_pointer(multiplication)].erase("attrs");
  missing[Json::json_pointer(multiplication)].erase("regions");
  CHECK(problems_of(missing).empty());
}

TEST_CASE("one fault is told once") {
  struct Case {
    const char* pointer;
    const char* expected;
  };
  const std::vector<Case> cases = {
      {"/functions/1", "functions[1]: must be an object, not a number\n"},
      {"/manifest/1", "manifest[1]: must be an object, not a number\n"},
      {"/constants/0", "constants[0]: must be an object, not a number\n"},
      {"/blocks/Scale", "blocks.Scale: must be an object, not a number\n"},
      {"/module", "module: must be a string, not a number\n"},
  };
  for (const Case& c : cases) CHECK(problems_of(replaced(c.pointer, 1.5)) == c.expected);
  Json document = sample();
  document.erase("module");
  CHECK(problems_of(document) == "the document: has no field `module`\n");
  document = sample();
  document["functions"].push_back(document["functions"][0]);
  CHECK(problems_of(document) == "functions[2]: two functions `demo.scale::apply`\n");
}

TEST_CASE("an integer is one of its dtype") {
  const auto constant = [](const std::string& dtype, const std::string& number) {
    return one_function(
        "", op("const.int", "[]", value(9, scalar(dtype)), R"({"value":)" + number + "}"),
        scalar(dtype));
  };
  const std::string refused = "functions[0].body.ops[0].attrs.value: is out of range\n";
  CHECK(problems_of(constant("i8", "127")).empty());
  CHECK(problems_of(constant("i8", "128")) == refused);
  CHECK(problems_of(constant("u8", "-1")) == refused);
  CHECK(problems_of(constant("u32", "4294967296")) == refused);
  CHECK(problems_of(constant("u64", "-1")) == refused);
  CHECK(problems_of(constant("i64", "9223372036854775808")) == refused);
  const auto program = read(constant("u64", "18446744073709551615"));
  REQUIRE(program.has_value());
  CHECK(std::get<std::int64_t>(program->functions[0].body.ops[0].attrs.value) == -1);
  CHECK(plan::write(*program).find(R"("value": 18446744073709551615)") != std::string::npos);
}

TEST_CASE("a call is completed from what it has") {
  Json document = sample();
  document[Json::json_pointer(call + "/attrs")].erase("generics");
  const auto program = read(document);
  REQUIRE(program.has_value());
  CHECK(dump(*program) == dump(*read(sample())));
  CHECK(plan::write(*program) == plan::write(*read(sample())));
}

TEST_CASE("a struct that is not declared has the fields of its uses") {
  const std::string make_wide = op("struct.make", "[0,1]", value(2, pair_of("f64")));
  const std::string read_wide = op("struct.get", "[2]", value(3, scalar("f64")), R"({"value":0})");
  const std::string read_narrow =
      op("struct.get", "[4]", value(9, scalar("f32")), R"({"value":0})");
  const std::string args =
      value(0, scalar("f64")) + "," + value(1, scalar("i64")) + "," + value(4, pair_of("f32"));
  const auto program = read(one_function(args, make_wide + read_wide + read_narrow, scalar("f32")));
  REQUIRE(program.has_value());
  REQUIRE(program->structures.size() == 1);
  const Structure& pair = program->structures[0];
  CHECK(pair.name == "Pair");
  REQUIRE(pair.generics.size() == 1);
  REQUIRE(pair.fields.size() == 2);
  CHECK(pair.fields[0].first == "field_0");
  CHECK(to_text(pair.fields[0].second) == pair.generics[0].name);
  CHECK(to_text(pair.fields[1].second) == "i64");
}

TEST_CASE("a struct that cannot be told stays undeclared, and one that has no end is refused") {
  const std::string last = op("struct.get", "[0]", value(9, scalar("f32")), R"({"value":1})");
  const auto program = read(one_function(value(0, pair_of("f32")), last, scalar("f32")));
  REQUIRE(program.has_value());
  CHECK(program->structures.empty());
  // A position far out makes no room for what is before it.
  const std::string far =
      op("struct.get", "[0]", value(9, scalar("f32")), R"({"value":999999999})");
  CHECK(problems_of(one_function(value(0, pair_of("f32")), far, scalar("f32"))).empty());
  const std::string inner = op("struct.get", "[0]", value(9, pair_of("f32")), R"({"value":0})");
  CHECK(problems_of(one_function(value(0, pair_of("f32")), inner, pair_of("f32")))
            .find("struct `m::Pair` holds itself") != std::string::npos);
}

TEST_CASE("an enum that is not declared has the variants of its uses") {
  const std::string side = R"({"kind":"enum","name":"Side","module":"m","args":[]})";
  const std::string made = op("enum.const", "[]", value(9, side), R"({"name":"Left"})");
  const auto program = read(one_function("", made, side));
  REQUIRE(program.has_value());
  REQUIRE(program->enumerations.size() == 1);
  CHECK(program->enumerations[0].variants == std::vector<std::string>{"Left"});
}
