// Expressions: dispatch, names, members, tuples, `if` (language.md section 5).

#include <utility>

#include "codegen/sema/body.hpp"
#include "codegen/sema/suggest.hpp"
#include "codegen/syntax/foreign.hpp"

namespace linnet::sema {
namespace {

using syntax::ExprKind;

}  // namespace

ExprPtr Body::make(Span span, ir::Type type, std::monostate) const {
  auto made = std::make_unique<Expr>();
  made->span = span;
  made->type = std::move(type);
  return made;
}

ExprPtr Body::dim_value(Span span, ir::Dim dim) const {
  return make(span, pending_integer(), DimValue{std::move(dim)});
}

ExprPtr Body::check(const syntax::Expr& expr) {
  if (depth_ >= deepest_nesting) {
    if (!too_deep_) {
      error("E1101", expr.span, "this expression is nested too deep")
          .with_help("name parts of it by `let`");
    }
    too_deep_ = true;
    return failed(expr.span);
  }
  ++depth_;
  ExprPtr made = check_inner(expr);
  --depth_;
  // What a name stands for was checked where it was made.
  if (in_kernel() && expr.kind != ExprKind::name) check_tile(made);
  return made;
}

ExprPtr Body::check_as(const syntax::Expr& expr, const ir::Type& type, const Place& place) {
  ExprPtr made = check(expr);
  if (!accept(made, type, place)) made->type = poison_type();
  return made;
}

ExprPtr Body::check_inner(const syntax::Expr& expr) {
  switch (expr.kind) {
    case ExprKind::integer: {
      const auto dim = resolver().literal(syntax::as<syntax::IntegerLiteral>(expr));
      return dim ? dim_value(expr.span, *dim) : failed(expr.span);
    }
    case ExprKind::floating:
      return make(expr.span, pending_float(),
                  FloatValue{syntax::as<syntax::FloatLiteral>(expr).value});
    case ExprKind::boolean:
      return make(expr.span, bool_type(), BoolValue{syntax::as<syntax::BoolLiteral>(expr).value});
    case ExprKind::string:
      error("E2104", expr.span, "a string is no value")
          .with_label("there is no string type")
          .with_help("remove it, or write a comment");
      return failed(expr.span);
    case ExprKind::name:
      return check_name(syntax::as<syntax::NameExpr>(expr));
    case ExprKind::none:
      return make(expr.span, optional_type(pending_inner()), NoneMake{});
    case ExprKind::some: {
      ExprPtr value = check(*syntax::as<syntax::SomeExpr>(expr).operand);
      if (mentions_poison(value->type)) return failed(expr.span);
      if (value->type->kind == ir::TypeKind::unit && !is_pending_number(value->type)) {
        return failed(expr.span);
      }
      const ir::Type type = optional_type(value->type);
      return make(expr.span, type, SomeMake{std::move(value)});
    }
    case ExprKind::tuple:
      return check_tuple(syntax::as<syntax::TupleExpr>(expr));
    case ExprKind::shape:
      error("E2101", expr.span, "a shape is no value")
          .with_label("a shape literal stands only where a shape is expected")
          .with_help(
              "write a tuple `(a, b)`; a tensor is made by `fill<f32>([N], v)`, `iota(N)` or "
              "element "
              "by element: `let x[i] = ...`");
      return failed(expr.span);
    case ExprKind::unary:
      return check_unary(syntax::as<syntax::Unary>(expr));
    case ExprKind::binary:
      return check_binary(syntax::as<syntax::Binary>(expr));
    case ExprKind::call:
      return check_call(syntax::as<syntax::Call>(expr));
    case ExprKind::index:
      return check_index(syntax::as<syntax::Index>(expr));
    case ExprKind::member:
      return check_member(syntax::as<syntax::Member>(expr));
    case ExprKind::if_else:
      return check_if(syntax::as<syntax::IfElse>(expr));
    case ExprKind::match:
      return check_match(syntax::as<syntax::Match>(expr));
    case ExprKind::reduction:
      return check_reduction(syntax::as<syntax::Reduction>(expr));
    case ExprKind::scan:
      error("E2124", syntax::as<syntax::Scan>(expr).keyword,
            "a `for` value is the whole value of its statement")
          .with_label("part of a larger expression")
          .with_help("give it a name first: `let steps = for ...`");
      return failed(expr.span);
  }
  return failed(expr.span);
}

// --- names -----------------------------------------------------------------------------------

ExprPtr Body::check_name(const syntax::NameExpr& expr) {
  const syntax::Name& name = expr.name;
  if (Binding* binding = find_binding(name.text)) {
    binding->used = true;
    switch (binding->kind) {
      case Binding::Kind::failed:
        return failed(expr.span);
      case Binding::Kind::compile_time:
        return dim_value(expr.span, binding->dim);
      case Binding::Kind::index:
        if (!first_in_statement("E3104", binding->id)) return failed(expr.span);
        error("E3104", expr.span, "index `" + name.text + "` is a position, not a value")
            .with_label("used as a value")
            .with_related("the index", binding->span)
            .with_help("write `iota(N)[" + name.text + "]` for the value of the index");
        return failed(expr.span);
      case Binding::Kind::local:
        break;
    }
    if (is_kernel_memory(binding->id)) {
      error("E2127", expr.span, "`" + name.text + "` is memory, and no value in a kernel")
          .with_label("a tensor parameter or result")
          .with_related("declared here", binding->span)
          .with_help("read it by `load(" + name.text + "[...])`, write it by `store`");
      return failed(expr.span);
    }
    const ir::Type& type = local(binding->id).type;
    if (mentions_poison(type)) return failed(expr.span);
    return make(expr.span, type, LocalRead{binding->id});
  }
  if (const GenericBinding* generic = context_.find_generic(scope_, name.text)) {
    if (const auto* dim = std::get_if<ir::Dim>(&generic->value)) return dim_value(expr.span, *dim);
    if (generic->twice) return failed(expr.span);
    const bool pack = generic->kind == ir::GenericKind::shape;
    error("E1208", expr.span,
          "`" + name.text + "` is " + (pack ? "a shape pack" : "a dtype") + ", no value")
        .with_label("a value is needed")
        .with_related("declared here", generic->span)
        .with_help(pack ? "write `*" + name.text + "` in a shape"
                        : "write `cast<" + name.text + ">(...)` to convert a value");
    return failed(expr.span);
  }
  if (scope_.block >= 0) {
    if (ExprPtr member = check_own_member(name, expr.span)) return member;
  }
  if (const Symbol* symbol = context_.find(scope_.module, name.text)) {
    return check_symbol(*symbol, name, expr.span);
  }
  if (is_prelude_name(name.text)) {
    error("E1208", expr.span, "`" + name.text + "` is no value")
        .with_label("a value is needed")
        .with_help(is_prelude_function(name.text) ? "call it: `" + name.text + "(...)`"
                                                  : "it is a type or kind of the prelude");
    return failed(expr.span);
  }
  context_.report_undeclared(name, scope_, "value", names());
  return failed(expr.span);
}

/// A bare member or method of the own block; null when there is none of that name.
ExprPtr Body::check_own_member(const syntax::Name& name, Span span) {
  const BlockInfo& info = context_.block_info(scope_.block);
  const auto member = info.member_index.find(name.text);
  if (member != info.member_index.end()) {
    ExprPtr own = make(span, own_block_type(context_, scope_.block), OwnBlock{});
    return read_member(std::move(own), scope_.block, member->second, span);
  }
  if (!info.method_index.contains(name.text)) return nullptr;
  error("E1208", span, "`" + name.text + "` is a method, no value")
      .with_label("a value is needed")
      .with_help("call it: `" + name.text + "(...)`");
  return failed(span);
}

ExprPtr Body::check_symbol(const Symbol& symbol, const syntax::Name& name, Span span) {
  if (symbol.kind == SymbolKind::failed) return failed(span);
  if (symbol.kind == SymbolKind::constant) {
    if (!settle_constant(context_, symbol.index, span)) return failed(span);
    const Constant& constant = context_.constant(symbol.index);
    if (references_ != nullptr) references_->push_back({true, symbol.index, span});
    if (constant.contextual) return dim_value(span, constant.value);
    return make(span, constant.type, ConstantRead{symbol.index});
  }
  syntax::Diagnostic& report = error(
      "E1208", span, "`" + name.text + "` is " + std::string(describe(symbol.kind)) + ", no value");
  report.with_label("a value is needed");
  if (symbol.kind != SymbolKind::module) report.with_related("declared here", symbol.span);
  switch (symbol.kind) {
    case SymbolKind::function:
      report.with_help("call it: `" + name.text + "(...)`");
      break;
    case SymbolKind::structure:
      report.with_help("build a value: `" + name.text + "(field = ...)`");
      break;
    case SymbolKind::enumeration:
      report.with_help("name a variant: `" + name.text + ".Variant`");
      break;
    case SymbolKind::module:
      report.with_help("name an item: `" + name.text + ".item`");
      break;
    default:
      report.with_help("use a parameter, a local, a member or a constant");
      break;
  }
  return failed(span);
}

// --- members ---------------------------------------------------------------------------------

ExprPtr Body::read_member(ExprPtr block, BlockId owner, int member, Span span) {
  settle_members(context_, owner);
  BlockInfo& info = context_.block_info(owner);
  info.member_used[static_cast<std::size_t>(member)] = true;
  const ir::Block& declaration = context_.block(owner).declaration;
  const ir::Member& found = declaration.members[static_cast<std::size_t>(member)];
  if (is_poison(found.type)) return failed(span);
  const ir::Type type =
      dims::substitute(found.type, substitution_of(declaration.generics, block->type->args));
  MemberRead node;
  node.block = std::move(block);
  node.owner = owner;
  node.member = member;
  node.kind = found.kind;
  return make(span, type, std::move(node));
}

/// The enum that an item or an alias is, -1 for an alias that failed; nothing for other items.
std::optional<EnumId> Body::named_enum(const Symbol& symbol, Span use) {
  if (symbol.kind == SymbolKind::enumeration) return symbol.index;
  if (symbol.kind != SymbolKind::alias) return std::nullopt;
  if (!settle_alias(context_, symbol.index, use)) return -1;
  const ir::Type& type = context_.alias(symbol.index).type;
  if (type->kind != ir::TypeKind::enumeration) return std::nullopt;
  return context_.declaration_of(type);
}

ExprPtr Body::check_enum_variant(EnumId id, const syntax::Name& variant, Span span) {
  settle_enum(context_, id);
  const ir::Enumeration& enumeration = context_.enumeration(id);
  for (std::size_t i = 0; i < enumeration.variants.size(); ++i) {
    if (enumeration.variants[i] != variant.text) continue;
    ir::Type type =
        enumeration.generics.empty()
            ? named_type(ir::TypeKind::enumeration, enumeration.name, enumeration.module, {})
            : pending_enum(enumeration.name, enumeration.module);
    return make(span, std::move(type), EnumValue{variant.text, static_cast<int>(i)});
  }
  syntax::Diagnostic& report =
      error("E2107", variant.span,
            "enum `" + enumeration.name + "` has no variant `" + variant.text + "`");
  report.with_label("no such variant");
  const std::string near = closest(variant.text, enumeration.variants);
  std::string all;
  for (const std::string& name : enumeration.variants)
    all += (all.empty() ? "`" : ", `") + name + "`";
  report.with_help(!near.empty() ? "did you mean `" + near + "`?"
                   : all.empty() ? "the enum has no variants"
                                 : "its variants are " + all);
  return failed(span);
}

ExprPtr Body::check_member(const syntax::Member& expr) {
  // `module.CONSTANT`, `Enum.Variant`, `module.Enum.Variant`: the base is no value.
  if (const auto* base = syntax::try_as<syntax::NameExpr>(expr.base.get())) {
    const bool is_value =
        find_binding(base->name.text) != nullptr ||
        context_.find_generic(scope_, base->name.text) != nullptr ||
        (scope_.block >= 0 &&
         context_.block_info(scope_.block).member_index.contains(base->name.text));
    const Symbol* symbol = is_value ? nullptr : context_.find(scope_.module, base->name.text);
    if (symbol != nullptr) {
      if (symbol->kind == SymbolKind::failed) return failed(expr.span);
      if (const auto id = named_enum(*symbol, base->span)) {
        return *id < 0 ? failed(expr.span) : check_enum_variant(*id, expr.name, expr.span);
      }
      if (symbol->kind == SymbolKind::module) {
        syntax::Path path;
        path.segments = {base->name, expr.name};
        path.span = expr.span;
        const Symbol* item = resolver().item(path);
        return item != nullptr ? check_symbol(*item, expr.name, expr.span) : failed(expr.span);
      }
    }
  }
  if (const auto* base = syntax::try_as<syntax::Member>(expr.base.get())) {
    if (const auto* root = syntax::try_as<syntax::NameExpr>(base->base.get())) {
      const bool hidden = find_binding(root->name.text) != nullptr;
      const Symbol* symbol = hidden ? nullptr : context_.find(scope_.module, root->name.text);
      if (symbol != nullptr && symbol->kind == SymbolKind::module) {
        syntax::Path path;
        path.segments = {root->name, base->name};
        path.span = base->span;
        const Symbol* item = resolver().item(path);
        if (item == nullptr || item->kind == SymbolKind::failed) return failed(expr.span);
        if (const auto id = named_enum(*item, base->span)) {
          return *id < 0 ? failed(expr.span) : check_enum_variant(*id, expr.name, expr.span);
        }
      }
    }
  }

  ExprPtr base = check(*expr.base);
  settle(base);
  const ir::Type type = base->type;
  if (mentions_poison(type)) return failed(expr.span);
  if (type->kind == ir::TypeKind::block) {
    const BlockId id = context_.declaration_of(type);
    const BlockInfo& info = context_.block_info(id);
    const auto member = info.member_index.find(expr.name.text);
    if (member != info.member_index.end()) {
      return read_member(std::move(base), id, member->second, expr.span);
    }
    if (info.method_index.contains(expr.name.text)) {
      error("E1208", expr.name.span, "`" + expr.name.text + "` is a method, no value")
          .with_label("a value is needed")
          .with_help("call it: `" + expr.name.text + "(...)`");
      return failed(expr.span);
    }
    if (!context_.first_missing(scope_, type->name + "." + expr.name.text)) {
      return failed(expr.span);
    }
    std::vector<std::string> names;
    for (const ir::Member& known : context_.block(id).declaration.members) {
      names.push_back(known.name);
    }
    const std::string near = closest(expr.name.text, names);
    error("E2107", expr.name.span,
          "block `" + type->name + "` has no member `" + expr.name.text + "`")
        .with_label("no such member")
        .with_help(near.empty() ? "use a member or method that the block declares"
                                : "did you mean `" + near + "`?");
    return failed(expr.span);
  }
  if (type->kind == ir::TypeKind::structure) {
    const StructId id = context_.declaration_of(type);
    settle_fields(context_, id);
    const ir::Structure& structure = context_.structure(id);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < structure.fields.size(); ++i) {
      if (structure.fields[i].first != expr.name.text) {
        names.push_back(structure.fields[i].first);
        continue;
      }
      if (is_poison(structure.fields[i].second)) return failed(expr.span);
      const ir::Type field = dims::substitute(structure.fields[i].second,
                                              substitution_of(structure.generics, type->args));
      return make(expr.span, field, FieldRead{std::move(base), static_cast<int>(i)});
    }
    if (!context_.first_missing(scope_, type->name + "." + expr.name.text)) {
      return failed(expr.span);
    }
    const std::string near = closest(expr.name.text, names);
    error("E2107", expr.name.span,
          "struct `" + structure.name + "` has no field `" + expr.name.text + "`")
        .with_label("no such field")
        .with_help(near.empty() ? "use a field that the struct declares"
                                : "did you mean `" + near + "`?");
    return failed(expr.span);
  }
  const std::string_view advice = syntax::attribute_advice(expr.name.text);
  error("E2107", expr.name.span,
        "a value of type `" + render(type) + "` has no `" + expr.name.text + "`")
      .with_label("no such field")
      .with_help(is_tensor(type) && !advice.empty()     ? std::string(advice)
                 : type->kind == ir::TypeKind::optional ? "read the optional by `match` first"
                 : type->kind == ir::TypeKind::tuple    ? "take a tuple apart by `let (a, b) = ...`"
                 : is_tensor(type) ? "extents are `Dim` generics: use their names"
                                   : "only structs and blocks have fields and members");
  return failed(expr.span);
}

