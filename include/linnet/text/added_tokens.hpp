// Tokens that are found in the text as they are written, before anything else is cut: control
// tokens such as <|im_start|>, and words that were added to a vocabulary later.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "linnet/text/utf8.hpp"
#include "linnet/text/vocabulary.hpp"

namespace linnet::text {

struct AddedToken {
  std::string content;
  TokenId id = -1;
  bool special = false;      ///< a control token: never found in a user's text
  bool strip_left = false;   ///< takes the white space before it along
  bool strip_right = false;  ///< takes the white space after it along
  bool single_word = false;  ///< only between non-word characters
};

/// A found token: the range of the text that it replaces.
struct AddedMatch {
  const AddedToken* token = nullptr;
  std::size_t begin = 0, end = 0;
};

/// Finds added tokens, leftmost first and of those the longest, through a trie of bytes.
class AddedTokens {
 public:
  void add(AddedToken token) {
    if (token.content.empty()) return;
    begins_[static_cast<std::uint8_t>(token.content[0])] = true;
    std::uint32_t node = 0;
    for (const char c : token.content) {
      const auto [entry, fresh] = edges_.try_emplace(edge(node, c), node_count_);
      if (fresh) {
        ++node_count_;
        ends_.resize(node_count_, -1);
      }
      node = entry->second;
    }
    if (ends_[node] >= 0) return;  // the first of equal contents stays
    ends_[node] = static_cast<std::int32_t>(tokens_.size());
    by_id_.try_emplace(token.id, tokens_.size());
    tokens_.push_back(std::move(token));
  }

  [[nodiscard]] const std::vector<AddedToken>& all() const { return tokens_; }

  /// The added token of this id, or null.
  [[nodiscard]] const AddedToken* by_id(TokenId id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &tokens_[found->second];
  }

  /// The first match at or after `from`; control tokens only when `special` says so.
  [[nodiscard]] std::optional<AddedMatch> find(std::string_view text, std::size_t from,
                                               bool special) const {
    for (std::size_t begin = from; begin < text.size(); ++begin) {
      if (!begins_[static_cast<std::uint8_t>(text[begin])]) continue;
      const AddedToken* longest = nullptr;
      std::uint32_t node = 0;
      for (std::size_t at = begin; at < text.size(); ++at) {
        const auto next = edges_.find(edge(node, text[at]));
        if (next == edges_.end()) break;
        node = next->second;
        if (ends_[node] < 0) continue;
        const AddedToken& token = tokens_[static_cast<std::size_t>(ends_[node])];
        if ((special || !token.special) && (!token.single_word || alone(text, begin, at + 1)))
          longest = &token;
      }
      if (longest == nullptr) continue;
      AddedMatch match{longest, begin, begin + longest->content.size()};
      if (longest->strip_left)
        while (match.begin > from && is_space(text[match.begin - 1])) --match.begin;
      if (longest->strip_right)
        while (match.end < text.size() && is_space(text[match.end])) ++match.end;
      return match;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] static std::uint64_t edge(std::uint32_t node, char c) {
    return std::uint64_t{node} << 8 | static_cast<std::uint8_t>(c);
  }
  [[nodiscard]] static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
  }
  [[nodiscard]] static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (static_cast<std::uint8_t>(c) & 0x80) != 0;
  }
  [[nodiscard]] static bool alone(std::string_view text, std::size_t begin, std::size_t end) {
    return (begin == 0 || !is_word(text[begin - 1])) && (end == text.size() || !is_word(text[end]));
  }

  std::vector<AddedToken> tokens_;
  std::unordered_map<TokenId, std::size_t> by_id_;
  std::unordered_map<std::uint64_t, std::uint32_t> edges_;
  std::vector<std::int32_t> ends_{-1};
  std::uint32_t node_count_ = 1;
  std::array<bool, 256> begins_{};  // which bytes begin a token
};

}  // namespace linnet::text
