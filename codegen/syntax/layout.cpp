#include "codegen/syntax/layout.hpp"

#include <algorithm>

#include "codegen/syntax/unicode.hpp"

namespace linnet::syntax {
namespace {

constexpr int indent_width = 4;

int width_of(std::string_view text) {
  int width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint found = decode_utf8(text, at);
    width += display_width(found.value);
    at += found.size;
  }
  return width;
}

bool is_multi_line(std::string_view text) {
  return text.find('\n') != std::string_view::npos;
}

}  // namespace

void Layout::text(std::string_view text) {
  commands_.push_back({Op::text, text});
}
void Layout::line(std::string_view flat) {
  commands_.push_back({Op::line, flat});
}
void Layout::hard_line(bool blank) {
  commands_.push_back({Op::hard_line, {}, blank});
}
void Layout::no_blank() {
  commands_.push_back({Op::no_blank, {}});
}
void Layout::begin_group(bool broken) {
  commands_.push_back({Op::begin_group, {}, broken});
}
void Layout::end_group() {
  commands_.push_back({Op::end_group, {}});
}
void Layout::begin_indent() {
  commands_.push_back({Op::begin_indent, {}});
}
void Layout::end_indent() {
  commands_.push_back({Op::end_indent, {}});
}
void Layout::inline_comment(std::string_view text) {
  commands_.push_back({Op::inline_comment, text});
}
void Layout::trailing_comment(std::string_view text, bool ends_line) {
  commands_.push_back({Op::trailing_comment, text, ends_line});
}
void Layout::own_line_comment(std::string_view text, bool blank_before, bool blank_after) {
  commands_.push_back({Op::own_line_comment, text, blank_before, blank_after});
}

class Layout::Printer {
 public:
  Printer(const std::vector<Command>& commands, int width) : commands_(commands), width_(width) {}

  std::string run() {
    for (std::size_t i = 0; i < commands_.size(); ++i) step(i);
    trim();
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
    return std::move(out_);
  }

 private:
  void step(std::size_t i) {
    const Command& command = commands_[i];
    switch (command.op) {
      case Op::text:
        put(command.text);
        break;
      case Op::line:
        if (flat_) {
          put(command.text);
        } else {
          request(1);
        }
        break;
      case Op::hard_line:
        request(command.flag ? 2 : 1);
        break;
      case Op::no_blank:
        newlines_ = std::min(newlines_, 1);
        break;
      case Op::begin_group:
        outer_flat_.push_back(flat_);
        flat_ = flat_ || (!command.flag && fits(i));
        break;
      case Op::end_group:
        flat_ = outer_flat_.back();
        outer_flat_.pop_back();
        break;
      case Op::begin_indent:
        indent_ += indent_width;
        break;
      case Op::end_indent:
        indent_ -= indent_width;
        break;
      case Op::inline_comment:
        space_before_comment();
        put(command.text);
        put(" ");
        break;
      case Op::trailing_comment:
        space_before_comment();
        put(command.text);
        if (command.flag) request(1);
        break;
      case Op::own_line_comment:
        request(command.flag ? 2 : 1);
        put(command.text);
        request(command.other_flag ? 2 : 1);
        break;
    }
  }

  void request(int newlines) { newlines_ = std::max(newlines_, newlines); }

  void trim() {
    const std::size_t last = out_.find_last_not_of(' ');
    out_.resize(last == std::string::npos ? 0 : last + 1);
  }

  void put(std::string_view text) {
    if (text.empty()) return;
    if (newlines_ > 0 && !out_.empty()) {
      trim();
      out_.append(static_cast<std::size_t>(newlines_), '\n');
      out_.append(static_cast<std::size_t>(indent_), ' ');
      column_ = indent_;
      if (text == " ") {
        newlines_ = 0;
        return;
      }
    }
    newlines_ = 0;
    out_ += text;
    const std::size_t last_line = text.rfind('\n');
    if (last_line == std::string_view::npos) {
      column_ += width_of(text);
    } else {
      column_ = width_of(text.substr(last_line + 1));
    }
  }

  void space_before_comment() {
    if (newlines_ > 0 || out_.empty()) return;
    if (std::string_view(" \n([<").find(out_.back()) == std::string_view::npos) put(" ");
  }

  /// Does the group that begins at `begin`, flat, fit into the line, together with what
  /// follows it up to the next possible break?
  [[nodiscard]] bool fits(std::size_t begin) const {
    int left = width_ - (newlines_ > 0 ? indent_ : column_);
    int depth = 1;
    bool comment = false;  // after one that ends the line, no text may follow on it
    for (std::size_t i = begin + 1; i < commands_.size() && left >= 0; ++i) {
      const Command& command = commands_[i];
      const bool inside = depth > 0;
      switch (command.op) {
        case Op::text:
          if (comment) return !inside;
          left -= width_of(command.text);
          break;
        case Op::line:
          if (!inside) return true;
          left -= static_cast<int>(command.text.size());
          break;
        case Op::hard_line:
          return !inside;
        case Op::begin_group:
          if (inside && command.flag) return false;
          if (inside) ++depth;
          break;
        case Op::end_group:
          if (inside) --depth;
          break;
        case Op::inline_comment:
          if (comment || is_multi_line(command.text)) return !inside;
          left -= width_of(command.text) + 2;
          break;
        case Op::trailing_comment:
          if (!command.flag && !is_multi_line(command.text)) {
            left -= width_of(command.text) + 1;
          } else {
            comment = true;
          }
          break;
        case Op::own_line_comment:
          return !inside;
        case Op::no_blank:
        case Op::begin_indent:
        case Op::end_indent:
          break;
      }
    }
    return left >= 0;
  }

  const std::vector<Command>& commands_;
  int width_;
  std::string out_;
  int column_ = 0;
  int indent_ = 0;
  int newlines_ = 0;  ///< line breaks due before the next text
  bool flat_ = false;
  std::vector<bool> outer_flat_;
};

std::string Layout::print(int width) const {
  return Printer(commands_, width).run();
}

}  // namespace linnet::syntax
