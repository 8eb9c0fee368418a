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

namespace {

constexpr std::size_t kColumns = 100;

/// The last place up to `limit` where a line may break: after ", " or before " + ", " ? " and
/// their kin, at the shallowest nesting of brackets. 0 when there is none after `first`.
std::size_t break_in(std::string_view line, std::size_t first, std::size_t limit) {
  std::size_t best = 0;
  int best_weight = 1 << 20;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size() && i < limit; ++i) {
    const char c = line[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    // Generated comparisons have spaces around them; other angles are template brackets.
    const bool spaced = i + 1 < line.size() && line[i + 1] == ' ' && i > 0 && line[i - 1] == ' ';
    if (c == '(' || c == '{' || c == '[' || (c == '<' && !spaced)) ++depth;
    if (c == ')' || c == '}' || c == ']' || (c == '>' && !spaced)) --depth;
    if (i < first || i + 1 >= line.size()) continue;
    std::size_t place = 0;
    int weight = 2 * depth;
    if (c == ',' && line[i + 1] == ' ') place = i + 2;
    const std::string_view rest = line.substr(i);
    for (const std::string_view sign : {" + ", " - ", " * ", " / ", " && ", " || ", " ? ", " : "}) {
      if (!rest.starts_with(sign)) continue;
      place = i + 1;
      ++weight;  // rather after a comma
    }
    if (rest.starts_with(" = ")) place = i + 3;
    if (place != 0 && place <= limit && weight <= best_weight) {
      best = place;
      best_weight = weight;
    }
  }
  return best;
}

}  // namespace

std::string wrapped(std::string_view text) {
  std::string out;
  for_each_line(text, [&](std::string_view line) {
    const std::size_t indent = line.find_first_not_of(' ');
    const bool comment = indent != std::string_view::npos && line.substr(indent).starts_with("//");
    std::string margin(indent == std::string_view::npos ? 0 : indent, ' ');
    if (comment || line.size() <= kColumns || line.starts_with('#')) {
      out += line;
      out += '\n';
      return;
    }
    std::string rest(line);
    // A comment behind code that is too long goes before it.
    if (const std::size_t behind = rest.rfind("  // "); behind != std::string::npos) {
      out += margin + rest.substr(behind + 2) + "\n";
      rest.erase(behind);
    }
    while (rest.size() > kColumns) {
      const std::size_t first = rest.find_first_not_of(' ') + 10;
      const std::size_t place = break_in(rest, first, kColumns);
      if (place == 0) break;
      std::string_view head = std::string_view(rest).substr(0, place);
      while (head.ends_with(' ')) head.remove_suffix(1);
      out += head;
      out += '\n';
      rest = margin + "    " + rest.substr(place);
    }
    out += rest;
    out += '\n';
  });
  return out;
}

}  // namespace linnet::cpp
