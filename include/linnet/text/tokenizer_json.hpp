// `tokenizer.json` of the Hugging Face tokenizers library, for byte-level BPE models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "linnet/core/result.hpp"
#include "linnet/text/byte_level.hpp"
#include "linnet/text/tokenizer.hpp"
#include "linnet/text/tokenizer_gguf.hpp"

namespace linnet::text {

namespace detail {

using Json = nlohmann::json;

/// Largest id that a file may give; it keeps a hostile id from taking memory.
inline constexpr std::int64_t largest_token_id = 1 << 24;

inline Error json_error(std::string_view where, std::string_view why) {
  return Error{ErrorCode::invalid_file,
               "tokenizer.json: " + std::string(where) + ": " + std::string(why)};
}

inline Error json_unsupported(std::string_view what, std::string_view kind) {
  return Error{ErrorCode::unsupported, "tokenizer.json: " + std::string(what) + " " +
                                           weights::in_backquotes(kind) + " is not supported"};
}

/// The member of an object, or null.
inline const Json* json_member(const Json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

inline std::string_view json_text(const Json& object, const char* name) {
  const Json* member = json_member(object, name);
  return member != nullptr && member->is_string()
             ? std::string_view(member->get_ref<const std::string&>())
             : std::string_view();
}

inline bool json_flag(const Json& object, const char* name, bool fallback) {
  const Json* member = json_member(object, name);
  return member != nullptr && member->is_boolean() ? member->get<bool>() : fallback;
}

inline bool json_id(const Json* value, TokenId& id) {
  if (value == nullptr || !value->is_number_integer()) return false;
  if (value->is_number_unsigned() &&
      value->get<std::uint64_t>() > static_cast<std::uint64_t>(largest_token_id))
    return false;
  const auto number = value->get<std::int64_t>();
  if (number < 0 || number > largest_token_id) return false;
  id = static_cast<TokenId>(number);
  return true;
}

/// What the pre-tokenizers of a file come to: patterns in order, and whether ByteLevel was there.
struct JsonPreTokenizer {
  std::vector<std::string> patterns;
  bool byte_level = false;
  bool prefix_space = false;
};

inline Result<void> read_pre_tokenizer(const Json& node, JsonPreTokenizer& out) {
  const std::string_view type = json_text(node, "type");
  if (type == "Sequence") {
    const Json* list = json_member(node, "pretokenizers");
    if (list == nullptr || !list->is_array())
      return json_error("pre_tokenizer", "a Sequence without `pretokenizers`");
    for (const Json& item : *list) {
      if (json_text(item, "type") == "Sequence")
        return json_unsupported("a pre-tokenizer in a Sequence", "Sequence");
      if (const auto read = read_pre_tokenizer(item, out); !read) return read.error();
    }
    return {};
  }
  if (type == "ByteLevel") {
    out.byte_level = true;
    out.prefix_space = json_flag(node, "add_prefix_space", true);
    if (json_flag(node, "use_regex", true)) out.patterns.emplace_back(gpt2_pattern);
    return {};
  }
  if (type == "Digits") {
    out.patterns.emplace_back(json_flag(node, "individual_digits", false) ? "\\p{N}" : "\\p{N}+");
    return {};
  }
  if (type == "Split") {
    const Json* pattern = json_member(node, "pattern");
    if (pattern == nullptr) return json_error("pre_tokenizer", "a Split without `pattern`");
    const std::string_view regex = json_text(*pattern, "Regex");
    if (regex.empty()) return json_unsupported("Split by", "String");
    if (json_text(node, "behavior") != "Isolated")
      return json_unsupported("Split behavior", json_text(node, "behavior"));
    if (json_flag(node, "invert", false)) return json_unsupported("Split with", "invert");
    out.patterns.push_back(unicode_spaces(regex));
    return {};
  }
  return json_unsupported("pre-tokenizer", type);
}

inline Result<void> read_normalizer(const Json& node, TokenizerParts& parts) {
  const std::string_view type = json_text(node, "type");
  if (type == "NFC") {
    parts.normalize_nfc = true;
    return {};
  }
  if (type == "Sequence") {
    const Json* list = json_member(node, "normalizers");
    if (list == nullptr || !list->is_array())
      return json_error("normalizer", "a Sequence without `normalizers`");
    for (const Json& item : *list) {
      if (json_text(item, "type") == "Sequence")
        return json_unsupported("a normalizer in a Sequence", "Sequence");
      if (const auto read = read_normalizer(item, parts); !read) return read.error();
    }
    return {};
  }
  return json_unsupported("normalizer", type);
}

inline Result<void> read_added_tokens(const Json& list, std::vector<AddedToken>& out) {
  if (!list.is_array()) return json_error("added_tokens", "expected an array");
  for (const Json& item : list) {
    AddedToken token;
    if (!json_id(json_member(item, "id"), token.id))
      return json_error("added_tokens", "an entry without an `id` from 0 to 16777216");
    token.content = json_text(item, "content");
    if (token.content.empty())
      return json_error("added_tokens", "token " + std::to_string(token.id) + " has no `content`");
    token.special = json_flag(item, "special", false);
    token.strip_left = json_flag(item, "lstrip", false);
    token.strip_right = json_flag(item, "rstrip", false);
    token.single_word = json_flag(item, "single_word", false);
    out.push_back(std::move(token));
  }
  return {};
}

inline Result<void> read_bpe_model(const Json& model, const std::vector<AddedToken>& added,
                                   TokenizerParts& parts) {
  const std::string_view type = json_text(model, "type");
  if (type != "BPE" && !(type.empty() && json_member(model, "merges") != nullptr))
    return json_unsupported("model", type.empty() ? "without a type" : type);
  if (json_flag(model, "byte_fallback", false))
    return json_unsupported("BPE with", "byte_fallback");
  for (const char* affix : {"continuing_subword_prefix", "end_of_word_suffix"})
    if (!json_text(model, affix).empty()) return json_unsupported("BPE with", affix);
  parts.whole_pieces = json_flag(model, "ignore_merges", false);

  const Json* vocabulary = json_member(model, "vocab");
  if (vocabulary == nullptr || !vocabulary->is_object())
    return json_error("model.vocab", "expected an object of token ids");
  std::unordered_map<TokenId, std::string_view> added_by_id;
  for (const AddedToken& token : added) added_by_id.emplace(token.id, token.content);
  std::size_t bytes = 0;
  for (const auto& [token, id] : vocabulary->items()) bytes += token.size();
  parts.vocabulary.reserve(vocabulary->size() + added.size(), bytes);
  std::string text;
  for (const auto& [token, number] : vocabulary->items()) {
    TokenId id = -1;
    if (!json_id(&number, id))
      return json_error("model.vocab",
                        "token " + weights::in_backquotes(token) + " has no id from 0 to 16777216");
    // Added tokens that the vocabulary repeats are written as they are, not in the byte alphabet.
    const auto repeated = added_by_id.find(id);
    if (repeated != added_by_id.end() && repeated->second == token) continue;
    text.clear();
    if (!append_byte_level(text, token)) text.assign(token);
    if (repeated != added_by_id.end() || !parts.vocabulary.add(id, text))
      return json_error("model.vocab", "two tokens have the id " + std::to_string(id));
  }
  for (const AddedToken& token : added)
    if (!parts.vocabulary.add(token.id, token.content))
      return json_error("added_tokens", "two tokens have the id " + std::to_string(token.id));

  const Json* merges = json_member(model, "merges");
  if (merges == nullptr || !merges->is_array())
    return json_error("model.merges", "expected an array of pairs");
  parts.merges.reserve(merges->size());
  std::size_t rank = 0;
  for (const Json& merge : *merges) {
    std::string_view left, right;
    const bool pair =
        merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string();
    if (pair) {
      left = merge[0].get_ref<const std::string&>();
      right = merge[1].get_ref<const std::string&>();
    } else if (!merge.is_string() ||
               !split_merge(merge.get_ref<const std::string&>(), left, right)) {
      return json_error("model.merges", "entry " + std::to_string(rank) + " is no pair");
    }
    const auto done = add_merge(parts, left, right, rank, text);
    if (!done) return json_error("model.merges", done.error().message);
    ++rank;
  }
  return {};
}

}  // namespace detail

/// Reads the text of a `tokenizer.json`. Whatever it asks for that is not supported is an error
/// that names it.
[[nodiscard]] inline Result<Tokenizer> tokenizer_from_json(std::string_view document) {
  using namespace detail;
  const Json json = Json::parse(document.begin(), document.end(), nullptr, false);
  if (json.is_discarded() || !json.is_object())
    return json_error("document", "it is no JSON object");
  TokenizerParts parts;
  std::vector<AddedToken> added;
  if (const Json* list = json_member(json, "added_tokens"))
    if (const auto read = read_added_tokens(*list, added); !read) return read.error();
  if (const Json* node = json_member(json, "normalizer"))
    if (const auto read = read_normalizer(*node, parts); !read) return read.error();

  const Json* pre = json_member(json, "pre_tokenizer");
  if (pre == nullptr) return json_unsupported("a model", "without a pre-tokenizer");
  JsonPreTokenizer stages;
  if (const auto read = read_pre_tokenizer(*pre, stages); !read) return read.error();
  if (!stages.byte_level) return json_unsupported("pre-tokenizer", "without ByteLevel");
  parts.prefix_space = stages.prefix_space;
  std::vector<std::string_view> patterns(stages.patterns.begin(), stages.patterns.end());
  auto made = PreTokenizer::of(patterns);
  if (!made) return json_error("pre_tokenizer", made.error().message);
  parts.pre_tokenizer = std::move(*made);

  const Json* model = json_member(json, "model");
  if (model == nullptr) return json_error("model", "it is missing");
  if (const auto read = read_bpe_model(*model, added, parts); !read) return read.error();
  for (AddedToken& token : added) parts.added.add(std::move(token));
  return Tokenizer::make(std::move(parts));
}

}  // namespace linnet::text
