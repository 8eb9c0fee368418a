#include "codegen/sema/manifest.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

namespace linnet::sema {
namespace {

namespace fs = std::filesystem;
using syntax::Span;

constexpr std::string_view language_version = "0.1";
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
    const toml::node* node = document.get("package");
    const toml::table* table = node != nullptr ? node->as_table() : nullptr;
    if (table == nullptr) {
      fail(node != nullptr ? places_.span(node->source()) : places_.start(),
           "the manifest has no `[package]` table")
          .with_help("write `[package]` with `name`, `version` and `language = \"0.1\"`");
      return;
    }
    read_package_table(*table);
    if (const toml::node* dependencies = document.get("dependencies")) {
      read_dependencies(*dependencies);
    }
  }

 private:
  syntax::Diagnostic& fail(Span span, std::string message) {
    package_.valid = false;
    return sink_.error("E5001", span, std::move(message));
  }

  std::optional<std::string> text_of(const toml::table& table, std::string_view key,
                                     bool required) {
    const toml::node* node = table.get(key);
    if (node == nullptr) {
      if (required) {
        fail(places_.span(table.source()), "`[package]` has no `" + std::string(key) + "`");
      }
      return std::nullopt;
    }
    if (const auto* text = node->as_string()) return text->get();
    fail(places_.span(node->source()), "`" + std::string(key) + "` must be a string");
    return std::nullopt;
  }

  void read_package_table(const toml::table& table) {
    if (auto name = text_of(table, "name", true)) package_.name = *name;
    (void)text_of(table, "version", false);
    const auto language = text_of(table, "language", true);
    if (language && *language != language_version) {
      fail(places_.span(table.get("language")->source()),
           "the package is written in language version `" + *language + "`")
          .with_label("this compiler knows version 0.1")
          .with_help("write `language = \"0.1\"`");
    }
  }

  void read_dependencies(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      fail(places_.span(node.source()), "`dependencies` must be a table");
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
    const toml::node* path_node = table != nullptr ? table->get("path") : nullptr;
    const auto* path = path_node != nullptr ? path_node->as_string() : nullptr;
    if (path == nullptr) {
      fail(span, "dependency `" + key + "` has no `path`")
          .with_help("only path dependencies exist: `" + key + " = { path = \"../" + key + "\" }`");
      return;
    }
    const fs::path directory = (package_.directory / fs::path(path->get())).lexically_normal();
    std::error_code ignored;
    if (!fs::is_regular_file(directory / manifest_name, ignored)) {
      fail(places_.span(path_node->source()), "dependency `" + key + "` has no manifest")
          .with_label("no `" + (directory / manifest_name).generic_string() + "`");
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
