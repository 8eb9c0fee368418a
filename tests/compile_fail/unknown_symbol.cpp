// EXPECT: NoValueForSymbol<
// EXPECT: "T"
#include "case.hpp"

#ifdef LINNET_WRONG
constexpr linnet::Extent wanted = S + T;
#else
constexpr linnet::Extent wanted = S + 1;
#endif

auto value(linnet::TensorView<float, S> x) {
  return linnet::symbol_values(x).value<wanted>();
}
