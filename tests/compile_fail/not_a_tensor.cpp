// EXPECT: "hidden"
// EXPECT: "expected tensor [S, 576]"
// EXPECT: "got a number"
#include "case.hpp"

void call(linnet::TensorView<int, 1, S> tokens, linnet::TensorView<float, S, 576> hidden) {
#ifdef LINNET_WRONG
  forward(tokens, 5.0F);
#else
  forward(tokens, hidden);
#endif
}
