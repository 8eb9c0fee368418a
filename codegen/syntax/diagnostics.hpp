#pragma once
// Diagnostics: what every stage reports about the user's input (language.md
// section 13). Rendering is in render.hpp.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/syntax/source.hpp"

namespace linnet::syntax {

/// Lexer and parser list so many errors of one file each, then give up on it.
inline constexpr int max_errors = 200;
inline constexpr std::string_view too_many_errors = "too many errors; the rest is not listed";

enum class Severity { error, warning };

/// A labelled secondary place.
struct RelatedSpan {
  std::string message;
  Span span;
};

struct Diagnostic {
  std::string code;  ///< stable: "E2201", "W1001"
  Severity severity = Severity::error;
  std::string message;  ///< one sentence without a full stop, names in `backquotes`
  std::string label;    ///< short text at the primary span, may be empty
  Span span;            ///< primary place, invalid where there is none
  std::vector<RelatedSpan> related;
  std::vector<std::string> notes;
  std::vector<std::string> help;

  Diagnostic& with_label(std::string text) {
    label = std::move(text);
    return *this;
  }
  Diagnostic& with_related(std::string text, Span where) {
    related.push_back({std::move(text), where});
    return *this;
  }
  Diagnostic& with_note(std::string text) {
    notes.push_back(std::move(text));
    return *this;
  }
  Diagnostic& with_help(std::string text) {
    help.push_back(std::move(text));
    return *this;
  }
};

/// Collects diagnostics in the order they are found.
///
/// `error` and `warning` return the new entry so that labels can be chained:
///     sink.error("E2101", span, "type differs").with_help("...");
/// The reference is valid until the next report.
class DiagnosticSink {
 public:
  Diagnostic& error(std::string code, Span span, std::string message) {
    ++errors_;
    return add(Severity::error, std::move(code), span, std::move(message));
  }
  Diagnostic& warning(std::string code, Span span, std::string message) {
    ++warnings_;
    return add(Severity::warning, std::move(code), span, std::move(message));
  }

  /// The diagnostic reported last; there must be one.
  [[nodiscard]] Diagnostic& latest() { return diagnostics_.back(); }
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  [[nodiscard]] int error_count() const { return errors_; }
  [[nodiscard]] int warning_count() const { return warnings_; }
  [[nodiscard]] bool has_errors() const { return errors_ != 0; }

  /// Orders by file, then place (stable, so equal places keep their order);
  /// diagnostics without a place come first.
  void sort_by_place();

 private:
  Diagnostic& add(Severity severity, std::string code, Span span, std::string message) {
    Diagnostic& made = diagnostics_.emplace_back();
    made.code = std::move(code);
    made.severity = severity;
    made.message = std::move(message);
    made.span = span;
    return made;
  }

  std::vector<Diagnostic> diagnostics_;
  int errors_ = 0;
  int warnings_ = 0;
};

}  // namespace linnet::syntax
