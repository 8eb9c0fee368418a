// Dimensions in source: literals, `Dim` generics, integer constants, compile-time locals, and
// `+ - * / %`, `min`, `max` over them (language.md section 4).

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "codegen/sema/resolve.hpp"

namespace linnet::sema {
namespace {

constexpr int deepest_dimension = 200;

std::string kind_word(ir::GenericKind kind) {
  switch (kind) {
    case ir::GenericKind::dim:
      return "a dimension";
    case ir::GenericKind::shape:
      return "a shape pack";
    case ir::GenericKind::dtype:
      break;
  }
  return "a dtype";
}

bool names_parameter(const std::vector<syntax::Param>& parameters, const std::string& name) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [&](const syntax::Param& param) { return param.name.text == name; });
}

}  // namespace

const dims::Facts& Resolver::facts() const {
  static const dims::Facts none;
  return scope_.facts != nullptr ? *scope_.facts : none;
}

std::optional<ir::Dim> Resolver::not_compile_time(Span span, const std::string& what) {
  context_.error("E2123", span, what + " is no compile-time integer")
      .with_label("known only when the program runs")
      .with_help(
          "a dimension is a literal, a `Dim` generic, an integer constant without a type, or "
          "arithmetic over them");
  return std::nullopt;
}

std::optional<ir::Dim> Resolver::literal(const syntax::IntegerLiteral& literal, bool negated) {
  constexpr std::uint64_t most_negative = std::uint64_t{1} << 63;
  if (literal.beyond_i64 && !(negated && literal.magnitude == most_negative)) {
    context_.error("E2105", literal.span, "`" + literal.text + "` is beyond `i64`")
        .with_label("too large")
        .with_help("the largest integer is 9223372036854775807");
    return std::nullopt;
  }
  if (literal.beyond_i64) return dims::constant(std::numeric_limits<std::int64_t>::min());
  const auto value = static_cast<std::int64_t>(literal.magnitude);
  return dims::constant(negated ? -value : value);
}

std::optional<ir::Dim> Resolver::dimension(const syntax::Expr& expr) {
  if (depth_ > deepest_dimension) {
    context_.error("E1101", expr.span, "this dimension is nested too deep");
    return std::nullopt;
  }
  ++depth_;
  struct Leave {
    int& depth;
    ~Leave() { --depth; }
  } leave{depth_};
  switch (expr.kind) {
    case syntax::ExprKind::integer:
      return literal(syntax::as<syntax::IntegerLiteral>(expr));
    case syntax::ExprKind::name:
      return named_dimension(syntax::as<syntax::NameExpr>(expr).name);
    case syntax::ExprKind::member:
      return member_dimension(syntax::as<syntax::Member>(expr));
    case syntax::ExprKind::unary: {
      const auto& unary = syntax::as<syntax::Unary>(expr);
      if (unary.op == syntax::UnaryOp::logical_not) break;
      const bool minus = unary.op == syntax::UnaryOp::minus;
      if (const auto* number = syntax::try_as<syntax::IntegerLiteral>(unary.operand.get())) {
        return literal(*number, minus);
      }
      const auto operand = dimension(*unary.operand);
      if (!operand || !minus) return operand;
      return combine(syntax::BinaryOp::sub, dims::constant(0), *operand, expr.span, expr.span);
    }
    case syntax::ExprKind::binary:
      return binary_dimension(syntax::as<syntax::Binary>(expr));
    case syntax::ExprKind::call: {
      const auto& call = syntax::as<syntax::Call>(expr);
      const auto* callee = syntax::try_as<syntax::NameExpr>(call.callee.get());
      if (callee != nullptr && (callee->name.text == "min" || callee->name.text == "max")) {
        return min_or_max(call);
      }
      return not_compile_time(expr.span, "the result of a call");
    }
    default:
      break;
  }
  return not_compile_time(expr.span, "this expression");
}

std::optional<ir::Dim> Resolver::binary_dimension(const syntax::Binary& expr) {
  std::vector<const syntax::Binary*> chain{&expr};
  while (const auto* left = syntax::try_as<syntax::Binary>(chain.back()->lhs.get())) {
    chain.push_back(left);
  }
  for (const syntax::Binary* link : chain) {
    if (link->op < syntax::BinaryOp::add) return not_compile_time(link->span, "this expression");
  }
  std::optional<ir::Dim> made = dimension(*chain.back()->lhs);
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    const auto rhs = dimension(*(*link)->rhs);
    if (made && rhs) {
      made = combine((*link)->op, *made, *rhs, (*link)->rhs->span, (*link)->span);
      if (made) made = dims::folded(*made);
    } else {
      made = std::nullopt;
    }
  }
  return made;
}

