#pragma once
// A pretty printer in the manner of Oppen and Wadler: the formatter gives it text and
// places where a line may break; it decides which groups of them do.
//
// A group is laid out flat when it fits into the rest of the line, otherwise each `line`
// directly in it breaks. Comments are part of the stream, since they decide about breaks.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace linnet::syntax {

class Layout {
 public:
  void text(std::string_view text);
  /// A break, or `flat` when its group is flat.
  void line(std::string_view flat = " ");
  /// Always a break; `blank` leaves one empty line.
  void hard_line(bool blank = false);
  /// At most one line break, no empty line, before what follows.
  void no_blank();

  void begin_group(bool broken = false);
  void end_group();
  void begin_indent();
  void end_indent();

  /// A comment before the next text on its line.
  void inline_comment(std::string_view text);
  /// A comment after the previous text; with `ends_line` a line break follows.
  void trailing_comment(std::string_view text, bool ends_line);
  /// A comment on lines of its own.
  void own_line_comment(std::string_view text, bool blank_before, bool blank_after);

  /// The text, each line without trailing spaces, ending in a line break.
  [[nodiscard]] std::string print(int width) const;

 private:
  enum class Op {
    text,
    line,
    hard_line,
    no_blank,
    begin_group,
    end_group,
    begin_indent,
    end_indent,
    inline_comment,
    trailing_comment,
    own_line_comment,
  };
  struct Command {
    Op op;
    std::string_view text;
    bool flag = false;        ///< blank, broken, ends_line, blank_before
    bool other_flag = false;  ///< blank_after
  };
  class Printer;

  std::vector<Command> commands_;
};

}  // namespace linnet::syntax
