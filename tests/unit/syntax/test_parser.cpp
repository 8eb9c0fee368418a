#include <doctest/doctest.h>

#include "tests/unit/syntax/support.hpp"

using namespace linnet::syntax;
using namespace linnet::syntax::testing;

namespace {

std::string errors(const std::string& text) {
  return Parsed(text).errors();
}
std::string body_errors(const std::string& statements) {
  return errors("module m\nfn f() {\n" + statements + "\n}\nfn g() {}\n");
}

}  // namespace

TEST_CASE("binary levels bind as the language page orders them, to the left") {
  CHECK(expression_tree("a - b - c * d") ==
        "    binary -\n      binary -\n        name a\n        name b\n      binary *\n"
        "        name c\n        name d\n");
  CHECK(expression_tree("a & 1 == 0") == expression_tree("(a & 1) == 0"));
  CHECK(expression_tree("a | b ^ c & d + e") == expression_tree("a | (b ^ (c & (d + e)))"));
  CHECK(expression_tree("a || b && c == d < e") == expression_tree("a || (b && (c == (d < e)))"));
  CHECK(expression_tree("-a.b[0] * c") == expression_tree("(-((a.b)[0])) * c"));
}

TEST_CASE("a reduction reaches as far right as it can") {
  CHECK(expression_tree("x + sum[i] a[i] * b + c") ==
        expression_tree("x + (sum[i] (a[i] * b + c))"));
  CHECK(expression_tree("sum") == "    name sum\n");
  CHECK(expression_tree("sum<f32>[i] a") == "    sum<f32>[i]\n      name a\n");
  CHECK(expression_tree("sum < b").starts_with("    binary <"));
}

TEST_CASE("a name and `<` start generic arguments only when `>` is followed by `(`") {
  CHECK(
      expression_tree("f<A, 2 * B>(x)").starts_with("    call\n      name f\n      generic args"));
  CHECK(expression_tree("a < b").starts_with("    binary <"));
  CHECK(expression_tree("(a < b, c > d)").starts_with("    tuple\n      binary <"));
  CHECK(expression_tree("f<[A, *S], P<f32>, T?, (A, B), [L; 4]>(x)") ==
        "    call\n      name f\n      generic args\n        shape\n          name A\n"
        "          pack S\n        type P\n          generic args\n            name f32\n"
        "        type optional\n          type T\n        type tuple\n          type A\n"
        "          type B\n        type array\n          type L\n          int 4\n      name x\n");
  CHECK(expression_tree("random.normal<N, f32>(key)").starts_with("    call\n      member normal"));
  CHECK(expression_tree("f<1.5>(x)").starts_with("    call\n      name f\n      generic args"));
  CHECK(expression_tree("layers[0].forward<N>(x)").starts_with("    call\n      member forward"));
  CHECK(expression_tree("((a) < b, c > (d))").starts_with("    tuple\n      binary <"));
  CHECK(expression_tree("(x[0] < b, c > (d))").starts_with("    tuple\n      binary <"));
  CHECK(errors("module m\nconst A = f<[2,]>(x)\n") == "E1101@2:16");
}

TEST_CASE("index components") {
  CHECK(expression_tree("x[:, a:b, 0::2, ..., *s, i]") ==
        "    index\n      name x\n      slice\n      slice\n        start\n          name a\n"
        "        stop\n          name b\n      slice\n        start\n          int 0\n"
        "        step\n          int 2\n      ...\n      pack s\n      name i\n");
  CHECK(expression_tree("x[: : 2]") == expression_tree("x[::2]"));
  CHECK(expression_tree("x[a:b:2]").find("step") != std::string::npos);
  CHECK(expression_tree("x[]") == "E1101@2:13");
}

