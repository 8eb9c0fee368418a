#pragma once
// The checker's entry point: language.md sections 2 to 11, diagnostics of section 13.

#include <map>
#include <string>
#include <vector>

#include "codegen/sema/checked.hpp"
#include "codegen/syntax/diagnostics.hpp"
#include "codegen/syntax/source.hpp"

namespace linnet::sema {

struct CheckOptions {
  std::string std_root;  ///< the folder of `std`: `std.nn.linear` is `<std_root>/nn/linear.linnet`
  /// Texts that stand for files, by path: what an editor holds, or what is in no file at all.
  std::map<std::string, std::string> texts = {};
};

/// Loads the files with everything that they import, checks all of it and reports what is wrong,
/// ordered by file and place. Warnings are given for root files that have no error, in themselves
/// or in what they import. Never executes anything and reads only the files named, their imports
/// and their manifests.
[[nodiscard]] CheckedProgram check(syntax::SourceManager& sources,
                                   const std::vector<std::string>& root_files,
                                   const CheckOptions& options, syntax::DiagnosticSink& sink);

}  // namespace linnet::sema
