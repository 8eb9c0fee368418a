#include "conversation.hpp"

#include <utility>

namespace llama_example {

using linnet::Error;
using linnet::ErrorCode;
using linnet::Result;
using linnet::text::ChatFormat;
using linnet::text::Role;

namespace {

void append(std::vector<TokenId>& to, const std::vector<TokenId>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

Result<Conversation> Conversation::start(const linnet::text::Tokenizer& tokenizer,
                                         const std::string& system, int context) {
  auto format = ChatFormat::detect(tokenizer);
  if (!format) return format.error();
  Conversation made(tokenizer, std::move(*format), context);
  made.opening_ = made.format_.prologue();
  if (!system.empty()) {
    const auto turn = made.format_.turn(tokenizer, {Role::system, system});
    if (!turn) return turn.error();
    append(made.opening_, *turn);
  }
  auto reply_prompt = made.format_.reply_prompt(tokenizer);
  if (!reply_prompt) return reply_prompt.error();
  made.reply_prompt_ = std::move(*reply_prompt);
  auto after = made.format_.after_reply(tokenizer);
  if (!after) return after.error();
  made.after_reply_ = std::move(*after);
  made.rebuild();
  return made;
}

void Conversation::rebuild() {
  ids_ = opening_;
  for (const auto& turn : turns_) append(ids_, turn);
}

Result<void> Conversation::ask(const std::string& text, int reserve) {
  auto turn = format_.turn(*tokenizer_, {Role::user, text});
  if (!turn) return turn.error();
  const auto room = static_cast<std::size_t>(context_);
  const std::size_t alone = opening_.size() + turn->size() + reply_prompt_.size();
  if (alone + 1 > room)
    return Error{ErrorCode::out_of_range,
                 "the prompt is too long: with the system prompt it is " + std::to_string(alone) +
                     " tokens, and the context has " + std::to_string(context_) + " positions"};
  const auto wanted = static_cast<std::size_t>(reserve);
  dropped_ = 0;
  const auto total = [&] { return ids_.size() + turn->size() + reply_prompt_.size(); };
  while (turns_.size() >= 2 && total() + wanted > room) {
    // A reply without its question would be a riddle: both go.
    turns_.erase(turns_.begin(), turns_.begin() + 2);
    dropped_ += 2;
    rebuild();
  }
  turns_.push_back(std::move(*turn));
  rebuild();
  append(ids_, reply_prompt_);
  return {};
}

void Conversation::withdraw() {
  if (!turns_.empty()) turns_.pop_back();
  rebuild();
}

Result<void> Conversation::reply(const std::vector<TokenId>& ids) {
  std::vector<TokenId> turn = reply_prompt_;
  append(turn, ids);
  turn.push_back(format_.end_of_turn());
  append(turn, after_reply_);
  turns_.push_back(std::move(turn));
  rebuild();
  return {};
}

}  // namespace llama_example
