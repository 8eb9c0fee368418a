#include "codegen/sema/dims/substitute.hpp"

#include <unordered_map>
#include <utility>
#include <variant>

#include "codegen/sema/dims/build.hpp"
#include "codegen/sema/dims/shapes.hpp"

namespace linnet::sema::dims {
namespace {

/// Rebuilds shared nodes once, so that sharing survives and cost stays linear. Below the depth
/// limit of dimensions nothing is replaced; such expressions are refused elsewhere.
class Substituter {
 public:
  explicit Substituter(const ir::Substitution& with) : with_(with) {}

  ir::Dim operator()(const ir::Dim& dim, int depth) {
    if (dim == nullptr || depth > max_dim_depth) return dim;
    switch (dim->kind) {
      case ir::DimKind::constant:
        return dim;
      case ir::DimKind::symbol: {
        const auto found = with_.dims.find(dim->id);
        return found == with_.dims.end() ? dim : found->second;
      }
      case ir::DimKind::pack_size: {
        const auto found = with_.packs.find(dim->id);
        return found == with_.packs.end() ? dim : element_count(found->second);
      }
      default:
        break;
    }
    if (const auto found = done_.find(dim.get()); found != done_.end()) return found->second;
    std::vector<ir::Dim> args;
    bool changed = false;
    for (const ir::Dim& arg : dim->args) {
      args.push_back((*this)(arg, depth + 1));
      changed = changed || args.back() != arg;
    }
    ir::Dim result = changed && !args.empty() ? rebuilt(dim->kind, args) : dim;
    done_.emplace(dim.get(), result);
    return result;
  }

 private:
  static ir::Dim rebuilt(ir::DimKind kind, const std::vector<ir::Dim>& args) {
    ir::Dim result = args.front();
    for (std::size_t i = 1; i < args.size(); ++i) {
      switch (kind) {
        case ir::DimKind::add:
          result = add(result, args[i]);
          break;
        case ir::DimKind::mul:
          result = mul(result, args[i]);
          break;
        case ir::DimKind::floordiv:
          result = floordiv(result, args[i]);
          break;
        case ir::DimKind::mod:
          result = mod(result, args[i]);
          break;
        case ir::DimKind::min:
          result = min(result, args[i]);
          break;
        default:
          result = max(result, args[i]);
          break;
      }
    }
    return result;
  }

  const ir::Substitution& with_;
  std::unordered_map<const ir::DimNode*, ir::Dim> done_;
};

bool is_empty(const ir::Substitution& with) {
  return with.dims.empty() && with.packs.empty() && with.dtypes.empty();
}

}  // namespace

ir::Dim substitute(const ir::Dim& dim, const ir::Substitution& with) {
  return Substituter(with)(dim, 0);
}

ir::ShapeUnits substitute(const ir::ShapeUnits& units, const ir::Substitution& with) {
  ir::ShapeUnits result;
  result.reserve(units.size());
  for (const ir::Unit& unit : units) {
    if (!unit.is_pack()) {
      result.push_back(unit_of(substitute(unit.dim, with)));
    } else if (const auto found = with.packs.find(unit.pack); found != with.packs.end()) {
      result.insert(result.end(), found->second.begin(), found->second.end());
    } else {
      result.push_back(unit);
    }
  }
  return result;
}

ir::Dtype substitute(const ir::Dtype& dtype, const ir::Substitution& with) {
  if (!dtype.is_variable) return dtype;
  const auto found = with.dtypes.find(dtype.variable);
  return found == with.dtypes.end() ? dtype : found->second;
}

ir::Type substitute(const ir::Type& type, const ir::Substitution& with) {
  if (type == nullptr || is_empty(with)) return type;
  auto result = std::make_shared<ir::TypeNode>(*type);
  result->dtype = substitute(type->dtype, with);
  result->shape = substitute(type->shape, with);
  result->length = substitute(type->length, with);
  for (ir::Type& element : result->elements) element = substitute(element, with);
  for (ir::GenericArgument& argument : result->args) argument = substitute(argument, with);
  return result;
}

ir::GenericArgument substitute(const ir::GenericArgument& argument, const ir::Substitution& with) {
  return std::visit(
      [&](const auto& value) -> ir::GenericArgument { return substitute(value, with); }, argument);
}

ir::Constraint substitute(const ir::Constraint& constraint, const ir::Substitution& with) {
  ir::Constraint result = constraint;
  result.lhs = substitute(constraint.lhs, with);
  result.rhs = substitute(constraint.rhs, with);
  return result;
}

}  // namespace linnet::sema::dims
