#include "codegen/sema/dims/evaluate.hpp"

#include <algorithm>
#include <unordered_map>

#include "codegen/sema/dims/build.hpp"
#include "codegen/sema/dims/polynomial.hpp"

namespace linnet::sema::dims {
namespace {

/// Evaluates shared nodes once.
class Evaluator {
 public:
  explicit Evaluator(const Bindings& bindings) : bindings_(bindings) {}

  Evaluated operator()(const ir::Dim& dim, int depth) {
    if (dim == nullptr || depth > max_dim_depth) return EvaluationError::too_complex;
    if (dim->kind == ir::DimKind::constant) return dim->value;
    if (dim->kind == ir::DimKind::symbol) {
      const auto found = bindings_.dims.find(dim->id);
      if (found == bindings_.dims.end()) return EvaluationError::unbound;
      return found->second;
    }
    if (dim->kind == ir::DimKind::pack_size) return pack(dim->id);
    if (const auto found = done_.find(dim.get()); found != done_.end()) return found->second;
    if (dim->args.empty()) return EvaluationError::too_complex;
    Evaluated total = (*this)(dim->args.front(), depth + 1);
    for (std::size_t i = 1; i < dim->args.size(); ++i) {
      const Evaluated next = (*this)(dim->args[i], depth + 1);
      if (std::holds_alternative<EvaluationError>(total)) return total;
      if (std::holds_alternative<EvaluationError>(next)) return next;
      total = combined(dim->kind, std::get<std::int64_t>(total), std::get<std::int64_t>(next));
    }
    done_.emplace(dim.get(), total);
    return total;
  }

 private:
  Evaluated pack(int id) {
    const auto found = bindings_.packs.find(id);
    if (found == bindings_.packs.end()) return EvaluationError::unbound;
    std::int64_t product = 1;
    for (const std::int64_t extent : found->second) {
      if (__builtin_mul_overflow(product, extent, &product)) return EvaluationError::overflow;
    }
    return product;
  }

  static Evaluated combined(ir::DimKind kind, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    switch (kind) {
      case ir::DimKind::add:
        if (__builtin_add_overflow(a, b, &result)) return EvaluationError::overflow;
        return result;
      case ir::DimKind::mul:
        if (__builtin_mul_overflow(a, b, &result)) return EvaluationError::overflow;
        return result;
      case ir::DimKind::floordiv:
        if (b <= 0) return EvaluationError::divisor;
        return floor_divide(a, b);
      case ir::DimKind::mod:
        if (b <= 0) return EvaluationError::divisor;
        return a % b < 0 ? a % b + b : a % b;
      case ir::DimKind::min:
        return std::min(a, b);
      case ir::DimKind::max:
        return std::max(a, b);
      default:
        return EvaluationError::too_complex;
    }
  }

  const Bindings& bindings_;
  std::unordered_map<const ir::DimNode*, Evaluated> done_;
};

}  // namespace

std::string_view describe(EvaluationError error) {
  switch (error) {
    case EvaluationError::unbound:
      return "a symbol has no value";
    case EvaluationError::overflow:
      return "the value is beyond 64 bits";
    case EvaluationError::divisor:
      return "the divisor is not positive";
    case EvaluationError::too_complex:
      return "the expression is too large";
  }
  return "no value";
}

Evaluated evaluate(const ir::Dim& dim, const Bindings& bindings) {
  return Evaluator(bindings)(dim, 0);
}

std::variant<bool, EvaluationError> evaluate(const ir::Constraint& constraint,
                                             const Bindings& bindings) {
  const Evaluated lhs = evaluate(constraint.lhs, bindings);
  if (const auto* error = std::get_if<EvaluationError>(&lhs)) return *error;
  const Evaluated rhs = evaluate(constraint.rhs, bindings);
  if (const auto* error = std::get_if<EvaluationError>(&rhs)) return *error;
  const std::int64_t a = std::get<std::int64_t>(lhs);
  const std::int64_t b = std::get<std::int64_t>(rhs);
  switch (constraint.relation) {
    case ir::Relation::eq:
      return a == b;
    case ir::Relation::ne:
      return a != b;
    case ir::Relation::lt:
      return a < b;
    case ir::Relation::le:
      return a <= b;
    case ir::Relation::gt:
      return a > b;
    case ir::Relation::ge:
      return a >= b;
  }
  return EvaluationError::too_complex;
}

ir::Dim folded(const ir::Dim& dim) {
  if (dim->args.empty()) return dim;
  const Evaluated value = evaluate(dim, {});
  return std::holds_alternative<std::int64_t>(value) ? constant(std::get<std::int64_t>(value))
                                                     : dim;
}

}  // namespace linnet::sema::dims
