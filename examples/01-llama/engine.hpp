// A SmolLM2-135M in a GGUF file, ready to be fed tokens. The model's types stay inside
// engine.cpp, so that the programs compile in a second.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "linnet/core/result.hpp"
#include "linnet/text/tokenizer.hpp"

namespace llama_example {

using linnet::text::TokenId;

struct EngineOptions {
  int threads = 0;     ///< 0: as many as this process can keep busy
  int context = 0;     ///< positions to use; 0: all that the program was built for
  bool exact = false;  ///< run every op as its Linnet body says, and no native kernel
};

class Engine {
 public:
  /// Maps the file, checks it against the model that was compiled in, and reads its tokenizer.
  /// Everything that does not fit is in the error, each weight with expected and found.
  static linnet::Result<Engine> open(const std::string& path, const EngineOptions& options);

  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;
  ~Engine();

  [[nodiscard]] const linnet::text::Tokenizer& tokenizer() const;
  [[nodiscard]] int context() const;
  [[nodiscard]] int vocabulary() const;
  [[nodiscard]] int threads() const;
  /// Bytes of file, packed weights, caches and workspace, for people.
  [[nodiscard]] std::string memory() const;

  /// `prefill` runs at most this many tokens at a time; more are taken in pieces.
  static constexpr int prefill_chunk = 256;
  /// The largest number of tokens that `score` takes at once.
  static constexpr int score_chunk = 64;

  // Tokens go into the caches at positions `position`, `position + 1`, ...; earlier positions must
  // have been filled. The logits are good until the next call. `position + tokens.size()` beyond
  // `context()`, and ids outside the vocabulary, are errors that leave the caches as they were.

  /// Takes any number of tokens, at least one; the logits that follow the last.
  linnet::Result<std::span<const float>> prefill(std::span<const TokenId> tokens, int position);
  /// Takes one token; the logits that follow it.
  linnet::Result<std::span<const float>> decode(TokenId token, int position);
  /// Takes up to `score_chunk` tokens; the logits that follow each, row by row.
  linnet::Result<std::span<const float>> score(std::span<const TokenId> tokens, int position);

 private:
  struct Impl;
  explicit Engine(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace llama_example
