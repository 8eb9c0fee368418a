// EXPECT-ANYWHERE: symbol_needs_a_name_and_a_bound_from_0_to_4294967295
#include "case.hpp"

#ifdef LINNET_WRONG
constexpr linnet::Extent N = linnet::symbol<"N", -1>;
#else
constexpr linnet::Extent N = linnet::symbol<"N", 0>;
#endif
