// EXPECT-ANYWHERE: extent_expression_has_too_many_terms
#include "case.hpp"

constexpr linnet::Extent A = linnet::symbol<"A", 9>;
constexpr linnet::Extent B = linnet::symbol<"B", 9>;

#ifdef LINNET_WRONG
constexpr linnet::Extent product = (A + 1) * (B + 1) * (S + 1) * (T + 1);
#else
constexpr linnet::Extent product = (A + 1) * (B + 1) * (S + 1);
#endif
