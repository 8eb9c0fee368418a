#include "codegen/sema/dims/render.hpp"

#include <limits>
#include <utility>

#include "codegen/sema/dims/build.hpp"

namespace linnet::sema::dims {
namespace {

constexpr int additive = 1;
constexpr int multiplicative = 2;
constexpr int primary = 3;

class Renderer {
 public:
  std::string text;

  /// Appends `dim`, in parentheses when its operator binds looser than `needed`.
  void write(const ir::Dim& dim, int needed, int depth) {
    if (dim == nullptr || depth > max_dim_depth || text.size() > 4 * max_dim_nodes) {
      text += "...";
      return;
    }
    switch (dim->kind) {
      case ir::DimKind::constant:
        write_constant(dim->value, needed);
        return;
      case ir::DimKind::symbol:
        text += dim->name;
        return;
      case ir::DimKind::pack_size:
        text += "size(*" + dim->name + ")";
        return;
      case ir::DimKind::min:
        write_call("min", dim, depth);
        return;
      case ir::DimKind::max:
        write_call("max", dim, depth);
        return;
      case ir::DimKind::add:
        write_sum(dim, needed, depth);
        return;
      case ir::DimKind::mul:
        write_product(dim, needed, depth);
        return;
      case ir::DimKind::floordiv:
        write_division(" / ", dim, needed, depth);
        return;
      case ir::DimKind::mod:
        write_division(" % ", dim, needed, depth);
        return;
    }
  }

 private:
  void write_constant(std::int64_t value, int needed) {
    const bool wrap = value < 0 && needed > additive;
    if (wrap) text += '(';
    text += std::to_string(value);
    if (wrap) text += ')';
  }

  // The language's `min` takes two.
  void write_call(const char* name, const ir::Dim& dim, int depth) {
    for (std::size_t i = 0; i + 1 < dim->args.size(); ++i) {
      text += name;
      text += '(';
      write(dim->args[i], additive, depth + 1);
      text += ", ";
    }
    if (!dim->args.empty()) write(dim->args.back(), additive, depth + 1);
    if (dim->args.size() > 1) text.append(dim->args.size() - 1, ')');
  }

  /// The term without its sign, when it is written as a subtraction.
  static ir::Dim subtracted(const ir::Dim& term) {
    if (term == nullptr) return nullptr;
    if (term->kind == ir::DimKind::constant && term->value < 0 &&
        term->value != std::numeric_limits<std::int64_t>::min()) {
      return constant(-term->value);
    }
    if (term->kind != ir::DimKind::mul || term->args.size() < 2) return nullptr;
    const auto factor = as_constant(term->args.front());
    if (!factor || *factor >= 0 || *factor == std::numeric_limits<std::int64_t>::min()) {
      return nullptr;
    }
    auto positive = std::make_shared<ir::DimNode>(*term);
    if (*factor == -1) {
      positive->args.erase(positive->args.begin());
    } else {
      positive->args.front() = constant(-*factor);
    }
    return positive->args.size() == 1 ? positive->args.front() : ir::Dim(std::move(positive));
  }

  void write_sum(const ir::Dim& dim, int needed, int depth) {
    const bool wrap = needed > additive;
    if (wrap) text += '(';
    bool first = true;
    for (const ir::Dim& term : dim->args) {
      const ir::Dim positive = first ? nullptr : subtracted(term);
      if (!first) text += positive != nullptr ? " - " : " + ";
      // Left-associative: a sum on the right of a minus keeps its parentheses.
      write(positive != nullptr ? positive : term, first ? additive : multiplicative, depth + 1);
      first = false;
    }
    if (wrap) text += ')';
  }

  void write_product(const ir::Dim& dim, int needed, int depth) {
    // `-1 * x` alone: there is no unary minus on dimensions, `0 - x` says the same.
    if (needed <= multiplicative && dim->args.size() >= 2) {
      if (const ir::Dim positive = subtracted(dim); positive != nullptr) {
        const bool wrap = needed > additive;
        if (wrap) text += '(';
        text += "0 - ";
        write(positive, multiplicative, depth + 1);
        if (wrap) text += ')';
        return;
      }
    }
    const bool wrap = needed > multiplicative;
    if (wrap) text += '(';
    bool first = true;
    for (const ir::Dim& factor : dim->args) {
      if (!first) text += " * ";
      write(factor, first ? multiplicative : primary, depth + 1);
      first = false;
    }
    if (wrap) text += ')';
  }

  void write_division(const char* sign, const ir::Dim& dim, int needed, int depth) {
    const bool wrap = needed > multiplicative;
    if (wrap) text += '(';
    bool first = true;
    for (const ir::Dim& arg : dim->args) {
      if (!first) text += sign;
      write(arg, first ? multiplicative : primary, depth + 1);
      first = false;
    }
    if (wrap) text += ')';
  }
};

}  // namespace

std::string render(const ir::Dim& dim) {
  Renderer renderer;
  renderer.write(dim, additive, 0);
  return std::move(renderer.text);
}

std::string render(const ir::Unit& unit) {
  return unit.is_pack() ? "*" + unit.pack_name : render(unit.dim);
}

std::string render(const ir::ShapeUnits& units) {
  std::string text;
  for (const ir::Unit& unit : units) {
    if (!text.empty()) text += ", ";
    text += render(unit);
  }
  return text;
}

std::string_view render(ir::Relation relation) {
  switch (relation) {
    case ir::Relation::eq:
      return "==";
    case ir::Relation::ne:
      return "!=";
    case ir::Relation::lt:
      return "<";
    case ir::Relation::le:
      return "<=";
    case ir::Relation::gt:
      return ">";
    case ir::Relation::ge:
      return ">=";
  }
  return "?";
}

std::string render(const ir::Constraint& constraint) {
  std::string text = render(constraint.lhs);
  text += ' ';
  text += render(constraint.relation);
  text += ' ';
  return text + render(constraint.rhs);
}

}  // namespace linnet::sema::dims
