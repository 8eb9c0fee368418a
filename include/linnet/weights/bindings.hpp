// bindings.json (language.md section 11): which tensor of a checkpoint each parameter path reads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linnet/core/result.hpp"
#include "linnet/weights/json_scanner.hpp"
#include "linnet/weights/mapped_file.hpp"
#include "linnet/weights/messages.hpp"

namespace linnet::weights {

/// A parameter path in which `{i}`, or any identifier in braces, stands for an array position:
/// `layers.{i}.attention.q_proj.weight`. Each placeholder is a whole component and occurs once.
class PathPattern {
 public:
  /// One placeholder's name and the position that it matched.
  using Positions = std::vector<std::pair<std::string_view, std::string_view>>;

  /// Nothing where `text` is no pattern.
  [[nodiscard]] static std::optional<PathPattern> parse(std::string_view text) {
    PathPattern pattern;
    pattern.text_ = text;
    for (std::string_view rest = text;;) {
      const std::size_t dot = rest.find('.');
      const std::string_view component = rest.substr(0, dot);
      if (component.empty()) return std::nullopt;
      if (component.front() == '{') {
        if (!is_placeholder(component)) return std::nullopt;
        const auto placeholders = pattern.placeholders();
        const auto name = component.substr(1, component.size() - 2);
        if (std::find(placeholders.begin(), placeholders.end(), name) != placeholders.end()) {
          return std::nullopt;
        }
      } else if (component.find_first_of("{}") != std::string_view::npos) {
        return std::nullopt;
      }
      pattern.components_.emplace_back(component);
      if (dot == std::string_view::npos) return pattern;
      rest.remove_prefix(dot + 1);
    }
  }

  /// The positions where `path` matches, views into the pattern and the path.
  [[nodiscard]] std::optional<Positions> match(std::string_view path) const {
    Positions positions;
    for (std::size_t i = 0; i < components_.size(); ++i) {
      const std::size_t dot = path.find('.');
      const bool last = dot == std::string_view::npos;
      if (last != (i + 1 == components_.size())) return std::nullopt;
      const std::string_view part = path.substr(0, dot);
      const std::string_view component = components_[i];
      if (component.front() == '{') {
        if (!is_number(part)) return std::nullopt;
        positions.emplace_back(component.substr(1, component.size() - 2), part);
      } else if (component != part) {
        return std::nullopt;
      }
      if (!last) path.remove_prefix(dot + 1);
    }
    return positions;
  }

  /// `template_text` with each placeholder replaced by its position.
  [[nodiscard]] static std::string fill(std::string_view template_text,
                                        const Positions& positions) {
    std::string text;
    while (!template_text.empty()) {
      const std::size_t open = template_text.find('{');
      text += template_text.substr(0, open);
      if (open == std::string_view::npos) break;
      const std::size_t close = template_text.find('}', open);
      const std::string_view name = template_text.substr(open + 1, close - open - 1);
      for (const auto& [placeholder, position] : positions) {
        if (placeholder == name) text += position;
      }
      template_text.remove_prefix(close + 1);
    }
    return text;
  }

  /// Whether every `{name}` of `template_text` is one of this pattern's, and its braces are paired.
  [[nodiscard]] bool can_fill(std::string_view template_text) const {
    const auto known = placeholders();
    for (;;) {
      const std::size_t open = template_text.find_first_of("{}");
      if (open == std::string_view::npos) return true;
      const std::size_t close = template_text.find('}', open);
      if (template_text[open] == '}' || close == std::string_view::npos) return false;
      const std::string_view name = template_text.substr(open + 1, close - open - 1);
      if (std::find(known.begin(), known.end(), name) == known.end()) return false;
      template_text.remove_prefix(close + 1);
    }
  }

  [[nodiscard]] const std::string& text() const { return text_; }

