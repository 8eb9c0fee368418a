// A view with a run-time extent needs its value.
// EXPECT: TensorView<float
#include "case.hpp"

auto view(float* data) {
#ifdef LINNET_WRONG
  return linnet::TensorView<float, S, 576>(data);
#else
  return linnet::TensorView<float, S, 576>(data, 17);
#endif
}
