// Memory that is zero at first and costs nothing until it is touched: caches, workspaces, copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#define LINNET_ZEROED_MEMORY_MMAP 1
#include <sys/mman.h>
#else
#define LINNET_ZEROED_MEMORY_MMAP 0
#endif

namespace linnet::weights {

/// Owns a zeroed range aligned to at least 64 bytes; it stays in place when the object moves.
class ZeroedMemory {
 public:
  ZeroedMemory() = default;
  ZeroedMemory(const ZeroedMemory&) = delete;
  ZeroedMemory& operator=(const ZeroedMemory&) = delete;
  ZeroedMemory(ZeroedMemory&& other) noexcept { swap(other); }
  ZeroedMemory& operator=(ZeroedMemory&& other) noexcept {
    ZeroedMemory taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~ZeroedMemory() {
    if (base_ == nullptr) return;
#if LINNET_ZEROED_MEMORY_MMAP
    ::munmap(base_, mapped_);
#else
    ::operator delete(base_, std::align_val_t{64});
#endif
  }

  /// Nothing where the system refuses. Ranges of several MiB are aligned to 2 MiB and ask for huge
  /// pages, which sequential reads of weights need to reach the memory's bandwidth.
  [[nodiscard]] static std::optional<ZeroedMemory> allocate(std::size_t bytes) {
    ZeroedMemory memory;
    if (bytes == 0) return memory;
    if (bytes > SIZE_MAX - huge_page) return std::nullopt;
#if LINNET_ZEROED_MEMORY_MMAP
    const bool huge = bytes >= 2 * huge_page;
    memory.mapped_ = huge ? bytes + huge_page : bytes;
    void* base =
        ::mmap(nullptr, memory.mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) return std::nullopt;
    memory.base_ = base;
    auto* first = static_cast<std::byte*>(base);
    if (huge) {
      first += (huge_page - reinterpret_cast<std::uintptr_t>(first) % huge_page) % huge_page;
#if defined(MADV_HUGEPAGE)
      ::madvise(first, bytes, MADV_HUGEPAGE);  // a wish: failing is fine
#endif
    }
#else
    memory.base_ = ::operator new(bytes, std::align_val_t{64}, std::nothrow);
    if (memory.base_ == nullptr) return std::nullopt;
    std::memset(memory.base_, 0, bytes);
    auto* first = static_cast<std::byte*>(memory.base_);
#endif
    memory.bytes_ = {first, bytes};
    return memory;
  }

  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

  /// Makes everything zero again; on Linux by giving the pages back.
  void clear() {
    if (bytes_.empty()) return;
#if LINNET_ZEROED_MEMORY_MMAP && defined(__linux__)
    // The whole mapping: whole pages, and anonymous private memory comes back zeroed.
    if (::madvise(base_, mapped_, MADV_DONTNEED) == 0) return;
#endif
    std::memset(bytes_.data(), 0, bytes_.size());
  }

 private:
  static constexpr std::size_t huge_page = std::size_t{2} << 20U;

  void swap(ZeroedMemory& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(mapped_, other.mapped_);
    std::swap(bytes_, other.bytes_);
  }

  void* base_ = nullptr;
  std::size_t mapped_ = 0;
  std::span<std::byte> bytes_;
};

}  // namespace linnet::weights
