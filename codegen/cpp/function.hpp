#pragma once
// Writes functions, ops and methods: a frame struct and a function template each.
//
//   template <linnet::Numerics P, class S, linnet::Extent H, class T>
//   struct softmax_frame { ... bytes, at(slot) ... };
//
//   template <linnet::Numerics P, class S, linnet::Extent H, class T>
//   inline void softmax(linnet::Context& context, const auto& symbols, std::byte* frame,
//                       const auto& out, const auto& x);
//
// Arguments come in this order: context, values of the symbols, frame memory, tensor results
// to write, scalar results (unless there is exactly one: it is returned), parameters. Tuples and
// structs are passed as their parts; an optional is a std::optional.

#include <string>
#include <string_view>
#include <vector>

#include "codegen/cpp/body.hpp"
#include "codegen/cpp/spelling.hpp"
#include "codegen/cpp/text.hpp"
#include "codegen/cpp/usage.hpp"

namespace linnet::cpp {

/// What stands around a function: the scope of its module or block, and the generics of its block.
struct Surroundings {
  const Scope* scope = nullptr;
  Spelling spelling;
  std::vector<ir::Generic> block_generics;
};

/// Names the leaves of parameters and results in `scope`.
[[nodiscard]] Signature make_signature(const ProgramIndex& index, const ir::Function& function,
                                       Scope& scope);

/// `rms_norm<*S: Shape, H: Dim>(x: Tensor[*S, H; f32], eps: f32) -> Tensor[*S, H; f32]`.
[[nodiscard]] std::string source_signature(const ir::Function& function);

/// Writes frame and definition to `out`. Throws Unsupported.
void write_function(const ProgramIndex& index, const ProgramNames& names,
                    const Surroundings& around, const ir::Function& function, Text& out);

/// `struct NAME { layout, bytes, at }` for the slots of a frame.
void write_frame(const std::string& head, const std::string& name, const std::vector<Slot>& slots,
                 const std::string& no_frame_condition, Text& out);

/// Whether `name` occurs in C++ text as a whole identifier.
[[nodiscard]] bool mentions(std::string_view text, std::string_view name);

/// `const std::int64_t n_H = ...` for each dim and pack of a generic list that `used_in` mentions.
void write_generic_values(const Spelling& spelling, const std::vector<ir::Generic>& generics,
                          std::string_view used_in, Text& out);

}  // namespace linnet::cpp
