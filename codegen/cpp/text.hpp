#pragma once
// A sink for generated C++: lines with indentation, nothing clever.

#include <string>
#include <string_view>
#include <utility>

namespace linnet::cpp {

/// Collects lines at an indentation of two spaces a level.
class Text {
 public:
  explicit Text(int level = 0) : level_(level) {}

  /// Writes one line; an empty line carries no indentation.
  void line(std::string_view text);
  /// Writes `text` and opens a brace: `text {`.
  void open(std::string_view text);
  /// Closes a brace, with what follows it: `}` or `} else {` when `again` opens the next.
  void close(std::string_view after = "");
  /// Closes one brace and opens the next on the same line: `} else {`.
  void reopen(std::string_view text);
  /// Writes `doc` as `///` lines.
  void doc(std::string_view doc);
  /// Appends finished lines, indented by this sink's level.
  void append(std::string_view lines);
  /// Appends finished lines that carry their indentation already.
  void raw(std::string_view lines) { out_ += lines; }
  void blank();

  void indent() { ++level_; }
  void outdent() { --level_; }
  [[nodiscard]] int level() const { return level_; }
  [[nodiscard]] bool empty() const { return out_.empty(); }
  [[nodiscard]] const std::string& str() const { return out_; }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  int level_ = 0;
  std::string out_;
};

/// `text` with lines of code over 100 columns broken after a comma or an operator, the rest
/// indented by four more. Comments and lines without such a place stay as they are.
[[nodiscard]] std::string wrapped(std::string_view text);

}  // namespace linnet::cpp