/// Values of tuples of tuples and calls of calls grow like types do.
bool Body::check_size(const ir::Type& type, Span span) {
  if (within_limits(type)) return true;
  error("E1101", span, "the type of this value is too large")
      .with_label("written out, it has thousands of parts")
      .with_help("keep shapes and tuples small");
  return false;
}

// --- tuples and `if` -------------------------------------------------------------------------

ExprPtr Body::check_tuple(const syntax::TupleExpr& expr) {
  TupleMake node;
  std::vector<ir::Type> types;
  bool ok = true;
  for (const syntax::ExprPtr& element : expr.elements) {
    ExprPtr value = check(*element);
    ok = ok && !mentions_poison(value->type);
    types.push_back(value->type);
    node.elements.push_back(std::move(value));
  }
  if (!ok) return failed(expr.span);
  ir::Type type = tuple_type(std::move(types));
  if (!check_size(type, expr.span)) return failed(expr.span);
  return make(expr.span, std::move(type), std::move(node));
}

ExprPtr Body::check_if(const syntax::IfElse& expr) {
  If node;
  node.condition = check(*expr.condition);
  settle(node.condition);
  const ir::Type condition = node.condition->type;
  bool ok = true;
  if (mentions_poison(condition)) {
    ok = false;
  } else if (!is_scalar_bool(condition)) {
    ok = false;
    const bool tensor = is_tensor(condition);
    error("E2114", expr.condition->span, "the condition of `if` must be a scalar `bool`")
        .with_label("this is `" + render(condition) + "`")
        .with_help(tensor ? "choose elementwise by `select(cond, a, b)`" : "write a comparison");
  }
  node.then_value = check(*expr.then_value);
  node.else_value = check(*expr.else_value);
  const ir::Type type =
      unify({&node.then_value, &node.else_value}, "the branches of this `if`", expr.span);
  if (!ok || is_poison(type)) return failed(expr.span);
  return make(expr.span, type, std::move(node));
}

}  // namespace linnet::sema
