// The checked program: what lowering relies on.

#include <doctest/doctest.h>

#include "codegen/sema/dims/build.hpp"
#include "codegen/sema/dims/render.hpp"
#include "codegen/sema/types.hpp"
#include "tests/unit/sema/support.hpp"

using namespace linnet;
using namespace linnet::sema;
using linnet::sema::testing::check_text;
using linnet::sema::testing::Checked;

namespace {

template <class Node>
const Node& node(const Expr& expr) {
  const Node* found = std::get_if<Node>(&expr.node);
  REQUIRE(found != nullptr);
  return *found;
}

const Expr& operand(const Expr& expr, std::size_t i) {
  return *node<Elementwise>(expr).operands.at(i);
}

}  // namespace

TEST_CASE("literals have the dtype and value of their context") {
  const Checked checked = check_text(R"(module t
const WIDTH = 8
pub fn f<N: Dim, T: Float>(x: Tensor[N; T], k: Tensor[N; u8], on: bool) -> f32 {
    let a = x * 2
    let b = k + (300 - 45)
    let c: f16 = if on { 2 } else { -1.5 }
    let d = x * N
    let e = x * (1.0 / WIDTH)
    let g = 3
    let h = 0.25
    let _all = (a, b, c, d, e, g, h)
    return 1
}
)");
  REQUIRE(checked.summary() == "ok");
  CHECK(node<FloatValue>(operand(checked.value("f", "a"), 1)).value == 2.0);
  CHECK(render(operand(checked.value("f", "a"), 1).type) == "T");
  CHECK(node<IntValue>(operand(checked.value("f", "b"), 1)).value == 255);
  CHECK(render(operand(checked.value("f", "b"), 1).type) == "u8");
  const If& branch = node<If>(checked.value("f", "c"));
  CHECK(node<FloatValue>(*branch.then_value).value == 2.0);
  CHECK(node<FloatValue>(*branch.else_value).value == -1.5);
  CHECK(render(branch.else_value->type) == "f16");
  CHECK(dims::render(node<DimValue>(operand(checked.value("f", "d"), 1)).dim) == "N");
  CHECK(render(operand(checked.value("f", "d"), 1).type) == "T");
  const Expr& quotient = operand(checked.value("f", "e"), 1);
  CHECK(node<Elementwise>(quotient).op == ir::OpKind::div);
  CHECK(node<FloatValue>(operand(quotient, 1)).value == 8.0);
  CHECK(render(checked.value("f", "g").type) == "i64");
  CHECK(render(checked.value("f", "h").type) == "f64");
  CHECK(checked.program.constants.at(0).contextual);
  CHECK(dims::as_constant(checked.program.constants.at(0).value) == 8);
}

TEST_CASE("a let of dimensions is no local") {
  const Checked checked = check_text(R"(module t
pub fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N + 2; i64] {
    let longer = N + 2
    let _n: i64 = longer
    return iota(longer) + cast<i64>(x[0])
}
)");
  REQUIRE(checked.summary() == "ok");
  const Function& f = checked.function("f");
  CHECK(f.frame.locals.size() == 2);
  CHECK(dims::render(node<DimValue>(checked.value("f", "_n")).dim) == "N + 2");
}

TEST_CASE("a call has all its generics, and its arguments in parameter order") {
  const Checked checked = check_text(R"(module t
fn g<*S: Shape, H: Dim, T: Float = f32>(x: Tensor[*S, H; T], w: Tensor[H; T], eps: T = 1e-3, by: T? = none) -> Tensor[*S, H; T] {
    return match by { some(b) => x * w + b  none => x * w + eps }
}
pub fn f<B: Dim>(x: Tensor[B, 3, 8; bf16], v: Tensor[8; bf16]) -> Tensor[B, 3, 8; bf16] {
    let y = g(w = v, x = x)
    return y
}
)");
  REQUIRE(checked.summary() == "ok");
  const Call& call = node<Call>(checked.value("f", "y"));
  const Function& g = checked.function("g");
  CHECK(checked.program.functions.at(static_cast<std::size_t>(call.function)).name == "g");
  REQUIRE(call.generics.size() == 3);
  CHECK(render(call.generics[0]) == "[B, 3]");
  CHECK(render(call.generics[1]) == "8");
  CHECK(render(call.generics[2]) == "bf16");
  CHECK(dims::render(call.substitution.packs.at(g.generics[0].id)) == "B, 3");
  REQUIRE(call.arguments.size() == 4);
  CHECK(render(call.arguments[0]->type) == "Tensor[B, 3, 8; bf16]");
  CHECK(node<FloatValue>(*call.arguments[2]).value == 1e-3);
  CHECK(render(call.arguments[2]->type) == "bf16");
  CHECK(std::holds_alternative<NoneMake>(call.arguments[3]->node));
  CHECK(render(call.arguments[3]->type) == "bf16?");
  CHECK(call.evaluation == std::vector<int>{1, 0, 2, 3});
}

