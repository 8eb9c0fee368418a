#pragma once
// Finding, reading and parsing the root files and everything that they import
// (language.md section 2).

#include <memory>
#include <string>
#include <vector>

#include "codegen/sema/check.hpp"
#include "codegen/syntax/ast.hpp"
#include "codegen/syntax/diagnostics.hpp"
#include "codegen/syntax/source.hpp"

namespace linnet::sema {

struct LoadedModule {
  std::string path;  ///< as messages show it
  std::string name;  ///< of its `module` line, made unique in the program
  int file = -1;
  bool in_std = false;
  std::unique_ptr<syntax::Module> ast;  ///< null when the file has syntax errors
  /// For each `use`: the module that it names, or -1 when that failed (and was reported).
  std::vector<int> use_targets;
};

struct ModuleGraph {
  std::vector<LoadedModule> modules;  ///< in dependency order
  std::vector<int> roots;             ///< of the root files; one that could not be read is left out
  std::vector<std::string> dependencies;  ///< every file read
};

/// Reports E1202, E1206, E5001 and the parser's errors.
[[nodiscard]] ModuleGraph load_modules(syntax::SourceManager& sources,
                                       const std::vector<std::string>& root_files,
                                       const CheckOptions& options, syntax::DiagnosticSink& sink);

}  // namespace linnet::sema
