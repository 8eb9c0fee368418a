// EXPECT: BrokenWhere
// EXPECT: where In > 0
// EXPECT: In = 0
#include "../golden/programs/affine.linnet.hpp"

#ifdef LINNET_WRONG
affine::Affine<0, 4, float> layer;
#else
affine::Affine<8, 4, float> layer;
#endif
