// Reads little-endian numbers from untrusted bytes, never past their end.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace linnet::weights {

/// The little-endian number at `bytes`, at any alignment, on any machine.
template <class T>
  requires std::is_arithmetic_v<T>
[[nodiscard]] inline T load_little_endian(const std::byte* bytes) {
  if constexpr (std::is_same_v<T, bool>) {
    return bytes[0] != std::byte{0};
  } else {
    std::array<std::byte, sizeof(T)> raw;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      raw[std::endian::native == std::endian::little ? i : sizeof(T) - 1 - i] = bytes[i];
    }
    return std::bit_cast<T>(raw);
  }
}

/// A position in untrusted bytes. A read past the end gives false and moves nothing.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  [[nodiscard]] std::size_t offset() const { return at_; }
  [[nodiscard]] std::size_t remaining() const { return bytes_.size() - at_; }
  [[nodiscard]] const std::byte* here() const { return bytes_.data() + at_; }

  template <class T>
  [[nodiscard]] bool read(T& value) {
    if (remaining() < sizeof(T)) return false;
    value = load_little_endian<T>(here());
    at_ += sizeof(T);
    return true;
  }

  [[nodiscard]] bool skip(std::uint64_t count) {
    if (count > remaining()) return false;
    at_ += static_cast<std::size_t>(count);
    return true;
  }

  /// A string as GGUF stores it: a 64-bit length, then the bytes.
  [[nodiscard]] bool read_string(std::string_view& text) {
    const std::size_t before = at_;
    std::uint64_t length = 0;
    if (!read(length)) return false;
    const std::byte* first = here();
    if (!skip(length)) {
      at_ = before;
      return false;
    }
    text = {reinterpret_cast<const char*>(first), static_cast<std::size_t>(length)};
    return true;
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace linnet::weights
