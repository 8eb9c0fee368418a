// Text as tokens arrive, in whole characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "linnet/text/tokenizer.hpp"
#include "linnet/text/utf8.hpp"

namespace linnet::text {

/// Turns ids into text one by one, holding back the bytes of a character that is not complete.
class StreamDecoder {
 public:
  explicit StreamDecoder(const Tokenizer& tokenizer) : tokenizer_(&tokenizer) {}

  /// The text that `id` completes, maybe none: valid UTF-8, good until the next call. Ids
  /// outside the vocabulary and control tokens give nothing.
  [[nodiscard]] std::string_view push(TokenId id) {
    pending_.erase(0, taken_);
    taken_ = 0;
    tokenizer_->append_bytes(pending_, id);
    return take(pending_.size() - utf8_cut_tail(pending_));
  }

  /// What is left at the end; an incomplete character as U+FFFD.
  [[nodiscard]] std::string_view finish() {
    pending_.erase(0, taken_);
    taken_ = 0;
    return take(pending_.size());
  }

 private:
  std::string_view take(std::size_t count) {
    taken_ = count;
    const std::string_view ready = std::string_view(pending_).substr(0, count);
    if (utf8_valid(ready)) return ready;
    repaired_ = utf8_repair(ready);
    return repaired_;
  }

  const Tokenizer* tokenizer_;
  std::string pending_, repaired_;
  std::size_t taken_ = 0;
};

}  // namespace linnet::text
