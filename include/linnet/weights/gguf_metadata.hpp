// The key-value pairs of a GGUF file, read in place: an array of fifty thousand strings costs
// nothing until it is walked. Everything here has been validated when the file was opened.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "linnet/core/result.hpp"
#include "linnet/weights/byte_reader.hpp"
#include "linnet/weights/messages.hpp"

namespace linnet::weights {

/// Value types by their number in the file.
enum class GgufType : std::uint32_t {
  u8,
  i8,
  u16,
  i16,
  u32,
  i32,
  f32,
  boolean,
  string,
  array,
  u64,
  i64,
  f64,
};

inline constexpr std::uint32_t gguf_type_count = 13;

[[nodiscard]] constexpr std::string_view gguf_type_name(GgufType type) {
  constexpr std::string_view names[gguf_type_count] = {"u8",  "i8",  "u16",  "i16",    "u32",
                                                       "i32", "f32", "bool", "string", "array",
                                                       "u64", "i64", "f64"};
  return names[static_cast<std::size_t>(type)];
}

/// Bytes of one value of a scalar type; 0 for strings and arrays, whose size varies.
[[nodiscard]] constexpr std::size_t gguf_type_bytes(GgufType type) {
  constexpr std::uint8_t sizes[gguf_type_count] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  return sizes[static_cast<std::size_t>(type)];
}

/// One value: a scalar, a string, or an array of `count` values of `element`.
struct GgufValue {
  GgufType type = GgufType::u8;
  GgufType element = GgufType::u8;   // arrays only
  std::uint64_t count = 0;           // arrays only
  std::span<const std::byte> bytes;  // of a string: its text; of an array: its elements
};

/// Strings of an array, decoded one by one as they are walked.
class GgufStrings {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::string_view*;
    using reference = std::string_view;

    Iterator() = default;
    explicit Iterator(const std::byte* at) : at_(at) {}
    std::string_view operator*() const {
      return {reinterpret_cast<const char*>(at_ + 8), static_cast<std::size_t>(length())};
    }
    Iterator& operator++() {
      at_ += 8 + length();
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(Iterator, Iterator) = default;

   private:
    [[nodiscard]] std::uint64_t length() const { return load_little_endian<std::uint64_t>(at_); }
    const std::byte* at_ = nullptr;
  };

  GgufStrings() = default;
  explicit GgufStrings(const GgufValue& array)
      : bytes_(array.bytes), count_(static_cast<std::size_t>(array.count)) {}

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] Iterator begin() const { return Iterator(bytes_.data()); }
  [[nodiscard]] Iterator end() const { return Iterator(bytes_.data() + bytes_.size()); }

 private:
  std::span<const std::byte> bytes_;
  std::size_t count_ = 0;
};

/// Numbers of an array, converted as they are read; the file keeps no alignment.
template <class T>
class GgufNumbers {
 public:
  GgufNumbers() = default;
  explicit GgufNumbers(const GgufValue& array)
      : first_(array.bytes.data()), count_(static_cast<std::size_t>(array.count)) {}

  [[nodiscard]] std::size_t size() const { return count_; }
  /// `index` < size()
  [[nodiscard]] T operator[](std::size_t index) const {
    return load_little_endian<T>(first_ + index * sizeof(T));
  }

 private:
  const std::byte* first_ = nullptr;
  std::size_t count_ = 0;
};

namespace detail {

template <class T>
inline constexpr GgufType gguf_type_of = [] {
  if constexpr (std::is_same_v<T, std::uint8_t>)
    return GgufType::u8;
  else if constexpr (std::is_same_v<T, std::int8_t>)
    return GgufType::i8;
  else if constexpr (std::is_same_v<T, std::uint16_t>)
    return GgufType::u16;
  else if constexpr (std::is_same_v<T, std::int16_t>)
    return GgufType::i16;
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return GgufType::u32;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return GgufType::i32;
  else if constexpr (std::is_same_v<T, float>)
    return GgufType::f32;
  else if constexpr (std::is_same_v<T, bool>)
    return GgufType::boolean;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return GgufType::u64;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return GgufType::i64;
  else if constexpr (std::is_same_v<T, double>)
    return GgufType::f64;
}();

}  // namespace detail

