#include <doctest/doctest.h>

#include "tests/unit/syntax/support.hpp"

using namespace linnet::syntax::testing;
using linnet::syntax::Position;

namespace {

/// What must hold for the formatted form of any text without syntax errors.
void check_properties(const std::string& text) {
  const Parsed before(text);
  if (!before.module) return;
  const std::string once = formatted(text);
  const Parsed after(once);
  CHECK(before.tree() == after.tree());
  CHECK(essence(text) == essence(once));
  CHECK(formatted(once) == once);
}

std::string body(const std::string& statements) {
  const std::string text = formatted("module m\nfn f() {" + statements + "}\n");
  const std::string start = "module m\n\nfn f() {\n";
  return text.starts_with(start) ? text.substr(start.size()) : text;
}

}  // namespace

TEST_CASE("every file of the repository and the cases keeps its tree and its comments") {
  int count = 0;
  for (const auto& path : all_linnet_files()) {
    CAPTURE(path);
    check_properties(read_file(path));
    ++count;
  }
  CHECK(count > 0);
}

TEST_CASE("one blank line stands between items, one statement on a line") {
  CHECK(formatted("module m use std.random const A=4 const B=A*2\n"
                  "fn f(x:Tensor[A;f32])->f32{let y=x+x return y}") ==
        "module m\n\nuse std.random\n\nconst A = 4\n\nconst B = A * 2\n\n"
        "fn f(x: Tensor[A; f32]) -> f32 {\n    let y = x + x\n    return y\n}\n");
}

TEST_CASE("a trailing comma keeps one element a line") {
  CHECK(body("let a = f(x, y,)") == "    let a = f(\n        x,\n        y,\n    )\n}\n");
  CHECK(body("let a = f(x,\n y)") == "    let a = f(x, y)\n}\n");
  CHECK(body("let a = (x,)") == "    let a = (x,)\n}\n");
  CHECK(formatted("module m enum E {\n A, B } enum F { A, B, }") ==
        "module m\n\nenum E { A, B }\n\nenum F {\n    A,\n    B,\n}\n");
  CHECK(formatted("module m struct S {\n a: f32, b: f32 } struct R { a: f32, b: f32, }") ==
        "module m\n\nstruct S { a: f32, b: f32 }\n\n"
        "struct R {\n    a: f32,\n    b: f32,\n}\n");
  CHECK(formatted("module m fn f<N: Dim>() where N > 0, N > 1, {}") ==
        "module m\n\nfn f<N: Dim>()\nwhere N > 0,\n    N > 1,\n{}\n");
}

TEST_CASE("without all commas, a line break between two elements keeps one element a line") {
  CHECK(formatted("module m struct S { a: f32\n b: f32 } struct R { a: f32 b: f32\n }") ==
        "module m\n\nstruct S {\n    a: f32\n    b: f32\n}\n\nstruct R { a: f32  b: f32 }\n");
  CHECK(body("let y = match v { A => 1\n B => 2 }") ==
        "    let y = match v {\n        A => 1\n        B => 2\n    }\n}\n");
  CHECK(formatted("module m struct S { a: f32\n b: f32, c: f32 }") ==
        "module m\n\nstruct S {\n    a: f32\n    b: f32,\n    c: f32\n}\n");
}

TEST_CASE("a relation is quoted in the formatter's style, on one line") {
  const auto quoted = [](const std::string& relation) {
    const Parsed parsed("module m fn f() where " + relation + " {}");
    const auto& function =
        linnet::syntax::as<linnet::syntax::Function>(*parsed.module->items.front());
    const auto& found = function.where.front();
    return linnet::syntax::format(found, parsed.file.text(found.span));
  };
  CHECK(quoted("1+A<(4)") == "1 + A < (4)");
  CHECK(quoted("A // why\n % B\n==0") == "A % B == 0");
  CHECK(quoted("min( A,B, )>=-1 /* c */ * (2)") == "min(A, B) >= -1 * (2)");
}

TEST_CASE("what is too long breaks at the outermost place") {
  const std::string name(40, 'a');
  CHECK(body("let y = " + name + " + " + name + " * " + name) ==
        "    let y = " + name + "\n        + " + name + " * " + name + "\n}\n");
  CHECK(body("let y = f(" + name + ", " + name + ", " + name + ")") ==
        "    let y = f(\n        " + name + ",\n        " + name + ",\n        " + name +
            "\n    )\n}\n");
}

