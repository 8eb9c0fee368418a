#include "codegen/cpp/text.hpp"

#include <cstddef>

namespace linnet::cpp {
namespace {

/// Calls `each` for every line of `text`, without its end.
template <class F>
void for_each_line(std::string_view text, F each) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    each(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

void Text::line(std::string_view text) {
  if (!text.empty()) {
    out_.append(static_cast<std::size_t>(level_) * 2, ' ');
    out_ += text;
  }
  out_ += '\n';
}

void Text::open(std::string_view text) {
  line(std::string(text) + " {");
  ++level_;
}

void Text::close(std::string_view after) {
  --level_;
  line("}" + std::string(after));
}

void Text::reopen(std::string_view text) {
  --level_;
  line("} " + std::string(text) + " {");
  ++level_;
}

void Text::doc(std::string_view doc) {
  for_each_line(doc, [&](std::string_view text) {
    if (text.starts_with(' ')) text.remove_prefix(1);
    // A backslash at the end of a comment would swallow the next line of C++.
    std::string safe(text);
    while (!safe.empty() && (safe.back() == '\\' || safe.back() == ' ' || safe.back() == '\r')) {
      safe.pop_back();
    }
    line(safe.empty() ? "///" : "/// " + safe);
  });
}

void Text::append(std::string_view lines) {
  for_each_line(lines, [&](std::string_view text) { line(text); });
}

void Text::blank() {
  if (!out_.empty() && !out_.ends_with("\n\n")) out_ += '\n';
}

}  // namespace linnet::cpp
