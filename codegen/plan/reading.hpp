#pragma once
// Shared tools of the plan reader: a JSON value that knows its path, and the reader of
// dimensions, types and generics. Private to codegen/plan.
//
// Reading never stops at the first problem: a function that finds one reports it and
// returns some well-formed value, so that independent problems are reported together.
// The number of problems is bounded, and so are depth and size of everything recursive.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/ir/ir.hpp"
#include "codegen/ir/verify.hpp"

namespace linnet::plan {

/// Not the ordered kind: its objects are searched linearly, which hostile documents exploit.
using Json = nlohmann::json;

/// A place in the document. Holds its parent by pointer: nodes live on the stack while
/// what is inside them is read.
class Node {
 public:
  explicit Node(const Json& root) : value_(&root) {}
  Node(const Json& value, const Node& parent, std::string_view key)
      : value_(&value), parent_(&parent), key_(key) {}
  Node(const Json& value, const Node& parent, std::size_t index)
      : value_(&value), parent_(&parent), index_(index), is_element_(true) {}

  [[nodiscard]] const Json& json() const { return *value_; }
  /// `functions[3].body`
  [[nodiscard]] std::string path() const;

 private:
  const Json* value_;
  const Node* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
  bool is_element_ = false;
};

/// Whether the text is `[A-Za-z_][A-Za-z0-9_]*`. Names of a plan end up in generated
/// C++, so nothing else may pass.
[[nodiscard]] bool is_identifier(std::string_view text);
/// Identifiers joined by `separator`.
[[nodiscard]] bool is_path(std::string_view text, char separator = '.');

/// A name from the document for a message, cut to a fit length.
[[nodiscard]] std::string in_quotes(const std::string& name);

class Reading {
 public:
  explicit Reading(std::vector<ir::Problem>& problems) : problems_(problems) {}

  /// One place is told one thing once, however many of its fields are asked for.
  void problem(const Node& at, std::string message);
  [[nodiscard]] bool full() const { return problems_.size() >= max_problems; }

  // Typed access. A missing field and one of the wrong JSON type are problems; the
  // result is then null, zero or empty.
  bool object(const Node& value);  ///< whether it is one
  const Json* field(const Node& object, std::string_view key);
  /// Null for a field that is missing or null, which is no problem.
  const Json* optional_field(const Node& object, std::string_view key);
  std::optional<std::string> string(const Node& object, std::string_view key);
  bool boolean(const Node& object, std::string_view key);
  std::int64_t integer(const Node& object, std::string_view key, std::int64_t low,
                       std::int64_t high);
  std::int64_t integer(const Node& value, std::int64_t low, std::int64_t high);
  /// A string that is an identifier.
  std::string identifier(const Node& object, std::string_view key);
  std::string identifier(const Node& value);
  /// Dotted identifiers; a problem and then some such path for anything else.
  std::string module_path(const Node& object, std::string_view key);
  /// The meaning of a string by one of the `parse_*` of ir/names; `what` calls it in messages.
  template <class Word>
  std::optional<Word> word(const Node& object, std::string_view key, std::string_view what,
                           std::optional<Word> (*parse)(std::string_view)) {
    const auto text = string(object, key);
    if (!text) return std::nullopt;
    const auto word = parse(*text);
    if (!word) problem(object, in_quotes(*text) + " is no " + std::string(what));
    return word;
  }
  /// Text for people: empty when absent, no string, or with control characters in it.
  std::string prose(const Node& object, std::string_view key);

  /// Calls `read(Node)` for each element of the array at `key`.
  template <class Read>
  auto list(const Node& object, std::string_view key, Read read)
      -> std::vector<decltype(read(object))> {
    std::vector<decltype(read(object))> out;
    const Json* value = field(object, key);
    if (value == nullptr) return out;
    const Node array(*value, object, key);
    if (!value->is_array()) {
      problem(array, "must be an array");
      return out;
    }
    out.reserve(value->size());
    for (std::size_t i = 0; i < value->size() && !full(); ++i) {
      out.push_back(read(Node((*value)[i], array, i)));
    }
    return out;
  }

  ir::Dim dim(const Node& node);
  ir::Unit unit(const Node& node);
  ir::ShapeUnits shape(const Node& object, std::string_view key);
  ir::Dtype dtype(const Node& node);
  ir::Type type(const Node& node);
  ir::Type type(const Node& object, std::string_view key);
  ir::GenericArgument argument(const Node& node);
  ir::Generic generic(const Node& node);
  ir::Constraint constraint(const Node& node);
  std::vector<ir::Generic> generics(const Node& object);
  std::vector<ir::Constraint> constraints(const Node& object);

  static constexpr int max_number = 1'000'000'000;  ///< ids, symbols, dtype variables

 private:
  static constexpr std::size_t max_problems = 20;
  static constexpr int max_type_depth = 64;
  static constexpr int max_dim_depth = 256;   // as sema/dims
  static constexpr int max_dim_nodes = 4096;  // as sema/dims

  std::vector<ir::Problem>& problems_;

  ir::Dim dim(const Node& node, int depth, int& nodes);
  ir::Type type(const Node& node, int depth);
  ir::Type named_type(const Node& node, ir::TypeKind kind);
};

// read_ops.cpp
[[nodiscard]] ir::Value read_value(Reading& in, const Node& node);
/// The region at `key` of an object.
[[nodiscard]] ir::Region read_region(Reading& in, const Node& object, std::string_view key);

}  // namespace linnet::plan
