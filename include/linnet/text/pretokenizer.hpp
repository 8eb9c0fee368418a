// Cutting text into the pieces that BPE merges within, by the published patterns.
#pragma once

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linnet/core/result.hpp"
#include "linnet/weights/messages.hpp"

namespace linnet::text {

/// Patterns of the tokenizer families. White space is the Unicode property White_Space, which
/// PCRE2's \s is not (it lacks U+0085 and has U+180E), so it is spelled out.
#define LINNET_TEXT_SPACE                                                                         \
  "\\x{9}-\\x{d}\\x{20}\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{" \
  "205f}\\x{3000}"

/// GPT-2: contractions, letters, numbers and other runs with one space before, runs of space.
inline constexpr std::string_view gpt2_pattern =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^" LINNET_TEXT_SPACE
    "\\p{L}\\p{N}]+|[" LINNET_TEXT_SPACE "]+(?![^" LINNET_TEXT_SPACE "])|[" LINNET_TEXT_SPACE "]+";

/// Llama 3: contractions in any case, numbers in groups of three, newlines end a piece.
inline constexpr std::string_view llama3_pattern =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^" LINNET_TEXT_SPACE
    "\\p{L}\\p{N}]+[\\r\\n]*|[" LINNET_TEXT_SPACE "]*[\\r\\n]+|[" LINNET_TEXT_SPACE
    "]+(?![^" LINNET_TEXT_SPACE "])|[" LINNET_TEXT_SPACE "]+";

/// Qwen 2: as Llama 3, digits one by one.
inline constexpr std::string_view qwen2_pattern =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^" LINNET_TEXT_SPACE
    "\\p{L}\\p{N}]+[\\r\\n]*|[" LINNET_TEXT_SPACE "]*[\\r\\n]+|[" LINNET_TEXT_SPACE
    "]+(?![^" LINNET_TEXT_SPACE "])|[" LINNET_TEXT_SPACE "]+";

/// The first step of SmolLM: every digit by itself.
inline constexpr std::string_view digits_pattern = "\\p{N}";

#undef LINNET_TEXT_SPACE

/// Rewrites `\s` and `\S` of a pattern that came with a file to the Unicode property.
[[nodiscard]] inline std::string unicode_spaces(std::string_view pattern) {
  constexpr std::string_view space =
      "\\x{9}-\\x{d}\\x{20}\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}"
      "\\x{205f}\\x{3000}";
  std::string out;
  bool in_class = false;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char c = pattern[at];
    if (c == '\\' && at + 1 < pattern.size()) {
      const char next = pattern[++at];
      if (next == 's')
        out.append(in_class ? "" : "[").append(space).append(in_class ? "" : "]");
      else if (next == 'S' && !in_class)
        out.append("[^").append(space).append("]");
      else
        out.append({c, next});
      continue;
    }
    if (c == '[') in_class = true;
    if (c == ']') in_class = false;
    out += c;
  }
  return out;
}

/// One compiled pattern. Matches and the text between them are both pieces.
class Splitter {
 public:
  [[nodiscard]] static Result<Splitter> compile(std::string_view pattern) {
    int code = 0;
    PCRE2_SIZE offset = 0;
    Splitter splitter;
    splitter.code_.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                                       PCRE2_UTF | PCRE2_UCP, &code, &offset, nullptr));
    if (!splitter.code_)
      return Error{ErrorCode::unsupported, "pre-tokenizer pattern: " + message_of(code) +
                                               " at offset " + std::to_string(offset)};
    // Without JIT support the interpreter gives the same matches.
    pcre2_jit_compile(splitter.code_.get(), PCRE2_JIT_COMPLETE);
    return splitter;
  }

  /// Appends the pieces of `text`, which is valid UTF-8, in order; none is empty. False, with
  /// `why` set, when PCRE2 gives up.
  bool split(std::string_view text, std::vector<std::string_view>& pieces, std::string& why) const {
    const std::unique_ptr<pcre2_match_data, FreeMatch> match(
        pcre2_match_data_create_from_pattern(code_.get(), nullptr));
    if (!match) {
      why = "out of memory";
      return false;
    }
    const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data());
    std::size_t done = 0;  // up to here all is in pieces
    for (std::size_t from = 0; from < text.size();) {
      int found = pcre2_match(code_.get(), subject, text.size(), from, PCRE2_NO_UTF_CHECK,
                              match.get(), nullptr);
      if (found == PCRE2_ERROR_JIT_STACKLIMIT)
        found = pcre2_match(code_.get(), subject, text.size(), from,
                            PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, match.get(), nullptr);
      if (found == PCRE2_ERROR_NOMATCH) break;
      if (found < 0) {
        why = message_of(found);
        return false;
      }
      const PCRE2_SIZE* range = pcre2_get_ovector_pointer(match.get());
      if (range[0] > done) pieces.push_back(text.substr(done, range[0] - done));
      if (range[1] > range[0]) pieces.push_back(text.substr(range[0], range[1] - range[0]));
      done = range[1] > done ? range[1] : done;
      from = range[1] > from ? range[1] : from + 1;
      // An empty match steps over one whole character.
      while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0) == 0x80) ++from;
    }
    if (done < text.size()) pieces.push_back(text.substr(done));
    return true;
  }

 private:
  struct FreeCode {
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
  };
  struct FreeMatch {
    void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
  };

  static std::string message_of(int code) {
    PCRE2_UCHAR text[160] = {};
    pcre2_get_error_message(code, text, sizeof text);
    return reinterpret_cast<const char*>(text);
  }

  std::unique_ptr<pcre2_code, FreeCode> code_;
};

/// Splitters in a row, each applied to every piece of the one before.
class PreTokenizer {
 public:
  /// The stages of a GGUF `tokenizer.ggml.pre` name.
  [[nodiscard]] static Result<PreTokenizer> named(std::string_view name) {
    if (name == "gpt-2" || name == "gpt2") return of({gpt2_pattern});
    if (name == "llama-bpe" || name == "llama3" || name == "llama-v3") return of({llama3_pattern});
    if (name == "qwen2") return of({qwen2_pattern});
    if (name == "smollm") return of({digits_pattern, gpt2_pattern});
    return Error{ErrorCode::unsupported,
                 "pre-tokenizer " + weights::in_backquotes(name) +
                     " is not known; known are gpt-2, llama-bpe, qwen2 and smollm"};
  }

  [[nodiscard]] static Result<PreTokenizer> of(const std::vector<std::string_view>& patterns) {
    PreTokenizer made;
    for (const std::string_view pattern : patterns) {
      auto stage = Splitter::compile(pattern);
      if (!stage) return stage.error();
      made.stages_.push_back(std::move(*stage));
    }
    return made;
  }

  /// The pieces of `text`, which is valid UTF-8; `pieces` is replaced.
  [[nodiscard]] bool split(std::string_view text, std::vector<std::string_view>& pieces,
                           std::string& why) const {
    pieces.clear();
    if (text.empty()) return true;
    pieces.push_back(text);
    std::vector<std::string_view> next;
    for (const Splitter& stage : stages_) {
      next.clear();
      for (const std::string_view piece : pieces)
        if (!stage.split(piece, next, why)) return false;
      pieces.swap(next);
    }
    return true;
  }

 private:
  std::vector<Splitter> stages_;
};

}  // namespace linnet::text
