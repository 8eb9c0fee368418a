#pragma once
// What the checker's tests share: checking text, packages in a folder of their own, and finding
// things in the checked program.

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codegen/sema/check.hpp"

namespace linnet::sema::testing {

/// A folder that is removed again.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  /// Writes a file below the folder and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct Checked {
  std::unique_ptr<syntax::SourceManager> sources;
  syntax::DiagnosticSink sink;
  CheckedProgram program;

  /// `E2101 line 3`, separated by commas; "ok" without diagnostics.
  [[nodiscard]] std::string summary() const;
  [[nodiscard]] std::string codes() const;
  [[nodiscard]] const Function& function(const std::string& name) const;
  /// The value of the `let` or `var` that binds `name` in a function's top-level statements.
  [[nodiscard]] const Expr& value(const std::string& function, const std::string& name) const;
};

[[nodiscard]] Checked check_files(const std::vector<std::string>& roots);
/// One file in a folder without a manifest.
[[nodiscard]] Checked check_text(const std::string& text);

/// The declarations that rows of rules build on.
[[nodiscard]] std::string common_items();

/// An item that must give exactly one error, of this code and with a help line.
struct Rule {
  const char* code;
  const char* item;
};
void check_rules(std::span<const Rule> rules);

}  // namespace linnet::sema::testing
