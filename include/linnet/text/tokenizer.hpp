// A byte-level BPE tokenizer: text to token ids and back. `tokenizer_json.hpp`,
// `tokenizer_gguf.hpp` and `tokenizer_tiktoken.hpp` make one from a file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linnet/core/result.hpp"
#include "linnet/text/added_tokens.hpp"
#include "linnet/text/bpe.hpp"
#include "linnet/text/normalize.hpp"
#include "linnet/text/pretokenizer.hpp"
#include "linnet/text/utf8.hpp"
#include "linnet/text/vocabulary.hpp"

namespace linnet::text {

/// Whether control tokens written in the text are read as such. Text of a user never may be.
enum class ControlTokens : std::uint8_t { as_text, parse };

/// What a reader collects; `Tokenizer::make` checks and completes it.
struct TokenizerParts {
  Vocabulary vocabulary;       ///< bytes of every token, added ones under their written form
  MergeTable merges;           ///< empty: a pair merges to the token of its bytes, ranked by id
  bool merge_by_rank = false;  ///< tiktoken: no merge list, ranks are ids
  bool whole_pieces = false;   ///< a piece that is a token needs no merging (`ignore_merges`)
  bool normalize_nfc = false;
  bool prefix_space = false;  ///< a space goes before text that has none (`add_prefix_space`)
  PreTokenizer pre_tokenizer;
  AddedTokens added;
  std::optional<TokenId> bos, eos;
  bool add_bos = false;  ///< models of this file expect `bos` first
};

class Tokenizer {
 public:
  [[nodiscard]] static Result<Tokenizer> make(TokenizerParts parts) {
    if (parts.vocabulary.count() == 0)
      return Error{ErrorCode::invalid_file, "the tokenizer has an empty vocabulary"};
    Tokenizer made;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const char c = static_cast<char>(byte);
      made.byte_ids_[byte] = parts.vocabulary.find(std::string_view(&c, 1));
    }
    made.parts_ = std::move(parts);
    return made;
  }

  /// One more than the largest id.
  [[nodiscard]] std::size_t vocabulary_size() const { return parts_.vocabulary.size(); }
  [[nodiscard]] std::optional<TokenId> bos() const { return parts_.bos; }
  [[nodiscard]] std::optional<TokenId> eos() const { return parts_.eos; }
  [[nodiscard]] bool add_bos() const { return parts_.add_bos; }
  [[nodiscard]] const Vocabulary& vocabulary() const { return parts_.vocabulary; }

  /// The id of the control token written `content`, if there is one.
  [[nodiscard]] std::optional<TokenId> control_token(std::string_view content) const {
    for (const AddedToken& token : parts_.added.all())
      if (token.special && token.content == content) return token.id;
    return std::nullopt;
  }

  [[nodiscard]] bool is_control(TokenId id) const {
    const AddedToken* token = parts_.added.by_id(id);
    return token != nullptr && token->special;
  }

  /// The ids of `text`, without any that the text does not hold. Invalid UTF-8 is read as
  /// U+FFFD.
  [[nodiscard]] Result<std::vector<TokenId>> encode(std::string_view text,
                                                    ControlTokens control) const {
    std::string repaired;
    if (!utf8_valid(text)) {
      repaired = utf8_repair(text);
      text = repaired;
    }
    std::vector<TokenId> ids;
    std::string why;
    Scratch scratch;
    const bool special = control == ControlTokens::parse;
    for (std::size_t from = 0; from < text.size();) {
      const auto match = parts_.added.find(text, from, special);
      const std::size_t stop = match ? match->begin : text.size();
      if (stop > from && !encode_plain(text.substr(from, stop - from), ids, scratch, why))
        return Error{ErrorCode::unsupported, "cannot tokenize the text: " + why};
      if (!match) break;
      ids.push_back(match->token->id);
      from = match->end;
    }
    return ids;
  }

  /// Appends the bytes of one token; control tokens have none unless `show_control`.
  /// False for an id outside the vocabulary.
  bool append_bytes(std::string& out, TokenId id, bool show_control = false) const {
    if (!parts_.vocabulary.contains(id)) return false;
    if (show_control || !is_control(id)) out.append(parts_.vocabulary[id]);
    return true;
  }

  /// The text of `ids`; bytes that are no UTF-8 become U+FFFD.
  [[nodiscard]] Result<std::string> decode(std::span<const TokenId> ids,
                                           bool show_control = false) const {
    std::string bytes;
    for (const TokenId id : ids)
      if (!append_bytes(bytes, id, show_control))
        return Error{ErrorCode::out_of_range, "token id " + std::to_string(id) +
                                                  " is outside the vocabulary of " +
                                                  std::to_string(vocabulary_size())};
    return utf8_valid(bytes) ? std::move(bytes) : utf8_repair(bytes);
  }

 private:
  struct Scratch {
    BpeScratch bpe;
    std::vector<std::string_view> pieces;
    std::string normalized, joined;
  };

  bool encode_plain(std::string_view text, std::vector<TokenId>& ids, Scratch& scratch,
                    std::string& why) const {
    if (parts_.normalize_nfc) {
      if (!normalize_nfc(text, scratch.normalized, why)) return false;
      text = scratch.normalized;
    }
    if (parts_.prefix_space && !text.starts_with(' ')) {
      std::string spaced(" ");
      spaced.append(text);
      scratch.normalized.swap(spaced);
      text = scratch.normalized;
    }
    if (!parts_.pre_tokenizer.split(text, scratch.pieces, why)) return false;
    for (const std::string_view piece : scratch.pieces) encode_piece(piece, ids, scratch);
    return true;
  }

  void encode_piece(std::string_view piece, std::vector<TokenId>& ids, Scratch& scratch) const {
    if (parts_.whole_pieces) {
      const TokenId whole = parts_.vocabulary.find(piece);
      if (whole >= 0 && !is_added(whole)) {
        ids.push_back(whole);
        return;
      }
    }
    scratch.bpe.ids.clear();
    for (const char c : piece) {
      // Bytes that a vocabulary lacks have no token to stand for them.
      const TokenId id = byte_ids_[static_cast<std::uint8_t>(c)];
      if (id >= 0) scratch.bpe.ids.push_back(id);
    }
    if (parts_.merge_by_rank)
      merge_pairs(scratch.bpe, [&](TokenId left, TokenId right) {
        scratch.joined.assign(parts_.vocabulary[left]).append(parts_.vocabulary[right]);
        const TokenId merged = parts_.vocabulary.find(scratch.joined);
        return merged < 0 || is_added(merged) ? Merge{}
                                              : Merge{static_cast<std::uint32_t>(merged), merged};
      });
    else
      merge_pairs(scratch.bpe,
                  [&](TokenId left, TokenId right) { return parts_.merges.find(left, right); });
    ids.insert(ids.end(), scratch.bpe.ids.begin(), scratch.bpe.ids.end());
  }

  [[nodiscard]] bool is_added(TokenId id) const { return parts_.added.by_id(id) != nullptr; }

  TokenizerParts parts_;
  std::array<TokenId, 256> byte_ids_{};
};

}  // namespace linnet::text
