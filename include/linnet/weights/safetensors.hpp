// SafeTensors files: a JSON header that says where each tensor lies in the bytes behind it.
// Format: the safetensors project's specification. Also sharded checkpoints: an index JSON whose
// `weight_map` says which file holds each tensor. Everything is hostile until validated.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linnet/core/format.hpp"
#include "linnet/core/result.hpp"
#include "linnet/weights/byte_reader.hpp"
#include "linnet/weights/json_scanner.hpp"
#include "linnet/weights/mapped_file.hpp"
#include "linnet/weights/messages.hpp"
#include "linnet/weights/tensor_table.hpp"

namespace linnet::weights {

/// One or several validated SafeTensors files under one table of names. Movable; tensor bytes stay
/// valid as long as it lives.
class SafeTensors {
 public:
  /// Maps one `.safetensors` file.
  [[nodiscard]] static Result<SafeTensors> open(const std::string& path);

  /// Reads a file that is in memory already; `bytes` must outlive the result. `name` is what
  /// messages call it.
  [[nodiscard]] static Result<SafeTensors> from_bytes(std::span<const std::byte> bytes,
                                                      std::string name = "SafeTensors buffer");

  /// Maps the shards that an index file (`model.safetensors.index.json`) names, which lie beside
  /// it. Only the tensors of its `weight_map` are listed.
  [[nodiscard]] static Result<SafeTensors> open_index(const std::string& path);

  [[nodiscard]] const TensorTable& tensors() const { return storage_->tensors; }
  /// The path of the file or index, or the name of the buffer.
  [[nodiscard]] const std::string& name() const { return storage_->name; }
  /// Sizes of all files in bytes.
  [[nodiscard]] std::size_t size_bytes() const { return storage_->size; }

 private:
  struct File {
    MappedFile mapped;
    std::string name;
  };

  // On the heap, so that views into the names survive a move.
  struct Storage {
    std::string name;
    std::vector<std::unique_ptr<File>> files;
    TensorTable tensors;
    std::size_t size = 0;
  };

  explicit SafeTensors(std::unique_ptr<Storage> storage) : storage_(std::move(storage)) {}

  std::unique_ptr<Storage> storage_;
};

namespace detail {

/// An element type of the specification. `format` is empty where Linnet has no reader.
struct SafeTensorsType {
  std::string_view name;
  std::uint8_t bits;
  std::optional<Format> format;
};

inline constexpr SafeTensorsType safetensors_types[] = {
    {"BOOL", 8, Format::boolean},
    {"U8", 8, Format::u8},
    {"I8", 8, Format::i8},
    {"I16", 16, Format::i16},
    {"U16", 16, Format::u16},
    {"F16", 16, Format::f16},
    {"BF16", 16, Format::bf16},
    {"I32", 32, Format::i32},
    {"U32", 32, Format::u32},
    {"F32", 32, Format::f32},
    {"F64", 64, Format::f64},
    {"I64", 64, Format::i64},
    {"U64", 64, Format::u64},
    {"F8_E5M2", 8, {}},
    {"F8_E4M3", 8, {}},
    {"F8_E8M0", 8, {}},
    {"F8_E4M3FNUZ", 8, {}},
    {"F8_E5M2FNUZ", 8, {}},
    {"F6_E2M3", 6, {}},
    {"F6_E3M2", 6, {}},
    {"F4", 4, {}},
    {"C64", 64, {}},
};

/// Reads the header of one file into a list of tensors.
class SafeTensorsParser {
 public:
  SafeTensorsParser(std::string_view file, std::span<const std::byte> bytes)
      : file_(file), bytes_(bytes) {}

