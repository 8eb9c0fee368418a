// EXPECT: "tokens, rank"
// EXPECT: "expected 2 of [1, any]"
// EXPECT: "got 1 of [S]"
#include "case.hpp"

#ifdef LINNET_WRONG
using Tokens = linnet::TensorView<int, S>;
#else
using Tokens = linnet::TensorView<int, 1, S>;
#endif

void call(Tokens tokens, linnet::TensorView<float, S, 576> hidden) {
  forward(tokens, hidden);
}