std::optional<ir::Dim> Resolver::min_or_max(const syntax::Call& call) {
  if (call.args.size() != 2 || call.args[0].name || call.args[1].name || call.generics) {
    context_.error("E2102", call.span, "`min` and `max` of dimensions take two arguments")
        .with_help("write `min(A, B)`");
    return std::nullopt;
  }
  const auto a = dimension(*call.args[0].value);
  const auto b = dimension(*call.args[1].value);
  if (!a || !b) return std::nullopt;
  const bool is_min = syntax::as<syntax::NameExpr>(*call.callee).name.text == "min";
  return limited(is_min ? dims::min(*a, *b) : dims::max(*a, *b), call.span);
}

std::optional<ir::Dim> Resolver::limited(ir::Dim dim, Span span) {
  const bool folds = dim->kind == ir::DimKind::add || dim->kind == ir::DimKind::mul;
  const auto is_constant = [](const ir::Dim& arg) { return dims::as_constant(arg).has_value(); };
  if (folds && std::all_of(dim->args.begin(), dim->args.end(), is_constant)) {
    context_.error("E2105", span, "this compile-time integer is beyond `i64`")
        .with_label("overflows")
        .with_help("the largest integer is 9223372036854775807");
    return std::nullopt;
  }
  if (dims::within_limits(dim)) return dim;
  context_.error("E2105", span, "this compile-time integer is too complex to reason about")
      .with_label("too many terms")
      .with_help("name parts of it by `Dim` generics related in a `where`");
  return std::nullopt;
}

std::optional<ir::Dim> Resolver::named_dimension(const syntax::Name& name) {
  if (locals_ != nullptr) {
    if (const auto local = locals_->meaning(name.text)) {
      if (local->dim) return dims::folded(local->dim);
      if (local->failed) return std::nullopt;
      return not_compile_time(name.span, "`" + name.text + "`, " + local->what + ",");
    }
  }
  if (const GenericBinding* generic = context_.find_generic(scope_, name.text)) {
    if (const auto* dim = std::get_if<ir::Dim>(&generic->value)) return *dim;
    if (generic->twice) return std::nullopt;
    syntax::Diagnostic& report =
        context_.error("E1208", name.span,
                       "`" + name.text + "` is " + kind_word(generic->kind) + ", no dimension");
    report.with_label("a dimension is needed").with_related("declared here", generic->span);
    if (generic->kind == ir::GenericKind::shape) {
      report.with_help("write `*" + name.text + "` for all axes of the pack");
    } else {
      report.with_help("use a `Dim` generic or a number");
    }
    return std::nullopt;
  }
  if (scope_.block >= 0) {
    const BlockInfo& info = context_.block_info(scope_.block);
    if (info.member_index.contains(name.text)) {
      return not_compile_time(name.span, "member `" + name.text + "`");
    }
  }
  if (const Symbol* symbol = context_.find(scope_.module, name.text)) {
    return constant_dimension(*symbol, name);
  }
  if (is_prelude_name(name.text)) {
    context_.error("E1208", name.span, "`" + name.text + "` is no dimension")
        .with_label("a dimension is needed")
        .with_help("use a `Dim` generic or a number");
    return std::nullopt;
  }
  if (scope_.parameters != nullptr && names_parameter(*scope_.parameters, name.text)) {
    if (!context_.first_missing(scope_, name.text)) return std::nullopt;
    return not_compile_time(name.span, "parameter `" + name.text + "`");
  }
  context_.report_undeclared(name, scope_, "dimension",
                             locals_ != nullptr ? locals_->names() : std::vector<std::string>{});
  return std::nullopt;
}

std::optional<ir::Dim> Resolver::member_dimension(const syntax::Member& member) {
  const auto* base = syntax::try_as<syntax::NameExpr>(member.base.get());
  const bool hidden = base == nullptr ||
                      (locals_ != nullptr && locals_->meaning(base->name.text)) ||
                      context_.find_generic(scope_, base->name.text) != nullptr;
  const Symbol* symbol = hidden ? nullptr : context_.find(scope_.module, base->name.text);
  if (symbol == nullptr || symbol->kind != SymbolKind::module) {
    if (symbol != nullptr && symbol->kind == SymbolKind::failed) return std::nullopt;
    return not_compile_time(member.span, "this value");
  }
  syntax::Path path;
  path.segments = {base->name, member.name};
  path.span = member.span;
  const Symbol* constant = item(path);
  return constant != nullptr ? constant_dimension(*constant, member.name) : std::nullopt;
}