  [[nodiscard]] std::optional<Error> run() {
    if (bytes_.empty()) return fail("the file is empty");
    ByteReader reader(bytes_);
    std::uint64_t header = 0;
    if (!reader.read(header)) return fail("not a SafeTensors file: shorter than its length field");
    if (header > longest_header || header > reader.remaining()) {
      return fail("a header of " + std::to_string(header) + " bytes in a file of " +
                  std::to_string(bytes_.size()) + " (truncated, or not a SafeTensors file)");
    }
    const auto* text = reinterpret_cast<const char*>(reader.here());
    data_ = bytes_.subspan(8 + static_cast<std::size_t>(header));
    return read_header({text, static_cast<std::size_t>(header)});
  }

  [[nodiscard]] std::vector<StoredTensor>& tensors() { return tensors_; }

 private:
  static constexpr std::uint64_t longest_header = 100'000'000;  // the specification's limit

  [[nodiscard]] Error fail(std::string_view why) const { return file_error(file_, why); }

  [[nodiscard]] Error bad_json(const JsonScanner& json, std::string_view why) const {
    return fail("the header, at byte " + std::to_string(8 + json.offset()) + ": " +
                std::string(json.failed() ? json.error() : why));
  }

  [[nodiscard]] std::optional<Error> read_header(std::string_view text) {
    if (text.empty() || text.front() != '{') return fail("the header does not begin with `{`");
    JsonScanner json(text);
    json.next();  // the brace
    for (;;) {
      const JsonToken token = json.next();
      if (token == JsonToken::end_object) break;
      if (token != JsonToken::key) return bad_json(json, "expected a tensor's name");
      const std::string name(json.text());
      if (name == "__metadata__") {
        if (has_metadata_) return fail("`__metadata__` occurs twice");
        has_metadata_ = true;
        if (auto error = skip_metadata(json)) return error;
      } else if (auto error = read_tensor(json, name)) {
        return error;
      }
    }
    if (json.next() != JsonToken::end) return bad_json(json, "text after the header");
    return check_coverage();
  }

