// Choosing the next token from logits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "linnet/core/result.hpp"
#include "linnet/text/vocabulary.hpp"

namespace linnet::text {

/// What shapes the choice. The defaults are greedy.
struct SamplingOptions {
  float temperature = 0.0f;         ///< 0: always the most likely token
  int top_k = 0;                    ///< only the k most likely; 0: all
  float top_p = 1.0f;               ///< only the most likely that make up this probability
  float min_p = 0.0f;               ///< only those at least this fraction of the most likely
  float repetition_penalty = 1.0f;  ///< divides (negative: multiplies) logits of recent tokens
  std::uint64_t seed = 0;
};

/// PCG32 (O'Neill, 2014): small, and the same numbers on every platform.
class Pcg32 {
 public:
  explicit Pcg32(std::uint64_t seed) {
    next();
    state_ += seed;
    next();
  }

  std::uint32_t next() {
    const std::uint64_t old = state_;
    state_ = old * 6364136223846793005u + 1442695040888963407u;
    const auto shifted = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
    const auto turn = static_cast<std::uint32_t>(old >> 59);
    return shifted >> turn | shifted << ((32 - turn) & 31);
  }

  /// In [0, 1), 24 bits.
  float uniform() { return static_cast<float>(next() >> 8) * 0x1p-24f; }

 private:
  std::uint64_t state_ = 0;
};

/// Draws tokens. Penalty, temperature, top-k, top-p and min-p are applied in that order.
class Sampler {
 public:
  /// Errors name the option that is out of its range.
  [[nodiscard]] static Result<Sampler> make(const SamplingOptions& options) {
    const auto bad = [](const char* why) { return Error{ErrorCode::invalid_argument, why}; };
    if (!(options.temperature >= 0.0f) || std::isinf(options.temperature))
      return bad("the temperature must be 0 or more");
    if (options.top_k < 0) return bad("top-k must be 0 or more");
    if (!(options.top_p > 0.0f && options.top_p <= 1.0f))
      return bad("top-p must be more than 0 and at most 1");
    if (!(options.min_p >= 0.0f && options.min_p < 1.0f))
      return bad("min-p must be 0 or more and less than 1");
    if (!(options.repetition_penalty > 0.0f) || std::isinf(options.repetition_penalty))
      return bad("the repetition penalty must be more than 0");
    return Sampler(options);
  }

  /// The next token for `logits`, one a vocabulary entry; `recent` are the tokens that the penalty
  /// counts as repeated. A NaN logit is never chosen; no finite logit at all is an error.
  [[nodiscard]] Result<TokenId> sample(std::span<const float> logits,
                                       std::span<const TokenId> recent = {}) {
    const bool penalize = options_.repetition_penalty != 1.0f && !recent.empty();
    if (penalize) {
      penalized_.assign(logits.begin(), logits.end());
      // Each token once, however often it occurred.
      repeated_.assign(recent.begin(), recent.end());
      std::sort(repeated_.begin(), repeated_.end());
      repeated_.erase(std::unique(repeated_.begin(), repeated_.end()), repeated_.end());
      for (const TokenId id : repeated_) {
        if (id < 0 || static_cast<std::size_t>(id) >= penalized_.size()) continue;
        float& logit = penalized_[static_cast<std::size_t>(id)];
        logit = logit > 0.0f ? logit / options_.repetition_penalty
                             : logit * options_.repetition_penalty;
      }
      logits = penalized_;
    }
    return options_.temperature == 0.0f ? greedy(logits) : draw(logits);
  }

 private:
  struct Candidate {
    TokenId id;
    float weight;  // logit, then probability up to a factor
  };

  explicit Sampler(const SamplingOptions& options) : options_(options), random_(options.seed) {}

  [[nodiscard]] static Error nothing() {
    return Error{ErrorCode::out_of_range, "no logit is a number: the model gave nothing to choose"};
  }

  [[nodiscard]] static Result<TokenId> greedy(std::span<const float> logits) {
    TokenId best = -1;
    for (std::size_t i = 0; i < logits.size(); ++i)
      if (!std::isnan(logits[i]) &&
          (best < 0 || logits[i] > logits[static_cast<std::size_t>(best)]))
        best = static_cast<TokenId>(i);
    if (best < 0) return nothing();
    return best;
  }

  Result<TokenId> draw(std::span<const float> logits) {
    candidates_.clear();
    for (std::size_t i = 0; i < logits.size(); ++i)
      if (!std::isnan(logits[i]) && logits[i] != -INFINITY)
        candidates_.push_back({static_cast<TokenId>(i), logits[i]});
    if (candidates_.empty()) return nothing();
    const auto likelier = [](const Candidate& a, const Candidate& b) {
      return a.weight != b.weight ? a.weight > b.weight : a.id < b.id;
    };
    const auto top_k = static_cast<std::size_t>(options_.top_k);
    if (top_k > 0 && top_k < candidates_.size()) {
      std::nth_element(candidates_.begin(), candidates_.begin() + options_.top_k, candidates_.end(),
                       likelier);
      candidates_.resize(top_k);
    }
    const float top =
        std::max_element(candidates_.begin(), candidates_.end(),
                         [](const Candidate& a, const Candidate& b) { return a.weight < b.weight; })
            ->weight;
    // +inf logits are certain: everything else weighs nothing against them.
    double total = 0;
    for (Candidate& c : candidates_) {
      c.weight = std::isinf(top) ? (c.weight == top ? 1.0f : 0.0f)
                                 : std::exp((c.weight - top) / options_.temperature);
      total += c.weight;
    }
    if (options_.min_p > 0.0f)
      total = keep([&](const Candidate& c) { return c.weight >= options_.min_p; });
    if (options_.top_p < 1.0f) {
      std::sort(candidates_.begin(), candidates_.end(), likelier);
      double sum = 0;
      std::size_t count = 0;
      while (count < candidates_.size() && sum < options_.top_p * total)
        sum += candidates_[count++].weight;
      candidates_.resize(std::max<std::size_t>(count, 1));
      total = sum;
    }
    double at = static_cast<double>(random_.uniform()) * total;
    for (const Candidate& c : candidates_) {
      at -= c.weight;
      if (at < 0 && c.weight > 0) return c.id;
    }
    // Rounding left a sliver at the end: the last candidate with any weight.
    for (std::size_t i = candidates_.size(); i-- > 0;)
      if (candidates_[i].weight > 0) return candidates_[i].id;
    return nothing();
  }

  /// Drops the candidates that fail the test; the total of what is left.
  template <class Test>
  double keep(const Test& test) {
    std::erase_if(candidates_, [&](const Candidate& c) { return !test(c); });
    double total = 0;
    for (const Candidate& c : candidates_) total += c.weight;
    return total;
  }

  SamplingOptions options_;
  Pcg32 random_;
  std::vector<Candidate> candidates_;
  std::vector<float> penalized_;
  std::vector<TokenId> repeated_;
};

}  // namespace linnet::text
