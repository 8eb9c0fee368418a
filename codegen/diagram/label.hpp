#pragma once
// The short texts of a drawing: types, generics, slices, paths.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/ir/ir.hpp"

namespace linnet::diagram {

constexpr std::size_t max_title = 44;
constexpr std::size_t max_detail = 52;
constexpr std::size_t max_type = 48;

/// At most `limit` characters of UTF-8, the last one `…` when something was left out.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t limit);

/// Whether a dimension is written with more than `limit` operators and names. Parts are shared:
/// what takes little memory can be long as text.
[[nodiscard]] bool has_more_parts(const ir::Dim& dim, int limit);
/// A dimension, or `…` for one that is too long to be read.
[[nodiscard]] std::string dim_text(const ir::Dim& dim);
/// `[B, S, H; bf16]`, `i32`: what an edge carries.
[[nodiscard]] std::string type_label(const ir::Type& type);
/// `<S, H / 2, f32>`, empty for none.
[[nodiscard]] std::string generics_label(const std::vector<ir::GenericArgument>& arguments);
/// `Linear<H, Vocab, T>` of a block.
[[nodiscard]] std::string block_label(const ir::TypeNode& block);
/// `[:, S - 1 : S, i]` of a `slice`; `positions` are the texts of its run-time positions.
[[nodiscard]] std::string slice_label(const std::vector<ir::SliceAxis>& axes,
                                      const std::vector<std::string>& positions);
/// `B, S, H`
[[nodiscard]] std::string units_label(const ir::ShapeUnits& units);

/// `Model.forward` of `llama::Model.forward`.
[[nodiscard]] std::string_view local_name(std::string_view full_name);
/// `forward` of `llama::Model.forward`.
[[nodiscard]] std::string_view bare_name(std::string_view full_name);

}  // namespace linnet::diagram
