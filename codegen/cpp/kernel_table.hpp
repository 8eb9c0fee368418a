#pragma once
// Which library ops have a native kernel: the one table. Under `exact` an op runs its Linnet
// body; under the other policies the kernel found here by the op's full name takes its place.

#include <string>
#include <string_view>
#include <vector>

#include "codegen/cpp/spelling.hpp"
#include "codegen/ir/ir.hpp"

namespace linnet::cpp {

struct Kernel {
  std::string op;        ///< `std.nn.linear::linear`
  std::string function;  ///< in `linnet::kernels`; takes (context, out, parameters...)
  std::string note;      ///< one line for `linnet explain`
};

[[nodiscard]] const std::vector<Kernel>& kernel_table();
/// Null when the op has no kernel.
[[nodiscard]] const Kernel* find_kernel(std::string_view op);

/// The C++ condition under which the kernel stands in for the body: the policy, and the dtype
/// that kernels take (`P != linnet::Numerics::exact && linnet::kernels::has_kernels<T>`).
[[nodiscard]] std::string kernel_condition(const Kernel& kernel, const ir::Function& function,
                                           const Spelling& spelling);

/// The kernel that stands in for a call, its dtypes being known: null for the op's body.
[[nodiscard]] const Kernel* choose_kernel(const ir::Op& call, bool exact);

/// The same in words: which kernel, or why the body.
[[nodiscard]] std::string explain_choice(const ir::Op& call, bool exact);

}  // namespace linnet::cpp
