#include "codegen/syntax/lexer.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "codegen/syntax/foreign.hpp"
#include "codegen/syntax/unicode.hpp"

namespace linnet::syntax {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_word_start(char c) {
  return is_letter(c) || c == '_';
}
bool is_word_part(char c) {
  return is_word_start(c) || is_digit(c);
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_binary_digit(char c) {
  return c == '0' || c == '1';
}
bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

const std::unordered_map<std::string_view, TokenKind>& words() {
  static const auto table = [] {
    std::unordered_map<std::string_view, TokenKind> made;
    for (int i = 0; i < 256; ++i) {
      const auto kind = static_cast<TokenKind>(i);
      if (is_word(kind)) made.emplace(spelling(kind), kind);
    }
    return made;
  }();
  return table;
}

/// For messages, which no token should fill.
std::string shortened(std::string_view text) {
  constexpr std::size_t longest = 80;
  return text.size() <= longest ? std::string(text) : std::string(text.substr(0, longest)) + "...";
}

/// One or more digits of a class, single `_` between digits only.
template <class IsDigit>
bool is_digit_run(std::string_view text, IsDigit is_class_digit) {
  if (text.empty() || text.front() == '_' || text.back() == '_') return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '_' ? text[i - 1] == '_' : !is_class_digit(text[i])) return false;
  }
  return true;
}

/// What is wrong with a number token, or empty when it is well-formed.
std::string_view number_mistake(std::string_view text) {
  if (text.starts_with("0x")) {
    if (text.size() == 2) return "`0x` needs at least one hexadecimal digit";
    return is_digit_run(text.substr(2), is_hex_digit)
               ? ""
               : "a hexadecimal number has digits `0-9 a-f` and single `_` between them";
  }
  if (text.starts_with("0b")) {
    if (text.size() == 2) return "`0b` needs at least one binary digit";
    return is_digit_run(text.substr(2), is_binary_digit)
               ? ""
               : "a binary number has digits `0` and `1` and single `_` between them";
  }
  const std::size_t exponent = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, exponent);
  const std::size_t dot = mantissa.find('.');
  const std::string_view whole = mantissa.substr(0, dot);
  if (!is_digit_run(whole, is_digit)) {
    return "a number is digits with single `_` between them, no suffix";
  }
  if (whole.size() > 1 && whole.front() == '0') return "a decimal number has no leading zeros";
  if (dot != std::string_view::npos && !is_digit_run(mantissa.substr(dot + 1), is_digit)) {
    return "a fraction is digits with single `_` between them, no suffix";
  }
  if (exponent != std::string_view::npos) {
    std::string_view power = text.substr(exponent + 1);
    if (power.starts_with('+') || power.starts_with('-')) power.remove_prefix(1);
    if (!is_digit_run(power, is_digit)) return "an exponent needs digits, and nothing else";
  }
  return "";
}

/// The number that a malformed one stands for, as a help line; empty when it is not plain.
std::string number_advice(std::string_view text) {
  constexpr std::size_t longest = 40;
  const std::string form = "a number is written `42`, `1.5`, `1e-5`, `0xFF` or `0b101`";
  if (text.size() > longest) return form;
  const auto write = [](std::string_view number, std::string_view more = {}) {
    return "write `" + std::string(number) + "`" + std::string(more);
  };
  if (text.starts_with("0X") || text.starts_with("0B")) {
    std::string lower(text);
    lower[1] = static_cast<char>(lower[1] | 0x20);
    return number_mistake(lower).empty() ? write(lower) : form;
  }
  if (text.starts_with("0x") || text.starts_with("0b") || text.starts_with("0o")) return form;
  if (text.back() == 'e' || text.back() == 'E') return write(std::string(text) + "0");
  // Without leading zeros, doubled `_` and suffix.
  std::string clean;
  for (const char c : text) {
    const bool kept =
        is_digit(c) || c == '.' || (c == '_' && !clean.empty() && clean.back() != '_');
    if (!kept && c != '_') break;
    if (kept) clean += c;
  }
  while (!clean.empty() && (clean.back() == '_' || clean.back() == '.')) clean.pop_back();
  while (clean.size() > 1 && clean[0] == '0' && is_digit(clean[1])) clean.erase(0, 1);
  if (!number_mistake(clean).empty()) return form;
  const bool suffix = is_letter(text.back());
  return write(clean, suffix ? "; a number takes the dtype that its place asks for" : "");
}

