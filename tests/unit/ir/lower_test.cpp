// What lowering makes of each construct, and in which order.

#include <string>
#include <vector>

#include "codegen/ir/lookup.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"
#include "tests/unit/ir/compile.hpp"

using namespace linnet::ir;
using linnet::test::compile;

namespace {

/// The ops of a region in one line: `a(b c) d` for an op `a` with ops inside.
std::string shape_of(const Region& region) {
  std::string text;
  for (const Op& op : region.ops) {
    if (op.kind == OpKind::yield || op.kind == OpKind::return_) continue;
    if (!text.empty()) text += ' ';
    text += op_name(op.kind);
    for (const Region& inner : op.regions) text += "(" + shape_of(inner) + ")";
  }
  return text;
}

const Function& function(const Program& program, const std::string& name) {
  const Function* found = Lookup(program).function(name);
  REQUIRE(found != nullptr);
  return *found;
}

/// The ops of the function `f` of a module `m` with this text.
std::string ops_of(const std::string& name, const std::string& text) {
  const Program program = compile(name, "module m\n" + text);
  return shape_of(function(program, "m::f").body);
}

}  // namespace

TEST_CASE("index notation becomes comprehensions, reductions and elements") {
  CHECK(ops_of("lower_matmul",
               "pub fn f<M: Dim, K: Dim>(a: Tensor[M, K; f32], b: Tensor[K, M; f32]) -> Tensor[M, "
               "M; f32] {\n"
               "    let c[i, j] = sum[k] a[i, k] * b[k, j]\n    return c\n}\n") ==
        "comprehension(reduce(tensor.element tensor.element mul))");
  const Program gather = compile("lower_gather",
                                 "module m\npub fn f<V: Dim, N: Dim>(t: Tensor[V, 4; f32], ids: "
                                 "Tensor[N; i32]) -> Tensor[N, 4; f32] {\n"
                                 "    let y[n, h] = t[ids[n], h]\n    return y\n}\n");
  const Op& comprehension = function(gather, "m::f").body.ops[0];
  CHECK(comprehension.attrs.indices.size() == 2);
  CHECK(shape_of(comprehension.regions[0]) == "tensor.element tensor.element");
}

TEST_CASE("a run of axes is one index of kind shape") {
  const Program program =
      compile("lower_run",
              "module m\npub fn f<*S: Shape, H: Dim>(x: Tensor[*S, H; f32]) -> Tensor[*S; f32] {\n"
              "    let y[*s] = sum[h] x[*s, h]\n    return y\n}\n");
  const Region& region = function(program, "m::f").body.ops[0].regions[0];
  REQUIRE(region.args.size() == 1);
  CHECK(region.args[0].type->kind == TypeKind::shape);
}

TEST_CASE("the right side of && is guarded only when it can fail") {
  CHECK(ops_of("lower_and", "pub fn f(a: bool, b: bool) -> bool {\n    return a && b\n}\n") ==
        "and");
  CHECK(ops_of("lower_and_div",
               "pub fn f(a: i32, b: i32) -> bool {\n    return b != 0 && a / b > 1\n}\n") ==
        "const.int compare if(div const.int compare)(const.bool)");
  CHECK(ops_of("lower_or_index",
               "pub fn f<N: Dim>(x: Tensor[N; f32], i: i64) -> bool {\n"
               "    return i < 0 || x[i] > 0.0\n}\n") ==
        "const.int compare if(const.bool)(slice const.float compare)");
  // Indices of index notation are always in range.
  CHECK(ops_of("lower_and_element",
               "pub fn f<N: Dim>(x: Tensor[N; bool], y: Tensor[N; bool]) -> Tensor[N; bool] {\n"
               "    let z[n] = x[n] && y[n]\n    return z\n}\n") ==
        "comprehension(tensor.element tensor.element and)");
}

TEST_CASE("loops carry what their bodies assign") {
  CHECK(ops_of("lower_for",
               "pub fn f<N: Dim>(x: Tensor[N; f32]) -> f32 {\n    var t: f32 = 0.0\n"
               "    for i in 0..N {\n        t = t + x[i]\n    }\n    return t\n}\n") ==
        "const.float const.int const.dim for(slice add)");
  CHECK(
      ops_of(
          "lower_while",
          "pub fn f(n: i64) -> i64 {\n    var i = n\n    while i > 1 {\n        i = i / 2\n    }\n"
          "    return i\n}\n") == "while(const.int compare)(const.int div)");
  const Program scan =
      compile("lower_scan",
              "module m\npub fn f(x: f32) -> Tensor[3; f32] {\n    var y = x\n"
              "    return for _i in 0..3 {\n        y = y * x\n        yield y\n    }\n}\n");
  const Op& loop = function(scan, "m::f").body.ops[2];
  CHECK(loop.kind == OpKind::for_);
  CHECK(loop.operands.size() == 3);
  REQUIRE(loop.results.size() == 2);
  CHECK(to_text(loop.results[1].type) == "Tensor[3; f32]");
}

TEST_CASE("of a constant scrutinee only the chosen arm is lowered") {
  CHECK(ops_of("lower_match_const",
               "pub fn f(x: f32) -> f32 {\n"
               "    return match some(x) { some(y) => y * y  none => exp(x) }\n}\n") == "mul");
}

TEST_CASE("a catch-all is not written out for each variant") {
  CHECK(ops_of("lower_catch_all",
               "enum E { A, B, C, D }\npub fn f(e: E, x: f32) -> f32 {\n"
               "    return match e { A => x  _ => exp(x) }\n}\n") ==
        "enum.const compare if()(exp)");
}

