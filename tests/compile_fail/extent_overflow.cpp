// EXPECT-ANYWHERE: extent_arithmetic_overflows
#include "case.hpp"

#ifdef LINNET_WRONG
constexpr linnet::Extent large = linnet::Extent(0x7fffffffffffffff) + 1;
#else
constexpr linnet::Extent large = linnet::Extent(0x7ffffffffffffff0) + 1;
#endif