TEST_CASE("integers keep their value and say when it is too large") {
  const Parsed parsed(
      "module m const A = 9223372036854775807 const B = 0x8000_0000_0000_0000 "
      "const C = 18446744073709551616");
  REQUIRE(parsed.module);
  const auto literal = [&](std::size_t i) -> const IntegerLiteral& {
    return as<IntegerLiteral>(*as<Const>(*parsed.module->items[i]).value);
  };
  CHECK(literal(0).magnitude == 9223372036854775807U);
  CHECK_FALSE(literal(0).beyond_i64);
  CHECK(literal(1).beyond_i64);
  CHECK_FALSE(literal(1).beyond_u64);
  CHECK(literal(2).beyond_u64);
}

TEST_CASE("white space only separates tokens") {
  CHECK(errors("module m const A=4 const B=A*2 fn f()->f32{let y=x+x return y}fn g(){}") == "");
  CHECK(errors("module m fn f() { let p: P<f32>= v return }") == "");
  CHECK(errors("module m fn f() { let y = a\n + b return f\n(y) }") == "");
  CHECK(errors("module m\nblock B {\nfn f(x: f32) -> f32 { return x }\n}\n") == "");
  CHECK(errors("module m\npub block B<N: Dim> where N\n    > 0 {\n    param w: f32\n"
               "pub fn f() {}\n    pub fn g() {}\n}\n") == "");
}

TEST_CASE("enums may have generics") {
  const Parsed parsed("module m\nenum E<N: Dim, T: Float = f32> { A, B }\n");
  CHECK(parsed.errors() == "");
  CHECK(parsed.tree().find("N: Dim") != std::string::npos);
}

TEST_CASE("documentation keeps no control characters") {
  const Parsed parsed("/// a\x1b[31mb\r\nmodule m\n/** one\x7f\n\ttwo */\nconst C = 1\n");
  REQUIRE(parsed.module);
  CHECK(parsed.module->doc == "a[31mb");
  CHECK(parsed.module->items[0]->doc == "one\ntwo");
}

TEST_CASE("documentation is attached to what it stands before") {
  const Parsed parsed(
      "/// file\nmodule m\n/// one\n/// two\npub fn f() {} // trailing\n"
      "block B {\n/// weight\nparam w: f32 /// not for n\nparam n: f32\n}");
  REQUIRE(parsed.module);
  CHECK(parsed.module->doc == "file");
  CHECK(parsed.module->items[0]->doc == "one\ntwo");
  const auto& block = as<Block>(*parsed.module->items[1]);
  CHECK(block.members[0].doc == "weight");
  CHECK(block.members[1].doc == "");
}

TEST_CASE("a block comment leads what follows it on its line") {
  // Found by mutation: the formatter moved the comment to the block it stands before.
  const Parsed parsed(
      "module m /** of B */ block B { param w: f32 /** not of n */\n param n: f32 }");
  REQUIRE(parsed.module);
  CHECK(parsed.module->items[0]->doc == "of B");
  CHECK(as<Block>(*parsed.module->items[0]).members[1].doc == "");
}

TEST_CASE("node ids are dense and unique over files") {
  NodeIds ids;
  SourceManager sources;
  DiagnosticSink sink;
  const auto one = parse(sources.add("a", "module a const A = 1"), ids, sink);
  const auto two = parse(sources.add("b", "module b const B = 1"), ids, sink);
  CHECK(ids.count() == 2);
  CHECK(as<Const>(*one->items[0]).value->id == 0);
  CHECK(as<Const>(*two->items[0]).value->id == 1);
}

