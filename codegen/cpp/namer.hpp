#pragma once
// The one owner of C++ identifiers: keywords, suffixes, clashes, namespaces.

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace linnet::cpp {

/// Hands out identifiers that are unique within it and its parents.
class Scope {
 public:
  explicit Scope(const Scope* parent = nullptr) : parent_(parent) {}

  /// An identifier as close to `wanted` as allowed: keywords get a trailing `_`,
  /// taken names a number. Characters that C++ has no room for become `_`.
  std::string name(std::string_view wanted);
  /// Takes `name` exactly as it is; false when it was taken.
  bool reserve(std::string_view name);
  [[nodiscard]] bool taken(std::string_view name) const;

 private:
  const Scope* parent_ = nullptr;
  std::set<std::string, std::less<>> names_;
};

/// `wanted` as a C++ identifier that is no keyword and not reserved to the implementation.
[[nodiscard]] std::string identifier(std::string_view wanted);

/// The namespace of a module: `std.nn.linear` is `linnet::stdlib::nn::linear`, others keep
/// their path: `crate.rope` of a package is `llama::rope`.
[[nodiscard]] std::string module_namespace(std::string_view module);

/// `module.path::name` or `module.path::Block.method`, taken apart.
struct QualifiedName {
  std::string module;
  std::string block;  ///< empty for free functions
  std::string name;
};
[[nodiscard]] QualifiedName split_name(std::string_view full_name);

/// `text` as a C++ string literal.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace linnet::cpp
