#pragma once
// JSON text laid out for people: what fits in a line stays in one.

#include <nlohmann/json.hpp>
#include <string>

namespace linnet::plan {

/// Objects and arrays that fit in 100 columns are written in one line, others with one
/// element a line, indented by two spaces. Ends in a newline. Floats are written
/// shortest, so that reading gives the same bits.
[[nodiscard]] std::string layout(const nlohmann::ordered_json& document);

}  // namespace linnet::plan