TEST_CASE("every independent error is reported, and only those") {
  CHECK(body_errors("let b: = a\nlet c = a - 1\nvar = c") == "E1101@3:8 E1101@5:5");
  CHECK(body_errors("let y = f(x, alpha: 0.5)\nlet z = )") == "E1101@3:19 E1101@4:9");
  CHECK(body_errors("let y = f(a,\n  b = 1 2,\n  c = 3)\nlet z = 1") == "E1101@4:9");
  CHECK(body_errors("let y = x;\nlet z = y;") == "E1101@3:10 E1101@4:10");
  CHECK(body_errors("f(x)\ny[0] = 1\nif c { a }") == "E1101@3:1 E1101@4:1 E1101@6:1");
  CHECK(errors("module m\nfn f(x) { let = 1 }\nfn g(y:) {}") == "E1101@2:7 E1101@2:15 E1101@3:8");
  CHECK(errors("module m\nblock B {\n  param w f32\n  state s: f32\n  let x\n  fn f( {}\n}\n"
               "const = 4") == "E1101@3:11 E1101@5:3 E1101@6:9 E1101@8:7");
  CHECK(body_errors("let y = match v { some(x) -> 1  none => 2 + }\nlet z = *") ==
        "E1101@3:27 E1101@3:45 E1101@4:9");
  CHECK(errors("module m\nconst = 3\nconst = 4\ntype T Tensor[3; f32]\n"
               "fn (x: f32) -> f32 { return x }\nenum { A }\npub fn f() {}\n") ==
        "E1101@2:7 E1101@3:7 E1101@4:8 E1101@5:4 E1101@6:6");
  CHECK(errors("module m\nstruct S { a f32, b: f32 c: = d: f32 }\nenum E { A B, 3, C }\n"
               "fn f(a f32, b: f32, c d: f32) { let = 1 }\n") ==
        "E1101@2:14 E1101@2:29 E1101@3:12 E1101@3:15 E1101@4:8 E1101@4:23 E1101@4:37");
  CHECK(body_errors("static for i of 0..3 { let = 1 }\nx + 1\nfor i of 0..3 { let = 1 }\n"
                    "while { let = 1 }") ==
        "E1101@3:14 E1101@3:28 E1101@4:1 E1101@5:7 E1101@5:21 E1101@6:7 E1101@6:13");
}

TEST_CASE("a missing name and a word before a name are one error") {
  CHECK(body_errors("for in 0..3 { let = 1 }") == "E1101@3:5 E1101@3:19");
  CHECK(body_errors("static for in 0..3 { }\nlet y = for in 0..3 { yield 1 }") ==
        "E1101@3:12 E1101@4:13");
  CHECK(body_errors("for in in 0..3 { }") == "E1004@3:5");
  CHECK(errors("module m\nstruct S { pub a: f32, pub b: f32 }\nstruct R {\n  pub a: f32\n}\n") ==
        "E1101@2:12 E1101@2:24 E1101@4:3");
}

TEST_CASE("a missing brace is one error") {
  CHECK(errors("module m\nfn f() {\n    let x = 1\n\nfn g() {\n}\n") == "E1101@5:1");
  CHECK(errors(
            "module m\nblock B {\n    fn f() {\n        return\n    fn g() {}\n}\nconst A = 1\n") ==
        "E1101@5:5");
  CHECK(errors("module m\nfn f() {") == "E1101@2:9");
  CHECK(errors("module m\nfn f() {\n}\n}\nfn g() {}\n") == "E1101@4:1");
  CHECK(errors("module m\nfn f() {\n    const A = 1\n    let y = A\n}\n") == "E1101@3:5");
}

TEST_CASE("code that is not indented is no sign of a missing brace") {
  CHECK(errors("module m\nblock B {\nparam w: f32\nfn f() {\nlet x = 1\n}\nfn g() {\n}\n}\n") ==
        "");
  CHECK(errors("module m\nblock B {\nfn f() {\nlet x = 1\nfn g() {\n}\n}\nconst A = 1\n") ==
        "E1101@5:1");
  CHECK(errors("module m\nblock B {\n    fn f() {\n    }\n  fn g() {\n}\n}\n") == "");
}

