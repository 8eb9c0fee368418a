#pragma once
// Where the buffers of a function lie in its frame, planned while compiling.
//
//   constexpr auto layout = linnet::layout_arena(std::to_array<linnet::ArenaBuffer>({
//       {4096, 64, 0, 2},   // bytes, alignment, first and last step that it is live in
//       {1024, 64, 2, 5},
//   }));
//   float* hidden = reinterpret_cast<float*>(frame + layout.offsets[0]);

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace linnet {

/// Every buffer and frame starts on a cache line.
inline constexpr std::size_t arena_alignment = 64;

struct ArenaBuffer {
  std::size_t bytes = 0;
  std::size_t alignment = arena_alignment;  ///< a power of two
  int first = 0;                            ///< first and last step that it is live in
  int last = 0;
};

template <std::size_t N>
struct ArenaLayout {
  std::array<std::size_t, N> offsets{};
  std::size_t bytes = 0;  ///< of the whole frame
};

namespace detail {

constexpr std::size_t align_up(std::size_t offset, std::size_t alignment) {
  return (offset + alignment - 1) & ~(alignment - 1);
}

/// The buffers in order of falling size; of equals the earlier first.
template <std::size_t N>
constexpr std::array<int, N> largest_first(const std::array<ArenaBuffer, N>& buffers) {
  std::array<int, N> order{};
  for (std::size_t i = 0; i < N; ++i) {
    std::size_t at = i;
    for (; at > 0; --at) {
      const int before = order[at - 1];
      if (buffers[static_cast<std::size_t>(before)].bytes >= buffers[i].bytes) break;
      order[at] = before;
    }
    order[at] = static_cast<int>(i);
  }
  return order;
}

}  // namespace detail

/// Gives buffers that are live at once disjoint places and keeps the frame small: the largest
/// first, each in the tightest gap between those already placed that live at the same time. About
/// N*N/2 steps, so that 200 buffers cost a compiler a fraction of a second.
template <std::size_t N>
[[nodiscard]] constexpr ArenaLayout<N> layout_arena(const std::array<ArenaBuffer, N>& buffers) {
  ArenaLayout<N> layout;
  std::array<std::size_t, N> placed{};  // by offset
  std::size_t placed_count = 0;
  for (int next : detail::largest_first(buffers)) {
    const auto index = static_cast<std::size_t>(next);
    const ArenaBuffer& buffer = buffers[index];
    if (buffer.bytes == 0) continue;
    std::size_t end_of_gap_before = 0;
    std::size_t best = 0;
    std::size_t best_waste = static_cast<std::size_t>(-1);
    for (std::size_t p = 0; p < placed_count; ++p) {
      const ArenaBuffer& other = buffers[placed[p]];
      if (other.last < buffer.first || other.first > buffer.last) continue;
      const std::size_t start = detail::align_up(end_of_gap_before, buffer.alignment);
      const std::size_t other_start = layout.offsets[placed[p]];
      if (start + buffer.bytes <= other_start && other_start - start - buffer.bytes < best_waste) {
        best = start;
        best_waste = other_start - start - buffer.bytes;
      }
      const std::size_t other_end = other_start + other.bytes;
      if (other_end > end_of_gap_before) end_of_gap_before = other_end;
    }
    if (best_waste == static_cast<std::size_t>(-1)) {
      best = detail::align_up(end_of_gap_before, buffer.alignment);
    }
    layout.offsets[index] = best;
    if (best + buffer.bytes > layout.bytes) layout.bytes = best + buffer.bytes;
    std::size_t at = placed_count++;
    for (; at > 0 && layout.offsets[placed[at - 1]] > best; --at) placed[at] = placed[at - 1];
    placed[at] = index;
  }
  layout.bytes = detail::align_up(layout.bytes, arena_alignment);
  return layout;
}

/// What a workspace needs so that a frame of `bytes` fits wherever the workspace starts.
[[nodiscard]] constexpr std::size_t workspace_size(std::size_t bytes) {
  return bytes == 0 ? 0 : bytes + arena_alignment - 1;
}

/// The first aligned byte of a workspace that has room for a frame of `bytes`; null if it has not.
[[nodiscard]] inline std::byte* frame_in(std::span<std::byte> workspace, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(workspace.data());
  const std::size_t skip = static_cast<std::size_t>(0 - address) & (arena_alignment - 1);
  if (workspace.size() < skip || workspace.size() - skip < bytes) return nullptr;
  return workspace.data() + skip;
}

}  // namespace linnet