TEST_CASE("effects keep their order and their paths") {
  const Program program = compile("lower_state", R"(module m
block Counter {
    state count: Tensor[1; i64]
    pub fn next() -> Tensor[1; i64] {
        let before = count
        count = count + 1
        return before
    }
}
block Model<L: Dim> {
    sub one: Counter
    sub many: [Counter; L]
    pub entry step() -> Tensor[1; i64] {
        var total = one.next()
        static for counter in many {
            total = total + counter.next()
        }
        return total + one.count
    }
}
)");
  CHECK(shape_of(function(program, "m::Counter.next").body) ==
        "state.read state.read const.int add state.write");
  CHECK(function(program, "m::Counter.next").states == std::vector<std::string>{"count"});
  CHECK(function(program, "m::Model.step").states ==
        std::vector<std::string>{"one.count", "many[*].count"});
  REQUIRE(program.root.has_value());
  CHECK(program.root->name == "Model");
  REQUIRE(program.manifest.size() == 2);
  CHECK(program.manifest[1].path == "many[*].count");
  REQUIRE(program.manifest[1].repeat.size() == 1);
  CHECK(to_text(program.manifest[1].repeat[0]) == "L");
}

TEST_CASE("the root is the last public block with an entry, or what was asked for") {
  const std::string source = R"(module m
pub block A {
    param w: Tensor[2; f32]
    pub entry run() -> Tensor[2; f32] { return w }
}
block B {
    param v: Tensor[3; f32]?
    pub entry run() -> i64 { return match v { some(_) => 1  none => 0 } }
}
pub fn f() -> i64 { return 0 }
)";
  CHECK(compile("lower_root", source).root->name == "A");
  LowerOptions options;
  options.root = "B";
  const Program b = compile("lower_root_b", source, options);
  CHECK(b.root->name == "B");
  REQUIRE(b.manifest.size() == 1);
  CHECK(b.manifest[0].optional);
  options.root.clear();
  options.functions_only = true;
  const Program functions = compile("lower_root_none", source, options);
  CHECK_FALSE(functions.root.has_value());
  CHECK(functions.manifest.empty());
}

TEST_CASE("named arguments are evaluated as written and passed in order") {
  const Program program = compile("lower_named", R"(module m
fn g(a: f32, b: f32) -> f32 { return a - b }
pub fn f(x: f32) -> f32 { return g(b = exp(x), a = log(x)) }
)");
  const Region& body = function(program, "m::f").body;
  CHECK(shape_of(body) == "exp log call");
  CHECK(body.ops[2].operands ==
        std::vector<int>{body.ops[1].results[0].id, body.ops[0].results[0].id});
}

TEST_CASE("constants that share others stay small") {
  std::string source = "module m\nconst C0: f32 = exp(cast<f32>(1.0))\n";
  for (int i = 1; i < 40; ++i) {
    source += "const C" + std::to_string(i) + ": f32 = C" + std::to_string(i - 1) + " * C" +
              std::to_string(i - 1) + "\n";
  }
  const Program program = compile("lower_constants", source + "pub fn f() -> f32 { return C39 }\n");
  CHECK(function(program, "m::f").body.ops.size() < 100);
}

TEST_CASE("the gradient of a method's op takes the block as the op does") {
  const Program program = compile("lower_block_grad", R"(module m
pub block M {
    param w: Tensor[4; f32]
    op f(x: Tensor[4; f32]) -> Tensor[4; f32] {
        return x * w
    } grad(_y, dy) {
        return dy * w
    }
    pub entry e(x: Tensor[4; f32]) -> Tensor[4; f32] {
        return f(x)
    }
}
)");
  const Function& op = function(program, "m::M.f");
  REQUIRE(op.grad.has_value());
  REQUIRE(op.grad->args.size() == 4);  // the block, x, the result, what arrives
  CHECK(op.grad->args[0].type->kind == TypeKind::block);
  CHECK(op.grad->ops[0].kind == OpKind::block_param);
  CHECK(op.grad->ops[0].operands[0] == op.grad->args[0].id);
}

TEST_CASE("as a value, a dimension that may be negative divides toward zero") {
  const std::string head = "pub fn f<N: Dim>(x: Tensor[N; f32]) -> i64 {\n    return ";
  CHECK(ops_of("lower_half", head + "N / 2\n}\n") == "const.dim");
  CHECK(ops_of("lower_sum", head + "(N + 1) / 2 - 9\n}\n") == "const.dim");
  CHECK(ops_of("lower_less", head + "(N - 9) / 2\n}\n") == "const.dim const.int div");
  CHECK(ops_of("lower_rest", head + "2 * ((3 - N) % 2)\n}\n") ==
        "const.int const.dim const.int rem mul");
}

TEST_CASE("what a match on a known case does not bind is made all the same") {
  const std::string block =
      "module m\npub block B {\n    state s: Tensor[4; f32]\n    fn next() -> f32 {\n"
      "        s = s + 1.0\n        return s[0]\n    }\n    pub fn f() -> f32 {\n        return ";
  const auto effects = [&](const std::string& name, const std::string& value) {
    const Program program = compile(name, block + value + "\n    }\n}\n");
    const Function& made = function(program, "m::B.f");
    return shape_of(made.body) + (made.states.empty() ? "" : " on " + made.states[0]);
  };
  CHECK(effects("lower_some", "match some(next()) { some(_) => 2.0 none => 1.0 }") ==
        "call const.float on s");
  CHECK(effects("lower_pair", "match some((next(), next())) { some((_, b)) => b none => 1.0 }")
            .starts_with("call call "));
}