TEST_CASE("a habit of another language is one error, and hides none") {
  CHECK(body_errors("let mut x = 1\nlet y = x") == "E1004@3:5");
  CHECK(body_errors("x += 1\ny *= 2\nlet z = 1") == "E1101@3:4 E1101@4:4");
  CHECK(body_errors("float x = 1\nint y = 2\nlet z = 1") == "E1101@3:1 E1101@4:1");
  CHECK(body_errors("let y = if let some(v) = x { v } else { 0 }\nlet z = 1") == "E1101@3:12");
  CHECK(body_errors("let s = 'some text'\nlet t = \u201Cmore\u201D") == "E1001@3:9 E1001@4:9");
  CHECK(body_errors("let s = 1 # some ( text\nlet t = 2") == "E1001@3:11");
  CHECK(errors("module m\nblock B {\n  fn f(self, x: f32) {\n  }\n}\n") == "E1004@3:8");
  CHECK(errors("module m\nimport a.b\nfrom c import d\nfn f() {}\n") == "E1101@2:1 E1101@3:1");
  CHECK(errors("module m\nblock B {\n  w: f32\n  let s = 4\n  f(x: f32) {}\n}\n") ==
        "E1101@3:3 E1101@4:3 E1101@5:3");
  CHECK(errors("module m\nfn f() {\n  fn g(x) {}\n  let y = )\n}\n") ==
        "E1101@3:3 E1101@3:9 E1101@4:11");
}

TEST_CASE("a lexical error explains the syntax error behind it") {
  CHECK(body_errors("let y = $\nlet z = 1") == "E1001@3:9");
  CHECK(body_errors("let y = f(\"abc)\nlet z = 1") == "E1003@3:11");
  CHECK(errors("module m fn f() { /* open") == "E1002@1:19");
}

TEST_CASE("reserved words as names") {
  CHECK(errors("module m\nconst impl = 4") == "E1004@2:7");
  CHECK(body_errors("let state = 1\nlet y = state + 1\nvar z = state") == "E1004@3:5");
  CHECK(body_errors("let y = rng + 1") == "E1004@3:9");
  CHECK(errors("module m\nfn f(\n  param: f32,\n) {}") == "E1004@3:3");
  CHECK(errors("module m\nfn\npub fn g() {}") == "E1101@3:1");
  CHECK(body_errors("let y = self.x") == "E1103@3:9");
  CHECK(errors("module m\nuse super.a::{b}\nuse std.self.c\nextern fn f()\nfn g() {}") ==
        "E1103@2:5 E1103@3:9 E1103@4:1");
}

TEST_CASE("contextual words are ordinary names elsewhere") {
  CHECK(body_errors("let grad = axis * grid + warps - stages\nlet store = any && all\n"
                    "store = grad") == "");
}

TEST_CASE("module line") {
  CHECK(errors("") == "E1102@1:1");
  CHECK(errors("const A = 1") == "E1102@1:1");
  CHECK(errors("module\nconst A = 1") == "E1101@2:1");
  CHECK(errors("module m\nconst A = 1\nuse std.random") == "E1101@3:1");
}

TEST_CASE("a chain of operators is no nesting") {
  std::string chain = "module m const A = 1";
  for (int i = 0; i < 10'000; ++i) chain += " + 1";
  CHECK(errors(chain) == "");
  CHECK(errors(chain + " + 1") == "E1101@1:40022");
}

TEST_CASE("nesting has a limit, however it is made") {
  const auto repeated = [](const std::string& part, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += part;
    return all;
  };
  const int many = 100000;
  for (const std::string& deep :
       {repeated("(", many), repeated("-", many), "1" + repeated(" + 1", many),
        "x" + repeated("[0]", many), "x" + repeated(".a", many), repeated("f(", many),
        repeated("if c {", many), repeated("some(", many), repeated("sum[i] ", many),
        repeated("if c { a } else ", many), repeated("match x { a => ", many),
        "f" + repeated("<P", many), repeated("((a + 1) + ", many), repeated("[", many),
        repeated("for i in 0..1 { let x = ", many)}) {
    const Parsed parsed("module m const A = " + deep);
    REQUIRE(parsed.sink.error_count() >= 1);
    CHECK_FALSE(parsed.module);
  }
  CHECK(expression_tree("1" + repeated(" + 1", 200)).size() > 1000);
  CHECK(expression_tree(repeated("(", 100) + "1" + repeated(")", 100)) == "    int 1\n");
  const Parsed types("module m fn f(x: " + repeated("(", many));
  CHECK(types.errors().starts_with("E1101"));
}
