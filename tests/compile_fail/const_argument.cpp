// What may only be read is not passed where it is written.
// EXPECT-ANYWHERE: fill
#include "case.hpp"

void fill(linnet::TensorView<float, S, 576> out);

#ifdef LINNET_WRONG
using Element = const float;
#else
using Element = float;
#endif

void call(linnet::TensorView<Element, S, 576> out) {
  fill(out);
}
