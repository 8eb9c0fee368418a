#include "codegen/ir/verify/effort.hpp"

#include <vector>

namespace linnet::ir::detail {
namespace {

/// The nodes of a dimension written out, counted up to a bound beyond which it has no value.
std::int64_t size_of(const Dim& dim) {
  constexpr std::int64_t most = 1 << 14;
  if (dim->args.empty()) return 1;
  std::vector<const DimNode*> open{dim.get()};
  std::int64_t count = 0;
  while (!open.empty() && count < most) {
    const DimNode* next = open.back();
    open.pop_back();
    ++count;
    for (const Dim& arg : next->args) open.push_back(arg.get());
  }
  return count;
}

}  // namespace

bool Effort::spend(std::int64_t steps) {
  left_ = left_ > steps ? left_ - steps : 0;
  return left_ > 0;
}

std::optional<std::int64_t> Effort::evaluate(const Dim& dim, const sema::dims::Bindings& bindings) {
  if (dim->kind == DimKind::constant) return dim->value;
  if (!spend(size_of(dim))) return std::nullopt;
  const sema::dims::Evaluated value = sema::dims::evaluate(dim, bindings);
  const auto* number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

std::optional<bool> Effort::evaluate(const Constraint& constraint,
                                     const sema::dims::Bindings& bindings) {
  if (!spend(size_of(constraint.lhs) + size_of(constraint.rhs))) return std::nullopt;
  const auto answer = sema::dims::evaluate(constraint, bindings);
  const auto* truth = std::get_if<bool>(&answer);
  return truth == nullptr ? std::nullopt : std::optional(*truth);
}

}  // namespace linnet::ir::detail
