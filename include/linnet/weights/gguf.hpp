// GGUF files, versions 2 and 3, little-endian: a header, metadata, tensor descriptions, data.
// Format: the GGUF specification of the ggml project. The file is hostile until `GgufFile::open`
// has returned: every count, length and offset is checked against the bytes that are there before
// it is used.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "linnet/core/format.hpp"
#include "linnet/core/result.hpp"
#include "linnet/weights/byte_reader.hpp"
#include "linnet/weights/gguf_metadata.hpp"
#include "linnet/weights/mapped_file.hpp"
#include "linnet/weights/messages.hpp"
#include "linnet/weights/tensor_table.hpp"

namespace linnet::weights {

/// A validated GGUF file. Tensors' shapes are turned round to row-major, outermost axis first.
/// Movable; views into it (strings, tensor bytes) stay valid as long as it lives.
class GgufFile {
 public:
  /// Maps the file at `path`.
  [[nodiscard]] static Result<GgufFile> open(const std::string& path) {
    auto mapped = MappedFile::open(path);
    if (!mapped) return mapped.error();
    auto storage = std::make_unique<Storage>();
    storage->mapped = std::move(*mapped);
    storage->name = path;
    const auto bytes = storage->mapped.bytes();
    return parse(std::move(storage), bytes);
  }

  /// Reads a file that is in memory already; `bytes` must outlive the result. `name` is what
  /// messages call it.
  [[nodiscard]] static Result<GgufFile> from_bytes(std::span<const std::byte> bytes,
                                                   std::string name = "GGUF buffer") {
    auto storage = std::make_unique<Storage>();
    storage->name = std::move(name);
    return parse(std::move(storage), bytes);
  }

  /// 2 or 3
  [[nodiscard]] std::uint32_t version() const { return storage_->version; }
  [[nodiscard]] const GgufMetadata& metadata() const { return storage_->metadata; }
  [[nodiscard]] const TensorTable& tensors() const { return storage_->tensors; }
  [[nodiscard]] const std::string& name() const { return storage_->name; }
  /// Size of the file in bytes.
  [[nodiscard]] std::size_t size_bytes() const { return storage_->size; }

 private:
  // On the heap, so that views into the name and the tables survive a move.
  struct Storage {
    MappedFile mapped;
    std::string name;
    std::size_t size = 0;
    std::uint32_t version = 0;
    GgufMetadata metadata;
    TensorTable tensors;
  };

  explicit GgufFile(std::unique_ptr<Storage> storage) : storage_(std::move(storage)) {}

  [[nodiscard]] static Result<GgufFile> parse(std::unique_ptr<Storage> storage,
                                              std::span<const std::byte> bytes);

  class Parser;
  std::unique_ptr<Storage> storage_;
};

namespace detail {

/// A tensor type of the GGML project by its number in the file.
struct GgmlType {
  std::uint32_t id;
  std::string_view name;
  std::uint16_t block_elements;
  std::uint16_t block_bytes;
  std::optional<Format> format;  // none: sizes are known, so the file can be checked, but no reader
};

[[nodiscard]] constexpr GgmlType ggml_readable(std::uint32_t id, std::string_view name,
                                               Format format) {
  return {id, name, format_info(format).block_elements, format_info(format).block_bytes, format};
}

inline constexpr GgmlType ggml_types[] = {
    ggml_readable(0, "F32", Format::f32),
    ggml_readable(1, "F16", Format::f16),
    ggml_readable(2, "Q4_0", Format::q4_0),
    ggml_readable(3, "Q4_1", Format::q4_1),
    ggml_readable(6, "Q5_0", Format::q5_0),
    ggml_readable(7, "Q5_1", Format::q5_1),
    ggml_readable(8, "Q8_0", Format::q8_0),
    {9, "Q8_1", 32, 40, {}},
    ggml_readable(10, "Q2_K", Format::q2_k),
    ggml_readable(11, "Q3_K", Format::q3_k),
    ggml_readable(12, "Q4_K", Format::q4_k),
    ggml_readable(13, "Q5_K", Format::q5_k),
    ggml_readable(14, "Q6_K", Format::q6_k),
    {15, "Q8_K", 256, 292, {}},
    {16, "IQ2_XXS", 256, 66, {}},
    {17, "IQ2_XS", 256, 74, {}},
    {18, "IQ3_XXS", 256, 98, {}},
    {19, "IQ1_S", 256, 50, {}},
    {20, "IQ4_NL", 32, 18, {}},
    {21, "IQ3_S", 256, 110, {}},
    {22, "IQ2_S", 256, 82, {}},
    {23, "IQ4_XS", 256, 136, {}},
    ggml_readable(24, "I8", Format::i8),
    ggml_readable(25, "I16", Format::i16),
    ggml_readable(26, "I32", Format::i32),
    ggml_readable(27, "I64", Format::i64),
    ggml_readable(28, "F64", Format::f64),
    {29, "IQ1_M", 256, 56, {}},
    ggml_readable(30, "BF16", Format::bf16),
    {34, "TQ1_0", 256, 54, {}},
    {35, "TQ2_0", 256, 66, {}},
    ggml_readable(39, "MXFP4", Format::mxfp4),
};

[[nodiscard]] constexpr const GgmlType* find_ggml_type(std::uint32_t id) {
  for (const GgmlType& type : ggml_types) {
    if (type.id == id) return &type;
  }
  return nullptr;
}

}  // namespace detail

class GgufFile::Parser {
 public:
  Parser(Storage& storage, std::span<const std::byte> bytes)
      : storage_(storage), bytes_(bytes), reader_(bytes) {}

