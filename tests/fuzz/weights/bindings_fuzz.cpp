#include "linnet/weights/bindings.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz_target.hpp"

using linnet::weights::Bindings;

std::vector<std::string> fuzz_seeds() {
  return {R"({"layers.{i}.q.weight": "blk.{i}.q", "a.{x}.{y}": "t.{y}.{x}.{y}", "b": "c"})",
          R"({"\u0061\ud83d\ude00": "\n\"\\", "": ""})"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bindings = Bindings::parse({reinterpret_cast<const char*>(data), size});
  if (!bindings) {
    LINNET_FUZZ_REQUIRE(!bindings.error().message.empty());
    return 0;
  }
  for (const auto& entry : bindings->entries()) {
    (void)bindings->resolve(entry.path.text());
    // A path that the pattern matches: every placeholder is some position.
    std::string path;
    bool inside = false;
    for (const char c : entry.path.text()) {
      if (c == '{') path += "12";
      inside = c == '{' || (inside && c != '}');
      if (!inside && c != '}') path += c;
    }
    const auto target = bindings->resolve(path);
    LINNET_FUZZ_REQUIRE(!target.entries.empty());
    LINNET_FUZZ_REQUIRE(target.tensor.find('{') == std::string::npos);
  }
  return 0;
}
