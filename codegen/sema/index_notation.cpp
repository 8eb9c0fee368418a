// Index notation: accesses, reductions and the indexed `let` (language.md section 6).

#include <algorithm>
#include <cstddef>
#include <utility>

#include "codegen/sema/body.hpp"

namespace linnet::sema {
namespace {

using syntax::IndexComponentKind;

std::string shown(const IndexVariable& index) {
  return (index.is_run ? "*" : "") + index.name;
}

ir::ReduceKind kind_of(syntax::ReductionOp op) {
  switch (op) {
    case syntax::ReductionOp::sum:
      return ir::ReduceKind::sum;
    case syntax::ReductionOp::prod:
      return ir::ReduceKind::prod;
    case syntax::ReductionOp::max:
      return ir::ReduceKind::max;
    case syntax::ReductionOp::min:
      return ir::ReduceKind::min;
    case syntax::ReductionOp::any:
      return ir::ReduceKind::any;
    case syntax::ReductionOp::all:
      break;
  }
  return ir::ReduceKind::all;
}

}  // namespace

bool Body::mentions_index(const syntax::Index& expr) const {
  for (const syntax::IndexComponent& component : expr.components) {
    if (component.kind == IndexComponentKind::pack) return true;
    const auto* name = syntax::try_as<syntax::NameExpr>(component.position.get());
    if (name == nullptr || name->parentheses != 0) continue;
    const auto found = by_name_.find(name->name.text);
    if (found != by_name_.end() && !found->second.empty() &&
        bindings_[found->second.back()].kind == Binding::Kind::index) {
      return true;
    }
  }
  return false;
}

bool Body::use_index(IndexId id, const ir::ShapeUnits& units, Span span) {
  IndexVariable& variable = index(id);
  IndexState& state = index_states_[static_cast<std::size_t>(id)];
  if (!state.has_domain) {
    state.has_domain = true;
    state.first_use = span;
    variable.domain = units;
    return true;
  }
  if (dims::shapes_equal(facts_, variable.domain, units)) return true;
  if (!first_in_statement("E2201", id)) return false;
  const auto extent = [&](const ir::ShapeUnits& domain) {
    const std::string text = dims::render(domain);
    return variable.is_run ? "[" + text + "]" : text;
  };
  error("E2201", span, "index `" + shown(variable) + "` has two different extents")
      .with_label(extent(units))
      .with_related(extent(variable.domain), state.first_use)
      .with_help("both accesses must give `" + shown(variable) + "` one domain");
  return false;
}

bool Body::first_in_statement(std::string_view code, IndexId id, const std::string& name) {
  return index_errors_.emplace(code, id, name).second;
}

/// One component that stands for exactly one unit, or a run for several.
bool Body::access_part(const syntax::IndexComponent& component, const ir::ShapeUnits& units,
                       AccessPart& part) {
  if (component.kind == IndexComponentKind::pack) {
    Binding* binding = find_binding(component.pack.text);
    if (binding == nullptr || binding->kind != Binding::Kind::index) {
      if (!first_in_statement("E3101", -1, component.pack.text)) return false;
      error("E3101", component.span,
            "index `*" + component.pack.text + "` is neither output nor reduced")
          .with_label("not bound")
          .with_help("list it on the left, `let y[*" + component.pack.text + "] = ...`");
      return false;
    }
    binding->used = true;
    if (!index(binding->id).is_run) {
      if (!first_in_statement("E3106", binding->id)) return false;
      error("E3106", component.span,
            "`" + component.pack.text + "` is a plain index and is written without `*`")
          .with_label("starred here")
          .with_related("a plain index", binding->span)
          .with_help("write `" + component.pack.text + "`, or star it where it is bound");
      return false;
    }
    part.kind = AccessPart::Kind::run;
    part.index = binding->id;
    return use_index(binding->id, units, component.span);
  }
  const bool on_pack = units.front().is_pack();
  const auto* name = syntax::try_as<syntax::NameExpr>(component.position.get());
  Binding* binding = name != nullptr ? find_binding(name->name.text) : nullptr;
  const bool is_index = binding != nullptr && binding->kind == Binding::Kind::index;
  if (is_index && index(binding->id).is_run) {
    binding->used = true;
    if (!first_in_statement("E3106", binding->id)) return false;
    error("E3106", component.span,
          "`" + name->name.text + "` stands for a run of axes and is written `*" + name->name.text +
              "`")
        .with_label("used as a plain index")
        .with_related("a run of axes", binding->span)
        .with_help("write `*" + name->name.text + "`, or bind a plain index");
    return false;
  }
  if (on_pack) {
    if (is_index) binding->used = true;
    if (is_index && !first_in_statement("E3106", binding->id)) return false;
    error("E3106", component.span, "a plain index on the axes of a shape pack")
        .with_label("the pack may have any number of axes")
        .with_help("write a run: `*s` stands for all axes of the pack");
    return false;
  }
  if (is_index) {
    binding->used = true;
    part.kind = AccessPart::Kind::index;
    part.index = binding->id;
    return use_index(binding->id, units, component.span);
  }
  // A bare name that nothing declares is an index that nothing binds.
  const bool nowhere =
      name != nullptr && binding == nullptr &&
      context_.find_generic(scope_, name->name.text) == nullptr &&
      (scope_.block < 0 ||
       (!context_.block_info(scope_.block).member_index.contains(name->name.text) &&
        !context_.block_info(scope_.block).refused_items.contains(name->name.text))) &&
      context_.find(scope_.module, name->name.text) == nullptr && !is_prelude_name(name->name.text);
  if (nowhere) {
    if (!first_in_statement("E3101", -1, name->name.text)) return false;
    error("E3101", component.span, "index `" + name->name.text + "` is neither output nor reduced")
        .with_label("not bound")
        .with_help("list it on the left, or reduce over it: `sum[" + name->name.text + "] ...`");
    return false;
  }
  ExprPtr position = check(*component.position);
  if (mentions_poison(position->type)) return false;
  if (const ir::Dim at = compile_time(*position)) {
    if (!check_position(at, units.front().dim, component.span)) return false;
  }
  settle(position);
  if (!is_scalar(position->type) || !context_.classes.is_integer(position->type->dtype)) {
    error("E3104", component.span, "a position must be an integer")
        .with_label("this is `" + render(position->type) + "`")
        .with_help(is_tensor(position->type) ? "index it down to a scalar: `ids[i]`"
                                             : "write `cast<i64>(...)`");
    return false;
  }
  part.kind = AccessPart::Kind::position;
  part.position = std::move(position);
  return true;
}

ExprPtr Body::check_access(const syntax::Index& expr, ExprPtr base) {
  const ir::Type type = base->type;
  const ir::ShapeUnits& shape = type->shape;
  const syntax::IndexComponent* run = nullptr;
  for (const syntax::IndexComponent& component : expr.components) {
    if (component.kind == IndexComponentKind::slice ||
        component.kind == IndexComponentKind::ellipsis) {
      error("E2204", component.span, "an access in index notation indexes every axis")
          .with_label("no index")
          .with_help("give every axis an index or a position");
      return failed(expr.span);
    }
    if (component.kind != IndexComponentKind::pack) continue;
    if (run != nullptr) {
      error("E3106", component.span, "two runs of axes in one access")
          .with_label("a second one")
          .with_related("the first", run->span)
          .with_help("nothing says where one run ends: write plain indices for one of them");
      return failed(expr.span);
    }
    run = &component;
  }
  const std::size_t given = expr.components.size();
  const bool fits = run != nullptr ? given - 1 <= shape.size() : given == shape.size();
  if (!fits) {
    // A plain index that lands on a pack explains more than a count of axes.
    for (std::size_t i = 0; run == nullptr && i < given && i < shape.size(); ++i) {
      if (!shape[i].is_pack()) continue;
      AccessPart ignored;
      (void)access_part(expr.components[i], {shape[i]}, ignored);
      return failed(expr.span);
    }
    error("E2204", expr.span,
          "`" + render(type) + "` has " + std::to_string(shape.size()) +
              (shape.size() == 1 ? " axis" : " axes") + ", and this access has " +
              std::to_string(given) + (given == 1 ? " index" : " indices"))
        .with_label("wrong number of indices")
        .with_help("an access in index notation indexes every axis");
    return failed(expr.span);
  }
  Access node;
  std::size_t unit = 0;
  bool ok = true;
  for (const syntax::IndexComponent& component : expr.components) {
    const std::size_t length = &component == run ? shape.size() - (given - 1) : 1;
    const auto begin = shape.begin() + static_cast<std::ptrdiff_t>(unit);
    AccessPart part;
    ok = access_part(component, ir::ShapeUnits(begin, begin + static_cast<std::ptrdiff_t>(length)),
                     part) &&
         ok;
    node.parts.push_back(std::move(part));
    unit += length;
  }
  if (!ok) return failed(expr.span);
  node.value = std::move(base);
  return make(expr.span, scalar_type(type->dtype), std::move(node));
}

bool Body::add_index(const syntax::Name& name, bool is_run, Span span,
                     std::vector<IndexId>& indices) {
  (void)refuse_prelude_name(context_, name);
  for (const IndexId known : indices) {
    if (index(known).name != name.text) continue;
    if (index(known).is_run != is_run) (void)first_in_statement("E3106", known);  // either is meant
    error("E3105", span, "index `" + name.text + "` is listed twice")
        .with_label("listed again")
        .with_help("list each index once; a diagonal repeats it in the access: `a[i, i]`");
    return false;
  }
  IndexVariable variable;
  variable.name = name.text;
  variable.is_run = is_run;
  const auto id = static_cast<IndexId>(frame_.indices.size());
  frame_.indices.push_back(std::move(variable));
  index_states_.emplace_back();
  indices.push_back(id);
  Binding& binding = bind_name(name.text, Binding::Kind::index, span, false);
  binding.id = id;
  return true;
}

bool Body::check_element(ExprPtr& body, const char* what) {
  if (mentions_poison(body->type)) return false;
  if (is_scalar(body->type)) return true;
  const bool literal = is_pending_number(body->type);
  error("E3104", body->span,
        std::string(what) + " must be a scalar of a known dtype, not " +
            (literal ? render(body->type) : "`" + render(body->type) + "`"))
      .with_label(literal ? "a literal has no dtype of its own"
                          : "this is `" + render(body->type) + "`")
      .with_help(literal                 ? "fill a tensor by `fill<f32>([...], ...)`"
                 : is_tensor(body->type) ? "index every axis of it"
                                         : "elements are numbers or `bool`");
  return false;
}

ExprPtr Body::check_reduction(const syntax::Reduction& expr) {
  const std::string op(syntax::spelling(expr.op));
  const std::size_t mark = scope_mark();
  const int errors_before = context_.sink.error_count();
  Reduction node;
  node.kind = kind_of(expr.op);
  bool ok = true;
  std::optional<ir::Dtype> accumulator;
  if (expr.accumulator) {
    accumulator = resolver().dtype(*expr.accumulator);
    ok = accumulator.has_value();
  }
  for (const syntax::Name& name : expr.indices) {
    ok = add_index(name, false, name.span, node.indices) && ok;
  }
  ++index_depth_;
  node.body = check(*expr.body);
  --index_depth_;
  leave_scope(mark);
  if (!ok) return failed(expr.span);
  if (accumulator && is_pending_number(node.body->type) &&
      literal_fits(node.body->type, *accumulator)) {
    (void)accept_number(*node.body, *accumulator, Place{});
  }
  const bool body_fits = check_element(node.body, "the body of a reduction");
  if (context_.sink.error_count() == errors_before && !mentions_poison(node.body->type)) {
    for (const IndexId id : node.indices) {
      if (index_states_[static_cast<std::size_t>(id)].has_domain) continue;
      const std::string name = index(id).name;
      const auto written = std::find_if(expr.indices.begin(), expr.indices.end(),
                                        [&](const syntax::Name& n) { return n.text == name; });
      error("E3102", written->span, "reduction index `" + name + "` indexes nothing")
          .with_label("it has no extent")
          .with_help("use it in an access, or remove it");
      return failed(expr.span);
    }
  }
  if (!body_fits) return failed(expr.span);
  const ir::Type type = node.body->type;
  const bool logical = node.kind == ir::ReduceKind::any || node.kind == ir::ReduceKind::all;
  const bool fits = logical ? is_bool(type->dtype) : context_.classes.is_numeric(type->dtype);
  if (!fits) {
    error("E2104", node.body->span, "`" + op + "` of `" + render(type->dtype) + "`")
        .with_label("this is `" + render(type) + "`")
        .with_help(logical                ? "`any` and `all` are for `bool`: write a comparison"
                   : is_bool(type->dtype) ? "`" + op +
                                                "` is for numbers: use `any` or `all`, or "
                                                "count by `cast<i64>(...)`"
                                          : "declare the dtype generic `Numeric`");
    return failed(expr.span);
  }
  if (accumulator && !dims::dtypes_equal(*accumulator, type->dtype)) {
    error("E2103", node.body->span,
          "`" + op + "<" + render(*accumulator) + ">` of `" + render(type->dtype) + "`")
        .with_label("this is `" + render(type) + "`")
        .with_related("the accumulator", expr.accumulator->span)
        .with_help("convert the summand: `cast<" + render(*accumulator) + ">(...)`");
    return failed(expr.span);
  }
  return make(expr.span, type, std::move(node));
}

void Body::check_indexed_let(const syntax::IndexedLet& statement, Statements& out) {
  const std::size_t mark = scope_mark();
  const int errors_before = context_.sink.error_count();
  Comprehension node;
  bool ok = true;
  for (const syntax::OutputIndex& output : statement.outputs) {
    ok = add_index(output.name, output.is_pack, output.span, node.indices) && ok;
  }
  ++index_depth_;
  node.body = check(*statement.value);
  --index_depth_;
  leave_scope(mark);
  ok = ok && check_element(node.body, "an element");
  ir::ShapeUnits shape;
  for (std::size_t i = 0; ok && i < node.indices.size(); ++i) {
    const IndexId id = node.indices[i];
    const ir::ShapeUnits& domain = index(id).domain;
    if (!index_states_[static_cast<std::size_t>(id)].has_domain) {
      ok = false;
      if (context_.sink.error_count() != errors_before) break;
      error("E3103", statement.outputs[i].span,
            "output index `" + shown(index(id)) + "` indexes nothing")
          .with_label("it has no extent")
          .with_help("use it in an access, or remove it");
      break;
    }
    shape.insert(shape.end(), domain.begin(), domain.end());
  }
  ir::Type type = poison_type();
  if (ok) type = tensor_type(std::move(shape), node.body->type->dtype);
  ok = ok && check_size(type, statement.value->span);
  if (!ok) type = poison_type();
  const Span span = statement.value->span;
  ExprPtr value = ok ? make(span, type, std::move(node)) : failed(span);
  Let let;
  let.pattern.kind = Pattern::Kind::bind;
  (void)refuse_prelude_name(context_, statement.name);
  let.pattern.local = add_local(statement.name.text, type, statement.name.span);
  let.value = std::move(value);
  out.push_back({statement.span, std::move(let)});
}

}  // namespace linnet::sema
