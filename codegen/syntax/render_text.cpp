#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/syntax/render.hpp"
#include "codegen/syntax/unicode.hpp"

namespace linnet::syntax {
namespace {

constexpr int tab_width = 4;
constexpr int longest_line = 200;           ///< in terminal columns; longer lines are cut
constexpr std::size_t longest_read = 4096;  ///< bytes of a line that are looked at
constexpr std::size_t longest_text = 600;   ///< bytes of a message or label; more is cut
constexpr int context_before = 60;          ///< columns kept before the first mark of a cut line

enum class Style { plain, bold, error, warning, frame };

std::string paint(std::string_view text, Style style, bool colour) {
  if (!colour || style == Style::plain) return std::string(text);
  const auto code = [&] {
    switch (style) {
      case Style::bold:
        return "\x1b[1m";
      case Style::error:
        return "\x1b[1;31m";
      case Style::warning:
        return "\x1b[1;33m";
      default:
        return "\x1b[1;34m";
    }
  }();
  return code + std::string(text) + "\x1b[0m";
}

/// Controls would move the cursor, and bidirectional overrides would show the line in
/// another order than it has.
bool disturbs_terminal(char32_t value) {
  return value < 0x20 || (value >= 0x7F && value < 0xA0) || (value >= 0x202A && value <= 0x202E) ||
         (value >= 0x2066 && value <= 0x2069);
}

/// A source line as a terminal shows it, and where its bytes went.
struct ShownLine {
  std::string text;
  std::vector<int> column_of_byte;  ///< one more than bytes: the end of the line
};

ShownLine shown(std::string_view line) {
  ShownLine made;
  int column = 0;
  for (std::size_t at = 0; at < line.size();) {
    const CodePoint found = decode_utf8(line, at);
    made.column_of_byte.insert(made.column_of_byte.end(), found.size, column);
    if (found.value == '\t') {
      const int next = (column / tab_width + 1) * tab_width;
      made.text.append(static_cast<std::size_t>(next - column), ' ');
      column = next;
    } else if (!found.valid || disturbs_terminal(found.value)) {
      append_utf8(made.text, 0xFFFD);
      ++column;
    } else {
      made.text += line.substr(at, found.size);
      column += display_width(found.value);
    }
    at += found.size;
  }
  made.column_of_byte.push_back(column);
  return made;
}

/// The part of a text between two terminal columns.
std::string columns_between(std::string_view text, int first, int last) {
  std::string made;
  int column = 0;
  for (std::size_t at = 0; at < text.size() && column < last;) {
    const CodePoint found = decode_utf8(text, at);
    if (column >= first) made += text.substr(at, found.size);
    column += display_width(found.value);
    at += found.size;
  }
  return made;
}

int width_of(std::string_view text) {
  int width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint found = decode_utf8(text, at);
    width += display_width(found.value);
    at += found.size;
  }
  return width;
}

struct Mark {
  int begin = 0;  ///< columns of the shown line, half open, at least one wide
  int end = 0;
  bool primary = false;
  std::string label;
  std::size_t order = 0;
};

/// One row under a source line: pieces of text at columns.
class Row {
 public:
  explicit Row(bool colour) : colour_(colour) {}
  void put(int column, std::string_view text, Style style) {
    if (column < width_) return;
    text_.append(static_cast<std::size_t>(column - width_), ' ');
    text_ += paint(text, style, colour_);
    width_ = column + width_of(text);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  bool colour_;
  int width_ = 0;
  std::string text_;
};

class Snippet {
 public:
  Snippet(const Diagnostic& diagnostic, const SourceManager& sources, bool colour)
      : diagnostic_(diagnostic), sources_(sources), colour_(colour) {
    add(diagnostic.span, diagnostic.label, true);
    for (const RelatedSpan& place : diagnostic.related) add(place.span, place.message, false);
    for (const auto& [file, lines] : files_) {
      if (!lines.empty()) gutter_ = std::max(gutter_, std::to_string(lines.rbegin()->first).size());
    }
  }

