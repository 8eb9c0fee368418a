// From `S * T` neither factor can be told.
// EXPECT: NoValueForSymbol<
#include "case.hpp"

#ifdef LINNET_WRONG
constexpr linnet::Extent rows = S * T;
#else
constexpr linnet::Extent rows = S;
#endif

auto symbols(linnet::TensorView<float, rows, 2> x) {
  return linnet::symbol_values(x);
}
