#include "codegen/cpp/kernel_table.hpp"

#include <variant>

namespace linnet::cpp {

const std::vector<Kernel>& kernel_table() {
  static const std::vector<Kernel> table;
  return table;
}

const Kernel* find_kernel(std::string_view op) {
  for (const Kernel& kernel : kernel_table()) {
    if (kernel.op == op) return &kernel;
  }
  return nullptr;
}

std::string kernel_condition(const Kernel&, const ir::Function& function,
                             const Spelling& spelling) {
  std::string text = "P != linnet::Numerics::exact";
  for (const ir::Generic& generic : function.generics) {
    if (generic.kind != ir::GenericKind::dtype) continue;
    text += " && linnet::kernels::takes<" + spelling.generic_name(generic) + ">";
  }
  return text;
}

std::string explain_choice(const ir::Function& callee, const ir::Op& call, bool exact) {
  const Kernel* kernel = find_kernel(callee.name);
  if (kernel == nullptr) return "body: no kernel is registered for it";
  if (exact) return "body: `exact` runs every op as its body says";
  for (const auto& [id, dtype] : call.attrs.substitution.dtypes) {
    if (!dtype.is_variable && dtype.scalar == ir::Scalar::f64) {
      return "body: kernels compute in f32, this call is f64";
    }
  }
  return "kernel linnet::kernels::" + kernel->function + ": " + kernel->note;
}

}  // namespace linnet::cpp
