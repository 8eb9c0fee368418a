// Plans that are valid and not what our own lowering writes: emit finds source for them, which
// checks and emits itself again, or says why there is none.

#include <doctest/doctest.h>

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "codegen/ir/lower/lower.hpp"
#include "codegen/ir/verify.hpp"
#include "codegen/ir/walk.hpp"
#include "codegen/optimize/optimize.hpp"
#include "codegen/plan/plan.hpp"
#include "codegen/sema/check.hpp"

using namespace linnet;
using ir::Op;
using ir::OpKind;
using ir::Program;

namespace {

Program compile(const std::string& text, bool optimized = false) {
  syntax::SourceManager sources;
  syntax::DiagnosticSink sink;
  const std::string path = "/linnet_emit_test.linnet";
  const auto checked = sema::check(sources, {path}, {"stdlib", {{path, text}}}, sink);
  for (const syntax::Diagnostic& each : sink.diagnostics()) {
    FAIL_CHECK(each.code << " " << each.message << "\n" << text);
  }
  std::vector<ir::Problem> problems;
  REQUIRE(checked.ok);
  auto program = ir::lower(checked, {}, problems);
  REQUIRE(problems.empty());
  REQUIRE(program.has_value());
  if (optimized) optimize::run(*program);
  return std::move(*program);
}

std::string refusal(const Program& program) {
  std::vector<ir::Problem> problems;
  CHECK_FALSE(plan::emit(program, problems).has_value());
  return problems.empty() ? "" : problems[0].where + ": " + problems[0].message;
}

/// The source of a plan, which must check and emit itself again.
std::string source(const Program& program, bool optimized = false) {
  std::vector<ir::Problem> problems = ir::verify(program);
  REQUIRE_MESSAGE(problems.empty(), problems[0].where << ": " << problems[0].message);
  const auto text = plan::emit(program, problems);
  REQUIRE_MESSAGE(text.has_value(), problems[0].where << ": " << problems[0].message);
  const auto again = plan::emit(compile(*text, optimized), problems);
  REQUIRE(again.has_value());
  CHECK(*again == *text);
  return *text;
}

bool holds(const std::string& text, const std::string& part) {
  INFO(text);
  const bool found = text.find(part) != std::string::npos;
  CHECK_MESSAGE(found, part);
  return found;
}

void forget_declarations(Program& program) {
  program.structures.clear();
  program.enumerations.clear();
}

template <class Change>
void change_ops(Program& program, OpKind kind, const Change& change) {
  ir::for_each_body(program, [&](ir::Region& region) {
    ir::walk(region, [&](Op& op) {
      if (op.kind == kind) change(op);
    });
  });
}

}  // namespace

TEST_CASE("a value inside an expression is bound where it must be") {
  const std::string text = R"(module m

fn pair<T: Float>(x: T) -> (T, T) {
    return (x * x, x + x)
}

fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {
    let y[i] = match some(pair<f32>(x[i])) { some((a, b)) => a + b, none => 0.0 }
    return y
}

block B<N: Dim> {
    state s: Tensor[N; f32]

    fn step(x: f32) -> f32 {
        s = s + x
        return s[0] + x
    }

    pub entry g(c: bool) -> f32 {
        return if c {
            match some(step(1.0)) { some(v) => v * v + step(2.0) * v, none => 0.0 }
        } else {
            match some(s[0]) { some(old) => step(3.0) + old, none => 0.0 }
        }
    }
}
)";
  CHECK(source(compile(text)) == text);
  CHECK(source(compile(text, true), true) == text);
}

TEST_CASE("an index that indexes nothing any more keeps its extent") {
  const std::string text = R"(module m

fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {
    let y[i] = if true { 1.0 } else { x[i] }
    let z = sum[i] (if true { 2.0 } else { x[i] })
    return y + z
}
)";
  const std::string emitted = source(compile(text, true), true);
  holds(emitted, "let y[i] = if true { 1.0 } else { fill<f32>([N], 0.0)[i] }");
  holds(emitted, "sum[i] if true { 2.0 } else { fill<f32>([N], 0.0)[i] }");
}

