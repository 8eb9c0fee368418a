#pragma once
// How dimensions, dtypes and types of the Core IR are written in C++.
//
// A dimension has two spellings: as a template argument (`H / Heads`, a linnet::Extent) and
// as a run-time value (`n_H / n_Heads`, an std::int64_t). A shape pack is a linnet::Shape in
// types; inside a body all of its axes count as one, since a pack is dense and row-major and
// the language never takes it apart.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/cpp/namer.hpp"
#include "codegen/ir/ir.hpp"

namespace linnet::cpp {

/// Something that cannot be generated; caught at the boundary of the stage.
struct Unsupported {
  std::string what;
};

/// A piece of C++ and whether it can stand as an operand without parentheses.
struct Code {
  std::string text;
  bool atomic = true;
  /// `text` as an operand.
  [[nodiscard]] std::string operand() const { return atomic ? text : "(" + text + ")"; }
};

[[nodiscard]] std::string scalar_type(ir::Scalar scalar);

/// The names of the generics that are in scope.
class Spelling {
 public:
  /// Names a list of generics in `scope`; a later list may hide an earlier one.
  void declare(const std::vector<ir::Generic>& generics, Scope& scope);
  /// Names the generics exactly as they are already named elsewhere.
  void declare_as(const ir::Generic& generic, std::string name);

  [[nodiscard]] const std::string& generic_name(const ir::Generic& generic) const;

  // As template arguments.
  [[nodiscard]] std::string extent(const ir::Dim& dim) const;
  /// `linnet::Shape<...>`, `S` or `linnet::join<...>`.
  [[nodiscard]] std::string shape(const ir::ShapeUnits& units) const;
  [[nodiscard]] std::string dtype(const ir::Dtype& dtype) const;
  [[nodiscard]] std::string argument(const ir::GenericArgument& argument) const;
  [[nodiscard]] std::string arguments(const std::vector<ir::GenericArgument>& arguments) const;
  /// `linnet::TensorView<T, B, H>`, or `linnet::view_of<...>` when a pack is among the units.
  [[nodiscard]] std::string view(const ir::ShapeUnits& units, const ir::Dtype& dtype,
                                 bool is_const = false) const;

  /// The run-time value of a dimension; of a unit, with a pack as the product of its axes.
  [[nodiscard]] Code value(const ir::Dim& dim) const;
  [[nodiscard]] Code value(const ir::Unit& unit) const;
  /// The number of elements of a shape.
  [[nodiscard]] Code size(const ir::ShapeUnits& units) const;

  /// `template <linnet::Extent N, class S, class T>` parameters without the brackets.
  [[nodiscard]] std::string template_parameters(const std::vector<ir::Generic>& generics) const;
  [[nodiscard]] std::string template_arguments(const std::vector<ir::Generic>& generics) const;

  /// The name of the local that holds the value of a dim or pack generic: `n_H`.
  [[nodiscard]] std::string local(const ir::Generic& generic) const;

 private:
  [[nodiscard]] const std::string& dim_name(int id, const std::string& name) const;
  [[nodiscard]] std::string extent_operand(const ir::Dim& dim) const;

  std::map<int, std::string> dims_;    // symbols and packs by number
  std::map<int, std::string> dtypes_;  // dtype variables by number
};

[[nodiscard]] bool has_pack(const ir::ShapeUnits& units);
/// A unit that is the constant 1.
[[nodiscard]] bool is_one(const ir::Unit& unit);

}  // namespace linnet::cpp
