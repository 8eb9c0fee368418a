#include "linnet/weights/safetensors.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "file_builder.hpp"
#include "fuzz_target.hpp"

using linnet::weights::SafeTensors;

std::vector<std::string> fuzz_seeds() {
  const std::vector<float> data(4);
  const auto file = [&](std::string_view header) {
    const auto bytes = linnet::test::safetensors(header, std::as_bytes(std::span(data)));
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  return {
      file(R"({"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[1,2],)"
           R"("data_offsets":[0,8]},"v\u00e9":{"dtype":"BF16","shape":[4],)"
           R"("data_offsets":[8,16]},"e":{"dtype":"I64","shape":[0],"data_offsets":[16,16]}} )"),
      file(R"({"a":{"dtype":"F4","shape":[2,16],"data_offsets":[0,16]}})"),
      R"({"metadata":{"n":[1,{"a":null}]},"weight_map":{"a":"x.safetensors","b":"y"}})"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = std::string_view(reinterpret_cast<const char*>(data), size);
  if (const auto entries = linnet::weights::detail::read_index("index", text)) {
    for (const auto& entry : *entries) {
      LINNET_FUZZ_REQUIRE(entry.file.find('/') == std::string::npos);
    }
  }
  const auto file = SafeTensors::from_bytes(std::as_bytes(std::span(data, size)));
  if (!file) {
    LINNET_FUZZ_REQUIRE(!file.error().message.empty());
    return 0;
  }
  std::size_t covered = 8;
  unsigned sum = 0;
  for (const auto& tensor : file->tensors().tensors()) {
    LINNET_FUZZ_REQUIRE(file->tensors().find(tensor.name) == &tensor);
    covered += tensor.bytes.size();
    for (const std::byte byte : tensor.bytes) sum += std::to_integer<unsigned>(byte);
  }
  LINNET_FUZZ_REQUIRE(covered <= size && sum <= 255 * size);
  return 0;
}