TEST_CASE("structs and enums without a declaration are told from their uses") {
  Program program = compile(R"(module m

struct Pair<N: Dim, T: DType> {
    left: Tensor[2 * N; T]
    right: Tensor[N, 4; f32]?
}

enum Side {
    Left,
    Right,
}

fn make<M: Dim>(x: Tensor[2 * M; f32]) -> Pair<M, f32> {
    return Pair<M, f32>(left = x, right = none)
}

fn flip(side: Side) -> Side {
    return match side { Left => Side.Right, Right => Side.Left }
}

pub entry f(x: Tensor[8; f32], p: Pair<3, f16>) -> (Tensor[8; f32], Tensor[6; f16]) {
    return (make<4>(x).left, p.left)
}
)");
  forget_declarations(program);
  const std::string text = source(program);
  holds(text, "pub struct Pair<N0: Dim, T1: DType> {\n    field_0: Tensor[2 * N0; T1]\n");
  holds(text, "    field_1: Tensor[N0, 4; f32]?\n");
  holds(text, "pub enum Side {\n    Left,\n    Right,\n}");
}

TEST_CASE("a generic enum has its arguments, declared or not") {
  Program program = compile(R"(module m

enum Mode<N: Dim> {
    Mean,
    Last,
}

fn pick<N: Dim>(x: Tensor[N; f32], mode: Mode<N>) -> f32 {
    return match mode { Mean => sum[i] x[i], Last => 0.0 }
}

pub entry f(x: Tensor[3; f32], flag: bool) -> f32 {
    let mode: Mode<3> = if flag { Mode.Last } else { Mode.Mean }
    return pick(x, mode) + pick(x, Mode.Mean)
}
)");
  const std::string text = source(program);
  holds(text, "pub enum Mode<N: Dim> {\n    Mean,\n    Last,\n}");
  holds(text, "mode: Mode<N>");
  std::vector<ir::Problem> problems;
  const auto read = plan::read(plan::write(program), problems);
  REQUIRE(read.has_value());
  CHECK(source(*read) == text);
  forget_declarations(program);
  holds(source(program), "pub enum Mode<N0: Dim> {\n    Mean,\n    Last,\n}");
}

TEST_CASE("a struct whose fields cannot be told is named") {
  Program program = compile(R"(module m

struct Pair {
    left: f32
    right: f32
}

pub entry f(p: Pair) -> f32 {
    return p.right
}
)");
  forget_declarations(program);
  holds(refusal(program), "m::Pair: a struct that the plan does not declare; its field 0 is");
}

