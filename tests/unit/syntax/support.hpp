#pragma once
// Helpers of the syntax tests.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "codegen/syntax/ast.hpp"
#include "codegen/syntax/dump.hpp"
#include "codegen/syntax/format.hpp"
#include "codegen/syntax/lexer.hpp"
#include "codegen/syntax/parser.hpp"

namespace linnet::syntax::testing {

/// A text with what the parser says about it.
struct Parsed {
  explicit Parsed(std::string text) : file(sources.add("test.linnet", std::move(text))) {
    module = parse(file, ids, sink);
    sink.sort_by_place();
  }

  /// "E1101@6:14 E1004@9:1": codes and places, in order.
  [[nodiscard]] std::string errors() const {
    std::string list;
    for (const Diagnostic& found : sink.diagnostics()) {
      const Position at = file.position(found.span.begin);
      list += (list.empty() ? "" : " ") + found.code + "@" + std::to_string(at.line) + ":" +
              std::to_string(at.column);
    }
    return list;
  }
  [[nodiscard]] std::string tree() const { return module ? dump(*module, file, false) : ""; }

  SourceManager sources;
  DiagnosticSink sink;
  NodeIds ids;
  const SourceFile& file;
  std::unique_ptr<Module> module;
};

/// The dump of one expression, as the value of a constant.
inline std::string expression_tree(const std::string& expression) {
  const Parsed parsed("module m\nconst A = " + expression + "\n");
  if (!parsed.module) return parsed.errors();
  const std::string tree = parsed.tree();
  return tree.substr(tree.find("const A\n") + 8);
}

inline std::string formatted(const std::string& text) {
  SourceManager sources;
  DiagnosticSink sink;
  return format(sources.add("test.linnet", text), sink).value_or("<errors>");
}

/// The texts of all tokens and comments; `::` as two colons, `>=` as two tokens, white space
/// inside comments dropped: what a formatter must keep.
inline std::vector<std::string> essence(const std::string& text) {
  SourceManager sources;
  DiagnosticSink sink;
  const SourceFile& file = sources.add("test.linnet", text);
  const TokenStream stream = tokenize(file, sink);
  std::string words;
  std::vector<std::string> made;
  for (const Token& token : stream.tokens) {
    const std::string word(text.substr(token.begin, token.end - token.begin));
    if (word == "::" || word == ">=") {
      made.push_back(word.substr(0, 1));
      made.push_back(word.substr(1));
    } else {
      made.push_back(word);
    }
  }
  for (const Comment& comment : stream.comments) {
    std::string word(text.substr(comment.begin, comment.end - comment.begin));
    std::erase_if(
        word, [](char c) { return c == ' ' || c == '\r' || c == '\t' || c == '\f' || c == '\v'; });
    made.push_back(word);
  }
  return made;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Every `.linnet` file of the repository and, where it is there, of the shared cases.
inline std::vector<std::filesystem::path> all_linnet_files() {
  namespace fs = std::filesystem;
  const fs::path source = LINNET_SOURCE_DIR;
  std::vector<fs::path> found;
  for (const fs::path& root :
       {source / "stdlib", source / "examples", source / "tests", source / "../shared/checks"}) {
    if (!fs::is_directory(root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().extension() == ".linnet") found.push_back(entry.path());
    }
  }
  return found;
}

}  // namespace linnet::syntax::testing