class Lexer {
 public:
  Lexer(const SourceFile& file, DiagnosticSink& sink)
      : file_(file), text_(file.text()), sink_(sink) {}

  TokenStream run() {
    check_encoding();
    at_ = byte_order_mark_size(text_);
    while (at_ < text_.size()) step();
    begin_token();
    add(TokenKind::end_of_file, at_);
    return std::move(stream_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] Span span(std::size_t begin, std::size_t end) const {
    return {file_.id(), static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  /// Help and label may be empty. After `max_errors` the rest is not listed.
  void report(std::string code, std::size_t begin, std::size_t end, std::string message,
              std::string_view help, std::string_view label = {}) {
    after_error_ = true;
    if (errors_++ >= max_errors) return;
    Diagnostic& made = sink_.error(std::move(code), span(begin, end), std::move(message));
    if (!help.empty()) made.with_help(std::string(help));
    if (!label.empty()) made.with_label(std::string(label));
    if (errors_ == max_errors) made.with_note(std::string(too_many_errors));
  }

  /// Reports the first sequence that is not UTF-8: the encoding of a file is one mistake.
  void check_encoding() {
    std::size_t count = 0;
    std::size_t first = 0;
    std::size_t first_size = 0;
    for (std::size_t at = 0; at < text_.size();) {
      const CodePoint found = decode_utf8(text_, at);
      if (!found.valid && count++ == 0) {
        first = at;
        first_size = found.size;
      }
      at += found.size;
    }
    if (count == 0) return;
    Diagnostic& made =
        sink_.error("E1001", span(first, first + first_size), "the text is not UTF-8");
    made.with_help("save the file as UTF-8");
    if (count > 1) {
      made.with_note(std::to_string(count - 1) + " more such place" + (count > 2 ? "s" : "") +
                     " in this file");
    }
  }

  void begin_token() {
    begin_ = at_;
    pending_.after_error = after_error_;
    pending_.first_on_line = new_line_;
    pending_.comments = comments_;
  }

  void add(TokenKind kind, std::size_t end) {
    pending_.kind = kind;
    pending_.begin = static_cast<std::uint32_t>(begin_);
    pending_.end = static_cast<std::uint32_t>(end);
    stream_.tokens.push_back(pending_);
    at_ = end;
    after_error_ = false;
    new_line_ = false;
    comments_ = static_cast<std::uint32_t>(stream_.comments.size());
  }

  void step() {
    const char c = peek();
    if (is_space(c)) {
      if (c == '\n') new_line_ = true;
      ++at_;
    } else if (c == '/' && peek(1) == '/') {
      line_comment();
    } else if (c == '/' && peek(1) == '*') {
      block_comment();
    } else if (is_word_start(c)) {
      begin_token();
      word();
    } else if (is_digit(c)) {
      begin_token();
      number();
    } else if (c == '"') {
      begin_token();
      quoted();
    } else if (!punctuation()) {
      stray();
    }
  }

  void line_comment() {
    const std::size_t begin = at_;
    std::size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos) end = text_.size();
    at_ = end;
    if (end > begin && text_[end - 1] == '\r') --end;
    const std::string_view text = text_.substr(begin, end - begin);
    add_comment(false, text.starts_with("///") && !text.starts_with("////"), begin, end);
  }

  void block_comment() {
    const std::size_t begin = at_;
    at_ += 2;
    for (int depth = 1; depth > 0;) {
      const std::size_t next = text_.find_first_of("/*", at_);
      if (next == std::string_view::npos) {
        at_ = text_.size();
        report("E1002", begin, begin + 2, "this comment is never closed",
               "close it with `*/`; comments nest");
        break;
      }
      at_ = next;
      if (peek() == '/' && peek(1) == '*') {
        ++depth;
        at_ += 2;
      } else if (peek() == '*' && peek(1) == '/') {
        --depth;
        at_ += 2;
      } else {
        ++at_;
      }
    }
    const std::string_view text = text_.substr(begin, at_ - begin);
    add_comment(true, text.size() > 4 && text.starts_with("/**") && !text.starts_with("/***"),
                begin, at_);
  }

  void add_comment(bool block, bool doc, std::size_t begin, std::size_t end) {
    stream_.comments.push_back(
        {block, doc, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    if (block && text_.substr(begin, end - begin).find('\n') != std::string_view::npos) {
      new_line_ = true;
    }
  }

  /// A name or keyword. Letters beyond ASCII are wrong in it but belong to it, so that
  /// one foreign letter is one error.
  void word() {
    std::size_t end = at_;
    std::size_t foreign = std::string_view::npos;
    std::size_t foreign_size = 0;
    while (end < text_.size()) {
      if (is_word_part(text_[end])) {
        ++end;
      } else if (!is_ascii(text_[end])) {
        const CodePoint found = decode_utf8(text_, end);
        if (found.valid && foreign == std::string_view::npos) {
          foreign = end;
          foreign_size = found.size;
        }
        end += found.size;
      } else {
        break;
      }
    }
    const std::string_view text = text_.substr(at_, end - at_);
    if (foreign != std::string_view::npos && foreign_words_.insert(text).second) {
      report("E1001", foreign, foreign + foreign_size,
             "`" + std::string(text_.substr(foreign, foreign_size)) + "` cannot be in a name",
             "names are ASCII letters, digits and `_`");
    }
    const auto found = words().find(text);
    add(found == words().end() ? TokenKind::identifier : found->second, end);
  }

  /// language.md section 1: the longest run of letters, digits and `_`, plus a fraction
  /// (a dot followed by a digit) and an exponent sign.
  void number() {
    std::size_t end = at_;
    const auto run = [&] {
      while (end < text_.size() && is_word_part(text_[end])) ++end;
    };
    run();
    const std::string_view start = text_.substr(at_, end - at_);
    const bool based = start.size() > 1 && start[0] == '0' && (start[1] == 'x' || start[1] == 'b');
    bool fraction = false;
    if (end + 1 < text_.size() && text_[end] == '.' && is_digit(text_[end + 1])) {
      fraction = true;
      ++end;
      run();
    }
    const auto ends_in_exponent = [&] {
      const std::string_view text = text_.substr(at_, end - at_);
      return !based && (text.back() == 'e' || text.back() == 'E') &&
             text.find_first_not_of("0123456789_.") == text.size() - 1;
    };
    bool exponent = false;
    if (end < text_.size() && (text_[end] == '+' || text_[end] == '-') && ends_in_exponent()) {
      exponent = true;
      ++end;
      run();
    }
    const std::string_view text = text_.substr(at_, end - at_);
    const std::string_view mistake = number_mistake(text);
    if (!mistake.empty()) {
      report("E1005", at_, end, "`" + shortened(text) + "` is no number", number_advice(text),
             mistake);
    } else if (!based && text.find_first_of("eE") != std::string_view::npos) {
      exponent = true;
    }
    add(fraction || exponent ? TokenKind::floating : TokenKind::integer, end);
  }

  void quoted() {
    const std::size_t begin = at_;
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') {
      end = text_[end] == '\\' ? escape(end) : end + 1;
    }
    if (end < text_.size() && text_[end] == '"') {
      add(TokenKind::string, end + 1);
      return;
    }
    if (end > begin && text_[end - 1] == '\r') --end;
    report("E1003", begin, end, "this string does not end on its line",
           "close it with `\"`; a line break is written `\\n`");
    add(TokenKind::string, end);
    after_error_ = true;
  }

  /// Checks the escape at `at` and returns the offset behind it.
  std::size_t escape(std::size_t at) {
    const char c = at + 1 < text_.size() ? text_[at + 1] : '\n';
    if (c == '\n' || c == '\r') return at + 1;
    if (std::string_view("ntr\\\"0").find(c) != std::string_view::npos) return at + 2;
    if (c != 'u') {
      const std::size_t size = 1 + decode_utf8(text_, at + 1).size;
      report("E1003", at, at + size,
             "`" + std::string(text_.substr(at, size)) + "` is no escape of a string",
             "the escapes are `\\n \\t \\r \\\\ \\\" \\0` and `\\u{hex digits}`");
      return at + size;
    }
    std::size_t end = at + 2;
    if (end < text_.size() && text_[end] == '{') ++end;
    const std::size_t digits = end;
    char32_t value = 0;
    while (end < text_.size() && is_hex_digit(text_[end])) {
      const char d = text_[end++];
      const int digit = is_digit(d) ? d - '0' : (d | 0x20) - 'a' + 10;
      if (end - digits <= 6) value = value * 16 + static_cast<char32_t>(digit);
    }
    const std::size_t count = end - digits;
    const bool closed = end < text_.size() && text_[end] == '}';
    const bool scalar = value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
    if (closed) ++end;
    if (digits != at + 3 || !closed || count < 1 || count > 6 || !scalar) {
      report("E1003", at, end, "this is no escape of a Unicode character",
             "write 1 to 6 hexadecimal digits of a Unicode scalar: `\\u{e9}`");
    }
    return end;
  }

  bool punctuation() {
    const char c = peek();
    const char next = peek(1);
    using enum TokenKind;
    TokenKind kind = end_of_file;
    std::size_t size = 1;
    const auto pair = [&](char second, TokenKind both, TokenKind single) {
      kind = next == second ? both : single;
      size = next == second ? 2 : 1;
    };
    switch (c) {
      case '(':
        kind = left_paren;
        break;
      case ')':
        kind = right_paren;
        break;
      case '[':
        kind = left_bracket;
        break;
      case ']':
        kind = right_bracket;
        break;
      case '{':
        kind = left_brace;
        break;
      case '}':
        kind = right_brace;
        break;
      case ',':
        kind = comma;
        break;
      case ';':
        kind = semicolon;
        break;
      case '?':
        kind = question;
        break;
      case '+':
        kind = plus;
        break;
      case '*':
        kind = star;
        break;
      case '/':
        kind = slash;
        break;
      case '%':
        kind = percent;
        break;
      case '^':
        kind = caret;
        break;
      case ':':
        pair(':', double_colon, colon);
        break;
      case '-':
        pair('>', arrow, minus);
        break;
      case '!':
        pair('=', not_equal, bang);
        break;
      case '<':
        pair('=', less_equal, less);
        break;
      case '>':
        pair('=', greater_equal, greater);
        break;
      case '&':
        pair('&', double_ampersand, ampersand);
        break;
      case '|':
        pair('|', double_pipe, pipe);
        break;
      case '=':
        pair('=', equal, assign);
        if (next == '>') {
          kind = fat_arrow;
          size = 2;
        }
        break;
      case '.':
        pair('.', dot_dot, dot);
        if (size == 2 && peek(2) == '.') {
          kind = ellipsis;
          size = 3;
        }
        break;
      default:
        return false;
    }
    begin_token();
    add(kind, at_ + size);
    return true;
  }

  /// A run of characters that start no token. A sequence that is not UTF-8 was reported.
  void stray() {
    const std::size_t begin = at_;
    const CodePoint first = decode_utf8(text_, at_);
    while (at_ < text_.size()) {
      const CodePoint found = decode_utf8(text_, at_);
      if (found.valid != first.valid || (found.valid && found.value != first.value)) break;
      at_ += found.size;
    }
    after_error_ = true;
    if (!first.valid) return;
    const bool printable = first.value > 0x20 && first.value != 0x7F && first.value != 0xA0 &&
                           display_width(first.value) > 0;
    std::string shown = "`" + std::string(text_.substr(begin, first.size)) + "`";
    if (!printable) {
      constexpr std::string_view hex = "0123456789ABCDEF";
      shown = "U+";
      for (int shift = first.value > 0xFFFF ? 20 : 12; shift >= 0; shift -= 4) {
        shown += hex[(first.value >> shift) & 0xF];
      }
    }
    if (first.value == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());  // meant as a comment
      report("E1001", begin, begin + first.size, shown + " starts no token",
             character_advice(first.value));
      return;
    }
    if (const std::size_t end = quotation_end(begin); end != 0) at_ = end;
    std::string_view help = character_advice(first.value);
    if (is_lifetime(begin)) help = "there are no references and no lifetimes: leave it out";
    report("E1001", begin, at_, shown + " starts no token",
           help.empty() ? "only comments and strings may hold it" : help);
  }

  /// `'a` after `<` or `&`, as in Rust.
  [[nodiscard]] bool is_lifetime(std::size_t begin) const {
    return text_[begin] == '\'' && begin > 0 &&
           (text_[begin - 1] == '<' || text_[begin - 1] == '&');
  }

  /// Behind the text in quotes of another kind that begins here, on one line; 0 when there is
  /// none.
  [[nodiscard]] std::size_t quotation_end(std::size_t begin) const {
    const CodePoint open = decode_utf8(text_, begin);
    const bool single = open.value == U'\'';
    const bool curly = open.value >= 0x2018 && open.value <= 0x201F;
    if (!single && !curly) return 0;
    const bool lifetime = is_lifetime(begin);
    for (std::size_t at = begin + open.size; at < text_.size() && text_[at] != '\n';) {
      if (lifetime && !is_word_part(text_[at])) return at;
      const CodePoint found = decode_utf8(text_, at);
      at += found.size;
      if (single ? found.value == U'\'' : found.value >= 0x2018 && found.value <= 0x201F) return at;
    }
    return 0;
  }

  const SourceFile& file_;
  std::string_view text_;
  DiagnosticSink& sink_;
  TokenStream stream_;
  Token pending_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
  std::uint32_t comments_ = 0;  ///< comments seen when the last token was added
  int errors_ = 0;
  bool after_error_ = false;
  bool new_line_ = true;
  std::unordered_set<std::string_view> foreign_words_;
};

}  // namespace

TokenStream tokenize(const SourceFile& file, DiagnosticSink& sink) {
  return Lexer(file, sink).run();
}

std::string string_value(std::string_view token) {
  std::string value;
  for (std::size_t at = 1; at < token.size() && token[at] != '"'; ++at) {
    if (token[at] != '\\' || at + 1 >= token.size()) {
      value += token[at];
      continue;
    }
    switch (const char c = token[++at]; c) {
      case 'n':
        value += '\n';
        break;
      case 't':
        value += '\t';
        break;
      case 'r':
        value += '\r';
        break;
      case '0':
        value += '\0';
        break;
      case '\\':
      case '"':
        value += c;
        break;
      case 'u': {
        const std::size_t close = token.find('}', at);
        if (close == std::string_view::npos) return value;
        char32_t scalar = 0;
        for (std::size_t i = at + 2; i < close && scalar <= 0x10FFFF; ++i) {
          const char d = token[i];
          const int digit = is_digit(d) ? d - '0' : (d | 0x20) - 'a' + 10;
          scalar = scalar * 16 + static_cast<char32_t>(digit);
        }
        if (scalar <= 0x10FFFF && (scalar < 0xD800 || scalar > 0xDFFF)) append_utf8(value, scalar);
        at = close;
        break;
      }
      default:
        break;
    }
  }
  return value;
}

}  // namespace linnet::syntax
