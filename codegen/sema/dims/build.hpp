#pragma once
// Building dimension expressions, and small questions about how they are written.
//
// Builders fold what needs no facts: constants, neutral elements, nested sums and products. They
// never divide by a constant that is not positive: such a division is kept as written, for the
// checker to report. Overflow is not folded either.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "codegen/ir/types.hpp"

namespace linnet::sema::dims {

[[nodiscard]] ir::Dim constant(std::int64_t value);
[[nodiscard]] ir::Dim symbol(int id, std::string name);
/// The number of elements that shape pack `id` spans.
[[nodiscard]] ir::Dim pack_size(int id, std::string name);

[[nodiscard]] ir::Dim add(const ir::Dim& a, const ir::Dim& b);
[[nodiscard]] ir::Dim sub(const ir::Dim& a, const ir::Dim& b);
[[nodiscard]] ir::Dim mul(const ir::Dim& a, const ir::Dim& b);
[[nodiscard]] ir::Dim neg(const ir::Dim& a);
/// Rounds toward minus infinity; the divisor is meant to be positive.
[[nodiscard]] ir::Dim floordiv(const ir::Dim& a, const ir::Dim& b);
/// The division or remainder of constants as it is written: a value rounds it toward zero, a
/// dimension toward minus infinity.
[[nodiscard]] ir::Dim unfolded(ir::DimKind kind, const ir::Dim& a, const ir::Dim& b);
/// What `floordiv` leaves, in `0 .. b - 1`.
[[nodiscard]] ir::Dim mod(const ir::Dim& a, const ir::Dim& b);
[[nodiscard]] ir::Dim min(const ir::Dim& a, const ir::Dim& b);
[[nodiscard]] ir::Dim max(const ir::Dim& a, const ir::Dim& b);
/// Rounds toward plus infinity: `(a + b - 1) / b`.
[[nodiscard]] ir::Dim ceildiv(const ir::Dim& a, const ir::Dim& b);

[[nodiscard]] ir::Unit unit_of(ir::Dim dim);
[[nodiscard]] ir::Unit unit_of_pack(int id, std::string name);

/// The value, when the expression is a constant node.
[[nodiscard]] std::optional<std::int64_t> as_constant(const ir::Dim& dim);
/// The number of a symbol, when the expression is a bare symbol.
[[nodiscard]] std::optional<int> as_symbol(const ir::Dim& dim);

/// Written the same, node by node (names are ignored, numbers count).
[[nodiscard]] bool same(const ir::Dim& a, const ir::Dim& b);
[[nodiscard]] bool same(const ir::Unit& a, const ir::Unit& b);
[[nodiscard]] bool same(const ir::ShapeUnits& a, const ir::ShapeUnits& b);
[[nodiscard]] bool mentions_symbol(const ir::Dim& dim, int id);

/// Expressions share nodes, so repeated squaring writes an expression of exponential size in a few
/// lines. Larger than this is not worth proving or printing; the checker refuses it.
inline constexpr std::size_t max_dim_nodes = 4096;
inline constexpr int max_dim_depth = 256;
/// Whether the expression written out in full stays below both limits. Cheap on any input.
[[nodiscard]] bool within_limits(const ir::Dim& dim);

}  // namespace linnet::sema::dims
