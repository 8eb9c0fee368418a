#pragma once
// A small entry as generated code writes it, for the cases to call rightly and wrongly.

#include "linnet/core/argument.hpp"
#include "linnet/core/symbols.hpp"
#include "linnet/core/tensor.hpp"

constexpr linnet::Extent S = linnet::symbol<"S", 2048>;
constexpr linnet::Extent T = linnet::symbol<"T", 512>;

/// `entry forward<S: Dim>(tokens: Tensor[1, S; i32], hidden: Tensor[S, 576; f32])`
template <class Tokens, class Hidden>
void forward(const Tokens& tokens, const Hidden& hidden) {
  constexpr linnet::Extent bound_S = linnet::argument_extent<Tokens, 2, 1>;
  using ExpectedTokens = linnet::TensorView<const std::int32_t, 1, bound_S>;
  using ExpectedHidden = linnet::TensorView<const float, bound_S, 576>;
  linnet::check_argument<"tokens", ExpectedTokens, Tokens>();
  linnet::check_argument<"hidden", ExpectedHidden, Hidden>();
  (void)tokens;
  (void)hidden;
}
