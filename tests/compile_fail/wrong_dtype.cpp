// EXPECT: "tokens, dtype"
// EXPECT: "expected i32"
// EXPECT: "got i64"
#include <cstdint>

#include "case.hpp"

#ifdef LINNET_WRONG
using Token = std::int64_t;
#else
using Token = std::int32_t;
#endif

void call(linnet::TensorView<Token, 1, S> tokens, linnet::TensorView<float, S, 576> hidden) {
  forward(tokens, hidden);
}
