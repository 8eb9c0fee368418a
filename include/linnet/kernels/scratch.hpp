// Working memory of the SIMD kernels: one fixed buffer per thread, so that no call allocates.
#pragma once

#include <cstddef>

#include "linnet/kernels/isa.hpp"

#if LINNET_X86_KERNELS

namespace linnet::kernels {

/// Half of what a core's second-level cache has on current processors; pages are touched only as
/// far as kernels use them.
inline constexpr std::size_t scratch_bytes = 512 * 1024;

namespace detail {
struct alignas(64) Scratch {
  std::byte bytes[scratch_bytes];
};
inline thread_local Scratch scratch_of_thread;
}  // namespace detail

/// The calling thread's buffer, 64-byte aligned. A kernel that calls another kernel must not
/// expect its contents to survive.
[[nodiscard]] inline std::byte* thread_scratch() noexcept {
  return detail::scratch_of_thread.bytes;
}

/// Working memory that a kernel's threads share: the buffers of the thread that calls the kernel.
/// Composed kernels keep intermediate tensors in `shared_scratch` while the products that they call
/// keep quantised activations in `tile_scratch`.
inline constexpr std::size_t shared_scratch_bytes = 1024 * 1024;
inline constexpr std::size_t tile_scratch_bytes = 1024 * 1024;

namespace detail {
struct alignas(64) SharedScratch {
  std::byte bytes[shared_scratch_bytes];
  std::byte tiles[tile_scratch_bytes];
};
inline thread_local SharedScratch shared_scratch_of_thread;
}  // namespace detail

[[nodiscard]] inline std::byte* shared_scratch() noexcept {
  return detail::shared_scratch_of_thread.bytes;
}
[[nodiscard]] inline std::byte* tile_scratch() noexcept {
  return detail::shared_scratch_of_thread.tiles;
}

}  // namespace linnet::kernels

#endif
