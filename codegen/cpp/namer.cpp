#include "codegen/cpp/namer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace linnet::cpp {
namespace {

// Keywords of C++20 (and the alternative tokens), sorted; then the names that generated code
// itself relies on inside functions and blocks.
constexpr std::array kKeywords = {
    "alignas",       "alignof",     "and",
    "and_eq",        "asm",         "auto",
    "bitand",        "bitor",       "bool",
    "break",         "case",        "catch",
    "char",          "char16_t",    "char32_t",
    "char8_t",       "class",       "co_await",
    "co_return",     "co_yield",    "compl",
    "concept",       "const",       "const_cast",
    "consteval",     "constexpr",   "constinit",
    "continue",      "decltype",    "default",
    "delete",        "do",          "double",
    "dynamic_cast",  "else",        "enum",
    "explicit",      "export",      "extern",
    "false",         "float",       "for",
    "friend",        "goto",        "if",
    "inline",        "int",         "long",
    "mutable",       "namespace",   "new",
    "noexcept",      "not",         "not_eq",
    "nullptr",       "operator",    "or",
    "or_eq",         "private",     "protected",
    "public",        "register",    "reinterpret_cast",
    "requires",      "return",      "short",
    "signed",        "sizeof",      "static",
    "static_assert", "static_cast", "struct",
    "switch",        "template",    "this",
    "thread_local",  "throw",       "true",
    "try",           "typedef",     "typeid",
    "typename",      "union",       "unsigned",
    "using",         "virtual",     "void",
    "volatile",      "wchar_t",     "while",
    "xor",           "xor_eq",
};

constexpr std::array kOwnNames = {"linnet", "std",  "context", "dims",    "frame",
                                  "Frame",  "main", "NULL",    "errno",   "assert",
                                  "linux",  "unix", "P",       "symbols", "Symbols"};

bool is_reserved(std::string_view name) {
  const auto equals = [&](const char* word) { return name == word; };
  return std::any_of(kKeywords.begin(), kKeywords.end(), equals) ||
         std::any_of(kOwnNames.begin(), kOwnNames.end(), equals);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

}  // namespace

std::string identifier(std::string_view wanted) {
  std::string name;
  for (const char c : wanted) {
    const char next = is_word(c) ? c : '_';
    // Double underscores are the implementation's.
    if (next == '_' && !name.empty() && name.back() == '_') continue;
    name += next;
  }
  if (name.empty() || name == "_") return "value";
  if (is_digit(name.front())) name.insert(0, "v");
  // `_Upper` is the implementation's anywhere, `_lower` at namespace scope.
  if (name.front() == '_') name.erase(0, 1);
  if (is_digit(name.front())) name.insert(0, "v");
  if (is_reserved(name)) name += '_';
  return name;
}

bool Scope::taken(std::string_view name) const {
  return names_.contains(name) || (parent_ != nullptr && parent_->taken(name));
}

bool Scope::reserve(std::string_view name) {
  if (taken(name)) return false;
  names_.emplace(name);
  return true;
}

std::string Scope::name(std::string_view wanted) {
  const std::string base = identifier(wanted);
  std::string candidate = base;
  const std::string_view separator = base.ends_with('_') ? "" : "_";
  for (int number = 2; !reserve(candidate); ++number) {
    candidate = base + std::string(separator) + std::to_string(number);
  }
  return candidate;
}

std::string module_namespace(std::string_view module) {
  std::string result;
  bool first = true;
  while (!module.empty()) {
    const std::size_t dot = module.find('.');
    const std::string_view segment = module.substr(0, dot);
    if (first && segment == "std") {
      result = "linnet::stdlib";
    } else {
      if (!result.empty()) result += "::";
      result += identifier(segment);
    }
    first = false;
    if (dot == std::string_view::npos) break;
    module.remove_prefix(dot + 1);
  }
  return result.empty() ? "program" : result;
}

QualifiedName split_name(std::string_view full_name) {
  QualifiedName result;
  const std::size_t colons = full_name.rfind("::");
  std::string_view rest = full_name;
  if (colons != std::string_view::npos) {
    result.module = full_name.substr(0, colons);
    rest = full_name.substr(colons + 2);
  }
  const std::size_t dot = rest.find('.');
  if (dot != std::string_view::npos) {
    result.block = rest.substr(0, dot);
    rest.remove_prefix(dot + 1);
  }
  result.name = rest;
  return result;
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\t':
        result += "\\t";
        break;
      case '\r':
        result += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          static constexpr char digits[] = "01234567";
          const auto byte = static_cast<unsigned char>(c);
          result += '\\';
          result += digits[(byte >> 6) & 7];
          result += digits[(byte >> 3) & 7];
          result += digits[byte & 7];
        } else {
          result += c;
        }
    }
  }
  return result + '"';
}

}  // namespace linnet::cpp