  std::string render() {
    std::string out;
    const Style accent = primary_style();
    const bool error = diagnostic_.severity == Severity::error;
    out += paint((error ? "error " : "warning ") + diagnostic_.code, accent, colour_);
    out += paint(": " + printable(diagnostic_.message), Style::bold, colour_) + "\n";
    if (diagnostic_.span.valid()) file_section(out, diagnostic_.span.file, "-->");
    for (const auto& [file, lines] : files_) {
      if (file != diagnostic_.span.file) file_section(out, file, ":::");
    }
    for (const std::string& note : diagnostic_.notes) remark(out, "note", note);
    for (const std::string& help : diagnostic_.help) remark(out, "help", help);
    return out;
  }

 private:
  struct Place {
    Span span;
    bool primary;
    std::string label;
  };

  void add(Span span, const std::string& label, bool primary) {
    if (!span.valid()) return;
    const int line = sources_.file(span.file).position(span.begin).line;
    files_[span.file][line].push_back({span, primary, label});
  }

  [[nodiscard]] Style primary_style() const {
    return diagnostic_.severity == Severity::error ? Style::error : Style::warning;
  }

  /// Messages quote names and shapes, which are as long as the user likes.
  static std::string printable(std::string_view text) {
    if (text.size() <= longest_text) return shown(text).text;
    std::size_t end = longest_text;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return shown(text.substr(0, end)).text + "...";
  }

  [[nodiscard]] std::string frame(std::string_view number, std::string_view bar) const {
    std::string text(gutter_ - std::min(gutter_, number.size()), ' ');
    text += number;
    text += bar;
    return paint(text, Style::frame, colour_);
  }

  void remark(std::string& out, std::string_view kind, std::string_view text) const {
    std::string indented;
    for (std::string_view rest = text;;) {
      const std::size_t end = rest.find('\n');
      indented += printable(rest.substr(0, end));
      if (end == std::string_view::npos) break;
      indented += '\n' + std::string(gutter_ + 3 + kind.size() + 2, ' ');
      rest.remove_prefix(end + 1);
    }
    out += frame("", " = ") + paint(std::string(kind) + ":", Style::bold, colour_) + " " +
           indented + "\n";
  }

  void file_section(std::string& out, int file_id, std::string_view arrow) {
    const SourceFile& file = sources_.file(file_id);
    const auto& lines = files_[file_id];
    std::uint32_t offset = lines.begin()->second.front().span.begin;
    if (file_id == diagnostic_.span.file) offset = diagnostic_.span.begin;
    const Position start = file.position(offset);
    out += frame("", arrow) + " " + printable(file.path()) + ":" + std::to_string(start.line) +
           ":" + std::to_string(start.column) + "\n";
    out += frame("", " |") + "\n";
    int previous = 0;
    for (const auto& [line, places] : lines) {
      if (previous != 0 && line == previous + 2) {
        source_line(out, file, previous + 1, {});
      } else if (previous != 0 && line > previous + 2) {
        out += paint("...", Style::frame, colour_) + "\n";
      }
      source_line(out, file, line, places);
      previous = line;
    }
  }

