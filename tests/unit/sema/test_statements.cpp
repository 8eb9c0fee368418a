// One mistake, one error: statements and assignments.
//
// Each row is an item added to the module of `common_items()`; `$` stands for its usual parameters.

#include <doctest/doctest.h>

#include "tests/unit/sema/support.hpp"

using linnet::sema::testing::Rule;

TEST_CASE("statements and assignments") {
  const Rule rules[] = {
      {"E2108", R"(fn q($) -> f32 { i = 3 return 0.0 })"},
      {"E2108", R"(fn q($) -> f32 { let q = 1.0 q = 2.0 return 0.0 })"},
      {"E2108", R"(fn q($) -> f32 { K = 2 return 0.0 })"},
      {"E2108", R"(fn q<N: Dim>($) -> f32 { N = 2 return 0.0 })"},
      {"E2108", R"(fn q($) -> f32 { id4 = 2 return 0.0 })"},
      {"E2108", R"(fn q($) -> f32 { for t in 0..3 { t = 2 } return 0.0 })"},
      {"E2108", R"(fn q<N: Dim>($) -> f32 { let h = N / 2 h = 3 return 0.0 })"},
      {"E2109", R"(fn q($) -> f32 { var q = x q = y return 0.0 })"},
      {"E2109", R"(fn q($) -> f32 { var q = x q = 1.0 return 0.0 })"},
      {"E2109", R"(fn q($) -> f32 { var q = 1 q = 1.5 return 0.0 })"},
      {"E2109", R"(fn q($) -> f32 { var q = i q = j return 0.0 })"},
      {"E2109", R"(fn q($) -> f32 { var q = x q = a[:, 0:3] return 0.0 })"},
      {"E2120", R"(fn q($) -> f32 { let q = 1.0 })"},
      {"E2120", R"(fn q($) -> f32 { })"},
      {"E2120", R"(fn q($) -> f32 { return 0.0 let q = 1.0 })"},
      {"E2120", R"(fn q($) -> f32 { while b { return 1.0 } return 2.0 })"},
      {"E2121", R"(fn q($) -> f32 { static for q in x { } return 0.0 })"},
      {"E2121", R"(fn q($) -> f32 { static for q in 0..i { } return 0.0 })"},
      {"E2121", R"(fn q($) -> f32 { static for q in K { } return 0.0 })"},
      {"E2123", R"(fn q($) -> f32 { let q = iota(i) return 0.0 })"},
      {"E2123", R"(fn q($) -> f32 { let q = fill<f32>([i], 0.0) return 0.0 })"},
      {"E2123", R"(fn q($) -> f32 { for t in 0..i { } return 0.0 })"},
      {"E2123", R"(fn q($) -> f32 { let q = iota(TYPED) return 0.0 })"},
      {"E2123", R"(fn q($) -> f32 { let q = iota(1.5) return 0.0 })"},
      {"E2123", R"(fn q($) -> f32 { static for t in 0..3 { let q = iota(t) } return 0.0 })"},
      {"E2123", R"(fn q($) -> f32 { let q = two<i>(x, x) return 0.0 })"},
      {"E2123", R"(fn q(x: Tensor[1.5; f32]) -> f32 { return 0.0 })"},
      {"E2124", R"(fn q($) -> f32 { yield 1.0 return 0.0 })"},
      {"E2124", R"(fn q($) -> f32 { for t in 0..3 { yield x } return 0.0 })"},
      {"E2124", R"(fn q($) -> f32 { let q = for t in 0..3 { yield x let z = 1 } return 0.0 })"},
      {"E2124", R"(fn q($) -> f32 { let q = 1.0 + (for t in 0..3 { yield x[t] }) return 0.0 })"},
      {"E2124", R"(fn q($) -> f32 { let q = for t in 0..3 { } return 0.0 })"},
  };
  linnet::sema::testing::check_rules(rules);
}