std::optional<ir::Dim> Resolver::constant_dimension(const Symbol& symbol,
                                                    const syntax::Name& name) {
  if (symbol.kind == SymbolKind::failed) return std::nullopt;
  if (symbol.kind != SymbolKind::constant) {
    context_
        .error("E1208", name.span,
               "`" + name.text + "` is " + std::string(describe(symbol.kind)) + ", no dimension")
        .with_label("a dimension is needed")
        .with_help("use a `Dim` generic, an integer constant or a number");
    return std::nullopt;
  }
  if (!settle_constant(context_, symbol.index, name.span)) return std::nullopt;
  const Constant& constant = context_.constant(symbol.index);
  if (constant.contextual) return dims::folded(constant.value);
  context_
      .error("E2123", name.span,
             "`" + name.text + "` is a value of type `" + render(constant.type) +
                 "`, no compile-time integer")
      .with_label("a compile-time integer is needed")
      .with_related("declared here", constant.span)
      .with_help("leave out the constant's type: `const " + name.text + " = ...`");
  return std::nullopt;
}

std::optional<ir::Dim> Resolver::combine(syntax::BinaryOp op, const ir::Dim& a, const ir::Dim& b,
                                         Span divisor, Span whole) {
  const auto left = dims::as_constant(a);
  const auto right = dims::as_constant(b);
  const bool divides = op == syntax::BinaryOp::div || op == syntax::BinaryOp::rem;
  if (divides && scope_.prove_divisors && !facts().positive(b)) {
    // One missing fact, however often the declaration divides by it.
    if (!right && !context_.first_missing(scope_, dims::render(b) + " > 0")) return std::nullopt;
    context_
        .error("E2205", divisor, "the divisor `" + dims::render(b) + "` is not provably positive")
        .with_label(!right        ? "may be zero"
                    : *right == 0 ? "is zero"
                                  : "is negative")
        .with_help(right ? "divide by a positive number"
                         : "add `where " + dims::render(b) + " > 0` to the declaration");
    return std::nullopt;
  }
  // Only who uses the quotient knows whether it rounds toward zero or down.
  const bool rounds_down =
      divides && left && right && *left < 0 && *right > 0 && *left % *right != 0;
  ir::Dim made;
  switch (op) {
    case syntax::BinaryOp::add:
      made = dims::add(a, b);
      break;
    case syntax::BinaryOp::sub:
      made = dims::sub(a, b);
      break;
    case syntax::BinaryOp::mul:
      made = dims::mul(a, b);
      break;
    case syntax::BinaryOp::div:
      made = rounds_down ? dims::unfolded(ir::DimKind::floordiv, a, b) : dims::floordiv(a, b);
      break;
    default:
      made = rounds_down ? dims::unfolded(ir::DimKind::mod, a, b) : dims::mod(a, b);
      break;
  }
  return limited(std::move(made), whole);
}

std::optional<ir::Dim> Resolver::extent(const syntax::Expr& expr) {
  const auto dim = dimension(expr);
  if (dim && facts().negative(*dim)) {
    report_negative(*dim, expr.span, "below zero");
    return std::nullopt;
  }
  return dim;
}

std::optional<ir::ShapeUnits> Resolver::shape(const std::vector<syntax::ShapeElement>& elements) {
  ir::ShapeUnits units;
  bool ok = true;
  for (const syntax::ShapeElement& element : elements) {
    if (!element.is_pack()) {
      const auto dim = extent(*element.dim);
      ok = ok && dim;
      if (dim) units.push_back(dims::unit_of(*dim));
      continue;
    }
    const GenericBinding* generic = context_.find_generic(scope_, element.pack.text);
    const auto* pack = generic != nullptr ? std::get_if<ir::ShapeUnits>(&generic->value) : nullptr;
    if (pack != nullptr) {
      units.insert(units.end(), pack->begin(), pack->end());
      continue;
    }
    ok = false;
    if (generic != nullptr && generic->twice) continue;
    if (generic != nullptr) {
      context_
          .error("E1208", element.span,
                 "`" + element.pack.text + "` is " + kind_word(generic->kind) + ", no shape pack")
          .with_label("a shape pack is needed")
          .with_related("declared here", generic->span)
          .with_help("declare it `*" + element.pack.text + ": Shape`, or leave out the `*`");
    } else {
      context_.report_undeclared(element.pack, scope_, "shape pack");
    }
  }
  if (!ok) return std::nullopt;
  return units;
}

}  // namespace linnet::sema