  [[nodiscard]] std::optional<Error> run() {
    std::uint64_t tensor_count = 0;
    std::uint64_t entry_count = 0;
    if (auto error = read_header(tensor_count, entry_count)) return error;
    if (auto error = read_metadata(entry_count)) return error;
    if (auto error = read_alignment()) return error;
    return read_tensors(tensor_count);
  }

 private:
  // Sizes of the smallest possible entries, which bound the counts by the bytes that are left:
  // an empty key, its type and one byte; an empty name, no axes, a type and an offset.
  static constexpr std::uint64_t smallest_entry = 8 + 4 + 1;
  static constexpr std::uint64_t smallest_tensor = 8 + 4 + 4 + 8;
  static constexpr std::uint64_t longest_name = 65535;
  static constexpr int deepest_array = 8;

  [[nodiscard]] Error fail(std::string_view why) const { return file_error(storage_.name, why); }

  [[nodiscard]] Error truncated(std::string_view what) const {
    return fail("the file ends inside " + std::string(what) + " (" + std::to_string(bytes_.size()) +
                " bytes)");
  }

  [[nodiscard]] std::optional<Error> read_header(std::uint64_t& tensors, std::uint64_t& entries) {
    storage_.size = bytes_.size();
    if (bytes_.empty()) return fail("the file is empty");
    std::uint32_t magic = 0;
    constexpr std::uint32_t gguf = 0x46554747;  // "GGUF"
    if (!reader_.read(magic) || magic != gguf) return fail("not a GGUF file");
    if (!reader_.read(storage_.version)) return truncated("the header");
    if (storage_.version != 2 && storage_.version != 3) {
      const bool swapped = (storage_.version & 0xffffU) == 0 && storage_.version != 0;
      return fail(swapped ? std::string("a big-endian GGUF file; only little-endian ones are read")
                          : "GGUF version " + std::to_string(storage_.version) +
                                "; versions 2 and 3 are read");
    }
    if (!reader_.read(tensors) || !reader_.read(entries)) return truncated("the header");
    if (entries > reader_.remaining() / smallest_entry) {
      return fail("the header counts " + std::to_string(entries) +
                  " metadata entries, more than the file has room for");
    }
    if (tensors > reader_.remaining() / smallest_tensor) {
      return fail("the header counts " + std::to_string(tensors) +
                  " tensors, more than the file has room for");
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Error> read_metadata(std::uint64_t count) {
    storage_.metadata.set_file(storage_.name);
    for (std::uint64_t i = 0; i < count; ++i) {
      std::string_view key;
      std::uint32_t type = 0;
      if (!reader_.read_string(key) || !reader_.read(type)) {
        return truncated("metadata entry " + std::to_string(i));
      }
      if (key.empty() || key.size() > longest_name) {
        return fail("metadata entry " + std::to_string(i) + ": a key of " +
                    std::to_string(key.size()) + " bytes");
      }
      GgufValue value;
      if (auto error = read_value(key, type, value)) return error;
      storage_.metadata.add(key, value);
    }
    if (const auto twice = storage_.metadata.finish()) {
      return fail("key " + in_backquotes(*twice) + " occurs twice");
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Error> read_value(std::string_view key, std::uint32_t type,
                                                GgufValue& value) {
    if (type >= gguf_type_count) return bad_value(key, "unknown value type", type);
    value.type = static_cast<GgufType>(type);
    if (value.type == GgufType::array) return read_array(key, value, 0);
    const std::byte* first = reader_.here();
    if (value.type == GgufType::string) {
      std::string_view text;
      if (!reader_.read_string(text)) return truncated("the value of " + in_backquotes(key));
      value.bytes = std::as_bytes(std::span(text));
      return std::nullopt;
    }
    const std::size_t size = gguf_type_bytes(value.type);
    if (!reader_.skip(size)) return truncated("the value of " + in_backquotes(key));
    value.bytes = {first, size};
    if (value.type == GgufType::boolean && std::to_integer<unsigned>(*first) > 1) {
      return bad_value(key, "a bool that is neither 0 nor 1:", std::to_integer<unsigned>(*first));
    }
    return std::nullopt;
  }

  /// Validates every element, so that walking the array later needs no checks.
  [[nodiscard]] std::optional<Error> read_array(std::string_view key, GgufValue& value, int depth) {
    std::uint32_t element = 0;
    if (!reader_.read(element) || !reader_.read(value.count)) {
      return truncated("the value of " + in_backquotes(key));
    }
    if (element >= gguf_type_count) return bad_value(key, "unknown element type", element);
    value.element = static_cast<GgufType>(element);
    const std::byte* first = reader_.here();
    const std::size_t fixed = gguf_type_bytes(value.element);
    // A string takes its length, an array its element type and count at least.
    const std::size_t smallest =
        value.element == GgufType::string ? 8 : (value.element == GgufType::array ? 12 : fixed);
    if (value.count > reader_.remaining() / smallest) {
      return bad_value(key, "an array longer than the file has room for:", value.count);
    }
    if (fixed != 0) {
      if (!reader_.skip(value.count * fixed))
        return truncated("the value of " + in_backquotes(key));
    } else if (value.element == GgufType::string) {
      for (std::uint64_t i = 0; i < value.count; ++i) {
        std::string_view text;
        if (!reader_.read_string(text)) return truncated("the strings of " + in_backquotes(key));
      }
    } else {
      if (depth == deepest_array)
        return fail("key " + in_backquotes(key) + ": arrays nested too deeply");
      for (std::uint64_t i = 0; i < value.count; ++i) {
        GgufValue inner;
        if (auto error = read_array(key, inner, depth + 1)) return error;
      }
    }
    value.bytes = {first, static_cast<std::size_t>(reader_.here() - first)};
    return std::nullopt;
  }

  [[nodiscard]] Error bad_value(std::string_view key, std::string_view what,
                                std::uint64_t number) const {
    return fail("key " + in_backquotes(key) + ": " + std::string(what) + " " +
                std::to_string(number));
  }

  [[nodiscard]] std::optional<Error> read_alignment() {
    constexpr std::string_view key = "general.alignment";
    const auto alignment = storage_.metadata.get_or<std::uint32_t>(key, 32);
    if (!alignment) return alignment.error();
    if (*alignment < 8 || *alignment > (1U << 24U) || !std::has_single_bit(*alignment)) {
      return bad_value(key, "expected a power of two of at least 8, found", *alignment);
    }
    alignment_ = *alignment;
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Error> read_tensors(std::uint64_t count) {
    // Descriptions come first; where the data starts is known only behind the last of them.
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint64_t> sizes;
    std::vector<StoredTensor> tensors;
    for (std::uint64_t i = 0; i < count; ++i) {
      StoredTensor tensor;
      std::uint64_t offset = 0;
      std::uint64_t size = 0;
      if (auto error = read_tensor(i, tensor, offset, size)) return error;
      tensors.push_back(std::move(tensor));
      offsets.push_back(offset);
      sizes.push_back(size);
    }
    const std::uint64_t data_start = align(reader_.offset());
    const std::uint64_t available = bytes_.size() > data_start ? bytes_.size() - data_start : 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (sizes[i] == 0) continue;
      if (offsets[i] > available || sizes[i] > available - offsets[i]) {
        return fail("tensor " + in_backquotes(tensors[i].name) + " needs " +
                    std::to_string(sizes[i]) + " bytes at offset " + std::to_string(offsets[i]) +
                    ", but the file has " + std::to_string(available) +
                    " bytes of data (truncated?)");
      }
      tensors[i].bytes = bytes_.subspan(static_cast<std::size_t>(data_start + offsets[i]),
                                        static_cast<std::size_t>(sizes[i]));
    }
    if (const auto overlap = find_overlap(tensors)) {
      return fail("tensors " + in_backquotes(overlap->first->name) + " and " +
                  in_backquotes(overlap->second->name) + " overlap");
    }
    for (StoredTensor& tensor : tensors) storage_.tensors.add(std::move(tensor));
    return storage_.tensors.finish();
  }

  [[nodiscard]] std::optional<Error> read_tensor(std::uint64_t index, StoredTensor& tensor,
                                                 std::uint64_t& offset, std::uint64_t& size) {
    const auto what = [index] { return "the description of tensor " + std::to_string(index); };
    std::string_view name;
    std::uint32_t rank = 0;
    if (!reader_.read_string(name)) return truncated(what());
    if (name.empty() || name.size() > longest_name) {
      return fail(what() + ": a name of " + std::to_string(name.size()) + " bytes");
    }
    tensor.name = name;
    tensor.file = storage_.name;
    const auto bad = [&](const std::string& why) {
      return fail("tensor " + in_backquotes(name) + ": " + why);
    };
    if (!reader_.read(rank)) return truncated(what());
    if (rank > max_rank) return bad(std::to_string(rank) + " axes, at most 8 are read");
    tensor.rank = static_cast<std::uint8_t>(rank);
    for (std::uint32_t axis = 0; axis < rank; ++axis) {
      std::uint64_t extent = 0;
      if (!reader_.read(extent)) return truncated(what());
      if (extent > INT64_MAX) return bad("an extent of " + std::to_string(extent));
      tensor.extents[rank - 1 - axis] = static_cast<std::int64_t>(extent);
    }
    std::uint32_t type_id = 0;
    if (!reader_.read(type_id) || !reader_.read(offset)) return truncated(what());
    const detail::GgmlType* type = detail::find_ggml_type(type_id);
    if (type == nullptr) return bad("unknown tensor type " + std::to_string(type_id));
    tensor.type_name = type->name;
    tensor.readable = type->format.has_value();
    if (type->format) tensor.format = *type->format;

    const auto count = element_count(tensor.shape());
    if (!count) return bad("the shape " + shape_text(tensor.shape()) + " has too many elements");
    const std::int64_t row = rank == 0 ? 1 : tensor.extents[rank - 1];
    if (row % type->block_elements != 0) {
      return bad("rows of " + std::to_string(row) + " elements are no whole blocks of " +
                 std::string(type->name) + " (" + std::to_string(type->block_elements) + ")");
    }
    const auto blocks = static_cast<std::uint64_t>(*count) / type->block_elements;
    if (blocks > UINT64_MAX / type->block_bytes) {
      return bad("the shape " + shape_text(tensor.shape()) + " has too many elements");
    }
    size = blocks * type->block_bytes;
    if (offset % alignment_ != 0) {
      return bad("its offset " + std::to_string(offset) + " is no multiple of the alignment " +
                 std::to_string(alignment_));
    }
    return std::nullopt;
  }

  [[nodiscard]] std::uint64_t align(std::uint64_t offset) const {
    return (offset + alignment_ - 1) / alignment_ * alignment_;
  }

  Storage& storage_;
  std::span<const std::byte> bytes_;
  ByteReader reader_;
  std::uint32_t alignment_ = 32;
};

inline Result<GgufFile> GgufFile::parse(std::unique_ptr<Storage> storage,
                                        std::span<const std::byte> bytes) {
  if (auto error = Parser(*storage, bytes).run()) return *std::move(error);
  return GgufFile(std::move(storage));
}

}  // namespace linnet::weights
