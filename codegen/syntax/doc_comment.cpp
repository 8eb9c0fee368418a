#include "codegen/syntax/doc_comment.hpp"

namespace linnet::syntax {
namespace {

std::string_view trimmed_right(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return last == std::string_view::npos ? std::string_view{} : text.substr(0, last + 1);
}

std::string without_markers(std::string_view comment) {
  if (comment.starts_with("///")) {
    comment.remove_prefix(3);
    if (comment.starts_with(' ')) comment.remove_prefix(1);
    return std::string(trimmed_right(comment));
  }
  if (comment.starts_with("/**")) comment.remove_prefix(3);
  if (comment.ends_with("*/")) comment.remove_suffix(2);
  std::string made;
  for (bool first = true; first || !comment.empty(); first = false) {
    const std::size_t end = comment.find('\n');
    std::string_view line = comment.substr(0, end);
    comment.remove_prefix(end == std::string_view::npos ? comment.size() : end + 1);
    if (!first) {
      const std::size_t text = line.find_first_not_of(" \t");
      line.remove_prefix(text == std::string_view::npos ? line.size() : text);
      if (line.starts_with('*')) line.remove_prefix(1);
    }
    if (line.starts_with(' ')) line.remove_prefix(1);
    line = trimmed_right(line);
    if (!made.empty()) made += '\n';
    made += line;
  }
  return made;
}

/// Comments may hold any character, but what they say is printed and put into other files.
bool is_control(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
}

}  // namespace

std::string doc_text(std::string_view comment) {
  std::string made = without_markers(comment);
  std::erase_if(made, is_control);
  return std::string(trimmed_right(made));
}

}  // namespace linnet::syntax