TEST_CASE("comments stay where they are") {
  check_properties("module m\n/***/ /**/ /****/\nconst A = 1\n");
  check_properties("module m\nconst A = 1 +\n/* a */ /* b */\n2\n");
  check_properties("module m\nconst A = 1 + /* a */ /* b */ // c\n2\n/* d */ // e\n");
  CHECK(body("\n// a\n\n let x = 1 // b\n /* c */ let y = 2\n\n\n // d\n") ==
        "    // a\n\n    let x = 1 // b\n    /* c */ let y = 2\n\n    // d\n}\n");
  CHECK(body("let y = f(x, // first\n z)") ==
        "    let y = f(\n        x, // first\n        z\n    )\n}\n");
  CHECK(body("let y = f(x /* last */)") == "    let y = f(x /* last */)\n}\n");
  CHECK(body("let y = f(/* one */ x)") == "    let y = f(/* one */ x)\n}\n");
  CHECK(formatted("// head\n\nmodule m // same line\n// tail") ==
        "// head\n\nmodule m // same line\n// tail\n");
}

TEST_CASE("the results of a kernel break") {
  std::string results;
  for (int i = 0; i < 4; ++i) {
    results +=
        (i == 0 ? "" : ", ") + std::string("result_") + std::to_string(i) + ": Tensor[8; f32]";
  }
  const std::string text = formatted("module m kernel k(x: f32) -> " + results + " grid(1) {}");
  CHECK(text.find("\n    -> result_0: Tensor[8; f32],\n        result_1: Tensor[8; f32],\n") !=
        std::string::npos);
  CHECK(text.find("\n    grid(1)") != std::string::npos);
}

TEST_CASE("branches and arms stay broken when the source breaks them") {
  CHECK(body("let y = if c {x} else {z}") == "    let y = if c { x } else { z }\n}\n");
  CHECK(body("let y = if c {\nx} else if d {z} else {w}") ==
        "    let y = if c {\n        x\n    } else if d {\n        z\n    } else {\n        w\n"
        "    }\n}\n");
  CHECK(body("let y = match v {some(x)=>x none=>z}") ==
        "    let y = match v { some(x) => x  none => z }\n}\n");
  CHECK(body("let y = match v {\nsome(x)=>x none=>z}") ==
        "    let y = match v {\n        some(x) => x\n        none => z\n    }\n}\n");
}

TEST_CASE("a where clause has a line of its own") {
  CHECK(formatted("module m fn f<N: Dim>(x: Tensor[N; f32]) where N>0, N%2==0, {}") ==
        "module m\n\nfn f<N: Dim>(x: Tensor[N; f32])\nwhere N > 0,\n    N % 2 == 0,\n{}\n");
}

TEST_CASE("comments anywhere keep the properties") {
  // A comment of each kind between any two tokens of a text that has most constructs.
  const std::string text =
      "module m use a.b::{c as d} pub op f<*S: Shape, T: Float = f32>(x: Tensor[*S, 2; T]? = none) "
      "-> (f32, T) kernel k<S> where N > 0 { let y[*s] = sum<f32>[i] x[*s, i] * 2 "
      "let (a, b) = for i in 0..N { yield (i, x[..., 0::2]) } "
      "return if c { -a.b<4>(some(x)) } else { match x { some(z) => [1, 2] none => true } } } "
      "grad(y, dy) { return dy } block B { param w: [L<4>; N] sub q: P<f32>= none } "
      "struct S { a: f32 b: i8, } enum E { A, B }";
  linnet::syntax::SourceManager sources;
  linnet::syntax::DiagnosticSink sink;
  const auto stream = linnet::syntax::tokenize(sources.add("t", text), sink);
  REQUIRE(Parsed(text).errors() == "");
  for (const auto& token : stream.tokens) {
    for (const std::string comment :
         {"/* c */", " /* c */ ", "\n/* c */", "/* c */\n", "// c\n", "\n// c\n", "\n\n// c\n\n",
          "/* a\n b */", " /* a */ // b\n", "/* a */ /* b */"}) {
      std::string changed = text;
      changed.insert(token.begin, comment);
      CAPTURE(changed);
      check_properties(changed);
    }
  }
}

TEST_CASE("a file with syntax errors is left alone") {
  CHECK(formatted("module m\nfn f( {}") == "<errors>");
}
