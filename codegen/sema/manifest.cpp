#include "codegen/sema/manifest.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "codegen/sema/suggest.hpp"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

namespace linnet::sema {
namespace {

namespace fs = std::filesystem;
using syntax::Span;

constexpr std::string_view language_version = "0.1";
/// Keys that only people read, here as in other package formats.
constexpr std::array<std::string_view, 10> descriptive_keys{
    "authors", "description",   "license",  "repository", "homepage",
    "readme",  "documentation", "keywords", "categories", "publish"};
constexpr std::uintmax_t largest_file = std::uintmax_t{64} << 20;

bool is_identifier(std::string_view text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && letter(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

/// Turns places of the TOML parser into spans of the file.
class Places {
 public:
  explicit Places(const syntax::SourceFile& file) : file_(file) {}

  [[nodiscard]] Span span(const toml::source_region& region) const {
    const std::uint32_t begin = offset(region.begin);
    const std::uint32_t end = std::max(offset(region.end), begin);
    return {file_.id(), begin, end};
  }
  [[nodiscard]] Span start() const { return {file_.id(), 0, 0}; }

 private:
  [[nodiscard]] std::uint32_t offset(const toml::source_position& position) const {
    const auto line = static_cast<int>(position.line);
    const auto size = static_cast<std::uint32_t>(file_.text().size());
    if (line < 1 || line > file_.line_count()) return line < 1 ? 0 : size;
    // Columns count code points; a manifest's keys are ASCII, so bytes are near enough.
    const std::uint32_t column = position.column < 1 ? 0 : position.column - 1;
    return std::min(file_.line_start(line) + column, size);
  }

  const syntax::SourceFile& file_;
};

class ManifestReader {
 public:
  ManifestReader(Package& package, const syntax::SourceFile& file, syntax::DiagnosticSink& sink)
      : package_(package), places_(file), sink_(sink) {}

  void read(const toml::table& document) {
    refuse_unknown(document);
    const toml::node* node = document.get("package");
    const toml::table* table = node != nullptr ? node->as_table() : nullptr;
    if (table != nullptr) {
      read_package_table(*table);
    } else if (package_.valid) {  // else a misspelt name was reported, and may be this table's
      fail(node != nullptr ? places_.span(node->source()) : places_.start(),
           "the manifest has no `[package]` table")
          .with_help("write `[package]` with `name`, `version` and `language = \"0.1\"`");
    }
    if (const toml::node* dependencies = document.get("dependencies")) {
      read_dependencies(*dependencies);
    }
  }

 private:
  syntax::Diagnostic& fail(Span span, std::string message) {
    package_.valid = false;
    return sink_.error("E5001", span, std::move(message));
  }

  /// Tables of other tools are theirs; a table whose name is nearly one of ours is a mistake.
  void refuse_unknown(const toml::table& document) {
    for (auto&& [key, value] : document) {
      const std::string name(key.str());
      if (name == "package" || name == "dependencies") continue;
      const std::string near = closest(name, {"package", "dependencies", "dependency"});
      if (near.empty() && !value.is_value()) continue;
      syntax::Diagnostic& report =
          fail(places_.span(key.source()), "unknown key `" + name + "` in the manifest");
      report.with_help(!near.empty() ? "did you mean `" + near + "`?"
                                     : "keys stand in a table: `[package]` or `[dependencies]`");
    }
  }

  /// Reports keys of a table that are neither known nor descriptions for people.
  void refuse_unknown(const toml::table& table, const std::string& where,
                      const std::vector<std::string>& known) {
    for (auto&& [key, value] : table) {
      const std::string name(key.str());
      const auto is_name = [&](std::string_view other) { return name == other; };
      if (std::any_of(known.begin(), known.end(), is_name) ||
          std::any_of(descriptive_keys.begin(), descriptive_keys.end(), is_name)) {
        continue;
      }
      const std::string near = closest(name, known);
      std::string list;
      for (const std::string& one : known) list += (list.empty() ? "`" : ", `") + one + "`";
      fail(places_.span(key.source()), "unknown key `" + name + "` in " + where)
          .with_help(!near.empty() ? "did you mean `" + near + "`?" : "the keys are " + list);
    }
  }

  /// Null after a report when the value is no string, and without one when there is no such key.
  const toml::value<std::string>* text_of(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return nullptr;
    const auto* text = node->as_string();
    if (text == nullptr) {
      fail(places_.span(node->source()), "`" + std::string(key) + "` must be a string")
          .with_help("write it in double quotes: `" + std::string(key) + " = \"...\"`");
    }
    return text;
  }

  void read_package_table(const toml::table& table) {
    const std::vector<std::string> known{"name", "version", "language"};
    const bool was_valid = package_.valid;
    refuse_unknown(table, "`[package]`", known);
    std::string missing;
    for (const std::string& key : known) {
      if (!table.contains(key)) missing += (missing.empty() ? "`" : ", `") + key + "`";
    }
    // A misspelt key is the missing one, most likely.
    if (!missing.empty() && package_.valid == was_valid) {
      fail(places_.span(table.source()), "`[package]` has no " + missing)
          .with_help(
              "write `name = \"my_model\"`, `version = \"0.1.0\"` and "
              "`language = \"0.1\"`");
    }
    if (const auto* name = text_of(table, "name")) read_name(*name);
    (void)text_of(table, "version");
    const auto* language = text_of(table, "language");
    if (language != nullptr && language->get() != language_version) {
      fail(places_.span(language->source()),
           "the package is written in language version `" + language->get() + "`")
          .with_label("this compiler knows version 0.1")
          .with_help("write `language = \"0.1\"`");
    }
  }

  void read_name(const toml::value<std::string>& name) {
    package_.name = name.get();
    if (is_identifier(package_.name)) return;
    std::string fixed;
    for (const char c : package_.name) fixed += is_identifier(std::string{'_', c}) ? c : '_';
    if (!is_identifier(fixed)) fixed = "my_model";
    fail(places_.span(name.source()), "`" + package_.name + "` cannot name a package")
        .with_label("no identifier")
        .with_help("write `name = \"" + fixed + "\"`");
  }

  void read_dependencies(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      fail(places_.span(node.source()), "`dependencies` must be a table")
          .with_help("write `[dependencies]`, then one `key = { path = \"...\" }` a line");
      return;
    }
    for (auto&& [key, value] : *table) read_dependency(std::string(key.str()), value);
  }

  void read_dependency(const std::string& key, const toml::node& node) {
    const Span span = places_.span(node.source());
    if (!is_identifier(key) || key == "std" || key == "crate") {
      fail(span, "`" + key + "` cannot name a dependency")
          .with_help("a key is an identifier other than `std` and `crate`, as `use` writes it");
      return;
    }
    const toml::table* table = node.as_table();
    if (table != nullptr && table->contains("path")) {
      refuse_unknown(*table, "dependency `" + key + "`", {"path", "version"});
    }
    const auto* path =
        table != nullptr && table->contains("path") ? text_of(*table, "path") : nullptr;
    if (path == nullptr) {
      if (table != nullptr && table->contains("path")) return;  // reported: no string
      fail(span, "dependency `" + key + "` has no `path`")
          .with_help("only path dependencies exist: `" + key + " = { path = \"../" + key + "\" }`");
      return;
    }
    const fs::path directory = (package_.directory / fs::path(path->get())).lexically_normal();
    std::error_code ignored;
    if (!fs::is_regular_file(directory / manifest_name, ignored)) {
      fail(places_.span(path->source()), "dependency `" + key + "` has no manifest")
          .with_label("no `" + (directory / manifest_name).generic_string() + "`")
          .with_help("the path is relative to this manifest; `linnet init DIR` makes a package");
      return;
    }
    package_.dependencies.emplace(key, directory);
  }

  Package& package_;
  Places places_;
  syntax::DiagnosticSink& sink_;
};

}  // namespace

std::optional<fs::path> find_package(const fs::path& start) {
  std::error_code ignored;
  for (fs::path directory = start;; directory = directory.parent_path()) {
    if (fs::exists(directory / manifest_name, ignored)) return directory;
    if (directory == directory.parent_path()) return std::nullopt;
  }
}

std::optional<std::string> read_text(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || error) return std::nullopt;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error || size > largest_file) return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad()) return std::nullopt;
  return std::move(text).str();
}

Package read_package(const fs::path& directory, syntax::SourceManager& sources,
                     syntax::DiagnosticSink& sink) {
  Package package;
  package.directory = directory;
  const fs::path path = directory / manifest_name;
  const std::optional<std::string> text = read_text(path);
  if (!text) {
    package.valid = false;
    sink.error("E5001", Span{}, "cannot read `" + path.generic_string() + "`");
    return package;
  }
  const syntax::SourceFile& file = sources.add(path.generic_string(), *text);
  const toml::parse_result parsed = toml::parse(std::string_view(*text));
  if (!parsed) {
    package.valid = false;
    sink.error("E5001", Places(file).span(parsed.error().source()),
               "the manifest is not TOML: " + std::string(parsed.error().description()))
        .with_help("a manifest has the tables `[package]` and `[dependencies]`");
    return package;
  }
  ManifestReader(package, file, sink).read(parsed.table());
  return package;
}

}  // namespace linnet::sema
