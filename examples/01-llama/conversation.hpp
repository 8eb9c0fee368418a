// The turns of a chat as one sequence of token ids that fits the context.
#pragma once

#include <string>
#include <vector>

#include "engine.hpp"
#include "linnet/text/chat.hpp"

namespace llama_example {

class Conversation {
 public:
  /// `system` may be empty: then there is no system turn.
  static linnet::Result<Conversation> start(const linnet::text::Tokenizer& tokenizer,
                                            const std::string& system, int context);

  /// Adds a user's turn and asks for the reply, dropping the oldest turns but never the system
  /// prompt until `reserve` tokens of reply fit as well. An error when the turn alone is too
  /// long; the conversation is then as it was.
  linnet::Result<void> ask(const std::string& text, int reserve);
  /// Takes the last `ask` back: there was no reply. Turns that it dropped stay dropped.
  void withdraw();
  /// Adds the ids of the reply, without its end-of-turn token.
  linnet::Result<void> reply(const std::vector<TokenId>& ids);

  /// Everything so far.
  [[nodiscard]] const std::vector<TokenId>& ids() const { return ids_; }
  [[nodiscard]] TokenId end_of_turn() const { return format_.end_of_turn(); }
  /// How many turns the last `ask` dropped.
  [[nodiscard]] int dropped() const { return dropped_; }

 private:
  Conversation(const linnet::text::Tokenizer& tokenizer, linnet::text::ChatFormat format,
               int context)
      : tokenizer_(&tokenizer), format_(std::move(format)), context_(context) {}
  void rebuild();

  const linnet::text::Tokenizer* tokenizer_;
  linnet::text::ChatFormat format_;
  int context_;
  std::vector<TokenId> opening_;             // prologue and system prompt
  std::vector<std::vector<TokenId>> turns_;  // user, assistant, user, ...
  std::vector<TokenId> reply_prompt_, after_reply_;
  std::vector<TokenId> ids_;
  int dropped_ = 0;
};

}  // namespace llama_example
