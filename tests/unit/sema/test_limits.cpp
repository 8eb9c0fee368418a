// Input that is deep, long, wide or circular ends in an error, soon.

#include <doctest/doctest.h>

#include "tests/unit/sema/support.hpp"

using linnet::sema::testing::check_text;

namespace {

/// `line` for 0 .. count-1, with `#` the number and `@` the next one.
std::string repeat(int count, const std::string& line) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    for (const char c : line) {
      if (c == '#') {
        text += std::to_string(i);
      } else if (c == '@') {
        text += std::to_string(i + 1);
      } else {
        text += c;
      }
    }
  }
  return text;
}

std::string first_code(const std::string& text) {
  const auto checked = check_text("module t\n" + text);
  const auto& all = checked.sink.diagnostics();
  return all.empty() ? "ok" : all.front().code;
}

}  // namespace

TEST_CASE("values and types of exponential size") {
  CHECK(first_code("type A0 = f32\n" + repeat(60, "type A@ = (A#, A#)\n")) == "E1101");
  CHECK(first_code("fn f(x: f32) -> f32 { let a0 = (x, x)\n" + repeat(60, "let a@ = (a#, a#)\n") +
                   "return x }\n") == "E1101");
  CHECK(first_code("fn f<N: Dim>(x: Tensor[N; f32]) -> f32 { let a0 = N + 1\n" +
                   repeat(60, "let a@ = a# * a#\n") + "return x[0] }\n") == "E2105");
  CHECK(first_code("fn f<N: Dim, M: Dim>(x: Tensor[N; f32], y: Tensor[M; f32]) -> f32 { let a0 = "
                   "min(N, M)\n" +
                   repeat(60, "let a@ = min(max(a#, N * a#), a# + M)\n") +
                   "return x[0] + y[0] }\n") == "E2105");
  CHECK(first_code("fn f(x: Tensor[2; f32]) -> f32 { let a0[i, j] = x[i] * x[j]\n" +
                   repeat(30, "let a@[*s, *t] = a#[*s] * a#[*t]\n") + "return x[0] }\n") ==
        "E1101");
  CHECK(first_code("fn g<N: Dim>(x: Tensor[N; f32]) -> Tensor[N * N + 1; f32] { return "
                   "fill<f32>([N * N + 1], x[0]) }\nfn f(x: Tensor[2; f32]) -> f32 { let a0 = "
                   "g(x)\n" +
                   repeat(8, "let a@ = g(a#)\n") + "return x[0] }\n") != "");
}

TEST_CASE("long chains of definitions") {
  CHECK(first_code(repeat(2000, "const C# = C@ + 1\n") + "const C2000 = 1\n") == "E1101");
  CHECK(first_code("const C0 = 1\n" + repeat(2000, "const C@ = C# + 1\n")) == "ok");
  CHECK(first_code(repeat(2000, "type A# = A@\n") + "type A2000 = f32\n") == "E1101");
  CHECK(first_code(repeat(2000, "fn fn#(x: f32) -> f32 { return fn@(x) }\n") +
                   "fn fn2000(x: f32) -> f32 { return x }\n") == "ok");
}

TEST_CASE("definitions that are too deep are one error") {
  const auto count = [](const std::string& text) {
    return check_text("module t\n" + text).sink.error_count();
  };
  CHECK(count(repeat(2000, "const C# = C@ + 1\n") + "const C2000 = 1\n") == 1);
  CHECK(count(repeat(2000, "type A# = A@\n") + "type A2000 = f32\n") == 1);
}

TEST_CASE("chains of inequalities") {
  // N0 <= N1, ..., N39 <= N40 give N0 <= N40, through any number of links.
  const auto chain = [](const std::string& wanted) {
    return "fn f<" + repeat(41, "N#: Dim, ") + ">() -> f32 where " + wanted +
           " { return 1.0 }\nfn g<" + repeat(41, "N#: Dim, ") + ">() -> f32 where " +
           repeat(40, "N# <= N@, ") + "N40 < 100 { return f<" + repeat(41, "N#, ") + ">() }\n";
  };
  CHECK(first_code(chain("N0 <= N40")) == "ok");
  CHECK(first_code(chain("N3 <= N38")) == "ok");
  CHECK(first_code(chain("N0 < 100")) == "ok");
  CHECK(first_code(chain("N0 < N40")) == "E2206");
  CHECK(first_code(chain("N40 <= N0")) == "E2206");
}

TEST_CASE("a type equals itself, however large its dimensions are") {
  CHECK(first_code("fn f<" + repeat(60, "A#: Dim, B#: Dim, ") +
                   "N: Dim>(y0: Tensor[N; f32]) -> f32 {\n" + repeat(60, "let y@ = y#[A#:B#]\n") +
                   "let z = y60 + y60\nreturn z[0] }\n") == "ok");
}

TEST_CASE("defaults that call functions with defaults") {
  CHECK(first_code("fn f(x: f32 = f()) -> f32 { return x }\n") == "E2119");
  CHECK(first_code("fn f(x: f32 = g()) -> f32 { return x }\nfn g(x: f32 = f()) -> f32 { return x "
                   "}\nfn h() -> f32 { return f() + g() }\n") == "E2119");
  CHECK(first_code("fn n0(x: f32 = 1.0) -> f32 { return x }\n" +
                   repeat(30, "fn n@(x: f32 = n#() + n#()) -> f32 { return x }\n")) == "E1101");
}

TEST_CASE("numbers at the edge") {
  CHECK(first_code("fn f(x: Tensor[4; f32]) -> f32 { return x[9223372036854775807] }\n") ==
        "E2209");
  CHECK(first_code("fn f(x: Tensor[4; f32]) -> f32 { return x[-9223372036854775808] }\n") ==
        "E2209");
  CHECK(first_code("fn f(x: Tensor[4; f32]) -> Tensor[4; f32] { return "
                   "x[0:9223372036854775807] }\n") == "ok");
  CHECK(first_code("fn f() -> Tensor[4; f32] { return reshape(fill<f32>([4611686018427387904, 4, "
                   "4], 0.0), [4]) }\n") == "E2203");
  CHECK(first_code("fn f<N: Dim>(x: Tensor[N; f32], y: Tensor[N + 1; f32]) -> f32 where N >= 2 { "
                   "return x[-9223372036854775808] + y[N - 9223372036854775807] }\n") == "E2209");
  CHECK(first_code("const A = 9223372036854775807 * 2\n") == "E2105");
  CHECK(first_code("const A = -9223372036854775808 / -1\n") == "E2205");
}
