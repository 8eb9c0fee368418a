#include "codegen/sema/standard_names.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <vector>

#include "codegen/sema/manifest.hpp"

namespace linnet::sema {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 1000;

std::string module_name(const fs::path& file, const fs::path& root) {
  std::string name = "std";
  const fs::path relative = fs::path(file).replace_extension().lexically_relative(root);
  for (const fs::path& part : relative) {
    name += "." + part.string();
  }
  return name;
}

/// The name after `pub op ` and the like at the start of a line; empty for other lines.
std::string public_name(const std::string& line) {
  std::istringstream words(line);
  std::string keyword;
  std::string kind;
  std::string rest;
  if (!line.starts_with("pub ") || !(words >> keyword >> kind >> rest)) return {};
  const auto end = std::find_if(rest.begin(), rest.end(), [](char c) {
    return c == '<' || c == '(' || c == '{' || c == ':' || c == '=';
  });
  return {rest.begin(), end};
}

}  // namespace

std::string_view StandardNames::module_of(const std::string& item) {
  if (!read_) read();
  const auto found = modules_.find(item);
  return found == modules_.end() ? std::string_view() : found->second;
}

void StandardNames::read() {
  read_ = true;
  if (root_.empty()) return;
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator at(root_, error);
  for (; !error && at != fs::recursive_directory_iterator() && files.size() < most_files;
       at.increment(error)) {
    if (at->path().extension() == ".linnet") files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::istringstream text(read_text(file).value_or(std::string()));
    for (std::string line; std::getline(text, line);) {
      if (const std::string name = public_name(line); !name.empty()) {
        modules_.emplace(name, module_name(file, root_));
      }
    }
  }
}

}  // namespace linnet::sema
