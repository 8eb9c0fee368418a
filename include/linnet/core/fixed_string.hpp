#pragma once
// Text that lives in types: names of symbols and arguments, and sentences built while compiling.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace linnet {

/// A string usable as a template argument: `template <FixedString Name>`, then `f<"tokens">()`.
/// `N` counts the terminating zero.
template <std::size_t N>
struct FixedString {
  char text[N] = {};

  constexpr FixedString() = default;
  // Implicit, so that a literal is a template argument as it stands.
  constexpr FixedString(const char (&literal)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
  }

  [[nodiscard]] constexpr std::string_view view() const { return {text, N - 1}; }
  [[nodiscard]] constexpr const char* c_str() const { return text; }
};

/// A bounded text that is assembled piece by piece, while compiling or while running; what does
/// not fit is cut off.
template <std::size_t Capacity>
struct BasicText {
  char data[Capacity + 1] = {};
  std::size_t size = 0;

  constexpr void append(std::string_view piece) {
    for (char c : piece) {
      if (size == Capacity) return;
      data[size++] = c;
    }
  }

  constexpr void append(char c) { append(std::string_view(&c, 1)); }

  /// Appends `value` in decimal.
  constexpr void append_integer(std::int64_t value) {
    char digits[20] = {};
    int count = 0;
    std::uint64_t magnitude = static_cast<std::uint64_t>(value);
    if (value < 0) {
      append('-');
      magnitude = 0 - magnitude;
    }
    do {
      digits[count++] = static_cast<char>('0' + magnitude % 10);
      magnitude /= 10;
    } while (magnitude != 0);
    while (count > 0) append(digits[--count]);
  }

  [[nodiscard]] constexpr std::string_view view() const { return {data, size}; }
};

using Text = BasicText<255>;

/// The first `N - 1` characters of `text` as a template argument.
template <std::size_t N>
[[nodiscard]] constexpr FixedString<N> to_fixed_string(std::string_view text) {
  FixedString<N> result;
  for (std::size_t i = 0; i + 1 < N && i < text.size(); ++i) result.text[i] = text[i];
  return result;
}

}  // namespace linnet
