#pragma once
// The parameter manifest for people and tools: `linnet inspect --parameters`.

#include <string>

#include "codegen/ir/ir.hpp"

namespace linnet::cli {

/// A line for each: `param  layers[*].weight  [H, H; f32]  x Layers`.
[[nodiscard]] std::string parameters_text(const ir::Program& program);

/// `{"version", "module", "root", "manifest"}`, each as in the plan (plan-format.md).
[[nodiscard]] std::string parameters_json(const ir::Program& program);

}  // namespace linnet::cli
