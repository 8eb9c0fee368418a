// EXPECT: retype keeps the element count
#include "case.hpp"

#ifdef LINNET_WRONG
using Wanted = linnet::Shape<5, 5>;
#else
using Wanted = linnet::Shape<4, 6>;
#endif

auto reshape(linnet::TensorView<float, 2, 12> x) {
  return linnet::retype<Wanted>(x, linnet::NoSymbols{});
}
