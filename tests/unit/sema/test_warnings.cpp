// What nothing uses, and programs that use everything.

#include <doctest/doctest.h>

#include "tests/unit/sema/support.hpp"

using linnet::sema::testing::check_files;
using linnet::sema::testing::check_text;
using linnet::sema::testing::Folder;

TEST_CASE("unused things are warnings of sound programs only") {
  CHECK(check_text("module t\nuse std.nn.activations::{relu}\npub fn f(x: f32) -> f32 {\nlet y = "
                   "x\nreturn x\n}\nblock B {\nparam w: Tensor[4; f32]\n}\n")
            .summary() == "W1001 line 2, W1002 line 4, W1003 line 8");
  CHECK(check_text("module t\nuse std.nn.activations::{relu}\npub fn f(x: f32) -> f32 {\nlet y = "
                   "x\nreturn z\n}\n")
            .summary() == "E1201 line 5");
}

TEST_CASE("a program without errors keeps its warnings beside one that has some") {
  const Folder folder;
  folder.write("linnet.toml", "[package]\nname = \"p\"\nversion = \"0.1.0\"\nlanguage = \"0.1\"\n");
  const std::string unused = "pub fn f(x: f32) -> f32 {\nlet y = x\nreturn x\n}\n";
  const std::string wrong =
      folder.write("src/wrong.linnet", "module wrong\npub const A: f32 = z\n");
  const std::string warned = folder.write("src/warned.linnet", "module warned\n" + unused);
  const std::string importer =
      folder.write("src/importer.linnet", "module importer\nuse crate.wrong::{A}\n" + unused);
  CHECK(check_files({warned}).summary() == "W1002 line 3");
  CHECK(check_files({wrong, warned}).codes() == "E1201, W1002");
  CHECK(check_files({wrong, importer}).codes() == "E1201");
  CHECK_FALSE(check_files({wrong, warned}).program.ok);
}

TEST_CASE("a name that failed is not reported again") {
  CHECK(check_text("module t\npub fn f(x: f32) -> f32 {\nlet y = zz + zz\nlet z = zz * y\nreturn z "
                   "+ zz\n}\n")
            .summary() == "E1201 line 3");
  CHECK(check_text("module t\nfn f(x: Nope) -> f32 { return x + 1.0 }\npub fn g(x: f32) -> f32 { "
                   "return f(x) + f(true) }\n")
            .summary() == "E1201 line 2");
}

TEST_CASE("shadowing, and variables read only by themselves") {
  CHECK(check_text("module t\npub fn f(x: f32) -> f32 {\nlet y = x\nlet y = x * 2.0\nreturn y\n}\n")
            .summary() == "W1002 line 3");
  CHECK(check_text("module t\npub fn f<N: Dim>(x: Tensor[N; f32]) -> f32 {\nlet h = N + 1\nreturn "
                   "x[0]\n}\n")
            .summary() == "W1002 line 3");
}

TEST_CASE("programs of many features check clean") {
  CHECK(check_text(R"(module t
use std.nn.linear::{Linear}
enum E { A, B }
struct Pair<T: Float, N: Dim> { left: T  right: Tensor[N; T] }
type Half<N: Dim> = Pair<f16, N>
fn default_of<T: Float>(x: T? = none, y: T = 2) -> T { return match x { some(v) => v  none => y } }
pub fn f(x: Tensor[4; f16], e: E, on: bool) -> (Half<4>, f16, bool) {
    let p: Half<4> = Half<4>(right = x, left = if on { 1 } else { -0.5 })
    let q = Pair(left = p.left, right = x)
    let ((a, b), c) = ((default_of<f16>(), default_of(some(q.left))), e == E.A)
    return (p, a + b, c && !on || false)
}
pub block M<H: Dim, L: Dim = 2> where H > 0 {
    sub layers: [Linear<H, H, f32>; L]
    sub last: Linear<H, 1, f32>? = none
    param scale: Tensor[H; f32]?
    state count: Tensor[1; i32]
    fn bump(by: i32) -> Tensor[1; i32] { count = count + by return count }
    pub entry run<B: Dim>(x: Tensor[B, H; f32]) -> Tensor[B; f32] {
        var h = match scale { some(s) => x * s  none => x }
        static for layer in layers { h = h + layer.forward(h) }
        let _n = bump(1)
        while any[i, j] h[i, j] > 1.0 { h = h * 0.5 }
        return match last { some(l) => reshape(l.forward(h), [B])  none => h[:, 0] }
    }
}
)")
            .summary() == "ok");
}

TEST_CASE("a signature that failed is silent for its callers, generic or not") {
  CHECK(
      check_text("module t\nfn f<B: Dim>(x: Tensor[B; f32], mode: h) -> Tensor[B; f32] { return x "
                 "}\npub fn g(x: Tensor[4; f32], e: f32) -> Tensor[4; f32] { return f(x, e) + "
                 "f(x, mode = x) }\n")
          .summary() == "E1201 line 2");
  CHECK(check_text("module t\npub fn f(x: f32, x: Tensor[4; f32]) -> f32 { return x[0] + x }\n")
            .summary() == "E1205 line 2");
  CHECK(check_text("module t\nstruct P { x: f32 }\npub fn f(p: P) -> f32 { return p.y + p.y }\n")
            .summary() == "E2107 line 3");
}
