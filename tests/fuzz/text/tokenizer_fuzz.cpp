// Tokenizer files of any bytes, and any text through a tokenizer: `tokenizer.json`, rank files, and
// encoding with the first that reads.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz_target.hpp"
#include "linnet/text/chat.hpp"
#include "linnet/text/stream.hpp"
#include "linnet/text/tokenizer_json.hpp"
#include "linnet/text/tokenizer_tiktoken.hpp"

using linnet::Result;
using namespace linnet::text;

std::vector<std::string> fuzz_seeds() {
  return {
      R"({"added_tokens":[{"id":4,"content":"<|im_start|>","special":true},{"id":5,"content":"@","lstrip":true,"rstrip":true,"single_word":true}],"normalizer":{"type":"NFC"},"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Digits","individual_digits":true},{"type":"Split","pattern":{"Regex":"[^\\s]+|\\s"},"behavior":"Isolated"},{"type":"ByteLevel","add_prefix_space":true,"use_regex":true}]},"model":{"type":"BPE","ignore_merges":true,"vocab":{"a":0,"b":1,"ab":2,"aba":3},"merges":["a b",["ab","a"]]}})",
      "YQ== 0\nYg== 1\nYWI= 2\nYWJh 3\n",
      "It's 12 naïve 😀 cafés,\t\n\n  <|im_start|>user abab aba @ x\xff\xe2\x82",
  };
}

namespace {

Result<Tokenizer> small_tokenizer() {
  auto pre = PreTokenizer::of({digits_pattern, llama3_pattern});
  if (!pre) return pre.error();
  std::string ranks;
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (unsigned byte = 0; byte < 256; ++byte)
    ranks += {digits[byte >> 2], digits[(byte & 3) << 4], '=', '='},
        ranks += ' ' + std::to_string(byte) + '\n';
  ranks += "YWI= 256\nYWJh 257\n8J8= 258\n8J+Y 259\n";
  static constexpr std::array<ControlToken, 2> control{
      {{"<|im_start|>", 260}, {"<|im_end|>", 261}}};
  return tokenizer_from_tiktoken(ranks, std::move(*pre), control);
}

void encode_all(const Tokenizer& tokenizer, std::string_view text, bool whole_alphabet) {
  for (const ControlTokens control : {ControlTokens::as_text, ControlTokens::parse}) {
    const auto ids = tokenizer.encode(text, control);
    if (!ids) continue;
    const auto back = tokenizer.decode(*ids, true);
    LINNET_FUZZ_REQUIRE(back);
    LINNET_FUZZ_REQUIRE(utf8_valid(*back));
    if (!whole_alphabet) continue;
    LINNET_FUZZ_REQUIRE(*back == utf8_repair(text));
    std::string streamed;
    StreamDecoder stream(tokenizer);
    for (const TokenId id : *ids) {
      LINNET_FUZZ_REQUIRE(control == ControlTokens::parse || !tokenizer.is_control(id));
      streamed.append(stream.push(id));
      LINNET_FUZZ_REQUIRE(utf8_valid(streamed));
    }
    streamed.append(stream.finish());
    LINNET_FUZZ_REQUIRE(streamed == *tokenizer.decode(*ids));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (const auto made = tokenizer_from_json(input))
    encode_all(*made, "abab aba @ 12\n é", false);
  else
    LINNET_FUZZ_REQUIRE(!made.error().message.empty());
  if (auto pre = PreTokenizer::named("qwen2")) {
    const auto made = tokenizer_from_tiktoken(input, std::move(*pre), {});
    if (made) encode_all(*made, "abab aba", false);
  }
  static const Result<Tokenizer> tokenizer = small_tokenizer();
  LINNET_FUZZ_REQUIRE(tokenizer);
  encode_all(*tokenizer, input, true);
  return 0;
}
