// A strict JSON reader (RFC 8259) that hands out one token at a time: for headers of untrusted
// files. It allocates nothing but the text of the current string, never recurses, and limits
// nesting, so the caller alone decides what is kept.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace linnet::weights {

enum class JsonToken : std::uint8_t {
  begin_object,
  end_object,
  begin_array,
  end_array,
  key,  // the name of an object's member; its value follows
  string,
  number,
  boolean,
  null,
  end,    // the document is complete, nothing but white space follows
  error,  // `error()` says what is wrong at `offset()`; every further token is `error`
};

class JsonScanner {
 public:
  static constexpr int max_depth = 32;

  explicit JsonScanner(std::string_view document) : document_(document) {}

  /// Reads the next token. Objects give `key`, value, `key`, value, ... between their brackets.
  JsonToken next() {
    if (failed()) return JsonToken::error;
    skip_space();
    start_ = at_;
    if (expect_ == Expect::nothing) {
      return at_ == document_.size() ? JsonToken::end : fail("text after the end of the document");
    }
    if (at_ == document_.size()) return fail("the document ends early");
    const char c = document_[at_];
    switch (expect_) {
      case Expect::comma_or_close:
        if (c == ',') {
          ++at_;
          skip_space();
          start_ = at_;
          if (at_ == document_.size()) return fail("the document ends early");
          return in_object() ? read_key() : read_value(document_[at_]);
        }
        return close(c);
      case Expect::first_key:
        return c == '}' ? close(c) : read_key();
      case Expect::first_item:
        return c == ']' ? close(c) : read_value(c);
      default:
        return read_value(c);
    }
  }

  /// Skips the rest of the value whose first token was `token`. False on an error inside it.
  bool skip(JsonToken token) {
    if (token != JsonToken::begin_object && token != JsonToken::begin_array) {
      return token != JsonToken::error;
    }
    for (const int outside = depth_ - 1; depth_ > outside;) {
      if (next() == JsonToken::error) return false;
    }
    return true;
  }

  /// Of a key or string: its text with escapes resolved. Of a number or boolean: as written.
  /// Valid until the next call of `next`.
  [[nodiscard]] std::string_view text() const { return text_; }

  /// The current number as an integer, if it is written as one and fits.
  [[nodiscard]] std::optional<std::int64_t> integer() const {
    std::int64_t value = 0;
    const char* last = text_.data() + text_.size();
    const auto [stop, code] = std::from_chars(text_.data(), last, value);
    if (code != std::errc() || stop != last || text_.empty()) return std::nullopt;
    return value;
  }

  [[nodiscard]] bool failed() const { return !error_.empty(); }
  [[nodiscard]] std::string_view error() const { return error_; }
  /// Byte offset of the current token, of the offending character after an error.
  [[nodiscard]] std::size_t offset() const { return failed() ? at_ : start_; }

 private:
  enum class Expect : std::uint8_t { value, first_key, first_item, comma_or_close, nothing };

  JsonToken fail(std::string_view why) {
    error_ = why;
    text_ = {};
    return JsonToken::error;
  }

  [[nodiscard]] bool in_object() const { return ((objects_ >> (depth_ - 1)) & 1U) != 0; }

  void skip_space() {
    while (at_ < document_.size() && (document_[at_] == ' ' || document_[at_] == '\t' ||
                                      document_[at_] == '\n' || document_[at_] == '\r')) {
      ++at_;
    }
  }

  void value_done() { expect_ = depth_ == 0 ? Expect::nothing : Expect::comma_or_close; }

  JsonToken open(bool object) {
    if (depth_ == max_depth) return fail("nested too deeply");
    ++at_;
    const auto bit = std::uint32_t{1} << depth_++;
    objects_ = object ? objects_ | bit : objects_ & ~bit;
    expect_ = object ? Expect::first_key : Expect::first_item;
    return object ? JsonToken::begin_object : JsonToken::begin_array;
  }

  JsonToken close(char c) {
    const bool object = in_object();
    if (c != (object ? '}' : ']')) {
      return fail(object ? "expected `,` or `}`" : "expected `,` or `]`");
    }
    ++at_;
    --depth_;
    value_done();
    return object ? JsonToken::end_object : JsonToken::end_array;
  }

  JsonToken read_key() {
    if (document_[at_] != '"') return fail("expected a member's name in quotes");
    if (!read_string()) return JsonToken::error;
    skip_space();
    if (at_ == document_.size() || document_[at_] != ':') return fail("expected `:`");
    ++at_;
    expect_ = Expect::value;
    return JsonToken::key;
  }

  JsonToken read_value(char c) {
    switch (c) {
      case '{':
        return open(true);
      case '[':
        return open(false);
      case '"':
        if (!read_string()) return JsonToken::error;
        value_done();
        return JsonToken::string;
      case 't':
        return read_word("true", JsonToken::boolean);
      case 'f':
        return read_word("false", JsonToken::boolean);
      case 'n':
        return read_word("null", JsonToken::null);
      default:
        return read_number();
    }
  }