TEST_CASE("constants that no literal holds are written as what has their value") {
  Program program = compile(R"(module m

fn f(x: f32) -> f32 {
    return x * 2.0
}

fn g(x: u8) -> u8 {
    return x + 3
}
)");
  const auto with = [&](OpKind kind, auto value) {
    Program changed = program;
    change_ops(changed, kind, [&](Op& op) { op.attrs.value = value; });
    return source(changed);
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  holds(with(OpKind::const_float, infinity), "x * (1.0 / 0.0)");
  holds(with(OpKind::const_float, -infinity), "x * (-1.0 / 0.0)");
  holds(with(OpKind::const_float, std::numeric_limits<double>::quiet_NaN()), "x * (0.0 / 0.0)");
  holds(with(OpKind::const_float, 1e300), "x * cast<f32>(1e300)");
  holds(with(OpKind::const_float, -0.0), "x * -0.0");
  holds(with(OpKind::const_int, std::int64_t{300}), "x + cast<u8>(300)");
}

TEST_CASE("names that the language reserves are changed") {
  Program program = compile(R"(module m

block B<N: Dim> {
    param weight: Tensor[N; f32]

    pub entry step<M: Dim>(x: Tensor[M, N; f32]) -> Tensor[M, N; f32]
    where M > 0 {
        let y = x * weight
        return y * y
    }
}
)");
  program.blocks[0].second.members[0].name = "match";
  change_ops(program, OpKind::block_param, [](Op& op) { op.attrs.name = "match"; });
  program.manifest[0].path = "match";
  ir::Function& function = program.functions[0];
  function.name = "m::B.while";
  function.generics[0].name = "N";  // as the block's
  function.body.args[1].name = "exp";
  change_ops(program, OpKind::mul, [](Op& op) { op.results[0].name = "let"; });
  const std::string text = source(program);
  holds(text, "param match__2: Tensor[N; f32]");
  holds(text, "pub entry while__2<N__2: Dim>(exp__2: Tensor[N__2, N; f32])");
  holds(text, "where N__2 > 0 {");
  holds(text, "let let__2 = exp__2 * match__2");
}

TEST_CASE("a parameter that is used has a name") {
  Program program = compile("module m\n\nfn f(x: f32) -> f32 {\n    return x\n}\n");
  program.functions[0].body.args[0].name = "_";
  holds(source(program), "fn f(_1: f32) -> f32 {\n    return _1\n}");
}

TEST_CASE("a range that is known only when it runs is a while loop") {
  Program program = compile(R"(module m

fn f(x: f32, n: i64) -> f32 {
    let stop = n + 1
    var y = x
    for i in 2..5 {
        y = y * cast<f32>(i)
    }
    return y + cast<f32>(stop)
}
)");
  ir::Region& body = program.functions[0].body;
  int stop = -1;
  for (Op& op : body.ops) {
    if (op.kind == OpKind::add && stop < 0) stop = op.results[0].id;
    if (op.kind == OpKind::for_) op.operands[1] = stop;
  }
  const std::string text = source(program);
  holds(text, "while i__2 < stop {");
  holds(text, "i__2 = i__2 + 1");
}

TEST_CASE("an item of the library that differs is declared, and what rests on it too") {
  const auto in_library = [](Program program) {
    // The three functions as if `std.x` held them.
    program.module = "m";
    for (ir::Function& function : program.functions) {
      if (function.name != "m::main") function.name = "std.x" + function.name.substr(1);
    }
    const auto move = [](Op& op) { op.attrs.callee = "std.x" + op.attrs.callee.substr(1); };
    change_ops(program, OpKind::call, move);
    change_ops(program, OpKind::semantic_call, move);
    return program;
  };
  const auto program_with = [&](const std::string& factor) {
    return in_library(compile("module m\n\nfn inner(x: f32) -> f32 {\n    return x * " + factor +
                              "\n}\n\npub op outer(x: f32) -> f32 {\n    return inner(x)\n}\n\n" +
                              "pub op other(x: f32) -> f32 {\n    return x + x\n}\n\n" +
                              "pub entry main(x: f32) -> f32 {\n" +
                              "    return outer(x) + other(x)\n}\n"));
  };
  const Program plan = program_with("2.0");
  const auto emitted = [&](const Program& library) {
    const auto same = plan::same_items(plan, library);
    std::vector<ir::Problem> problems;
    return plan::emit(plan, problems, &same).value_or("");
  };
  holds(emitted(plan), "use std.x::{other, outer}");
  const std::string text = emitted(program_with("3.0"));
  holds(text, "use std.x::{other}");
  holds(text, "pub op outer(x: f32) -> f32 {");
  holds(text, "fn inner(x: f32) -> f32 {\n    return x * 2.0");
}

TEST_CASE("what has no source is refused in words") {
  Program program = compile(R"(module m

fn f<*S: Shape>(x: Tensor[*S; f32], n: f32) -> Tensor[*S; f32] {
    let y[*s] = x[*s] * n
    return y
}
)");
  const ir::Type scalar = program.functions[0].body.args[1].type;
  change_ops(program, OpKind::comprehension, [&](Op& op) {
    op.kind = OpKind::reduce;
    op.results[0].type = scalar;
  });
  program.functions[0].results = {scalar};
  holds(refusal(program), "m::f: reduces over a run of axes");
}
