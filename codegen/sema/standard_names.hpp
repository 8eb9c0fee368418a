#pragma once
// Which module of the standard library has an item: for "import it" help lines.

#include <map>
#include <string>
#include <string_view>

namespace linnet::sema {

class StandardNames {
 public:
  StandardNames() = default;
  explicit StandardNames(std::string root) : root_(std::move(root)) {}

  /// The module that declares a public item of this name, such as `std.nn.linear`; empty when
  /// there is none. Reads the library's files at the first call.
  [[nodiscard]] std::string_view module_of(const std::string& item);

 private:
  void read();

  std::string root_;
  bool read_ = false;
  std::map<std::string, std::string, std::less<>> modules_;  ///< by item
};

}  // namespace linnet::sema
