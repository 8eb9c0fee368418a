// A checkpoint of whichever kind a path names.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "linnet/core/result.hpp"
#include "linnet/weights/gguf.hpp"
#include "linnet/weights/mapped_file.hpp"
#include "linnet/weights/safetensors.hpp"
#include "linnet/weights/tensor_table.hpp"

namespace linnet::weights {

/// A GGUF file, a SafeTensors file, or a sharded SafeTensors checkpoint.
class Checkpoint {
 public:
  Checkpoint(GgufFile file) : source_(std::move(file)) {}     // NOLINT(google-explicit-constructor)
  Checkpoint(SafeTensors file) : source_(std::move(file)) {}  // NOLINT(google-explicit-constructor)

  /// Opens `path` as what it is: GGUF by its magic, an index by the ending `.json`, otherwise
  /// SafeTensors.
  [[nodiscard]] static Result<Checkpoint> open(const std::string& path) {
    if (std::string_view(path).ends_with(".json")) return wrap(SafeTensors::open_index(path));
    {
      const auto file = MappedFile::open(path);
      if (!file) return file.error();
      const auto bytes = file->bytes();
      if (bytes.empty()) return file_error(path, "the file is empty");
      if (bytes.size() < 4 || std::memcmp(bytes.data(), "GGUF", 4) != 0) {
        auto opened = SafeTensors::open(path);
        if (!opened && !looks_like_safetensors(bytes)) {
          return file_error(path, "neither a GGUF nor a SafeTensors file");
        }
        return wrap(std::move(opened));
      }
    }
    return wrap(GgufFile::open(path));
  }

  [[nodiscard]] const TensorTable& tensors() const {
    const auto* file = gguf();
    return file != nullptr ? file->tensors() : std::get_if<SafeTensors>(&source_)->tensors();
  }

  /// The GGUF file, for its metadata; null where it is none.
  [[nodiscard]] const GgufFile* gguf() const { return std::get_if<GgufFile>(&source_); }

  /// What messages call it: the path, or the name of the buffer.
  [[nodiscard]] const std::string& name() const {
    const auto* file = gguf();
    return file != nullptr ? file->name() : std::get_if<SafeTensors>(&source_)->name();
  }

  /// Bytes of the file or files.
  [[nodiscard]] std::size_t size_bytes() const {
    const auto* file = gguf();
    return file != nullptr ? file->size_bytes() : std::get_if<SafeTensors>(&source_)->size_bytes();
  }

 private:
  /// Eight bytes of length, then a JSON object. What is damaged behind that gets its own message.
  [[nodiscard]] static bool looks_like_safetensors(std::span<const std::byte> bytes) {
    return bytes.size() > 8 && bytes[8] == std::byte{'{'};
  }

  template <class File>
  [[nodiscard]] static Result<Checkpoint> wrap(Result<File> file) {
    if (!file) return file.error();
    return Checkpoint(std::move(*file));
  }

  std::variant<GgufFile, SafeTensors> source_;
};

}  // namespace linnet::weights
