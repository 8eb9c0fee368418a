#include "codegen/syntax/source.hpp"

#include <algorithm>
#include <utility>

#include "codegen/syntax/unicode.hpp"

namespace linnet::syntax {

SourceFile::SourceFile(int id, std::string path, std::string text)
    : id_(id), path_(std::move(path)), text_(std::move(text)) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

std::string_view SourceFile::text(Span span) const {
  const std::string_view all = text_;
  if (span.file != id_ || span.begin > all.size() || span.end < span.begin) return {};
  return all.substr(span.begin, span.end - span.begin);
}

Position SourceFile::position(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<int>(after - line_starts_.begin());
  const std::uint32_t start = line_start(line);
  std::string_view before = std::string_view(text_).substr(start, offset - start);
  if (start == 0) before.remove_prefix(std::min(before.size(), byte_order_mark_size(text_)));
  return Position{line, static_cast<int>(count_code_points(before)) + 1, offset};
}

std::uint32_t SourceFile::line_start(int line) const {
  return line_starts_[static_cast<std::size_t>(line - 1)];
}

std::string_view SourceFile::line_text(int line) const {
  const std::size_t start = line_start(line);
  const std::size_t end =
      line < line_count() ? line_starts_[static_cast<std::size_t>(line)] - 1 : text_.size();
  std::string_view found = std::string_view(text_).substr(start, end - start);
  if (!found.empty() && found.back() == '\r') found.remove_suffix(1);
  if (start == 0) found.remove_prefix(byte_order_mark_size(text_));
  return found;
}

const SourceFile& SourceManager::add(std::string path, std::string text) {
  return files_.emplace_back(file_count(), std::move(path), std::move(text));
}

std::string_view SourceManager::text(Span span) const {
  if (!span.valid() || span.file >= file_count()) return {};
  return file(span.file).text(span);
}

}  // namespace linnet::syntax
