// The tokenizer in the metadata of a GGUF file: `tokenizer.ggml.*` of model `gpt2`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "linnet/core/result.hpp"
#include "linnet/text/byte_level.hpp"
#include "linnet/text/tokenizer.hpp"
#include "linnet/weights/gguf_metadata.hpp"

namespace linnet::text {

namespace detail {

/// `tokenizer.ggml.token_type` values of the GGUF specification.
enum class GgufTokenType : std::int32_t {
  normal = 1,
  unknown = 2,
  control = 3,
  user_defined = 4,
  unused = 5,
  byte = 6
};

/// One line of a merge list: two tokens with one space between.
inline bool split_merge(std::string_view line, std::string_view& left, std::string_view& right) {
  // A token may begin with a space only in its byte-level form, so the first inner space divides.
  const std::size_t space = line.find(' ', 1);
  if (space == std::string_view::npos || space + 1 == line.size()) return false;
  left = line.substr(0, space);
  right = line.substr(space + 1);
  return true;
}

/// The id of a token that is written in the byte-level alphabet, -1 when there is none.
inline TokenId find_byte_level(const Vocabulary& vocabulary, std::string_view written,
                               std::string& scratch) {
  scratch.clear();
  if (!append_byte_level(scratch, written)) return -1;
  return vocabulary.find(scratch);
}

/// Adds merge number `rank`; an error when a part or the whole is no token.
inline Result<void> add_merge(TokenizerParts& parts, std::string_view left, std::string_view right,
                              std::size_t rank, std::string& scratch) {
  const TokenId a = find_byte_level(parts.vocabulary, left, scratch);
  const TokenId b = find_byte_level(parts.vocabulary, right, scratch);
  TokenId merged = -1;
  if (a >= 0 && b >= 0) {
    scratch.assign(parts.vocabulary[a]).append(parts.vocabulary[b]);
    merged = parts.vocabulary.find(scratch);
  }
  if (merged < 0)
    return Error{ErrorCode::invalid_file,
                 "merge " + std::to_string(rank) + " (" + weights::in_backquotes(left) + " + " +
                     weights::in_backquotes(right) + ") names a token that the vocabulary lacks"};
  parts.merges.add(a, b, {static_cast<std::uint32_t>(rank), merged});
  return {};
}

}  // namespace detail

/// Reads the tokenizer of a GGUF file. A model other than byte-level BPE or a pre-tokenizer that
/// is not known is an error that names it.
[[nodiscard]] inline Result<Tokenizer> tokenizer_from_gguf(const weights::GgufMetadata& file) {
  const auto model = file.get_string("tokenizer.ggml.model");
  if (!model) return model.error();
  if (*model != "gpt2")
    return Error{ErrorCode::unsupported, "tokenizer model " + weights::in_backquotes(*model) +
                                             " is not supported; byte-level BPE (`gpt2`) is"};
  const auto tokens = file.get_strings("tokenizer.ggml.tokens");
  if (!tokens) return tokens.error();
  const auto merges = file.get_strings("tokenizer.ggml.merges");
  if (!merges) return merges.error();
  if (tokens->size() > static_cast<std::size_t>(std::numeric_limits<TokenId>::max()))
    return Error{ErrorCode::invalid_file, "tokenizer.ggml.tokens: too many tokens"};

  TokenizerParts parts;
  std::string_view pre = "gpt-2";
  if (file.contains("tokenizer.ggml.pre")) {
    const auto named = file.get_string("tokenizer.ggml.pre");
    if (!named) return named.error();
    pre = *named;
  }
  auto pre_tokenizer = PreTokenizer::named(pre);
  if (!pre_tokenizer) return pre_tokenizer.error();
  parts.pre_tokenizer = std::move(*pre_tokenizer);
  parts.whole_pieces = pre == "llama-bpe" || pre == "llama3" || pre == "llama-v3";

  weights::GgufNumbers<std::int32_t> types;
  if (file.contains("tokenizer.ggml.token_type")) {
    const auto read = file.get_numbers<std::int32_t>("tokenizer.ggml.token_type");
    if (!read) return read.error();
    if (read->size() != tokens->size())
      return Error{ErrorCode::invalid_file, "tokenizer.ggml.token_type has " +
                                                std::to_string(read->size()) + " entries for " +
                                                std::to_string(tokens->size()) + " tokens"};
    types = *read;
  }

  const auto type_of = [&](std::size_t i) {
    return types.size() == 0 ? detail::GgufTokenType::normal
                             : static_cast<detail::GgufTokenType>(types[i]);
  };
  std::size_t bytes = 0;
  for (const std::string_view token : *tokens) bytes += token.size();
  parts.vocabulary.reserve(tokens->size(), bytes);
  // Ordinary tokens first: of equal bytes they are the ones that merging must find.
  std::string text;
  for (const bool ordinary : {true, false}) {
    std::size_t i = 0;
    for (const std::string_view token : *tokens) {
      const std::size_t index = i++;
      const auto type = type_of(index);
      const bool added =
          type == detail::GgufTokenType::control || type == detail::GgufTokenType::user_defined;
      if (added == ordinary) continue;
      const auto id = static_cast<TokenId>(index);
      text.clear();
      if (added || !append_byte_level(text, token)) text.assign(token);
      parts.vocabulary.add(id, text);
      if (added) parts.added.add({std::string(token), id, type == detail::GgufTokenType::control});
    }
  }

  std::size_t rank = 0;
  parts.merges.reserve(merges->size());
  for (const std::string_view line : *merges) {
    std::string_view left, right;
    if (!detail::split_merge(line, left, right))
      return Error{ErrorCode::invalid_file, "tokenizer.ggml.merges: entry " + std::to_string(rank) +
                                                " " + weights::in_backquotes(line) + " is no pair"};
    const auto added = detail::add_merge(parts, left, right, rank, text);
    if (!added) return added.error();
    ++rank;
  }

  const auto token_key = [&](std::string_view key, std::optional<TokenId>& id) -> Result<void> {
    if (!file.contains(key)) return {};
    const auto value = file.get_u32(key);
    if (!value) return value.error();
    if (*value >= tokens->size())
      return Error{ErrorCode::invalid_file, std::string(key) + ": token " + std::to_string(*value) +
                                                " is outside the vocabulary of " +
                                                std::to_string(tokens->size())};
    id = static_cast<TokenId>(*value);
    return {};
  };
  if (const auto read = token_key("tokenizer.ggml.bos_token_id", parts.bos); !read)
    return read.error();
  if (const auto read = token_key("tokenizer.ggml.eos_token_id", parts.eos); !read)
    return read.error();
  const auto add_bos = file.get_or<bool>("tokenizer.ggml.add_bos_token", false);
  if (!add_bos) return add_bos.error();
  parts.add_bos = *add_bos;
  return Tokenizer::make(std::move(parts));
}

}  // namespace linnet::text
