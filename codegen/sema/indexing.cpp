// Ordinary indexing: positions, slices, `...`, and elements of block arrays (language.md
// section 5). Accesses of index notation are in index_notation.cpp.

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include "codegen/sema/body.hpp"

namespace linnet::sema {
namespace {

using syntax::IndexComponentKind;

SlicePart whole(ir::ShapeUnits units) {
  SlicePart part;
  part.kind = SlicePart::Kind::whole;
  part.units = std::move(units);
  return part;
}

bool is_plain_colon(const syntax::IndexComponent& component) {
  return component.kind == IndexComponentKind::slice && component.start == nullptr &&
         component.stop == nullptr && component.step == nullptr;
}

}  // namespace

ExprPtr Body::check_index(const syntax::Index& expr) {
  ExprPtr base = check(*expr.base);
  settle(base);
  const ir::Type type = base->type;
  if (mentions_poison(type)) {
    // The positions may hold mistakes of their own, but index names mean nothing without axes.
    return failed(expr.span);
  }
  if (type->kind == ir::TypeKind::array) return index_array(expr, std::move(base));
  if (is_tensor(type)) {
    const bool ranges = std::any_of(
        expr.components.begin(), expr.components.end(), [](const syntax::IndexComponent& c) {
          return c.kind == IndexComponentKind::slice || c.kind == IndexComponentKind::ellipsis;
        });
    const bool starred = std::any_of(
        expr.components.begin(), expr.components.end(),
        [](const syntax::IndexComponent& c) { return c.kind == IndexComponentKind::pack; });
    // In index notation every access indexes every axis; a slice without any index name is a
    // tensor like any other.
    if (in_index_notation() && (!ranges || mentions_index(expr))) {
      return check_access(expr, std::move(base));
    }
    if (starred) {
      for (const syntax::IndexComponent& component : expr.components) {
        if (component.kind != IndexComponentKind::pack) continue;
        error("E3101", component.span, "no index `*" + component.pack.text + "` is bound here")
            .with_label("not bound")
            .with_help("index packs stand in index notation: `let y[*s] = x[*s]`");
        return failed(expr.span);
      }
    }
    return index_tensor(expr, std::move(base));
  }
  error("E2104", expr.base->span, "a value of type `" + render(type) + "` is not indexed")
      .with_label("this is `" + render(type) + "`")
      .with_help(type->kind == ir::TypeKind::optional ? "read the optional by `match` first"
                 : type->kind == ir::TypeKind::tuple  ? "take a tuple apart by `let (a, b) = ...`"
                                                     : "only tensors and block arrays are indexed");
  return failed(expr.span);
}

bool Body::check_position(const ir::Dim& position, const ir::Dim& extent, Span span) {
  const bool below = facts_.negative(position);
  if (!below && !facts_.prove(ir::Relation::ge, position, extent)) return true;
  error("E2209", span, "position `" + dims::render(position) + "` is outside the axis")
      .with_label(below ? "negative" : "the axis has `" + dims::render(extent) + "` positions")
      .with_help(below ? "there are no negative indices: count from the end by `N - 1`"
                       : "the last position is `" +
                             dims::render(facts_.simplify(dims::sub(extent, dims::constant(1)))) +
                             "`");
  return false;
}

ExprPtr Body::index_array(const syntax::Index& expr, ExprPtr base) {
  const syntax::IndexComponent& component = expr.components.front();
  if (expr.components.size() != 1) {
    error("E2204", expr.span, "a block array takes one index")
        .with_label(std::to_string(expr.components.size()) + " indices")
        .with_help("write `layers[0]`");
    return failed(expr.span);
  }
  if (component.kind != IndexComponentKind::position) {
    error("E2209", component.span, "a block array takes one constant")
        .with_label("no position")
        .with_help("write `layers[0]`, or run over the array by `static for`");
    return failed(expr.span);
  }
  const ExprPtr position = check(*component.position);
  if (mentions_poison(position->type)) return failed(expr.span);
  const ir::Dim at = compile_time(*position);
  if (!at) {
    error("E2209", component.span, "a block array takes one constant")
        .with_label("known only when the program runs")
        .with_help("run over the array by `static for layer in layers`");
    return failed(expr.span);
  }
  const ir::Type type = base->type;
  if (!check_position(at, type->length, component.span)) return failed(expr.span);
  return make(expr.span, inner_type(type), ArrayElement{std::move(base), at});
}

bool Body::index_position(const syntax::IndexComponent& component, const ir::Dim& extent,
                          SlicePart& part) {
  ExprPtr position = check(*component.position);
  if (mentions_poison(position->type)) return false;
  if (const ir::Dim at = compile_time(*position)) {
    part.kind = SlicePart::Kind::constant;
    part.start = at;
    return check_position(at, extent, component.span);
  }
  settle(position);
  if (mentions_poison(position->type)) return false;
  if (!is_scalar(position->type) || !context_.classes.is_integer(position->type->dtype)) {
    error("E3104", component.span, "an index must be an integer")
        .with_label("this is `" + render(position->type) + "`")
        .with_help(is_tensor(position->type)
                       ? "gather by a tensor of positions in index notation: `let y[i] = x[ids[i]]`"
                       : "write `cast<i64>(...)`");
    return false;
  }
  part.kind = SlicePart::Kind::runtime;
  part.position = std::move(position);
  return true;
}

std::optional<ir::Dim> Body::slice_bound(const syntax::Expr& expr, const char* what) {
  const ExprPtr value = check(expr);
  if (mentions_poison(value->type)) return std::nullopt;
  const ir::Dim dim = compile_time(*value);
  if (!dim) {
    error("E2209", expr.span, std::string("the ") + what + " of a slice must be compile-time")
        .with_label("known only when the program runs")
        .with_help(
            "slice by `Dim` generics and constants; read run-time positions in index "
            "notation");
    return std::nullopt;
  }
  return dim;
}

bool Body::index_range(const syntax::IndexComponent& component, const ir::Dim& extent,
                       SlicePart& part) {
  const ir::Dim zero = dims::constant(0);
  part.kind = SlicePart::Kind::range;
  part.start = zero;
  part.stop = extent;
  part.step = dims::constant(1);
  ir::Dim stop;
  for (const auto& [bound, target, what] : {std::tuple{component.start.get(), &part.start, "start"},
                                            std::tuple{component.stop.get(), &stop, "stop"}}) {
    if (bound == nullptr) continue;
    const auto dim = slice_bound(*bound, what);
    if (!dim) return false;
    if (!facts_.prove(ir::Relation::ge, *dim, zero)) {
      const bool below = facts_.negative(*dim);
      error("E2209", bound->span,
            "the slice bound `" + dims::render(*dim) + "` is " +
                (below ? "negative" : "not provably non-negative"))
          .with_label(below ? "below zero" : "may be negative")
          .with_help(below ? "there are no negative indices: count from the end by `N - 1`"
                           : "add `where " + dims::render(*dim) + " >= 0` to the declaration");
      return false;
    }
    *target = *dim;
  }
  if (component.step != nullptr) {
    const auto step = slice_bound(*component.step, "step");
    if (!step) return false;
    const auto value = dims::as_constant(*step);
    if (!value || *value <= 0) {
      error("E2209", component.step->span, "the step of a slice must be a positive constant")
          .with_label(value ? "not positive" : "not a constant")
          .with_help("write a number of at least 1");
      return false;
    }
    part.step = *step;
  }
  // The extent comes from the clamped stop, so that a slice written with that is the same type.
  if (stop != nullptr) part.stop = facts_.simplify(dims::min(stop, extent));
  part.extent =
      dims::slice_extent(facts_, part.start, stop ? part.stop : nullptr, part.step, extent);
  part.start = facts_.simplify(dims::min(part.start, extent));
  return true;
}

ExprPtr Body::index_tensor(const syntax::Index& expr, ExprPtr base) {
  const ir::Type type = base->type;
  const ir::ShapeUnits& shape = type->shape;
  const auto is_dots = [](const syntax::IndexComponent& c) {
    return c.kind == IndexComponentKind::ellipsis;
  };
  const auto first = std::find_if(expr.components.begin(), expr.components.end(), is_dots);
  const bool has_dots = first != expr.components.end();
  if (has_dots) {
    const auto second = std::find_if(first + 1, expr.components.end(), is_dots);
    if (second != expr.components.end()) {
      error("E2204", second->span, "`...` stands at most once in an index")
          .with_label("a second one")
          .with_related("the first", first->span)
          .with_help("write `:` for single axes");
      return failed(expr.span);
    }
  }
  const auto before = static_cast<std::size_t>(first - expr.components.begin());
  const std::size_t after = has_dots ? expr.components.size() - before - 1 : 0;
  const std::size_t indexed = before + after;
  const bool packed =
      std::any_of(shape.begin(), shape.end(), [](const ir::Unit& u) { return u.is_pack(); });
  if (indexed > shape.size() && !packed) {
    error("E2204", expr.span,
          "too many indices: `" + render(type) + "` has " + counted(shape.size(), "axis", "axes") +
              ", not " + std::to_string(indexed))
        .with_label("wrong number of indices")
        .with_help("index each axis at most once");
    return failed(expr.span);
  }

  Slice node;
  ir::ShapeUnits left;
  bool ok = true;
  const auto take = [&](const syntax::IndexComponent& component, std::size_t unit) {
    if (unit >= shape.size() || shape[unit].is_pack()) {
      error("E3106", component.span, "this indexes into a shape pack")
          .with_label("the axes of a pack are not known")
          .with_related("this is `" + render(type) + "`", base->span)
          .with_help("`...` keeps the pack: index the axes before or after it");
      return false;
    }
    SlicePart part;
    if (is_plain_colon(component)) {
      part = whole({shape[unit]});
      left.push_back(shape[unit]);
    } else if (component.kind == IndexComponentKind::slice) {
      if (!index_range(component, shape[unit].dim, part)) return false;
      left.push_back(dims::unit_of(part.extent));
    } else {
      if (!index_position(component, shape[unit].dim, part)) return false;
    }
    node.parts.push_back(std::move(part));
    return true;
  };
  for (std::size_t i = 0; ok && i < before; ++i) ok = take(expr.components[i], i);
  if (!ok) return failed(expr.span);
  // What `...` stands for, or what is left off at the end.
  const std::size_t kept_end = shape.size() - std::min(shape.size(), after);
  if (before < kept_end) {
    const auto begin = shape.begin();
    ir::ShapeUnits kept(begin + static_cast<std::ptrdiff_t>(before),
                        begin + static_cast<std::ptrdiff_t>(kept_end));
    left.insert(left.end(), kept.begin(), kept.end());
    node.parts.push_back(whole(std::move(kept)));
  } else if (before > kept_end) {
    (void)take(expr.components[before + 1], shape.size());
    return failed(expr.span);
  }
  for (std::size_t i = 0; ok && i < after; ++i) {
    ok = take(expr.components[before + 1 + i], kept_end + i);
  }
  if (!ok) return failed(expr.span);
  node.value = std::move(base);
  const ir::Type made =
      left.empty() ? scalar_type(type->dtype) : tensor_type(std::move(left), type->dtype);
  return make(expr.span, made, std::move(node));
}

}  // namespace linnet::sema
