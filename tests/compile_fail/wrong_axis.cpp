// EXPECT: WrongArgument<
// EXPECT: "hidden, axis 1"
// EXPECT: "expected 576"
// EXPECT: "got 512"
#include "case.hpp"

#ifdef LINNET_WRONG
constexpr int width = 512;
#else
constexpr int width = 576;
#endif

void call(linnet::TensorView<int, 1, S> tokens, linnet::TensorView<float, S, width> hidden) {
  forward(tokens, hidden);
}