  [[nodiscard]] std::optional<Error> skip_metadata(JsonScanner& json) const {
    if (json.next() != JsonToken::begin_object) {
      return bad_json(json, "`__metadata__` must be an object of strings");
    }
    for (JsonToken token = json.next(); token != JsonToken::end_object; token = json.next()) {
      if (token != JsonToken::key || json.next() != JsonToken::string) {
        return bad_json(json, "`__metadata__` must be an object of strings");
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Error> read_tensor(JsonScanner& json, const std::string& name) {
    const auto bad = [&](std::string_view why) {
      return json.failed() ? bad_json(json, {})
                           : fail("tensor " + in_backquotes(name) + ": " + std::string(why));
    };
    if (json.next() != JsonToken::begin_object) return bad("expected an object");
    StoredTensor tensor;
    tensor.name = name;
    tensor.file = file_;
    const SafeTensorsType* type = nullptr;
    bool has_shape = false;
    std::int64_t offsets[2] = {-1, -1};
    for (JsonToken token = json.next(); token != JsonToken::end_object; token = json.next()) {
      if (token != JsonToken::key) return bad("expected a member");
      const std::string member(json.text());
      if (member == "dtype" && type == nullptr) {
        if (json.next() != JsonToken::string) return bad("`dtype` must be a string");
        type = find_type(json.text());
        if (type == nullptr) return bad("unknown dtype " + in_backquotes(json.text()));
      } else if (member == "shape" && !has_shape) {
        has_shape = true;
        std::size_t rank = 0;
        if (!read_integers(json, tensor.extents.data(), tensor.extents.size(), rank)) {
          return bad("`shape` must be an array of at most 8 whole numbers");
        }
        tensor.rank = static_cast<std::uint8_t>(rank);
      } else if (member == "data_offsets" && offsets[0] < 0) {
        std::size_t count = 0;
        if (!read_integers(json, offsets, 2, count) || count != 2) {
          return bad("`data_offsets` must be two whole numbers");
        }
      } else {
        return bad("unexpected or repeated member " + in_backquotes(member));
      }
    }
    if (type == nullptr || !has_shape || offsets[0] < 0) {
      return bad("`dtype`, `shape` and `data_offsets` are required");
    }
    tensor.type_name = type->name;
    tensor.readable = type->format.has_value();
    if (type->format) tensor.format = *type->format;
    return place(std::move(tensor), *type, offsets[0], offsets[1]);
  }

  /// Checks the tensor's byte range and gives it its bytes.
  [[nodiscard]] std::optional<Error> place(StoredTensor tensor, const SafeTensorsType& type,
                                           std::int64_t begin, std::int64_t end) {
    const auto bad = [&](std::string_view why) {
      return fail("tensor " + in_backquotes(tensor.name) + ": " + std::string(why));
    };
    const auto count = element_count(tensor.shape());
    if (!count || *count > INT64_MAX / type.bits) {
      return bad("the shape " + shape_text(tensor.shape()) + " has too many elements");
    }
    const std::int64_t bits = *count * type.bits;
    if (bits % 8 != 0) return bad("its elements do not fill whole bytes");
    const auto available = static_cast<std::int64_t>(data_.size());
    if (begin > end || end > available) {
      return bad("bytes " + std::to_string(begin) + " to " + std::to_string(end) + " of " +
                 std::to_string(available) + " bytes of data (truncated?)");
    }
    if (end - begin != bits / 8) {
      return bad(std::to_string(end - begin) + " bytes for the shape " +
                 shape_text(tensor.shape()) + " of " + std::string(type.name) + ", expected " +
                 std::to_string(bits / 8));
    }
    tensor.bytes =
        data_.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    tensors_.push_back(std::move(tensor));
    return std::nullopt;
  }

  /// The specification wants every byte of the data to belong to one tensor.
  [[nodiscard]] std::optional<Error> check_coverage() const {
    if (const auto overlap = find_overlap(tensors_)) {
      return fail("tensors " + in_backquotes(overlap->first->name) + " and " +
                  in_backquotes(overlap->second->name) + " overlap");
    }
    std::size_t covered = 0;  // no overlaps, so the sizes add up to what is covered
    for (const StoredTensor& tensor : tensors_) covered += tensor.bytes.size();
    if (covered != data_.size()) {
      return fail(std::to_string(data_.size() - covered) + " bytes of data belong to no tensor");
    }
    return std::nullopt;
  }

  [[nodiscard]] static const SafeTensorsType* find_type(std::string_view name) {
    const auto* found =
        std::find_if(std::begin(safetensors_types), std::end(safetensors_types),
                     [&](const SafeTensorsType& type) { return type.name == name; });
    return found == std::end(safetensors_types) ? nullptr : found;
  }

  [[nodiscard]] static bool read_integers(JsonScanner& json, std::int64_t* out, std::size_t limit,
                                          std::size_t& count) {
    if (json.next() != JsonToken::begin_array) return false;
    count = 0;
    for (JsonToken token = json.next(); token != JsonToken::end_array; token = json.next()) {
      if (token != JsonToken::number || count == limit) return false;
      const auto value = json.integer();
      if (!value || *value < 0) return false;
      out[count++] = *value;
    }
    return true;
  }

  std::string_view file_;
  std::span<const std::byte> bytes_;
  std::span<const std::byte> data_;
  std::vector<StoredTensor> tensors_;
  bool has_metadata_ = false;
};

struct IndexEntry {
  std::string tensor;
  std::string file;
};

/// The `weight_map` of an index file.
[[nodiscard]] inline Result<std::vector<IndexEntry>> read_index(std::string_view file,
                                                                std::string_view text) {
  JsonScanner json(text);
  const auto bad = [&](std::string_view why) {
    return file_error(file, json.failed() ? "at byte " + std::to_string(json.offset()) + ": " +
                                                std::string(json.error())
                                          : std::string(why));
  };
  if (json.next() != JsonToken::begin_object) return bad("expected an object");
  std::vector<IndexEntry> entries;
  bool found = false;
  for (JsonToken token = json.next(); token != JsonToken::end_object; token = json.next()) {
    if (token != JsonToken::key) return bad("expected a member");
    if (json.text() != "weight_map") {
      if (!json.skip(json.next())) return bad({});
      continue;
    }
    if (found) return bad("`weight_map` occurs twice");
    found = true;
    if (json.next() != JsonToken::begin_object) return bad("`weight_map` must be an object");
    for (token = json.next(); token != JsonToken::end_object; token = json.next()) {
      if (token != JsonToken::key) return bad("expected a tensor's name");
      IndexEntry entry{std::string(json.text()), {}};
      if (json.next() != JsonToken::string) {
        return bad("tensor " + in_backquotes(entry.tensor) + ": expected the name of a file");
      }
      entry.file = json.text();
      // A plain name: an index must not reach out of its own folder.
      if (entry.file.empty() || entry.file.front() == '.' ||
          entry.file.find_first_of(std::string_view("/\\:\0", 4)) != std::string::npos) {
        return bad("tensor " + in_backquotes(entry.tensor) + ": " + in_backquotes(entry.file) +
                   " is no plain file name");
      }
      entries.push_back(std::move(entry));
    }
  }
  if (json.next() != JsonToken::end) return bad("text after the end of the document");
  if (!found) return bad("`weight_map` is missing");
  return entries;
}

}  // namespace detail

inline Result<SafeTensors> SafeTensors::from_bytes(std::span<const std::byte> bytes,
                                                   std::string name) {
  auto storage = std::make_unique<Storage>();
  storage->files.push_back(std::make_unique<File>());
  File& file = *storage->files.back();
  file.name = std::move(name);
  storage->name = file.name;
  detail::SafeTensorsParser parser(file.name, bytes);
  if (auto error = parser.run()) return *std::move(error);
  for (StoredTensor& tensor : parser.tensors()) storage->tensors.add(std::move(tensor));
  storage->size = bytes.size();
  if (auto error = storage->tensors.finish()) return *std::move(error);
  return SafeTensors(std::move(storage));
}

inline Result<SafeTensors> SafeTensors::open(const std::string& path) {
  auto mapped = MappedFile::open(path);
  if (!mapped) return mapped.error();
  auto opened = from_bytes(mapped->bytes(), path);
  if (opened) opened->storage_->files.front()->mapped = std::move(*mapped);
  return opened;
}

inline Result<SafeTensors> SafeTensors::open_index(const std::string& path) {
  const auto index = MappedFile::open(path);
  if (!index) return index.error();
  const auto text = index->bytes();
  auto entries =
      detail::read_index(path, {reinterpret_cast<const char*>(text.data()), text.size()});
  if (!entries) return entries.error();

  // By file, so that each shard is opened once; by name inside it.
  std::sort(entries->begin(), entries->end(), [](const auto& a, const auto& b) {
    return a.file != b.file ? a.file < b.file : a.tensor < b.tensor;
  });
  const std::size_t slash = path.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  auto storage = std::make_unique<Storage>();
  storage->name = path;
  std::optional<SafeTensors> shard;
  for (std::size_t i = 0; i < entries->size(); ++i) {
    const detail::IndexEntry& entry = (*entries)[i];
    if (i == 0 || entry.file != (*entries)[i - 1].file) {
      auto opened = open(folder + entry.file);
      if (!opened) return opened.error();
      storage->size += opened->size_bytes();
      shard = std::move(*opened);
      storage->files.push_back(std::move(shard->storage_->files.front()));
    }
    const StoredTensor* tensor = shard->tensors().find(entry.tensor);
    if (tensor == nullptr) {
      return file_error(path, "tensor " + in_backquotes(entry.tensor) + " is not in " +
                                  in_backquotes(entry.file) + ", where the index says it is");
    }
    storage->tensors.add(*tensor);
  }
  if (auto error = storage->tensors.finish()) return *std::move(error);
  return SafeTensors(std::move(storage));
}

}  // namespace linnet::weights