TEST_CASE("members of children carry the child's generics") {
  const Checked checked = check_text(R"(module t
block Cell<N: Dim, T: Float = f32> {
    param gain: Tensor[N; T]
    state seen: Tensor[N; T]
    pub fn step<B: Dim>(x: Tensor[B, N; T]) -> Tensor[B, N; T] {
        seen = seen + x[0]
        return x * gain
    }
}
pub block Model<H: Dim> {
    sub cells: [Cell<2 * H>; 3]
    pub entry run(x: Tensor[1, 2 * H; f32]) -> Tensor[1, 2 * H; f32] {
        let y = cells[1].step(x)
        let z = cells[2].gain
        return y + z
    }
}
)");
  REQUIRE(checked.summary() == "ok");
  const Call& call = node<Call>(checked.value("run", "y"));
  REQUIRE(call.block_generics.size() == 2);
  CHECK(render(call.block_generics[0]) == "2 * H");
  CHECK(render(call.block_generics[1]) == "f32");
  CHECK(render(call.generics.at(0)) == "1");
  const ArrayElement& element = node<ArrayElement>(*call.receiver);
  CHECK(dims::as_constant(element.position) == 1);
  const MemberRead& cells = node<MemberRead>(*element.array);
  CHECK(cells.kind == ir::MemberKind::sub);
  CHECK(std::holds_alternative<OwnBlock>(cells.block->node));
  CHECK(render(checked.value("run", "z").type) == "Tensor[2 * H; f32]");
  const auto& body = checked.function("step").body;
  CHECK(std::get<AssignState>(body.at(0).node).member == 1);
}

TEST_CASE("slices are resolved and clamped") {
  const Checked checked = check_text(R"(module t
pub fn f<*S: Shape, D: Dim>(x: Tensor[*S, 8, 2 * D; f32], at: i32) -> f32 {
    let y = x[..., 2:100:3, 1::2]
    let z = x[..., at, 0]
    let _w = (y, z)
    return 0.0
}
)");
  REQUIRE(checked.summary() == "ok");
  const Slice& y = node<Slice>(checked.value("f", "y"));
  REQUIRE(y.parts.size() == 3);
  CHECK(y.parts[0].kind == SlicePart::Kind::whole);
  CHECK(dims::render(y.parts[0].units) == "*S");
  CHECK(y.parts[1].kind == SlicePart::Kind::range);
  CHECK(dims::as_constant(y.parts[1].start) == 2);
  CHECK(dims::as_constant(y.parts[1].stop) == 8);
  CHECK(dims::as_constant(y.parts[1].step) == 3);
  CHECK(dims::as_constant(y.parts[1].extent) == 2);
  const Slice& z = node<Slice>(checked.value("f", "z"));
  CHECK(z.parts[1].kind == SlicePart::Kind::runtime);
  CHECK(render(z.parts[1].position->type) == "i32");
  CHECK(z.parts[2].kind == SlicePart::Kind::constant);
  CHECK(render(checked.value("f", "z").type) == "Tensor[*S; f32]");
}

