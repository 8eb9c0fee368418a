// One mistake, one error: names and declarations.
//
// Each row is an item added to the module of `common_items()`; `$` stands for its usual parameters.

#include <doctest/doctest.h>

#include "tests/unit/sema/support.hpp"

using linnet::sema::testing::Rule;

TEST_CASE("names and declarations") {
  const Rule rules[] = {
      {"E1103", R"(extern fn zz(x: f32) -> f32)"},
      {"E1201", R"(fn q($) -> f32 { return zz })"},
      {"E1201", R"(fn q($) -> f32 { return zz(x) })"},
      {"E1201", R"(fn q($) -> f32 { let q = nomod.thing(x) return 0.0 })"},
      {"E1201", R"(fn q($) -> f32 { let q = random.nothing(x) return 0.0 })"},
      {"E1201", R"(fn q($) -> f32 { zz = 2 return 0.0 })"},
      {"E1201", R"(fn q($) -> f32 { let q = program_id(0) return 0.0 })"},
      {"E1201", R"(fn q($) -> f32 { let q = load(x[0]) return 0.0 })"},
      {"E1201", R"(fn q(x: Tensor[NN; f32]) -> f32 { return 0.0 })"},
      {"E1201", R"(fn q(x: Tensor[*NN; f32]) -> f32 { return 0.0 })"},
      {"E1201", R"(fn q(x: f32) -> f32 where N > 0 { return x })"},
      {"E1204", R"(const K = 4)"},
      {"E1204", R"(struct E { x: f32 })"},
      {"E1205", R"(fn q<N: Dim, N: Dim>(x: Tensor[N; f32]) -> f32 { return 0.0 })"},
      // Nothing more about a name that two generics have, whatever their kinds.
      {"E1205",
       R"(fn q<N: Dim, N: Float>(x: Tensor[4; N], y: Tensor[N; f32]) -> f32 { return 0.0 })"},
      {"E1205", R"(fn q<N: Dim, *N: Shape>(x: Tensor[*N; f32]) -> f32 { let y = N return 0.0 })"},
      {"E1205",
       R"(fn q<N: Dim, N: Dim>(x: Tensor[N; f32]) -> f32 { return 0.0 } fn r(x: Tensor[4; f32]) -> f32 { return q(x) + q<4, 5>(x) })"},
      {"E1205",
       R"(block B2<N: Dim, N: Float> { param w: Tensor[4; N] pub fn f(x: Tensor[4; N]) -> Tensor[4; N] { return x * w } })"},
      {"E1205", R"(struct S2 { x: f32, x: f32 })"},
      {"E1207", R"(fn q($) -> f32 { let cast = 1.0 return 0.0 })"},
      {"E1207", R"(fn q($) -> f32 { var f32 = 1.0 return 0.0 })"},
      {"E1207", R"(fn q($) -> f32 { for exp in 0..3 { } return 0.0 })"},
      {"E1207", R"(fn q($) -> f32 { let (a1, log) = (x, y) return 0.0 })"},
      {"E1207", R"(fn q($) -> f32 { return match o { some(exp) => 1.0 none => 2.0 } })"},
      {"E1207", R"(fn q<Dim: Dim>(x: Tensor[Dim; f32]) -> f32 { return 0.0 })"},
      {"E1207", R"(struct Tensor { x: f32 })"},
      {"E1207", R"(const fill = 3)"},
      {"E1207", R"(type Float = f32)"},
      {"E1208", R"(fn q($) -> f32 { let q = id4 return 0.0 })"},
      {"E1208", R"(fn q($) -> f32 { let q = P return 0.0 })"},
      {"E1208", R"(fn q($) -> f32 { let q = E return 0.0 })"},
      {"E1208", R"(fn q($) -> f32 { let q = random return 0.0 })"},
      {"E1208", R"(fn q($) -> f32 { let q = exp return 0.0 })"},
      {"E1208", R"(fn q($) -> f32 { let q = f32 return 0.0 })"},
      {"E1208", R"(fn q($) -> f32 { let q = Linear return 0.0 })"},
      {"E1208", R"(fn q<T: Float>($) -> f32 { let q = T return 0.0 })"},
      {"E1208", R"(fn q<N: Dim>(x: Tensor[*N; f32]) -> f32 { return 0.0 })"},
      {"E1208", R"(fn q<*N: Shape>(x: Tensor[N; f32]) -> f32 { return 0.0 })"},
      {"E1208", R"(fn q<N: Dim>(x: N) -> f32 { return 0.0 })"},
      {"E1208", R"(fn q<T: Float>(x: Tensor[T; f32]) -> f32 { return 0.0 })"},
      {"E1208", R"(fn q(x: Linear<4, 4, f32>) -> f32 { return 0.0 })"},
      {"E1208", R"(fn q(x: K) -> f32 { return 0.0 })"},
      {"E1208", R"(fn q(x: Tensor[id4; f32]) -> f32 { return 0.0 })"},
  };
  linnet::sema::testing::check_rules(rules);
}
