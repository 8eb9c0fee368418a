#pragma once
// Everything that a generated header needs: its one include.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "linnet/core/arena.hpp"
#include "linnet/core/argument.hpp"
#include "linnet/core/arithmetic.hpp"
#include "linnet/core/checked.hpp"
#include "linnet/core/context.hpp"
#include "linnet/core/members.hpp"
#include "linnet/core/numerics.hpp"
#include "linnet/core/reflect.hpp"
#include "linnet/core/result.hpp"
#include "linnet/core/symbols.hpp"
#include "linnet/core/tensor.hpp"
#include "linnet/core/weight.hpp"
#include "linnet/kernels/kernels.hpp"
#include "linnet/ops/contract.hpp"
#include "linnet/ops/interface.hpp"
#include "linnet/ops/memory.hpp"
#include "linnet/ops/reduce.hpp"
#include "linnet/ops/scalar.hpp"

namespace linnet {

/// Raised whenever generated code and these headers change together.
inline constexpr int generated_version = 1;

}  // namespace linnet
