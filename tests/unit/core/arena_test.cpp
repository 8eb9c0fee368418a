#include "linnet/core/arena.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

using linnet::ArenaBuffer;
using linnet::layout_arena;

namespace {

template <std::size_t N>
void check_disjoint(const std::array<ArenaBuffer, N>& buffers,
                    const linnet::ArenaLayout<N>& layout) {
  for (std::size_t i = 0; i < N; ++i) {
    REQUIRE(layout.offsets[i] % buffers[i].alignment == 0);
    REQUIRE(layout.offsets[i] + buffers[i].bytes <= layout.bytes);
    for (std::size_t j = 0; j < i; ++j) {
      const bool together =
          buffers[i].first <= buffers[j].last && buffers[j].first <= buffers[i].last;
      const bool apart = layout.offsets[i] + buffers[i].bytes <= layout.offsets[j] ||
                         layout.offsets[j] + buffers[j].bytes <= layout.offsets[i];
      REQUIRE((!together || apart || buffers[i].bytes == 0 || buffers[j].bytes == 0));
    }
  }
}

}  // namespace

TEST_CASE("buffers that are never live together share memory") {
  constexpr std::array<ArenaBuffer, 3> buffers{{{256, 64, 0, 1}, {256, 64, 2, 3}, {128, 64, 1, 2}}};
  constexpr auto layout = layout_arena(buffers);
  static_assert(layout.bytes == 384);
  static_assert(layout.offsets[0] == layout.offsets[1]);
  check_disjoint(buffers, layout);
}

TEST_CASE("the tightest gap is taken") {
  // Two large buffers leave gaps of 256 and 128 in between; the last fits the small one exactly.
  constexpr std::array<ArenaBuffer, 4> buffers{
      {{1024, 64, 0, 9}, {256, 64, 0, 3}, {512, 64, 0, 9}, {128, 64, 4, 9}}};
  constexpr auto layout = layout_arena(buffers);
  check_disjoint(buffers, layout);
  static_assert(layout.bytes == 1024 + 512 + 256);
}

TEST_CASE("nothing needs nothing") {
  CHECK(layout_arena(std::array<ArenaBuffer, 0>{}).bytes == 0);
  CHECK(layout_arena(std::array<ArenaBuffer, 1>{{{0, 64, 0, 5}}}).bytes == 0);
}

TEST_CASE("random schedules never overlap and stay near the most that is live at once") {
  std::uint32_t state = 7;
  const auto next = [&](std::uint32_t limit) {
    state = state * 1664525 + 1013904223;
    return (state >> 16) % limit;
  };
  for (int round = 0; round < 50; ++round) {
    std::array<ArenaBuffer, 40> buffers{};
    for (ArenaBuffer& buffer : buffers) {
      buffer.bytes = next(5000);
      buffer.alignment = std::size_t{1} << next(8);
      buffer.first = static_cast<int>(next(40));
      buffer.last = buffer.first + static_cast<int>(next(10));
    }
    const auto layout = layout_arena(buffers);
    check_disjoint(buffers, layout);
    std::size_t most = 0;
    for (int step = 0; step < 50; ++step) {
      std::size_t live = 0;
      for (const ArenaBuffer& buffer : buffers) {
        if (buffer.first <= step && step <= buffer.last) live += buffer.bytes;
      }
      most = live > most ? live : most;
    }
    CHECK(layout.bytes <= most + most / 2 + 1024);
  }
}

TEST_CASE("a frame starts on a cache line wherever the workspace does") {
  alignas(64) std::byte memory[512];
  for (std::size_t shift : {0, 1, 63, 64}) {
    const std::span<std::byte> workspace(memory + shift, linnet::workspace_size(256));
    std::byte* const frame = linnet::frame_in(workspace, 256);
    REQUIRE(frame != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(frame) % 64 == 0);
    CHECK(frame + 256 <= workspace.data() + workspace.size());
  }
  CHECK(linnet::frame_in(std::span(memory + 1, 256), 256) == nullptr);
  CHECK(linnet::frame_in({}, 1) == nullptr);
  CHECK(linnet::workspace_size(0) == 0);
}