  JsonToken read_word(std::string_view word, JsonToken token) {
    if (document_.substr(at_, word.size()) != word) return fail("expected a value");
    text_ = document_.substr(at_, word.size());
    at_ += word.size();
    value_done();
    return token;
  }

  bool digits() {
    const std::size_t first = at_;
    while (at_ < document_.size() && document_[at_] >= '0' && document_[at_] <= '9') ++at_;
    return at_ > first;
  }

  [[nodiscard]] bool at_any(std::string_view chars) const {
    return at_ < document_.size() && chars.find(document_[at_]) != std::string_view::npos;
  }

  JsonToken read_number() {
    const std::size_t first = at_;
    if (at_any("-")) ++at_;
    if (at_any("0")) {
      ++at_;
    } else if (!digits()) {
      return fail("expected a value");
    }
    if (at_any(".")) {
      ++at_;
      if (!digits()) return fail("expected a digit");
    }
    if (at_any("eE")) {
      ++at_;
      if (at_any("+-")) ++at_;
      if (!digits()) return fail("expected a digit");
    }
    text_ = document_.substr(first, at_ - first);
    value_done();
    return JsonToken::number;
  }

  bool read_string() {
    ++at_;
    const std::size_t first = at_;
    while (at_ < document_.size() && document_[at_] != '"' && document_[at_] != '\\') {
      if (static_cast<unsigned char>(document_[at_]) < 0x20) {
        fail("control character in a string");
        return false;
      }
      ++at_;
    }
    if (at_ < document_.size() && document_[at_] == '"') {  // no escapes: a view will do
      text_ = document_.substr(first, at_ - first);
      ++at_;
      return true;
    }
    buffer_.assign(document_.substr(first, at_ - first));
    while (at_ < document_.size() && document_[at_] != '"') {
      const char c = document_[at_];
      if (static_cast<unsigned char>(c) < 0x20) {
        fail("control character in a string");
        return false;
      }
      ++at_;
      if (c != '\\') {
        buffer_ += c;
      } else if (!read_escape()) {
        fail("bad escape in a string");
        return false;
      }
    }
    if (at_ == document_.size()) {
      fail("a string has no end");
      return false;
    }
    ++at_;
    text_ = buffer_;
    return true;
  }

  bool read_escape() {
    if (at_ == document_.size()) return false;
    const char c = document_[at_++];
    constexpr std::string_view names = "\"\\/bfnrt";
    constexpr std::string_view values = "\"\\/\b\f\n\r\t";
    if (const auto found = names.find(c); found != std::string_view::npos) {
      buffer_ += values[found];
      return true;
    }
    std::uint32_t code = 0;
    if (c != 'u' || !read_hex4(code)) return false;
    if (code >= 0xdc00 && code <= 0xdfff) return false;  // a low surrogate alone
    if (code >= 0xd800 && code <= 0xdbff) {
      std::uint32_t low = 0;
      if (document_.substr(at_, 2) != "\\u") return false;
      at_ += 2;
      if (!read_hex4(low) || low < 0xdc00 || low > 0xdfff) return false;
      code = 0x10000U + ((code - 0xd800U) << 10U) + (low - 0xdc00U);
    }
    append_utf8(code);
    return true;
  }

  bool read_hex4(std::uint32_t& value) {
    const std::string_view hex = document_.substr(at_, 4);
    const auto [stop, code] = std::from_chars(hex.data(), hex.data() + hex.size(), value, 16);
    if (hex.size() != 4 || code != std::errc() || stop != hex.data() + 4) return false;
    at_ += 4;
    return true;
  }

  void append_utf8(std::uint32_t code) {
    const auto put = [this](std::uint32_t byte) { buffer_ += static_cast<char>(byte); };
    if (code < 0x80) {
      put(code);
    } else if (code < 0x800) {
      put(0xc0U | code >> 6U);
      put(0x80U | (code & 0x3fU));
    } else if (code < 0x10000) {
      put(0xe0U | code >> 12U);
      put(0x80U | (code >> 6U & 0x3fU));
      put(0x80U | (code & 0x3fU));
    } else {
      put(0xf0U | code >> 18U);
      put(0x80U | (code >> 12U & 0x3fU));
      put(0x80U | (code >> 6U & 0x3fU));
      put(0x80U | (code & 0x3fU));
    }
  }

  std::string_view document_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;
  Expect expect_ = Expect::value;
  int depth_ = 0;
  std::uint32_t objects_ = 0;  // bit d: the container at depth d is an object
  std::string_view text_;
  std::string buffer_;
  std::string_view error_;
};

}  // namespace linnet::weights
