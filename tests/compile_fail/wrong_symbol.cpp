// Two run-time extents of different names are different dimensions.
// EXPECT: "hidden, axis 0"
// EXPECT: "expected S <= 2048"
// EXPECT: "got T <= 512"
#include "case.hpp"

#ifdef LINNET_WRONG
constexpr linnet::Extent rows = T;
#else
constexpr linnet::Extent rows = S;
#endif

void call(linnet::TensorView<int, 1, S> tokens, linnet::TensorView<float, rows, 576> hidden) {
  forward(tokens, hidden);
}
