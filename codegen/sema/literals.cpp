// Literals and `none` take their type from context (language.md section 1), and values meet the
// types that are due (section 3).

#include <cstdint>
#include <utility>

#include "codegen/sema/body.hpp"

namespace linnet::sema {
namespace {

using ir::TypeKind;

const char* mismatch_code(const Place& place) {
  switch (place.kind) {
    case Place::Kind::expected:
    case Place::Kind::field:
      return "E2101";
    case Place::Kind::operand:
      return "E2104";
    case Place::Kind::assignment:
      break;
  }
  return "E2109";
}

Elementwise* pending_operator(Expr& expr) {
  return is_pending_number(expr.type) ? std::get_if<Elementwise>(&expr.node) : nullptr;
}

bool same_declaration(const ir::Type& a, const ir::Type& b) {
  return a->kind == b->kind && a->name == b->name && a->module == b->module;
}

/// The enum as the defaults of its generics make it; null where one has none.
ir::Type default_enum(Context& context, const ir::Type& type) {
  ir::Substitution bound;
  std::vector<ir::GenericArgument> arguments;
  for (const ir::Generic& generic : context.enumeration(context.declaration_of(type)).generics) {
    if (!generic.default_argument) return nullptr;
    arguments.push_back(dims::substitute(*generic.default_argument, bound));
    bind(bound, generic, arguments.back());
  }
  return named_type(TypeKind::enumeration, type->name, type->module, std::move(arguments));
}

/// The first `none`, or variant of a generic enum, inside that only context gives a type.
const Expr* untyped_part(Context& context, const Expr& expr) {
  if (!mentions_pending(expr.type)) return nullptr;
  if (std::holds_alternative<NoneMake>(expr.node)) return &expr;
  if (std::holds_alternative<EnumValue>(expr.node)) {
    return default_enum(context, expr.type) == nullptr ? &expr : nullptr;
  }
  if (const auto* some = std::get_if<SomeMake>(&expr.node)) {
    return untyped_part(context, *some->value);
  }
  if (const auto* tuple = std::get_if<TupleMake>(&expr.node)) {
    for (const ExprPtr& element : tuple->elements) {
      if (const Expr* found = untyped_part(context, *element)) return found;
    }
  }
  if (const auto* branch = std::get_if<If>(&expr.node)) {
    const Expr* found = untyped_part(context, *branch->then_value);
    return found != nullptr ? found : untyped_part(context, *branch->else_value);
  }
  if (const auto* match = std::get_if<Match>(&expr.node)) {
    for (const MatchArm& arm : match->arms) {
      if (const Expr* found = untyped_part(context, *arm.body)) return found;
    }
  }
  return nullptr;
}

/// The type with every mark replaced by what it is without context.
ir::Type default_of(Context& context, const ir::Type& type) {
  if (type == pending_integer()) return i64_type();
  if (type == pending_float()) return scalar_type(ir::Scalar::f64);
  if (type == pending_inner()) return poison_type();
  if (!mentions_pending(type)) return type;
  if (is_pending_enum(type)) return default_enum(context, type);
  std::vector<ir::Type> elements;
  for (const ir::Type& element : type->elements) elements.push_back(default_of(context, element));
  return type->kind == TypeKind::optional ? optional_type(std::move(elements.front()))
                                          : tuple_type(std::move(elements));
}

}  // namespace

ir::Dim Body::compile_time(const Expr& expr) {
  if (expr.type != pending_integer()) return nullptr;
  const auto* value = std::get_if<DimValue>(&expr.node);
  return value != nullptr ? value->dim : nullptr;
}

bool Body::same_type(const ir::Type& a, const ir::Type& b) const {
  return a == b || dims::types_equal(facts_, a, b);
}

bool Body::literal_fits(const ir::Type& pending, const ir::Dtype& dtype) const {
  return pending == pending_float() ? context_.classes.is_floating(dtype)
                                    : context_.classes.is_numeric(dtype);
}

bool Body::report_range(const Expr& expr, const std::string& value, const ir::Dtype& dtype) {
  error("E2105", expr.span, "`" + value + "` is no value of `" + render(dtype) + "`")
      .with_label("out of range")
      .with_help(range_text(dtype) + ": use a value in its range, or a wider dtype");
  return false;
}

/// One literal, compile-time integer, or pending name.
bool Body::accept_leaf(Expr& expr, const ir::Dtype& dtype, const Place&) {
  const bool variable = dtype.is_variable;
  const bool floating = context_.classes.is_floating(dtype);
  expr.type = scalar_type(dtype);
  if (const auto* number = std::get_if<FloatValue>(&expr.node)) {
    if (variable || holds(dtype.scalar, number->value)) return true;
    return report_range(expr, std::string(context_.sources.text(expr.span)), dtype);
  }
  const auto* value = std::get_if<DimValue>(&expr.node);
  if (value == nullptr) return true;
  const auto constant = dims::as_constant(value->dim);
  if (!constant) return true;
  if (!variable && !holds(dtype.scalar, *constant)) {
    return report_range(expr, std::to_string(*constant), dtype);
  }
  if (floating) {
    expr.node = FloatValue{static_cast<double>(*constant)};
  } else {
    expr.node = IntValue{*constant};
  }
  return true;
}

bool Body::accept_number(Expr& expr, const ir::Dtype& dtype, const Place& place) {
  bool ok = true;
  Expr* part = &expr;
  for (auto* op = pending_operator(*part); op != nullptr; op = pending_operator(*part)) {
    part->type = scalar_type(dtype);
    for (std::size_t i = 1; i < op->operands.size(); ++i) {
      ok = accept_number(*op->operands[i], dtype, place) && ok;
    }
    part = op->operands.front().get();
  }
  return accept_operand(*part, dtype, place) && ok;
}

/// The same for what no operator makes.
bool Body::accept_operand(Expr& expr, const ir::Dtype& dtype, const Place& place) {
  // What already has a dtype inside a pending expression cannot be: arithmetic with it would
  // have given its dtype to the whole.
  if (!is_pending_number(expr.type)) return true;
  if (auto* branch = std::get_if<If>(&expr.node)) {
    expr.type = scalar_type(dtype);
    const bool first = accept_number(*branch->then_value, dtype, place);
    return accept_number(*branch->else_value, dtype, place) && first;
  }
  if (auto* match = std::get_if<Match>(&expr.node)) {
    expr.type = scalar_type(dtype);
    bool ok = true;
    for (MatchArm& arm : match->arms) ok = accept_number(*arm.body, dtype, place) && ok;
    return ok;
  }
  return accept_leaf(expr, dtype, place);
}

/// What to write in place of a literal that cannot be of a type.
std::string Body::literal_help(const Expr& literal, const ir::Type& type) const {
  const std::string written = context_.short_text(literal.span);
  if (type->kind == TypeKind::optional && is_scalar(inner_type(type)) &&
      literal_fits(literal.type, inner_type(type)->dtype)) {
    return "wrap it in `some(...)`: `some(" + written + ")`";
  }
  if (is_tensor(type)) {
    return "fill a tensor with it: `fill<" + render(type->dtype) + ">(" + shape_text(type) + ", " +
           written + ")`";
  }
  if (is_scalar(type) && is_bool(type->dtype)) return "write `true` or `false`";
  if (literal.type == pending_float() && is_number_like(type)) {
    return "write an integer literal, or `cast` a float value";
  }
  return "give a value of type `" + render(type) + "`";
}

bool Body::report_mismatch(const Expr& expr, const ir::Type& type, const Place& place) {
  const ir::Type& got = expr.type;
  const char* code = mismatch_code(place);
  std::string message = place.what + " must be `" + render(type) + "`, not `" + render(got) + "`";
  std::string label = "this is `" + render(got) + "`";
  const std::string written = context_.short_text(expr.span);
  std::string help;
  if (is_pending_number(got)) {
    label = "this is " + render(got);
    message = place.what + " must be `" + render(type) + "`, not " + render(got);
    help = literal_help(expr, type);
  } else if (type->kind == TypeKind::optional && same_type(inner_type(type), got)) {
    help = "wrap it in `some(...)`";
  } else if (got->kind == TypeKind::optional && same_type(inner_type(got), type)) {
    help = "read the optional: `match " + written + " { some(v) => v  none => ... }`";
  } else if (is_tensor(got) && is_tensor(type)) {
    if (!dims::dtypes_equal(got->dtype, type->dtype)) {
      if (place.kind == Place::Kind::expected) code = "E2103";
      help = "there is no implicit promotion: write `" + cast_text(type->dtype, written) + "`";
    } else {
      if (place.kind == Place::Kind::expected) code = "E2202";
      help = "the shapes must be provably equal, axis by axis";
      if (place.kind == Place::Kind::assignment) help = "a variable keeps its shape";
    }
  } else if (is_scalar(got) && is_scalar(type)) {
    help = "there is no implicit promotion: write `" + cast_text(type->dtype, written) + "`";
  } else if (is_tensor(got) && is_scalar(type)) {
    help = "index every axis of it, or reduce it: `sum[i] " + written + "[i]`";
  } else if (is_scalar(got) && is_tensor(type)) {
    help = "fill a tensor with it: `fill(" + shape_text(type) + ", " + written + ")`";
  } else if (got->kind == TypeKind::unit) {
    message = "this call gives no value";
    label = "the function has no result";
    help = "declare a result with `->`, or leave out the call";
  } else {
    help = "give a value of type `" + render(type) + "`";
  }
  syntax::Diagnostic& report = error(code, expr.span, std::move(message));
  report.with_label(std::move(label));
  if (place.declared.valid()) report.with_related(place.declared_as, place.declared);
  report.with_help(std::move(help));
  return false;
}

bool Body::accept(ExprPtr& expr, const ir::Type& type, const Place& place) {
  const ir::Type got = expr->type;
  if (mentions_poison(got) || mentions_poison(type)) {
    expr->type = poison_type();
    return true;
  }
  if (is_pending_number(got)) {
    if (is_scalar(type) && literal_fits(got, type->dtype)) {
      return accept_number(*expr, type->dtype, place);
    }
    return report_mismatch(*expr, type, place);
  }
  if (mentions_pending(got)) {
    const bool fits = is_pending_enum(got) ? same_declaration(got, type)
                                           : got->kind == type->kind &&
                                                 got->elements.size() == type->elements.size();
    if (fits) {
      if (auto* some = std::get_if<SomeMake>(&expr->node)) {
        expr->type = type;
        return accept(some->value, inner_type(type), place);
      }
      if (std::holds_alternative<NoneMake>(expr->node) ||
          std::holds_alternative<EnumValue>(expr->node)) {
        expr->type = type;
        return true;
      }
      if (auto* tuple = std::get_if<TupleMake>(&expr->node)) {
        bool ok = true;
        for (std::size_t i = 0; i < tuple->elements.size(); ++i) {
          ok = accept(tuple->elements[i], type->elements[i], place) && ok;
        }
        expr->type = type;
        return ok;
      }
      if (auto* branch = std::get_if<If>(&expr->node)) {
        expr->type = type;
        const bool first = accept(branch->then_value, type, place);
        return accept(branch->else_value, type, place) && first;
      }
      if (auto* match = std::get_if<Match>(&expr->node)) {
        expr->type = type;
        bool ok = true;
        for (MatchArm& arm : match->arms) ok = accept(arm.body, type, place) && ok;
        return ok;
      }
    }
    return report_mismatch(*expr, type, place);
  }
  return same_type(got, type) || report_mismatch(*expr, type, place);
}

void Body::settle(ExprPtr& expr) {
  if (!mentions_pending(expr->type) || mentions_poison(expr->type)) return;
  if (const Expr* part = untyped_part(context_, *expr)) {
    if (is_pending_enum(part->type)) {
      const std::string& name = part->type->name;
      error("E2110", part->span, "the generic arguments of `" + name + "` are not known here")
          .with_label("which `" + name + "`?")
          .with_help("annotate the type: `let x: " + name + "<...> = ...`");
    } else {
      error("E2113", part->span, "`none` has no type here")
          .with_label("none of what?")
          .with_help("annotate the type: `let x: Tensor[4; f32]? = none`");
    }
    expr->type = poison_type();
    return;
  }
  const ir::Type type = default_of(context_, expr->type);
  if (!accept(expr, type, Place{Place::Kind::expected, "the value", {}, {}})) {
    expr->type = poison_type();
  }
}

std::optional<ir::Type> Body::merge(const ir::Type& a, const ir::Type& b) const {
  if (is_poison(a)) return b;
  if (is_poison(b) || a == b) return a;
  if (a == pending_inner()) return b;
  if (b == pending_inner()) return a;
  if (is_pending_number(a) && is_pending_number(b)) return pending_float();
  if (is_pending_number(a) || is_pending_number(b)) {
    const ir::Type& literal = is_pending_number(a) ? a : b;
    const ir::Type& other = is_pending_number(a) ? b : a;
    if (is_scalar(other) && literal_fits(literal, other->dtype)) return other;
    return std::nullopt;
  }
  if (is_pending_enum(a) || is_pending_enum(b)) {
    if (!same_declaration(a, b)) return std::nullopt;
    return is_pending_enum(a) ? b : a;
  }
  if (mentions_pending(a) || mentions_pending(b)) {
    if (a->kind != b->kind || a->elements.size() != b->elements.size()) return std::nullopt;
    std::vector<ir::Type> elements;
    for (std::size_t i = 0; i < a->elements.size(); ++i) {
      auto merged = merge(a->elements[i], b->elements[i]);
      if (!merged) return std::nullopt;
      elements.push_back(std::move(*merged));
    }
    return a->kind == TypeKind::optional ? optional_type(std::move(elements.front()))
                                         : tuple_type(std::move(elements));
  }
  if (same_type(a, b)) return a;
  return std::nullopt;
}

ir::Type Body::unify(std::vector<ExprPtr*> branches, const char* what, Span) {
  ir::Type type = poison_type();
  const Expr* first = nullptr;
  for (ExprPtr* branch : branches) {
    const Expr& expr = **branch;
    if (mentions_poison(expr.type)) continue;
    const auto merged = merge(type, expr.type);
    if (!merged) {
      error("E2115", expr.span, std::string(what) + " have different types")
          .with_label("this is " + described(expr.type))
          .with_related("and this is " + described(first->type), first->span)
          .with_help("all of them must have one type; `cast` or reshape one of them");
      return poison_type();
    }
    if (first == nullptr) first = &expr;
    type = *merged;
  }
  // A branch that failed leaves the type of the whole unknown.
  for (ExprPtr* branch : branches) {
    if (mentions_poison((*branch)->type)) return poison_type();
  }
  if (mentions_pending(type)) return type;
  for (ExprPtr* branch : branches) {
    if (!accept(*branch, type, Place{Place::Kind::expected, "this branch", {}, {}})) {
      return poison_type();
    }
  }
  return type;
}

}  // namespace linnet::sema
