// Each pass does what it says, and leaves alone what it must.

#include <string>

#include "codegen/ir/lookup.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/optimize/optimize.hpp"
#include "tests/unit/ir/compile.hpp"

using namespace linnet::ir;
using linnet::test::compile;

namespace {

std::string shape_of(const Region& region) {
  std::string text;
  for (const Op& op : region.ops) {
    if (op.kind == OpKind::yield || op.kind == OpKind::return_) continue;
    if (!text.empty()) text += ' ';
    text += op_name(op.kind);
    if (const auto* value = std::get_if<std::int64_t>(&op.attrs.value)) {
      text += "=" + std::to_string(*value);
    }
    for (const Region& inner : op.regions) text += "(" + shape_of(inner) + ")";
  }
  return text;
}

/// The ops of `m::f` after all passes.
std::string optimized(const std::string& name, const std::string& text,
                      const std::string& function = "m::f") {
  Program program = compile("optimize_" + name, "module m\n" + text);
  linnet::optimize::run(program);
  CHECK(verify(program).empty());
  const Function* found = Lookup(program).function(function);
  REQUIRE(found != nullptr);
  return shape_of(found->body);
}

std::string of_tensor(const std::string& name, const std::string& body) {
  return optimized(name, "pub fn f<N: Dim>(x: Tensor[N, N; f32], i: i64) -> Tensor[N, N; f32] {\n" +
                             body + "\n}\n");
}

std::string of_scalar(const std::string& name, const std::string& dtype, const std::string& body) {
  return optimized(name,
                   "pub fn f(x: " + dtype + ") -> " + dtype + " {\n    return " + body + "\n}\n");
}

}  // namespace

TEST_CASE("what does nothing goes") {
  CHECK(of_tensor("identity", "    return cast<f32>(reshape(x * 1.0 / 1.0 - 0.0, [N, N]))") == "");
  CHECK(of_tensor("negations", "    return -(-x)") == "");
  CHECK(of_tensor("views", "    return permute(permute(x, [1, 0]), [1, 0])") == "");
  CHECK(of_tensor("whole", "    return x[..., 0:N]") == "");
  CHECK(of_tensor("copy", "    let y[a, b] = x[a, b]\n    return y") == "");
  CHECK(of_tensor("turned", "    let y[a, b] = x[b, a]\n    return y") == "permute");
  CHECK(optimized("diagonal",
                  "pub fn f<N: Dim>(x: Tensor[N, N; f32]) -> Tensor[N; f32] {\n"
                  "    let y[a] = x[a, a]\n    return y\n}\n") == "comprehension(tensor.element)");
}

TEST_CASE("float zeros keep their sign") {
  CHECK(of_scalar("plus_zero", "f32", "x + 0.0") == "const.float add");
  CHECK(of_scalar("plus_zero_int", "i32", "x + 0") == "");
}

TEST_CASE("constants are folded in their dtype") {
  const auto folded = [](const std::string& name, const std::string& dtype, const std::string& e) {
    return optimized("fold_" + name, "pub fn f() -> " + dtype + " {\n    let a: " + dtype + " = " +
                                         e + "\n    return a\n}\n");
  };
  CHECK(folded("wrap", "i8", "cast<i8>(100) + cast<i8>(100)") == "const.int=-56");
  CHECK(folded("unsigned", "u8", "cast<u8>(3) - cast<u8>(5)") == "const.int=254");
  CHECK(folded("truncate", "i32", "cast<i32>(-7) / cast<i32>(2)") == "const.int=-3");
  CHECK(folded("remainder", "i32", "cast<i32>(-7) % cast<i32>(2)") == "const.int=-1");
  CHECK(folded("shift", "i8", "shr(cast<i8>(-100), cast<i8>(20))") == "const.int=-1");
  // A division by zero stays a run-time error.
  CHECK(folded("zero", "i32", "cast<i32>(7) / cast<i32>(0)").find("div") != std::string::npos);
  // So does what is no finite number; the half floats are left to the run time.
  CHECK(folded("infinite", "f32", "cast<f32>(1.0) / cast<f32>(0.0)").find("div") !=
        std::string::npos);
  CHECK(folded("half", "bf16", "cast<bf16>(1.0) + cast<bf16>(2.0)").find("add") !=
        std::string::npos);
}

TEST_CASE("equal values are computed once, effects as often as written") {
  CHECK(of_tensor("common", "    return exp(x) * exp(x)") == "exp mul");
  CHECK(of_tensor("reductions",
                  "    let a[r] = sum[k] x[r, k]\n    let b[q] = sum[j] x[q, j]\n"
                  "    let c[r, k] = a[r] * b[k]\n    return c") ==
        "comprehension(reduce(tensor.element)) comprehension(tensor.element tensor.element mul)");
  CHECK(optimized("states",
                  "block B {\n    state s: Tensor[2; f32]\n    pub entry f() -> Tensor[2; f32] {\n"
                  "        let a = s\n        s = a + 1.0\n        let b = s\n        s = b + 1.0\n"
                  "        return a + s\n    }\n}\n",
                  "m::B.f") ==
        "state.read const.float add state.write state.read const.float add state.write "
        "state.read add");
}

TEST_CASE("what nobody uses goes, unless it can fail") {
  CHECK(of_tensor("dead", "    let _a = exp(x)\n    return x") == "");
  CHECK(of_tensor("dead_index", "    let _a = x[i, 0]\n    return x") == "slice");
}

TEST_CASE("whole tensors leave index notation, guarded ones stay") {
  CHECK(of_tensor("hoist", "    let y[a, b] = exp(x)[a, b] * x[b, a]\n    return y") ==
        "exp comprehension(tensor.element tensor.element mul)");
  CHECK(of_tensor(
            "guarded",
            "    let y[a, b] = if x[a, b] > 0.0 { exp(x)[b, a] } else { x[a, b] }\n    return y")
            .starts_with("comprehension"));
}

TEST_CASE("known branches are taken") {
  CHECK(of_scalar("known_if", "f32", "if true { x } else { exp(x) }") == "");
  CHECK(optimized("known_option",
                  "fn g(x: f32?) -> f32 { return match x { some(y) => y  none => 0.0 } }\n"
                  "pub fn f(x: f32) -> f32 {\n    let o = some(x)\n"
                  "    return match o { some(y) => y  none => 1.0 }\n}\n") == "");
}

TEST_CASE("running twice changes nothing") {
  Program program = compile("optimize_twice", R"(module m
pub fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {
    let y[n] = x[n] * 2.0 + sum[k] exp(x)[k]
    return y * 1.0 + y
}
)");
  linnet::optimize::run(program);
  const std::string once = shape_of(program.functions[0].body);
  linnet::optimize::run(program);
  CHECK(shape_of(program.functions[0].body) == once);
}
