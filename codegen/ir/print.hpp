#pragma once
// Text of dimensions and types as a person writes them in Linnet: `(H / 2) * N`,
// `Tensor[*S, H; f32]?`. Used by dumps, diagnostics and `emit`.

#include <string>

#include "codegen/ir/ir.hpp"

namespace linnet::ir {

[[nodiscard]] std::string to_text(const Dim& dim);
[[nodiscard]] std::string to_text(const Unit& unit);
/// Units joined by commas, without brackets.
[[nodiscard]] std::string to_text(const ShapeUnits& shape);
[[nodiscard]] std::string to_text(const Dtype& dtype);
[[nodiscard]] std::string to_text(const GenericArgument& argument);
[[nodiscard]] std::string to_text(const Type& type);
[[nodiscard]] std::string to_text(const Constraint& constraint);
/// `<*S: Shape, H: Dim, T: Float = bf16>`, empty for no generics.
[[nodiscard]] std::string to_text(const std::vector<Generic>& generics);

/// The whole program as readable text, one op a line (`linnet inspect --core-ir`).
[[nodiscard]] std::string dump(const Program& program);

}  // namespace linnet::ir
