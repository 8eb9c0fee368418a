#include "linnet/weights/gguf.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "file_builder.hpp"
#include "fuzz_target.hpp"
#include "linnet/weights/block_formats.hpp"
#include "linnet/weights/row_order.hpp"

namespace {

using linnet::test::Bytes;
using linnet::test::GgufBuilder;
using linnet::weights::GgufFile;
using linnet::weights::GgufMetadata;

/// Reads every value through every accessor that fits.
void walk(const GgufMetadata& metadata) {
  for (const auto& entry : metadata.entries()) {
    LINNET_FUZZ_REQUIRE(metadata.contains(entry.key));
    (void)metadata.get<std::int8_t>(entry.key);
    (void)metadata.get<std::uint64_t>(entry.key);
    (void)metadata.get<double>(entry.key);
    (void)metadata.get<bool>(entry.key);
    (void)metadata.get_string(entry.key);
    if (const auto strings = metadata.get_strings(entry.key)) {
      std::size_t count = 0;
      for (const std::string_view text : *strings) {
        ++count;
        if (!text.empty()) LINNET_FUZZ_REQUIRE(text.back() == text[text.size() - 1]);
      }
      LINNET_FUZZ_REQUIRE(count == strings->size());
    }
    if (const auto numbers = metadata.get_numbers<std::int32_t>(entry.key)) {
      for (std::size_t i = 0; i < numbers->size(); ++i) (void)(*numbers)[i];
    }
  }
}

}  // namespace

std::vector<std::string> fuzz_seeds() {
  const auto as_text = [](const std::vector<std::byte>& bytes) {
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  GgufBuilder model;
  model.string("general.architecture", "llama")
      .number("general.alignment", 4, std::uint32_t{32})
      .number("llama.attention.head_count", 4, std::uint32_t{2})
      .number("f", 12, 1.5)
      .number("b", 7, std::uint8_t{1})
      .strings("tokens", {"a", "", "bcd"})
      .entry("types", Bytes().put(9U).put(5U).put(std::uint64_t{2}).put(1).put(-3))
      .entry("nested", Bytes()
                           .put(9U)
                           .put(9U)
                           .put(std::uint64_t{2})
                           .put(0U)
                           .put(std::uint64_t{1})
                           .put(std::uint8_t{1})
                           .put(8U)
                           .put(std::uint64_t{1})
                           .text("x"))
      .tensor("blk.0.attn_q.weight", {32, 4}, 3, std::vector<std::byte>(80))
      .tensor("w", {2, 3}, 0, std::vector<float>(6));
  return {as_text(model.build()), as_text(GgufBuilder().build(2))};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = GgufFile::from_bytes(std::as_bytes(std::span(data, size)));
  if (!file) {
    LINNET_FUZZ_REQUIRE(!file.error().message.empty());
    return 0;
  }
  walk(file->metadata());
  (void)linnet::weights::gguf_row_orders(*file);
  for (const auto& tensor : file->tensors().tensors()) {
    LINNET_FUZZ_REQUIRE(file->tensors().find(tensor.name) == &tensor);
    const auto count = linnet::weights::element_count(tensor.shape());
    LINNET_FUZZ_REQUIRE(count.has_value());
    if (!tensor.readable || *count == 0) continue;
    LINNET_FUZZ_REQUIRE(linnet::weights::row_bytes(tensor.format, *count) ==
                        static_cast<std::int64_t>(tensor.bytes.size()));
    std::vector<float> values(static_cast<std::size_t>(*count));
    linnet::weights::decode_row(tensor.format, tensor.bytes.data(), *count, values.data());
  }
  return 0;
}