  /// Whether both match the same paths: equal but for the names of placeholders.
  [[nodiscard]] bool same_paths(const PathPattern& other) const {
    return std::equal(components_.begin(), components_.end(), other.components_.begin(),
                      other.components_.end(), [](const std::string& a, const std::string& b) {
                        return a == b || (a.front() == '{' && b.front() == '{');
                      });
  }

 private:
  [[nodiscard]] std::vector<std::string_view> placeholders() const {
    std::vector<std::string_view> names;
    for (const std::string_view component : components_) {
      if (component.front() == '{') names.push_back(component.substr(1, component.size() - 2));
    }
    return names;
  }

  [[nodiscard]] static bool is_placeholder(std::string_view component) {
    if (component.size() < 3 || component.back() != '}') return false;
    const std::string_view name = component.substr(1, component.size() - 2);
    const auto letter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    return letter(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
             return letter(c) || (c >= '0' && c <= '9');
           });
  }

  [[nodiscard]] static bool is_number(std::string_view part) {
    return !part.empty() &&
           std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
  }

  std::string text_;
  std::vector<std::string> components_;
};

/// Renames from parameter paths to tensor names. Paths that no entry matches keep their names; two
/// paths may name one tensor (tied weights).
class Bindings {
 public:
  struct Entry {
    PathPattern path;
    std::string tensor;  // may use the placeholders of `path`
  };

  /// Where a path is bound, and how many entries claim it (more than one is an error).
  struct Target {
    std::string tensor;
    std::vector<std::size_t> entries;
  };

  Bindings() = default;

  /// Reads one JSON object of strings. `name` is what messages call the text. Fails on malformed
  /// JSON, on a path that is no pattern, on an unknown placeholder, on a path bound twice.
  [[nodiscard]] static Result<Bindings> parse(std::string_view json_text,
                                              std::string_view name = "bindings") {
    JsonScanner json(json_text);
    const auto bad = [&](std::string_view why) {
      return json.failed() ? file_error(name, "at byte " + std::to_string(json.offset()) + ": " +
                                                  std::string(json.error()))
                           : file_error(name, why);
    };
    Bindings bindings;
    if (json.next() != JsonToken::begin_object) return bad("expected an object of strings");
    for (JsonToken token = json.next(); token != JsonToken::end_object; token = json.next()) {
      if (token != JsonToken::key) return bad("expected a parameter path");
      const std::string path(json.text());
      if (json.next() != JsonToken::string) {
        return bad("path " + in_backquotes(path) + ": expected the name of a tensor");
      }
      if (auto why = bindings.add(path, json.text())) return bad(*why);
    }
    if (json.next() != JsonToken::end) return bad("text after the end of the document");
    return bindings;
  }

  [[nodiscard]] static Result<Bindings> open(const std::string& path) {
    const auto file = MappedFile::open(path);
    if (!file) return file.error();
    const auto text = file->bytes();
    return parse({reinterpret_cast<const char*>(text.data()), text.size()}, path);
  }

  /// Adds one entry; gives the reason where it is refused.
  [[nodiscard]] std::optional<std::string> add(std::string_view path, std::string_view tensor) {
    auto pattern = PathPattern::parse(path);
    if (!pattern) return "path " + in_backquotes(path) + " is no parameter path";
    if (tensor.empty() || !pattern->can_fill(tensor)) {
      return "path " + in_backquotes(path) + ": " + in_backquotes(tensor) +
             " uses a placeholder that the path does not have";
    }
    for (const Entry& entry : entries_) {
      if (entry.path.same_paths(*pattern)) return "path " + in_backquotes(path) + " is bound twice";
    }
    entries_.push_back({std::move(*pattern), std::string(tensor)});
    return std::nullopt;
  }

  [[nodiscard]] Target resolve(std::string_view path) const {
    Target target;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (const auto positions = entries_[i].path.match(path)) {
        if (target.entries.empty()) {
          target.tensor = PathPattern::fill(entries_[i].tensor, *positions);
        }
        target.entries.push_back(i);
      }
    }
    if (target.entries.empty()) target.tensor = path;
    return target;
  }

  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace linnet::weights
