// Conversations as token ids, in the formats that models were trained on. Control tokens are put
// in by id and the text around them is encoded as text, so that nothing a user writes can end a
// turn or speak as somebody else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linnet/core/result.hpp"
#include "linnet/text/tokenizer.hpp"

namespace linnet::text {

enum class Role : std::uint8_t { system, user, assistant };

[[nodiscard]] constexpr std::string_view role_name(Role role) {
  switch (role) {
    case Role::system:
      return "system";
    case Role::user:
      return "user";
    case Role::assistant:
      break;
  }
  return "assistant";
}

struct Message {
  Role role = Role::user;
  std::string text;
};

enum class ChatStyle : std::uint8_t {
  chatml,  ///< <|im_start|>role\ntext<|im_end|>\n
  llama3,  ///< <|start_header_id|>role<|end_header_id|>\n\ntext<|eot_id|>, text trimmed
};

/// The style and the ids of its control tokens in one vocabulary.
class ChatFormat {
 public:
  [[nodiscard]] static Result<ChatFormat> make(ChatStyle style, const Tokenizer& tokenizer) {
    ChatFormat made;
    made.style_ = style;
    const bool chatml = style == ChatStyle::chatml;
    const std::string_view start = chatml ? "<|im_start|>" : "<|start_header_id|>";
    const std::string_view header_end = chatml ? "" : "<|end_header_id|>";
    const std::string_view end = chatml ? "<|im_end|>" : "<|eot_id|>";
    for (const auto& [content, id] :
         {std::pair{start, &made.start_}, std::pair{header_end, &made.header_end_},
          std::pair{end, &made.end_}}) {
      if (content.empty()) continue;
      const auto found = tokenizer.control_token(content);
      if (!found)
        return Error{ErrorCode::unsupported, "the vocabulary has no control token " +
                                                 std::string(content) +
                                                 ", which this chat format needs"};
      *id = *found;
    }
    if (!chatml) made.begin_ = tokenizer.control_token("<|begin_of_text|>");
    return made;
  }

  /// The style that the vocabulary has the control tokens of.
  [[nodiscard]] static Result<ChatFormat> detect(const Tokenizer& tokenizer) {
    for (const ChatStyle style : {ChatStyle::llama3, ChatStyle::chatml})
      if (auto made = make(style, tokenizer)) return made;
    return Error{ErrorCode::unsupported,
                 "the vocabulary has the control tokens of neither ChatML nor Llama 3"};
  }

  [[nodiscard]] ChatStyle style() const { return style_; }
  /// The token that ends a turn: generation stops there.
  [[nodiscard]] TokenId end_of_turn() const { return end_; }

  /// What comes before the first message.
  [[nodiscard]] std::vector<TokenId> prologue() const {
    return begin_ ? std::vector<TokenId>{*begin_} : std::vector<TokenId>{};
  }

  /// One whole turn.
  [[nodiscard]] Result<std::vector<TokenId>> turn(const Tokenizer& tokenizer,
                                                  const Message& message) const {
    std::vector<TokenId> ids;
    if (style_ == ChatStyle::chatml) {
      ids.push_back(start_);
      std::string body(role_name(message.role));
      body.append("\n").append(message.text);
      if (const auto done = append_text(tokenizer, body, ids); !done) return done.error();
      ids.push_back(end_);
      if (const auto done = append_text(tokenizer, "\n", ids); !done) return done.error();
    } else {
      if (const auto done = header(tokenizer, message.role, ids); !done) return done.error();
      std::string body("\n\n");
      body.append(trimmed(message.text));
      if (const auto done = append_text(tokenizer, body, ids); !done) return done.error();
      ids.push_back(end_);
    }
    return ids;
  }

  /// What asks the model for its turn.
  [[nodiscard]] Result<std::vector<TokenId>> reply_prompt(const Tokenizer& tokenizer) const {
    std::vector<TokenId> ids;
    if (style_ == ChatStyle::chatml) {
      ids.push_back(start_);
      if (const auto done = append_text(tokenizer, "assistant\n", ids); !done) return done.error();
    } else {
      if (const auto done = header(tokenizer, Role::assistant, ids); !done) return done.error();
      if (const auto done = append_text(tokenizer, "\n\n", ids); !done) return done.error();
    }
    return ids;
  }

  /// What follows a finished reply, after its end-of-turn token, before the next turn.
  [[nodiscard]] Result<std::vector<TokenId>> after_reply(const Tokenizer& tokenizer) const {
    std::vector<TokenId> ids;
    if (style_ == ChatStyle::chatml)
      if (const auto done = append_text(tokenizer, "\n", ids); !done) return done.error();
    return ids;
  }

 private:
  static Result<void> append_text(const Tokenizer& tokenizer, std::string_view text,
                                  std::vector<TokenId>& ids) {
    const auto encoded = tokenizer.encode(text, ControlTokens::as_text);
    if (!encoded) return encoded.error();
    ids.insert(ids.end(), encoded->begin(), encoded->end());
    return {};
  }

  Result<void> header(const Tokenizer& tokenizer, Role role, std::vector<TokenId>& ids) const {
    ids.push_back(start_);
    if (const auto done = append_text(tokenizer, role_name(role), ids); !done) return done.error();
    ids.push_back(header_end_);
    return {};
  }

  [[nodiscard]] static std::string_view trimmed(std::string_view text) {
    constexpr std::string_view space = " \t\n\r\f\v";
    const std::size_t first = text.find_first_not_of(space);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(space) - first + 1);
  }

  ChatStyle style_ = ChatStyle::chatml;
  TokenId start_ = -1, header_end_ = -1, end_ = -1;
  std::optional<TokenId> begin_;
};

}  // namespace linnet::text