class GgufMetadata {
 public:
  struct Entry {
    std::string_view key;
    GgufValue value;
  };

  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }

  [[nodiscard]] const GgufValue* find(std::string_view key) const {
    const auto found = std::lower_bound(
        entries_.begin(), entries_.end(), key,
        [](const Entry& entry, std::string_view wanted) { return entry.key < wanted; });
    return found == entries_.end() || found->key != key ? nullptr : &found->value;
  }

  [[nodiscard]] bool contains(std::string_view key) const { return find(key) != nullptr; }

  /// The scalar at `key`. Writers differ in the width and signedness that they choose for a count,
  /// so any integer type is taken as long as the value fits; floats take floats, bools take bools.
  template <class T>
    requires std::is_arithmetic_v<T>
  [[nodiscard]] Result<T> get(std::string_view key) const {
    const GgufValue* value = find(key);
    if (value == nullptr) return missing(key);
    const std::byte* at = value->bytes.data();
    switch (value->type) {
      case GgufType::u8:
        return convert<T>(key, load_little_endian<std::uint8_t>(at));
      case GgufType::i8:
        return convert<T>(key, load_little_endian<std::int8_t>(at));
      case GgufType::u16:
        return convert<T>(key, load_little_endian<std::uint16_t>(at));
      case GgufType::i16:
        return convert<T>(key, load_little_endian<std::int16_t>(at));
      case GgufType::u32:
        return convert<T>(key, load_little_endian<std::uint32_t>(at));
      case GgufType::i32:
        return convert<T>(key, load_little_endian<std::int32_t>(at));
      case GgufType::u64:
        return convert<T>(key, load_little_endian<std::uint64_t>(at));
      case GgufType::i64:
        return convert<T>(key, load_little_endian<std::int64_t>(at));
      case GgufType::f32:
        return convert<T>(key, load_little_endian<float>(at));
      case GgufType::f64:
        return convert<T>(key, load_little_endian<double>(at));
      case GgufType::boolean:
        return convert<T>(key, load_little_endian<bool>(at));
      case GgufType::string:
      case GgufType::array:
        break;
    }
    return wrong_type(key, *value, scalar_word<T>());
  }

  [[nodiscard]] Result<std::uint32_t> get_u32(std::string_view key) const {
    return get<std::uint32_t>(key);
  }
  [[nodiscard]] Result<float> get_f32(std::string_view key) const { return get<float>(key); }
  [[nodiscard]] Result<bool> get_bool(std::string_view key) const { return get<bool>(key); }

  /// The scalar at `key`, or `fallback` where the file has none; a value of a wrong type is still
  /// an error.
  template <class T>
  [[nodiscard]] Result<T> get_or(std::string_view key, T fallback) const {
    return contains(key) ? get<T>(key) : Result<T>(fallback);
  }

  [[nodiscard]] Result<std::string_view> get_string(std::string_view key) const {
    const GgufValue* value = find(key);
    if (value == nullptr) return missing(key);
    if (value->type != GgufType::string) return wrong_type(key, *value, "a string");
    return std::string_view(reinterpret_cast<const char*>(value->bytes.data()),
                            value->bytes.size());
  }

  /// The strings of the array at `key`, in place.
  [[nodiscard]] Result<GgufStrings> get_strings(std::string_view key) const {
    const GgufValue* value = find(key);
    if (value == nullptr) return missing(key);
    if (value->type != GgufType::array || value->element != GgufType::string) {
      return wrong_type(key, *value, "an array of strings");
    }
    return GgufStrings(*value);
  }

  /// The numbers of the array at `key`, which must be stored as `T`, in place.
  template <class T>
    requires std::is_arithmetic_v<T>
  [[nodiscard]] Result<GgufNumbers<T>> get_numbers(std::string_view key) const {
    const GgufValue* value = find(key);
    if (value == nullptr) return missing(key);
    constexpr GgufType wanted = detail::gguf_type_of<T>;
    if (value->type != GgufType::array || value->element != wanted) {
      return wrong_type(key, *value, "an array of " + std::string(gguf_type_name(wanted)));
    }
    return GgufNumbers<T>(*value);
  }

  /// For the reader. `finish` sorts; it returns a key that occurs twice, if one does.
  void add(std::string_view key, const GgufValue& value) { entries_.push_back({key, value}); }
  void set_file(std::string_view file) { file_ = file; }
  [[nodiscard]] std::optional<std::string_view> finish() {
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.key < b.key; });
    for (std::size_t i = 1; i < entries_.size(); ++i) {
      if (entries_[i].key == entries_[i - 1].key) return entries_[i].key;
    }
    return std::nullopt;
  }

 private:
  template <class T>
  [[nodiscard]] static constexpr std::string_view scalar_word() {
    if constexpr (std::is_same_v<T, bool>)
      return "a bool";
    else if constexpr (std::is_floating_point_v<T>)
      return "a float";
    else
      return gguf_type_name(detail::gguf_type_of<T>);
  }

  template <class T, class From>
  [[nodiscard]] Result<T> convert(std::string_view key, From from) const {
    if constexpr (std::is_same_v<T, bool> != std::is_same_v<From, bool> ||
                  std::is_floating_point_v<T> != std::is_floating_point_v<From>) {
      return wrong_type(key, *find(key), scalar_word<T>());
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      if (!std::in_range<T>(from)) {
        return file_error(file_, "key " + in_backquotes(key) + ": " + std::to_string(from) +
                                     " does not fit in " + std::string(scalar_word<T>()));
      }
      return static_cast<T>(from);
    } else {
      return static_cast<T>(from);
    }
  }

  [[nodiscard]] Error missing(std::string_view key) const {
    return file_error(file_, "key " + in_backquotes(key) + " is missing", ErrorCode::not_found);
  }

  [[nodiscard]] Error wrong_type(std::string_view key, const GgufValue& value,
                                 std::string_view expected) const {
    std::string found(gguf_type_name(value.type));
    if (value.type == GgufType::array) found += " of " + std::string(gguf_type_name(value.element));
    return file_error(file_, "key " + in_backquotes(key) + ": expected " + std::string(expected) +
                                 ", found " + found);
  }

  std::vector<Entry> entries_;  // sorted by key
  std::string_view file_;
};

}  // namespace linnet::weights
