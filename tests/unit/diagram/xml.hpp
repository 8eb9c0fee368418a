#pragma once
// Whether a text is well-formed XML, for the subset that drawings use: elements, attributes in
// double quotes, character data, the predefined entities.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linnet::test {

/// What is wrong; nothing for a well-formed document.
inline std::optional<std::string> xml_problem(std::string_view text) {
  const auto problem_of_data = [](std::string_view data) -> std::optional<std::string> {
    for (std::size_t i = 0; i < data.size(); ++i) {
      const auto byte = static_cast<unsigned char>(data[i]);
      if (byte < 0x20 && byte != '\n') return "control character";
      if (data[i] == '<') return "bare <";
      if (data[i] != '&') continue;
      bool known = false;
      for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"}) {
        known = known || data.substr(i).starts_with(entity);
      }
      if (!known) return "unknown entity";
    }
    return std::nullopt;
  };
  const std::string_view declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
  if (!text.starts_with(declaration)) return "no declaration";
  text.remove_prefix(declaration.size());
  std::vector<std::string> open;
  bool seen = false;
  while (!text.empty()) {
    const std::size_t start = text.find('<');
    const std::string_view data = text.substr(0, start);
    if (const auto problem = problem_of_data(data)) return problem;
    if (open.empty() && data.find_first_not_of('\n') != std::string_view::npos) {
      return "text outside the root";
    }
    if (start == std::string_view::npos) break;
    // No attribute of ours holds a `>`: it is escaped.
    const std::size_t end = text.find('>', start);
    if (end == std::string_view::npos) return "unclosed tag";
    std::string_view tag = text.substr(start + 1, end - start - 1);
    text.remove_prefix(end + 1);
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "tag that closes nothing";
      open.pop_back();
      continue;
    }
    const bool closed = tag.ends_with('/');
    if (closed) tag.remove_suffix(1);
    const std::string name(tag.substr(0, tag.find(' ')));
    tag.remove_prefix(name.size());
    while (!tag.empty()) {
      const std::size_t equals = tag.find("=\"");
      if (tag[0] != ' ' || equals == std::string_view::npos) return "bad attribute in " + name;
      const std::size_t quote = tag.find('"', equals + 2);
      if (quote == std::string_view::npos) return "unclosed attribute in " + name;
      if (const auto problem = problem_of_data(tag.substr(equals + 2, quote - equals - 2))) {
        return problem;
      }
      tag.remove_prefix(quote + 1);
    }
    if (open.empty() && seen) return "two roots";
    seen = true;
    if (!closed) open.push_back(name);
  }
  return open.empty() ? std::nullopt : std::optional<std::string>("unclosed " + open.back());
}

}  // namespace linnet::test
