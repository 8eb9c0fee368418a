// Builds GGUF and SafeTensors files in memory, right ones and wrong ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace linnet::test {

class Bytes {
 public:
  template <class T>
    requires std::is_arithmetic_v<T>
  Bytes& put(T value) {
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), first, first + sizeof(T));
    return *this;
  }
  Bytes& raw(std::string_view text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    bytes_.insert(bytes_.end(), first, first + text.size());
    return *this;
  }
  Bytes& text(std::string_view text) {  // as GGUF stores a string
    put<std::uint64_t>(text.size());
    return raw(text);
  }
  Bytes& pad_to(std::size_t alignment) {
    while (bytes_.size() % alignment != 0) bytes_.push_back(std::byte{0});
    return *this;
  }
  Bytes& append(const Bytes& other) {
    bytes_.insert(bytes_.end(), other.bytes_.begin(), other.bytes_.end());
    return *this;
  }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::span<const std::byte> span() const { return bytes_; }
  [[nodiscard]] std::vector<std::byte>& vector() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// A GGUF file in the making: metadata and tensors in the order of the calls. `tensor` lays data
/// out one after another at multiples of 32; `tensor_at` describes a tensor at any offset.
class GgufBuilder {
 public:
  template <class T>
  GgufBuilder& number(std::string_view key, std::uint32_t type, T value) {
    entries_.text(key).put(type).put(value);
    ++entry_count_;
    return *this;
  }
  GgufBuilder& string(std::string_view key, std::string_view value) {
    entries_.text(key).put(std::uint32_t{8}).text(value);
    ++entry_count_;
    return *this;
  }
  GgufBuilder& strings(std::string_view key, const std::vector<std::string>& values) {
    entries_.text(key).put(std::uint32_t{9}).put(std::uint32_t{8});
    entries_.put(static_cast<std::uint64_t>(values.size()));
    for (const auto& value : values) entries_.text(value);
    ++entry_count_;
    return *this;
  }
  /// An entry whose type and value are the caller's bytes.
  GgufBuilder& entry(std::string_view key, const Bytes& type_and_value) {
    entries_.text(key).append(type_and_value);
    ++entry_count_;
    return *this;
  }
  /// `shape` as the file has it: the contiguous axis first.
  GgufBuilder& tensor_at(std::string_view name, const std::vector<std::uint64_t>& shape,
                         std::uint32_t type, std::uint64_t offset) {
    tensors_.text(name).put(static_cast<std::uint32_t>(shape.size()));
    for (const std::uint64_t extent : shape) tensors_.put(extent);
    tensors_.put(type).put(offset);
    ++tensor_count_;
    return *this;
  }
  GgufBuilder& tensor(std::string_view name, const std::vector<std::uint64_t>& shape,
                      std::uint32_t type, std::span<const std::byte> data) {
    data_.pad_to(32);
    tensor_at(name, shape, type, data_.size());
    data_.raw({reinterpret_cast<const char*>(data.data()), data.size()});
    return *this;
  }
  template <class T>
  GgufBuilder& tensor(std::string_view name, const std::vector<std::uint64_t>& shape,
                      std::uint32_t type, const std::vector<T>& data) {
    return tensor(name, shape, type, std::as_bytes(std::span(data)));
  }

  [[nodiscard]] std::vector<std::byte> build(std::uint32_t version = 3) const {
    Bytes file;
    file.raw("GGUF").put(version).put(tensor_count_).put(entry_count_);
    file.append(entries_).append(tensors_).pad_to(32).append(data_);
    return file.vector();
  }

 private:
  Bytes entries_;
  Bytes tensors_;
  Bytes data_;
  std::uint64_t entry_count_ = 0;
  std::uint64_t tensor_count_ = 0;
};

/// A SafeTensors file of a header as given and `data` behind it.
inline std::vector<std::byte> safetensors(std::string_view header,
                                          std::span<const std::byte> data = {}) {
  Bytes file;
  file.put(static_cast<std::uint64_t>(header.size())).raw(header);
  file.raw({reinterpret_cast<const char*>(data.data()), data.size()});
  return file.vector();
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace linnet::test
