// token_lines_check FAMILY VOCABULARY LINES GOLDEN: encodes every line of token_lines.py with the
// vocabulary of FAMILY and compares with the reference's ids (as CRC-32), then decodes them again.
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "linnet/text/tokenizer_gguf.hpp"
#include "linnet/text/tokenizer_json.hpp"
#include "linnet/text/tokenizer_tiktoken.hpp"
#include "linnet/weights/gguf.hpp"

namespace {

using namespace linnet;

std::string read_file(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Result<text::Tokenizer> ranked(const char* path, std::string_view pattern,
                               std::span<const text::ControlToken> control) {
  auto pre = text::PreTokenizer::of({pattern});
  if (!pre) return pre.error();
  return text::tokenizer_from_tiktoken(read_file(path), std::move(*pre), control);
}

Result<text::Tokenizer> open(std::string_view family, const char* path) {
  if (family == "smollm2") {
    const auto file = weights::GgufFile::open(path);
    if (!file) return file.error();
    return text::tokenizer_from_gguf(file->metadata());
  }
  if (family == "whisper") return text::tokenizer_from_json(read_file(path));
  if (family == "llama3") {
    constexpr text::ControlToken control[] = {
        {"<|begin_of_text|>", 128000}, {"<|end_of_text|>", 128001}, {"<|eot_id|>", 128009}};
    return ranked(path, text::llama3_pattern, control);
  }
  constexpr text::ControlToken control[] = {
      {"<|endoftext|>", 151643}, {"<|im_start|>", 151644}, {"<|im_end|>", 151645}};
  return ranked(path, text::qwen2_pattern, control);
}

std::uint32_t crc32(std::span<const text::TokenId> ids) {
  std::uint32_t crc = ~0u;
  for (const text::TokenId id : ids)
    for (int shift = 0; shift < 32; shift += 8) {
      crc ^= static_cast<std::uint32_t>(id) >> shift & 0xFF;
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0u);
    }
  return ~crc;
}

std::string unhex(std::string_view hex) {
  std::string out;
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(digit(hex[i]) << 4 | digit(hex[i + 1]));
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: token_lines_check FAMILY VOCABULARY LINES GOLDEN\n");
    return 2;
  }
  if (!std::ifstream(argv[2])) {
    std::printf("SKIP: %s is not here (tools/fetch_model --tests fetches it)\n", argv[2]);
    return 77;
  }
  const auto tokenizer = open(argv[1], argv[2]);
  if (!tokenizer) {
    std::fprintf(stderr, "%s: %s\n", argv[2], tokenizer.error().message.c_str());
    return 1;
  }
  std::ifstream lines(argv[3]), golden(argv[4]);
  std::string hex, wanted;
  int count = 0, wrong = 0;
  while (std::getline(lines, hex)) {
    const std::string line = unhex(hex);
    ++count;
    if (!std::getline(golden, wanted)) {
      std::fprintf(stderr, "the golden ends at line %d\n", count);
      return 1;
    }
    const auto ids = tokenizer->encode(line, text::ControlTokens::parse);
    char got[9] = "";
    bool round_trip = false;
    if (ids) {
      std::snprintf(got, sizeof got, "%08x", static_cast<unsigned>(crc32(*ids)));
      const auto back = tokenizer->decode(*ids, true);
      round_trip = back && *back == text::utf8_repair(line);
    }
    if (wanted == got && round_trip) continue;
    if (++wrong <= 10)
      std::fprintf(stderr, "line %d: %s: %.200s\n", count,
                   !ids ? ids.error().message.c_str()
                        : (wanted != got ? "other ids than the reference" : "decode differs"),
                   hex.c_str());
  }
  std::printf("%s: %d lines, %d wrong\n", argv[1], count, wrong);
  return wrong == 0 && count >= 3000 ? 0 : 1;
}
