// How much work is worth a second thread.
#pragma once

#include <cstdint>

namespace linnet::kernels {

/// Multiply-adds that are worth waking the other threads for: some microseconds of one.
inline constexpr std::int64_t parallel_products = 64 * 1024;

}  // namespace linnet::kernels
