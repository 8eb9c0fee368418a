#pragma once
// The value of a dimension once its symbols have values.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "codegen/ir/types.hpp"

namespace linnet::sema::dims {

struct Bindings {
  std::map<int, std::int64_t> dims;
  std::map<int, std::vector<std::int64_t>> packs;
};

/// Why a dimension has no value.
enum class EvaluationError : std::uint8_t {
  unbound,     ///< a symbol or pack has no value
  overflow,    ///< an intermediate result is outside i64
  divisor,     ///< a division or remainder by zero or by a negative number
  too_complex  ///< beyond the limits of build.hpp
};
[[nodiscard]] std::string_view describe(EvaluationError error);

using Evaluated = std::variant<std::int64_t, EvaluationError>;

[[nodiscard]] Evaluated evaluate(const ir::Dim& dim, const Bindings& bindings);
/// Whether the relation holds, or why it cannot be told.
[[nodiscard]] std::variant<bool, EvaluationError> evaluate(const ir::Constraint& constraint,
                                                           const Bindings& bindings);

/// An expression without symbols and packs as a constant; any other, or one without a value, as it
/// is.
[[nodiscard]] ir::Dim folded(const ir::Dim& dim);

}  // namespace linnet::sema::dims
