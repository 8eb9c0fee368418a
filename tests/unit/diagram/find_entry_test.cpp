// Which entry a name means, and what is said when it means none or several.
#include "tests/unit/diagram/support.hpp"

using linnet::diagram::find_entry;
using linnet::test::compile;

namespace {

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an entry is found by any of its names") {
  const auto program = compile("diagram_entries", R"(module m
pub block A {
    pub entry forward(x: f32) -> f32 { return x }
    pub entry step(x: f32) -> f32 { return x }
}
pub block B {
    pub entry forward(x: f32) -> f32 { return x }
    pub fn helper(x: f32) -> f32 { return x }
}
)");
  REQUIRE(find_entry(program, "step").entry != nullptr);
  CHECK(find_entry(program, "step").entry == find_entry(program, "A.step").entry);
  CHECK(find_entry(program, "step").entry == find_entry(program, "m::A.step").entry);
  CHECK(find_entry(program, "B.forward").entry->name == "m::B.forward");

  const auto ambiguous = find_entry(program, "forward");
  CHECK(ambiguous.entry == nullptr);
  CHECK(has(ambiguous.error, "several entries"));
  CHECK(has(ambiguous.error, "m::A.forward"));
  CHECK(has(ambiguous.error, "m::B.forward"));
  CHECK_FALSE(has(ambiguous.error, "m::A.step"));

  const auto misspelt = find_entry(program, "setp");
  CHECK(misspelt.entry == nullptr);
  CHECK(has(misspelt.error, "did you mean `step`?"));
  CHECK(has(misspelt.error, "m::B.forward"));
  // A function that is no entry has no drawing.
  CHECK(find_entry(program, "helper").entry == nullptr);
}

TEST_CASE("a program without entries says so") {
  const auto program = compile("diagram_no_entries", "module m\npub fn f() -> i64 { return 0 }\n");
  CHECK(find_entry(program, "f").error == "there is no entry to draw");
}