  void source_line(std::string& out, const SourceFile& file, int line,
                   const std::vector<Place>& places) const {
    std::string_view text = file.line_text(line);
    if (text.size() > longest_read) {
      // Only the surroundings of the first mark, so that the cost does not depend on the line.
      const std::size_t begin = places.empty() ? 0 : places.front().span.begin;
      const std::size_t start = file.line_start(line);
      const std::size_t before = std::min(begin - std::min(begin, start), text.size() - 1);
      std::size_t from = before - std::min<std::size_t>(before, longest_read / 4);
      while (from > 0 && (static_cast<unsigned char>(text[from]) & 0xC0) == 0x80) --from;
      text = text.substr(from, longest_read);
    }
    ShownLine view = shown(text);
    const auto offset_of_text = static_cast<std::size_t>(text.data() - file.text().data());
    std::vector<Mark> marks;
    for (const Place& place : places) {
      const auto column = [&](std::size_t offset) {
        return view.column_of_byte[offset < offset_of_text
                                       ? 0
                                       : std::min(offset - offset_of_text, text.size())];
      };
      Mark mark{column(place.span.begin), column(place.span.end), place.primary, place.label, 0};
      mark.end = std::max(mark.end, mark.begin + 1);
      marks.push_back(std::move(mark));
    }
    for (std::size_t i = 0; i < marks.size(); ++i) marks[i].order = i;
    std::sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) {
      return std::pair(a.begin, a.order) < std::pair(b.begin, b.order);
    });
    cut(view, marks);
    std::string shown_text = " " + view.text;
    if (view.text.empty()) shown_text.clear();
    out += frame(std::to_string(line), " |") + shown_text + "\n";
    for (const std::string& row : label_rows(marks)) {
      out += frame("", " |") + " " + row + "\n";
    }
  }

  static void cut(ShownLine& view, std::vector<Mark>& marks) {
    const int width = view.column_of_byte.back();
    if (width <= longest_line) return;
    const int first = marks.empty() ? 0 : std::max(0, marks.front().begin - context_before);
    const int last = first + longest_line;
    const std::string_view before = first > 0 ? "..." : "";
    const int shift = first - static_cast<int>(before.size());
    view.text =
        std::string(before) + columns_between(view.text, first, last) + (last < width ? "..." : "");
    for (Mark& mark : marks) {
      mark.begin = std::min(mark.begin, last) - shift;
      mark.end = std::max(std::min(mark.end, last) - shift, mark.begin + 1);
    }
  }

  [[nodiscard]] std::vector<std::string> label_rows(const std::vector<Mark>& marks) const {
    if (marks.empty()) return {};
    const auto style = [&](const Mark& mark) {
      return mark.primary ? primary_style() : Style::frame;
    };
    // A label stands beside its underline when it ends before the next one begins.
    std::vector<bool> beside(marks.size());
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < marks.size(); ++i) {
      labels.push_back(printable(marks[i].label));
      const int end = marks[i].end + 1 + width_of(labels[i]);
      beside[i] = i + 1 == marks.size() || end + 1 <= marks[i + 1].begin;
    }
    Row underlines(colour_);
    for (std::size_t i = 0; i < marks.size(); ++i) {
      // Of overlapping spans the later one starts inside: show the earlier up to there.
      int end = marks[i].end;
      if (i + 1 < marks.size()) end = std::min(end, marks[i + 1].begin);
      const auto size = static_cast<std::size_t>(std::max(end - marks[i].begin, 0));
      underlines.put(marks[i].begin, std::string(size, marks[i].primary ? '^' : '-'),
                     style(marks[i]));
      if (beside[i] && !labels[i].empty()) {
        underlines.put(marks[i].end + 1, labels[i], style(marks[i]));
      }
    }
    std::vector<std::string> rows{underlines.text()};
    for (std::size_t i = marks.size(); i-- > 0;) {
      if (beside[i] || labels[i].empty()) continue;
      Row row(colour_);
      for (std::size_t j = 0; j < i; ++j) {
        if (!beside[j] && !labels[j].empty()) row.put(marks[j].begin, "|", style(marks[j]));
      }
      row.put(marks[i].begin, labels[i], style(marks[i]));
      rows.push_back(row.text());
    }
    return rows;
  }

  const Diagnostic& diagnostic_;
  const SourceManager& sources_;
  bool colour_;
  std::size_t gutter_ = 1;
  std::map<int, std::map<int, std::vector<Place>>> files_;  ///< by file, by line
};

}  // namespace

std::string render_text(const Diagnostic& diagnostic, const SourceManager& sources, bool colour) {
  return Snippet(diagnostic, sources, colour).render();
}

}  // namespace linnet::syntax
