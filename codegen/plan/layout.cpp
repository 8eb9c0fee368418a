#include "codegen/plan/layout.hpp"

#include <charconv>

namespace linnet::plan {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t columns = 100;

std::string float_text(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  std::string text(buffer, error == std::errc{} ? end : buffer);
  // JSON has one number type; the point keeps a float apart from an integer.
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string leaf_text(const Json& value) {
  if (value.is_number_float()) return float_text(value.get<double>());
  return value.dump();
}

/// Appends the one-line form; gives up (and returns false) past `limit` characters.
bool append_inline(const Json& value, std::string& out, std::size_t limit) {
  if (value.is_object()) {
    out += '{';
    bool first = true;
    for (const auto& [key, item] : value.items()) {
      if (!first) out += ", ";
      first = false;
      out += Json(key).dump() + ": ";
      if (out.size() > limit || !append_inline(item, out, limit)) return false;
    }
    out += '}';
  } else if (value.is_array()) {
    out += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i != 0) out += ", ";
      if (out.size() > limit || !append_inline(value[i], out, limit)) return false;
    }
    out += ']';
  } else {
    out += leaf_text(value);
  }
  return out.size() <= limit;
}

void append(const Json& value, std::string& out, std::size_t indent, std::size_t used) {
  std::string line;
  const std::size_t start = indent + used;
  const bool is_leaf = !value.is_structured() || value.empty();
  if (is_leaf || (start < columns && append_inline(value, line, columns - start))) {
    if (is_leaf) {
      line.clear();
      append_inline(value, line, std::string::npos);
    }
    out += line;
    return;
  }
  const std::size_t inner = indent + 2;
  const bool is_object = value.is_object();
  out += is_object ? '{' : '[';
  bool first = true;
  for (const auto& [key, item] : value.items()) {
    out += first ? "\n" : ",\n";
    first = false;
    out.append(inner, ' ');
    std::string label;
    if (is_object) label = Json(key).dump() + ": ";
    out += label;
    append(item, out, inner, label.size() + 1);
  }
  out += '\n';
  out.append(indent, ' ');
  out += is_object ? '}' : ']';
}

}  // namespace

std::string layout(const Json& document) {
  std::string out;
  append(document, out, 0, 0);
  out += '\n';
  return out;
}

}  // namespace linnet::plan
