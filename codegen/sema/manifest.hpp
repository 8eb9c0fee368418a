#pragma once
// `linnet.toml` (language.md section 2).

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "codegen/syntax/diagnostics.hpp"
#include "codegen/syntax/source.hpp"

namespace linnet::sema {

struct Package {
  std::filesystem::path directory;  ///< of the manifest
  std::string name;
  /// Dependency keys and the folders of their packages.
  std::map<std::string, std::filesystem::path, std::less<>> dependencies;
  bool valid = true;  ///< false after E5001: what the manifest says is not relied on
};

inline constexpr std::string_view manifest_name = "linnet.toml";

/// The nearest folder at or above `start` that has a manifest.
[[nodiscard]] std::optional<std::filesystem::path> find_package(const std::filesystem::path& start);

/// Reads the manifest of a package folder; everything that is wrong with it is E5001.
[[nodiscard]] Package read_package(const std::filesystem::path& directory,
                                   syntax::SourceManager& sources, syntax::DiagnosticSink& sink);

/// The bytes of a regular file, or nothing when it cannot be read or is over 64 MiB.
[[nodiscard]] std::optional<std::string> read_text(const std::filesystem::path& path);

}  // namespace linnet::sema
