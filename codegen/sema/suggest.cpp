#include "codegen/sema/suggest.hpp"

#include <algorithm>
#include <cstddef>

namespace linnet::sema {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool differs_in_case_only(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

bool one_edit_apart(std::string_view a, std::string_view b) {
  if (a == b) return false;
  if (differs_in_case_only(a, b)) return true;
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return false;
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin());
  const auto at = static_cast<std::size_t>(in_a - a.begin());
  if (a.size() < b.size()) return a.substr(at) == b.substr(at + 1);
  if (a.substr(at + 1) == b.substr(at + 1)) return true;
  return at + 1 < a.size() && a[at] == b[at + 1] && a[at + 1] == b[at] &&
         a.substr(at + 2) == b.substr(at + 2);
}

std::string closest(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.size() < 2) return {};
  for (const std::string& candidate : candidates) {
    if (candidate.size() > 1 && one_edit_apart(name, candidate)) return candidate;
  }
  return {};
}

}  // namespace linnet::sema
