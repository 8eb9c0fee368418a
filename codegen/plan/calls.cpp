// The bindings of calls.

#include <string>

#include "codegen/ir/build.hpp"
#include "codegen/ir/lookup.hpp"
#include "codegen/ir/walk.hpp"
#include "codegen/plan/complete.hpp"

namespace linnet::plan::detail {

using namespace ir;

namespace {

/// A method's block is the first operand, and its type binds the block's generics.
void bind_block(Substitution& bindings, const Block& block, const Type& type) {
  if (type->kind != TypeKind::block) return;
  const Substitution own = bind(block.generics, type->args);
  bindings.dims.insert(own.dims.begin(), own.dims.end());
  bindings.packs.insert(own.packs.begin(), own.packs.end());
  bindings.dtypes.insert(own.dtypes.begin(), own.dtypes.end());
}

/// A list of the callee's own generics may lack, or have those of its block in front.
void list_generics(Attributes& attrs, const Function& callee, const Block* block) {
  std::vector<GenericArgument>& listed = attrs.generics;
  const std::size_t of_block = block == nullptr ? 0 : block->generics.size();
  if (listed.size() == of_block + callee.generics.size()) {
    listed.erase(listed.begin(), listed.begin() + static_cast<std::ptrdiff_t>(of_block));
  }
  if (!listed.empty()) return;
  // What nothing binds stays as it is: the verifier names it.
  for (const Generic& generic : callee.generics) {
    listed.push_back(substitute(as_argument(generic), attrs.substitution));
  }
}

}  // namespace

void complete_calls(Program& program) {
  const Lookup lookup(program);
  const auto types = value_types(program);
  const auto complete = [&](Op& op) {
    if (op.kind != OpKind::call && op.kind != OpKind::semantic_call) return;
    const Function* callee = lookup.function(op.attrs.callee);
    if (callee == nullptr) return;
    const Block* block = callee->block.empty() ? nullptr : lookup.block(callee->block);
    const auto first = op.operands.empty() ? types.end() : types.find(op.operands[0]);
    if (block != nullptr && first != types.end()) {
      bind_block(op.attrs.substitution, *block, first->second);
    }
    list_generics(op.attrs, *callee, block);
  };
  for_each_body(program, [&](Region& region) { walk(region, complete); });
}

}  // namespace linnet::plan::detail
