#pragma once
// Tile kernels outside their bodies (language.md section 10): headers, and the ops they serve.

#include "codegen/sema/resolve.hpp"

namespace linnet::sema {

/// Results, grid and hints of a kernel, after its parameters; false when one failed.
bool settle_kernel(Context& context, FunctionId id, const Scope& scope);

/// `kernel K<...>` of an op: E2111 and E2126.
void check_kernel_use(Context& context, FunctionId op);

}  // namespace linnet::sema
