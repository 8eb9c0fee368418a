// Every native kernel, for generated code. Kernels are found by their op: the view-level functions
// take (context, out, operands in the op's order) and are generic in extents.
#pragma once

#include "linnet/kernels/activations/activations.hpp"
#include "linnet/kernels/argmax/argmax.hpp"
#include "linnet/kernels/attention/attention.hpp"
#include "linnet/kernels/cache/cache.hpp"
#include "linnet/kernels/embedding/embedding.hpp"
#include "linnet/kernels/linear/linear.hpp"
#include "linnet/kernels/norm/norm.hpp"
#include "linnet/kernels/rope/rope.hpp"
#include "linnet/kernels/softmax/softmax.hpp"
#include "linnet/kernels/swiglu/swiglu.hpp"
