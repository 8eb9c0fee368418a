// Any bytes through the plan reader. What reads must come back from its own text, stay valid
// through the optimiser, and be written as source or be refused with a reason.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/ir/print.hpp"
#include "codegen/optimize/optimize.hpp"
#include "codegen/plan/plan.hpp"
#include "fuzz_target.hpp"
#include "sound.hpp"
#include "tests/unit/plan/sample_plan.hpp"

namespace {

using namespace linnet;

/// A function `m::f` of one f32 vector with these ops (ids from 1 on; 0 is the vector).
std::string plan_of(const std::string& ops) {
  return R"({"version":1,"module":"m","root":null,"manifest":[],"blocks":{},"constants":[],)"
         R"("structs":[{"name":"P","module":"m","generics":[],"fields":[{"name":"a","type":{"kind":"scalar","dtype":"f32"}}]}],)"
         R"("enums":[{"name":"E","module":"m","variants":["A","B"]}],)"
         R"("functions":[{"name":"m::f","kind":"fn","block":null,"pub":true,"constraints":[],)"
         R"("generics":[{"name":"N","kind":"dim","sym":0}],"states":[],)"
         R"("results":[{"kind":"tensor","shape":[{"sym":0,"name":"N"}],"dtype":"f32"}],)"
         R"("body":{"args":[{"id":0,"name":"x","type":{"kind":"tensor","shape":[{"sym":0,"name":"N"}],"dtype":"f32"}}],"ops":[)" +
         ops + R"({"kind":"return","operands":[0],"results":[]}]}}]})";
}

std::string op(const std::string& kind, const std::string& operands, int id,
               const std::string& type, const std::string& attrs = "{}",
               const std::string& regions = "") {
  return R"({"kind":")" + kind + R"(","operands":[)" + operands + R"(],"results":[{"id":)" +
         std::to_string(id) + R"(,"name":"","type":)" + type + R"(}],"attrs":)" + attrs +
         R"(,"regions":[)" + regions + "]},";
}

std::string yields(const std::string& args, const std::string& ops, int id) {
  return R"({"args":[)" + args + R"(],"ops":[)" + ops + R"({"kind":"yield","operands":[)" +
         std::to_string(id) + R"(],"results":[]}]})";
}

}  // namespace

std::vector<std::string> fuzz_seeds() {
  const std::string f32 = R"({"kind":"scalar","dtype":"f32"})";
  const std::string i64 = R"({"kind":"scalar","dtype":"i64"})";
  const std::string boolean = R"({"kind":"scalar","dtype":"bool"})";
  const std::string vector = R"({"kind":"tensor","shape":[{"sym":0,"name":"N"}],"dtype":"f32"})";
  const std::string option = R"({"kind":"optional","inner":)" + f32 + "}";
  const std::string choice = R"({"kind":"enum","name":"E","module":"m","args":[]})";
  const std::string record = R"({"kind":"struct","name":"P","module":"m","args":[]})";
  return {
      test::sample_plan,
      plan_of(op("const.int", "", 1, i64, R"({"value":0})") +
              op("slice", "0,1", 2, f32,
                 R"({"axes":[{"start":null,"stop":null,"step":null,"squeeze":true}]})") +
              op("option.some", "2", 3, option) +
              op("option.match", "3", 4, f32, "{}",
                 yields(R"({"id":5,"name":"y","type":)" + f32 + "}", op("neg", "5", 6, f32), 6) +
                     "," + yields("", op("const.float", "", 7, f32, R"({"value":2.5})"), 7)) +
              op("struct.make", "4", 8, record) + op("struct.get", "8", 9, f32, R"({"value":0})")),
      plan_of(
          op("enum.const", "", 1, choice, R"({"name":"B"})") +
          op("enum.match", "1", 2, vector, R"({"variants":["A","B"]})",
             yields("", op("exp", "0", 3, vector), 3) + "," + yields("", "", 0)) +
          op("tuple.make", "2,0", 4,
             R"({"kind":"tuple","elements":[)" + vector + "," + vector + "]}") +
          op("tuple.get", "4", 5, vector, R"({"value":1})") +
          op("concat", "5,2", 6,
             R"({"kind":"tensor","shape":[{"op":"mul","args":[2,{"sym":0,"name":"N"}]}],"dtype":"f32"})",
             R"({"axis":0})")),
      plan_of(
          op("const.bool", "", 1, boolean, R"({"value":1})") +
          op("const.int", "", 2, i64, R"({"value":3})") +
          op("while", "2", 3, i64, "{}",
             yields(R"({"id":4,"name":"i","type":)" + i64 + "}",
                    op("compare", "4,2", 5, boolean, R"({"compare":"lt"})"), 5) +
                 "," +
                 yields(R"({"id":6,"name":"i","type":)" + i64 + "}", op("add", "6,2", 7, i64), 7)) +
          op("if", "1", 8, i64, "{}", yields("", "", 3) + "," + yields("", "", 2))),
  };
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<ir::Problem> problems;
  auto program = plan::read(text, problems);
  LINNET_FUZZ_REQUIRE(program.has_value() == problems.empty());
  if (!program) return 0;
  const std::string written = plan::write(*program);
  const auto again = plan::read(written, problems);
  LINNET_FUZZ_REQUIRE(again.has_value());
  LINNET_FUZZ_REQUIRE(plan::write(*again) == written);
  LINNET_FUZZ_REQUIRE(!ir::dump(*program).empty());
  const auto source = plan::emit(*program, problems);
  LINNET_FUZZ_REQUIRE(source.has_value() == problems.empty());
  optimize::run(*program);
  require_sound(*program);
  return 0;
}
