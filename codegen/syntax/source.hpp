#pragma once
// Source files and positions in them. Every later stage speaks of places in the
// input as `Span`s; only diagnostics turn them into lines and columns.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace linnet::syntax {

/// A half-open range of bytes [begin, end) of one file.
struct Span {
  static constexpr int no_file = -1;

  int file = no_file;  ///< index into the `SourceManager`
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  [[nodiscard]] bool valid() const { return file != no_file; }
  [[nodiscard]] std::uint32_t size() const { return end - begin; }
  bool operator==(const Span&) const = default;
};

/// The smallest span that covers both; both must lie in one file.
[[nodiscard]] inline Span join(Span a, Span b) {
  if (!a.valid()) return b;
  if (!b.valid()) return a;
  return Span{a.file, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

/// A place as people and editors count: line and column from 1, columns in
/// code points, offset in bytes from 0.
struct Position {
  int line = 1;
  int column = 1;
  std::uint32_t offset = 0;
};

/// One file's text. The text must be under 2 GiB; `SourceManager` users check
/// the size before adding a file.
class SourceFile {
 public:
  SourceFile(int id, std::string path, std::string text);

  [[nodiscard]] int id() const { return id_; }
  /// The path as the user gave it, or as the module loader found it.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::string_view text(Span span) const;

  [[nodiscard]] Position position(std::uint32_t offset) const;
  [[nodiscard]] int line_count() const { return static_cast<int>(line_starts_.size()); }
  /// Text of a line (from 1) without its line break.
  [[nodiscard]] std::string_view line_text(int line) const;
  /// Byte offset of the first character of a line (from 1).
  [[nodiscard]] std::uint32_t line_start(int line) const;

 private:
  int id_;
  std::string path_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
};

/// Owns the files of one compilation. References stay valid while it lives.
class SourceManager {
 public:
  SourceManager() = default;
  SourceManager(const SourceManager&) = delete;
  SourceManager& operator=(const SourceManager&) = delete;

  const SourceFile& add(std::string path, std::string text);

  [[nodiscard]] const SourceFile& file(int id) const {
    return files_[static_cast<std::size_t>(id)];
  }
  [[nodiscard]] int file_count() const { return static_cast<int>(files_.size()); }
  /// The characters that a span covers; empty for an invalid span.
  [[nodiscard]] std::string_view text(Span span) const;

 private:
  std::deque<SourceFile> files_;
};

}  // namespace linnet::syntax
