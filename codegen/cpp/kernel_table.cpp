#include "codegen/cpp/kernel_table.hpp"

#include <algorithm>

#include <variant>

namespace linnet::cpp {

const std::vector<Kernel>& kernel_table() {
  static const std::vector<Kernel> table = {
      {"std.nn.linear::linear", "linear",
       "products with the weight as stored, several rows at a time, f32 accumulation"},
      {"std.nn.embedding::embedding", "embedding", "decodes only the rows asked for"},
      {"std.nn.norm::rms_norm", "rms_norm", "one pass for the square sum, one for the product"},
      {"std.nn.norm::layer_norm", "layer_norm", "mean and variance in f32, vectorised"},
      {"std.nn.softmax::softmax", "softmax", "vectorised exponentials in f32"},
      {"std.nn.activations::sigmoid", "sigmoid", "vectorised exponentials in f32"},
      {"std.nn.activations::silu", "silu", "vectorised exponentials in f32"},
      {"std.nn.activations::gelu", "gelu", "vectorised tanh in f32"},
      {"std.nn.activations::gelu_erf", "gelu_erf", "vectorised exponentials in f32"},
      {"std.nn.mlp::swiglu", "swiglu", "gate and up in one pass over the input, SiLU fused"},
      {"std.nn.rope::rope", "rope", "both halves at once"},
      {"std.nn.rope::rope_rows", "rope_rows", "both halves at once"},
      {"std.nn.attention::attention", "attention",
       "visits live positions only, scores never leave the cache"},
      {"std.nn.attention::attention_rows", "attention_rows",
       "visits live positions only, scores never leave the cache"},
      {"std.nn.attention::grouped_attention", "grouped_attention",
       "visits live positions only, the heads of a group share each key"},
      {"std.nn.attention::grouped_attention_rows", "grouped_attention_rows",
       "visits live positions only, the heads of a group share each key"},
      {"std.nn.cache::write_at", "write_at", "stores into the cache in place"},
      {"std.nn.cache::write_span", "write_span", "stores into the cache in place"},
      {"std.nn.cache::write_rows", "write_rows", "stores into the cache in place"},
      {"std.nn.cache::write_slot", "write_slot", "stores into the cache in place"},
      {"std.nn.cache::write_slots", "write_slots", "stores into the cache in place"},
      {"std.nn.cache::write_tokens", "write_tokens", "stores into the cache in place"},
      {"std.nn.decoding::argmax", "argmax", "vectorised comparison, the first of equals"},
  };
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
    text += " && linnet::kernels::has_kernels<" + spelling.generic_name(generic) + ">";
  }
  return text;
}

namespace {

bool is_f64_call(const ir::Op& call) {
  return std::any_of(call.attrs.substitution.dtypes.begin(), call.attrs.substitution.dtypes.end(),
                     [](const auto& bound) {
                       return !bound.second.is_variable && bound.second.scalar == ir::Scalar::f64;
                     });
}

}  // namespace

const Kernel* choose_kernel(const ir::Op& call, bool exact) {
  return exact || is_f64_call(call) ? nullptr : find_kernel(call.attrs.callee);
}

std::string explain_choice(const ir::Op& call, bool exact) {
  if (find_kernel(call.attrs.callee) == nullptr) return "body: no kernel is registered for it";
  if (exact) return "body: `exact` runs every op as its body says";
  const Kernel* kernel = choose_kernel(call, exact);
  if (kernel == nullptr) return "body: kernels compute in f32, this call is f64";
  return "kernel linnet::kernels::" + kernel->function + ": " + kernel->note;
}

}  // namespace linnet::cpp