TEST_CASE("index notation names domains and kinds of components") {
  const Checked checked = check_text(R"(module t
pub fn f<*S: Shape, V: Dim, H: Dim>(ids: Tensor[*S; i32], table: Tensor[V, H; f32]) -> Tensor[*S, H; f32] {
    let y[*s, h] = table[ids[*s], h] * (sum[h] table[0, h])
    return y
}
)");
  REQUIRE(checked.summary() == "ok");
  const Function& f = checked.function("f");
  const Comprehension& y = node<Comprehension>(checked.value("f", "y"));
  REQUIRE(y.indices.size() == 2);
  const IndexVariable& run = f.frame.indices.at(static_cast<std::size_t>(y.indices[0]));
  CHECK(run.is_run);
  CHECK(dims::render(run.domain) == "*S");
  const Access& gather = node<Access>(operand(*y.body, 0));
  CHECK(gather.parts.at(0).kind == AccessPart::Kind::position);
  CHECK(node<Access>(*gather.parts[0].position).parts.at(0).kind == AccessPart::Kind::run);
  CHECK(gather.parts.at(1).index == y.indices[1]);
  const Reduction& inner = node<Reduction>(operand(*y.body, 1));
  CHECK(inner.indices.at(0) != y.indices[1]);
  CHECK(dims::render(f.frame.indices.at(static_cast<std::size_t>(inner.indices[0])).domain) == "H");
  CHECK(node<Access>(*inner.body).parts.at(0).kind == AccessPart::Kind::position);
}

TEST_CASE("loops carry the outer variables that they assign") {
  const Checked checked = check_text(R"(module t
pub fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {
    var a: f32 = 0.0
    var b: f32 = 1.0
    let rows = for t in 0..N {
        var inner = x[t]
        inner = inner + b
        for _ in 0..2 { a = a + inner }
        yield a
    }
    b = rows[0]
    return rows * b
}
)");
  REQUIRE(checked.summary() == "ok");
  const Function& f = checked.function("f");
  const Scan& scan = node<Scan>(checked.value("f", "rows"));
  REQUIRE(scan.loop->carried.size() == 1);
  CHECK(f.frame.locals.at(static_cast<std::size_t>(scan.loop->carried[0])).name == "a");
  CHECK(render(checked.value("f", "rows").type) == "Tensor[N; f32]");
  const For& inner = std::get<For>(scan.loop->body.at(2).node);
  CHECK(inner.loop.carried == scan.loop->carried);
}

TEST_CASE("a match on a constant has one arm that runs") {
  const Checked checked = check_text(R"(module t
enum Mode { Fast, Slow, Other }
const MODE = Mode.Slow
const SAME = MODE
pub fn f(x: f32, mode: Mode) -> f32 {
    let a = match SAME { Fast => x  Slow => x * 2.0  _ => x * 3.0 }
    let b = match mode { Slow => x  rest => if rest == Mode.Fast { a } else { x } }
    return a + b
}
)");
  REQUIRE(checked.summary() == "ok");
  CHECK(node<Match>(checked.value("f", "a")).chosen == 1);
  const Match& b = node<Match>(checked.value("f", "b"));
  CHECK(b.chosen == -1);
  CHECK(b.arm_of_case == std::vector<int>{1, 0, 1});
  CHECK(b.arms[1].whole >= 0);
}

TEST_CASE("generics are numbered once, in order") {
  const Checked checked = check_text(R"(module t
pub block B<N: Dim, T: Float> {
    param w: Tensor[N; T]
    pub fn g<*S: Shape, U: Float>(x: Tensor[*S; U]) -> Tensor[*S; U] { return x * cast<U>(w[0]) }
}
pub fn h<M: Dim>(x: Tensor[M; f32]) -> Tensor[M; f32] { return x }
)");
  REQUIRE(checked.summary() == "ok");
  const auto& block = checked.program.blocks.at(0).declaration;
  CHECK(block.generics[0].id == 0);
  CHECK(block.generics[1].id == 0);
  CHECK(checked.function("g").generics[0].id == 1);
  CHECK(checked.function("g").generics[1].id == 1);
  CHECK(checked.function("h").generics[0].id == 2);
  CHECK(checked.function("g").full_name == "t::B.g");
}

TEST_CASE("a gradient says which parameters it is for") {
  const Checked checked = check_text(R"(module t
pub op f(x: Tensor[4; f32], n: i64, w: Tensor[4; f32], ids: Tensor[4; i32]) -> Tensor[4; f32] {
    return x * w * cast<f32>(ids) * cast<f32>(n)
} grad(_y, dy) {
    return (dy * w, dy * x)
}
)");
  REQUIRE(checked.summary() == "ok");
  const auto& grad = checked.function("f").grad;
  REQUIRE(grad.has_value());
  CHECK(grad->wanted == std::vector<int>{0, 2});
}
