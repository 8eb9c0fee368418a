// Statements (language.md section 7).

#include <algorithm>
#include <cstddef>
#include <utility>

#include "codegen/sema/body.hpp"

namespace linnet::sema {
namespace {

using syntax::StatementKind;

void stack_type(ir::Type& type, const ir::Dim& count) {
  if (type->kind == ir::TypeKind::tuple) {
    std::vector<ir::Type> elements = type->elements;
    for (ir::Type& element : elements) stack_type(element, count);
    type = tuple_type(std::move(elements));
    return;
  }
  ir::ShapeUnits shape{dims::unit_of(count)};
  if (is_tensor(type)) shape.insert(shape.end(), type->shape.begin(), type->shape.end());
  type = tensor_type(std::move(shape), type->dtype);
}

bool stackable(const ir::Type& type) {
  if (type->kind == ir::TypeKind::tuple) {
    return std::all_of(type->elements.begin(), type->elements.end(), stackable);
  }
  return is_number_like(type);
}

}  // namespace

// --- scopes ----------------------------------------------------------------------------------

Body::Binding& Body::bind_name(std::string name, Binding::Kind kind, Span span, bool lint) {
  by_name_[name].push_back(bindings_.size());
  Binding& binding = bindings_.emplace_back();
  binding.lint = lint && !name.starts_with('_');
  binding.name = std::move(name);
  binding.kind = kind;
  binding.span = span;
  return binding;
}

Body::Binding* Body::find_binding(const std::string& name) {
  const auto found = by_name_.find(name);
  if (found == by_name_.end() || found->second.empty()) return nullptr;
  return &bindings_[found->second.back()];
}

void Body::leave_scope(std::size_t mark) {
  while (bindings_.size() > mark) {
    Binding& binding = bindings_.back();
    by_name_[binding.name].pop_back();
    if (binding.lint && !binding.used) unused_.emplace_back(binding.name, binding.span);
    bindings_.pop_back();
  }
}

LocalId Body::add_local(const std::string& name, ir::Type type, Span span, bool is_var) {
  const auto id = static_cast<LocalId>(frame_.locals.size());
  const bool poisoned = mentions_poison(type);
  frame_.locals.push_back({name, poisoned ? poison_type() : std::move(type), is_var, span});
  if (name != "_") bind_name(name, Binding::Kind::local, span, true).id = id;
  return id;
}

std::optional<LocalMeaning> Body::meaning(const std::string& name) {
  Binding* binding = find_binding(name);
  if (binding == nullptr) return std::nullopt;
  binding->used = true;
  LocalMeaning meaning;
  switch (binding->kind) {
    case Binding::Kind::compile_time:
      meaning.dim = binding->dim;
      break;
    case Binding::Kind::index:
      meaning.what = "an index";
      break;
    case Binding::Kind::failed:
      meaning.failed = true;
      break;
    case Binding::Kind::local: {
      const ir::Type& type = local(binding->id).type;
      meaning.failed = mentions_poison(type);
      meaning.what = "a value of type `" + render(type) + "`";
      break;
    }
  }
  return meaning;
}

std::vector<std::string> Body::names() const {
  std::vector<std::string> all;
  for (auto binding = bindings_.rbegin(); binding != bindings_.rend(); ++binding) {
    const auto found = by_name_.find(binding->name);
    if (found != by_name_.end() && !found->second.empty()) all.push_back(binding->name);
  }
  return all;
}

// --- dispatch --------------------------------------------------------------------------------

void Body::check_statements(const syntax::Body& body, BodyKind kind, Statements& out) {
  for (std::size_t i = 0; i < body.statements.size(); ++i) {
    const syntax::Statement& statement = *body.statements[i];
    const bool last = i + 1 == body.statements.size();
    if (statement.kind == StatementKind::give_back && (kind != BodyKind::function || !last)) {
      error(in_kernel() ? "E2127" : "E2120", statement.span,
            in_kernel() ? "a kernel returns nothing"
                        : "`return` stands only at the end of a function")
          .with_label(kind == BodyKind::function ? "statements follow" : "inside a loop")
          .with_help(in_kernel() ? "write results by `store`"
                                 : "choose a value by `if`, and return it at the end");
      returned_ = true;
      continue;
    }
    if (statement.kind == StatementKind::yield && !(kind == BodyKind::scan && last)) {
      error("E2124", statement.span, "`yield` ends the body of a scan and stands nowhere else")
          .with_label("not the end of a scan")
          .with_help(kind == BodyKind::scan
                         ? "move it to the end of the body"
                         : "make the loop a value: `let rows = for t in 0..N { ... yield v }`");
      continue;
    }
    if (statement.kind == StatementKind::yield) continue;  // the scan reads it itself
    check_statement(statement, kind, out);
  }
}

void Body::check_statement(const syntax::Statement& statement, BodyKind, Statements& out) {
  if (depth_ >= deepest_nesting) {
    if (!too_deep_) error("E1101", statement.span, "these statements are nested too deep");
    too_deep_ = true;
    return;
  }
  ++depth_;
  index_errors_.clear();
  switch (statement.kind) {
    case StatementKind::let:
      check_let(syntax::as<syntax::Let>(statement), out);
      break;
    case StatementKind::indexed_let:
      check_indexed_let(syntax::as<syntax::IndexedLet>(statement), out);
      break;
    case StatementKind::var:
      check_var(syntax::as<syntax::Var>(statement), out);
      break;
    case StatementKind::assign:
      check_assign(syntax::as<syntax::Assign>(statement), out);
      break;
    case StatementKind::give_back:
      check_return(syntax::as<syntax::Return>(statement), out);
      break;
    case StatementKind::static_for:
      check_static_for(syntax::as<syntax::StaticFor>(statement), out);
      break;
    case StatementKind::for_loop:
      check_for(syntax::as<syntax::For>(statement), out);
      break;
    case StatementKind::while_loop:
      check_while(syntax::as<syntax::While>(statement), out);
      break;
    case StatementKind::write:
      check_write(syntax::as<syntax::Write>(statement), out);
      break;
    case StatementKind::yield:
      break;
  }
  --depth_;
}

// --- let, var, assignment, return --------------------------------------------------------------

ExprPtr Body::check_value(const syntax::Expr& expr) {
  if (expr.kind == syntax::ExprKind::scan && expr.parentheses == 0) {
    ExprPtr value = check_scan(syntax::as<syntax::Scan>(expr));
    if (in_kernel()) check_tile(value);
    return value;
  }
  return check(expr);
}

/// Whether a compile-time integer says more than digits: a generic, a constant, a local.
bool Body::names_something(const syntax::Expr& expr) {
  switch (expr.kind) {
    case syntax::ExprKind::name:
    case syntax::ExprKind::member:
      return true;
    case syntax::ExprKind::unary:
      return names_something(*syntax::as<syntax::Unary>(expr).operand);
    case syntax::ExprKind::binary: {
      const syntax::Expr* left = &expr;
      while (const auto* binary = syntax::try_as<syntax::Binary>(left)) {
        if (names_something(*binary->rhs)) return true;
        left = binary->lhs.get();
      }
      return names_something(*left);
    }
    case syntax::ExprKind::call: {
      const auto& args = syntax::as<syntax::Call>(expr).args;
      return std::any_of(args.begin(), args.end(),
                         [](const syntax::CallArg& arg) { return names_something(*arg.value); });
    }
    default:
      return false;
  }
}

void Body::check_let(const syntax::Let& statement, Statements& out) {
  ExprPtr value = check_value(*statement.value);
  if (statement.type != nullptr) {
    const ir::Type type = resolver().type(*statement.type);
    if (is_poison(type)) {
      value->type = poison_type();
    } else {
      Place place{Place::Kind::expected, "the value", statement.type->span, "the type"};
      if (!accept(value, type, place) || is_poison(value->type)) {
        // The annotation says what the name is, whatever was wrong with the value.
        value = make(value->span, type, std::monostate{});
      }
    }
  } else if (const ir::Dim dim = compile_time(*value);
             dim && statement.pattern->kind == syntax::PatternKind::name &&
             names_something(*statement.value)) {
    const auto& named = syntax::as<syntax::NamePattern>(*statement.pattern);
    if (named.name != "_") {
      (void)refuse_prelude_name(context_, {named.name, named.span});
      Binding& binding = bind_name(named.name, Binding::Kind::compile_time, named.span, true);
      binding.dim = dim;
    }
    return;
  } else {
    settle(value);
  }
  Let let;
  if (!bind_pattern(*statement.pattern, value->type, let.pattern, false)) return;
  let.value = std::move(value);
  out.push_back({statement.span, std::move(let)});
}

void Body::check_var(const syntax::Var& statement, Statements& out) {
  ExprPtr value = check_value(*statement.value);
  if (statement.type != nullptr) {
    const ir::Type type = resolver().type(*statement.type);
    if (is_poison(type)) {
      value->type = poison_type();
    } else {
      Place place{Place::Kind::expected, "the value", statement.type->span, "the type"};
      if (!accept(value, type, place) || is_poison(value->type)) {
        value = make(value->span, type, std::monostate{});
      }
    }
  } else {
    settle(value);
  }
  (void)refuse_prelude_name(context_, statement.name);
  Let let;
  let.pattern.kind = Pattern::Kind::bind;
  let.pattern.local = add_local(statement.name.text, value->type, statement.name.span, true);
  let.value = std::move(value);
  out.push_back({statement.span, std::move(let)});
}

void Body::check_assign(const syntax::Assign& statement, Statements& out) {
  Binding* binding = find_binding(statement.name.text);
  if (binding != nullptr && binding->kind == Binding::Kind::local) {
    const LocalId id = binding->id;
    if (local(id).is_var) {
      assign_local(statement, id, out);
      return;
    }
    const Span declared = binding->span;
    (void)check_value(*statement.value);
    if (is_kernel_memory(id)) {
      error("E2127", statement.name.span,
            "`" + statement.name.text + "` is memory, and is not assigned in a kernel")
          .with_label("a tensor parameter or result")
          .with_related("declared here", declared)
          .with_help("write a result by `store(" + statement.name.text + "[...], value)`");
      return;
    }
    const bool parameter =
        function_ >= 0 && id < static_cast<LocalId>(context_.function(function_).parameters.size());
    error("E2108", statement.name.span, "`" + statement.name.text + "` cannot be assigned")
        .with_label(parameter ? "a parameter" : "not a `var`")
        .with_related("declared here", declared)
        .with_help(parameter ? "copy it first: `var " + statement.name.text + " = " +
                                   statement.name.text + "`"
                             : "declare it by `var` instead of `let`");
    return;
  }
  if (binding != nullptr) {
    const Span declared = binding->span;
    const bool silent = binding->kind == Binding::Kind::failed;
    (void)check_value(*statement.value);
    if (silent) return;
    error("E2108", statement.name.span, "`" + statement.name.text + "` cannot be assigned")
        .with_label("a compile-time integer")
        .with_related("declared here", declared)
        .with_help("declare a variable: `var " + statement.name.text + ": i64 = ...`");
    return;
  }
  assign_other(statement, out);
}

void Body::assign_local(const syntax::Assign& statement, LocalId id, Statements& out) {
  ExprPtr value = check_value(*statement.value);
  for (Loop& loop : loops_) {
    if (id >= loop.first_inner) continue;
    if (std::find(loop.carried.begin(), loop.carried.end(), id) == loop.carried.end()) {
      loop.carried.push_back(id);
    }
  }
  Place place{Place::Kind::assignment, "`" + statement.name.text + "`", local(id).span,
              "declared here"};
  if (!accept(value, local(id).type, place)) value->type = poison_type();
  out.push_back({statement.span, AssignLocal{id, std::move(value)}});
}

void Body::assign_other(const syntax::Assign& statement, Statements& out) {
  const syntax::Name& name = statement.name;
  if (scope_.block >= 0 && context_.find_generic(scope_, name.text) == nullptr) {
    BlockInfo& info = context_.block_info(scope_.block);
    const auto found = info.member_index.find(name.text);
    if (found != info.member_index.end()) {
      settle_members(context_, scope_.block);
      const int member = found->second;
      const ir::Member& declared =
          context_.block(scope_.block).declaration.members[static_cast<std::size_t>(member)];
      info.member_used[static_cast<std::size_t>(member)] = true;
      ExprPtr value = check_value(*statement.value);
      const Span declared_at = info.block->members[static_cast<std::size_t>(member)].name.span;
      if (declared.kind != ir::MemberKind::state) {
        const syntax::MemberKind kind = info.block->members[static_cast<std::size_t>(member)].kind;
        error("E2108", name.span, "`" + name.text + "` cannot be assigned")
            .with_label("a `" + std::string(syntax::spelling(kind)) + "`")
            .with_related("declared here", declared_at)
            .with_help("only `state` members are assigned");
        return;
      }
      Place place{Place::Kind::assignment, "state `" + name.text + "`", declared_at,
                  "declared here"};
      if (!accept(value, declared.type, place)) value->type = poison_type();
      out.push_back({statement.span, AssignState{scope_.block, member, std::move(value)}});
      return;
    }
  }
  (void)check_value(*statement.value);
  std::string label;
  Span declared;
  if (const GenericBinding* generic = context_.find_generic(scope_, name.text)) {
    label = "a generic";
    declared = generic->span;
  } else if (const Symbol* symbol = context_.find(scope_.module, name.text)) {
    if (symbol->kind == SymbolKind::failed) return;
    label = std::string(describe(symbol->kind));
    declared = symbol->span;
  } else if (scope_.block >= 0 &&
             context_.block_info(scope_.block).method_index.contains(name.text)) {
    label = "a method";
  } else if (is_prelude_name(name.text)) {
    label = "a name of the prelude";
  } else {
    context_.report_undeclared(name, scope_, "variable", names());
    return;
  }
  syntax::Diagnostic& report = error("E2108", name.span, "`" + name.text + "` cannot be assigned");
  report.with_label(label);
  if (declared.valid()) report.with_related("declared here", declared);
  report.with_help("only `var` locals and the block's own `state` are assigned");
}

void Body::check_return(const syntax::Return& statement, Statements& out) {
  if (in_kernel()) {
    error("E2127", statement.span, "a kernel returns nothing")
        .with_label("remove this")
        .with_help("write results by `store`");
    return;
  }
  ::linnet::sema::Return node;
  if (statement.value != nullptr) {
    node.value = check_value(*statement.value);
    if (result_->kind == ir::TypeKind::unit) {
      if (!mentions_poison(node.value->type) && !is_poison(result_)) {
        error("E2101", statement.value->span, "the function has no result")
            .with_label("a value is returned")
            .with_help("declare a result with `->`, or write a bare `return`");
      }
      return;
    }
    Place place;
    place.what = "the result";
    if (function_ >= 0) {
      const syntax::Function* written = context_.function_info(function_).function;
      if (written != nullptr && written->result != nullptr) {
        place.declared = written->result->span;
        place.declared_as = "the result's type";
      }
    }
    if (!accept(node.value, result_, place)) node.value->type = poison_type();
  } else if (result_->kind != ir::TypeKind::unit) {
    error("E2101", statement.span, "the function returns `" + render(result_) + "`")
        .with_label("no value is returned")
        .with_help("write `return` with a value");
    return;
  }
  out.push_back({statement.span, std::move(node)});
}

// --- loops -----------------------------------------------------------------------------------

void Body::loop_body(const syntax::Body& body, BodyKind kind, Statements& out,
                     std::vector<LocalId>& carried) {
  check_statements(body, kind, out);
  carried = std::move(loops_.back().carried);
  std::sort(carried.begin(), carried.end());
  loops_.pop_back();
}

bool Body::loop_range(const syntax::Expr& from, const syntax::Expr& to, bool is_static,
                      ir::Dim& start, ir::Dim& stop) {
  for (const auto& [expr, target] : {std::pair{&from, &start}, std::pair{&to, &stop}}) {
    const ExprPtr value = check(*expr);
    if (mentions_poison(value->type)) return false;
    *target = compile_time(*value);
    if (*target) continue;
    error(is_static ? "E2121" : "E2123", expr->span,
          std::string("the bounds of a ") + (is_static ? "`static for`" : "`for`") +
              " must be compile-time")
        .with_label("this is a value of type `" + render(value->type) + "`")
        .with_help("count by `while`, or give the bound as a `Dim` generic");
    return false;
  }
  if (facts_.prove(ir::Relation::ge, stop, start)) return true;
  if (facts_.prove(ir::Relation::lt, stop, start)) {
    error("E2208", join(from.span, to.span), "this range runs backwards")
        .with_label("`" + dims::render(stop) + "` is below `" + dims::render(start) + "`")
        .with_help("a loop counts up: the smaller bound comes first");
    return false;
  }
  const std::string needed = dims::render(stop) + " >= " + dims::render(start);
  error("E2208", join(from.span, to.span), "this range may run backwards")
      .with_label("`" + needed + "` is not provable")
      .with_help("add `where " + needed + "` to the declaration");
  return false;
}

void Body::check_static_for(const syntax::StaticFor& statement, Statements& out) {
  if (statement.pattern->kind != syntax::PatternKind::name) {
    error("E2117", statement.pattern->span, "a loop binds one name")
        .with_label("this pattern cannot match")
        .with_help("write a name, or `_`");
    return;
  }
  const auto& named = syntax::as<syntax::NamePattern>(*statement.pattern);
  ir::Type element = i64_type();
  ExprPtr array;
  ir::Dim start;
  ir::Dim stop;
  bool ok = true;
  if (statement.to != nullptr) {
    ok = loop_range(*statement.from, *statement.to, true, start, stop);
  } else {
    array = check(*statement.from);
    element = poison_type();
    if (mentions_poison(array->type)) {
      ok = false;
    } else if (array->type->kind == ir::TypeKind::array) {
      element = inner_type(array->type);
    } else {
      error("E2121", statement.from->span, "`static for` runs over a sub array or a range")
          .with_label("this is `" + render(array->type) + "`")
          .with_help("run over positions: `for t in 0..N { ... x[t, :] ... }`");
      ok = false;
    }
  }
  const std::size_t mark = scope_mark();
  loops_.push_back({static_cast<LocalId>(frame_.locals.size()), {}});
  Pattern pattern;
  if (named.name != "_") {
    (void)refuse_prelude_name(context_, {named.name, named.span});
    pattern.kind = Pattern::Kind::bind;
    pattern.local = add_local(named.name, element, named.span);
  }
  Statements body;
  std::vector<LocalId> carried;
  loop_body(statement.body, BodyKind::loop, body, carried);
  leave_scope(mark);
  if (!ok) return;
  if (array != nullptr) {
    const ir::Dim length = array->type->length;
    out.push_back({statement.span, StaticFor{std::move(pattern), std::move(array), length,
                                             std::move(body), std::move(carried)}});
  } else {
    out.push_back({statement.span, StaticRange{std::move(pattern), start, stop, std::move(body),
                                               std::move(carried)}});
  }
}

void Body::check_for(const syntax::For& statement, Statements& out) {
  ForLoop loop;
  const bool ok = loop_range(*statement.from, *statement.to, false, loop.start, loop.stop);
  const std::size_t mark = scope_mark();
  loops_.push_back({static_cast<LocalId>(frame_.locals.size()), {}});
  (void)refuse_prelude_name(context_, statement.variable);
  loop.variable = add_local(statement.variable.text, i64_type(), statement.variable.span);
  loop_body(statement.body, BodyKind::loop, loop.body, loop.carried);
  leave_scope(mark);
  if (ok) out.push_back({statement.span, For{std::move(loop)}});
}

void Body::check_while(const syntax::While& statement, Statements& out) {
  While node;
  node.condition = check(*statement.condition);
  settle(node.condition);
  const ir::Type type = node.condition->type;
  if (!mentions_poison(type) && !is_scalar_bool(type)) {
    error("E2114", statement.condition->span, "the condition of `while` must be a scalar `bool`")
        .with_label("this is `" + render(type) + "`")
        .with_help(is_tensor(type) ? "reduce it: `any[i] x[i] > 0.0`" : "write a comparison");
  }
  const std::size_t mark = scope_mark();
  loops_.push_back({static_cast<LocalId>(frame_.locals.size()), {}});
  loop_body(statement.body, BodyKind::loop, node.body, node.carried);
  leave_scope(mark);
  out.push_back({statement.span, std::move(node)});
}

ExprPtr Body::check_scan(const syntax::Scan& scan) {
  auto loop = std::make_unique<ForLoop>();
  bool ok = loop_range(*scan.from, *scan.to, false, loop->start, loop->stop);
  const std::size_t mark = scope_mark();
  loops_.push_back({static_cast<LocalId>(frame_.locals.size()), {}});
  (void)refuse_prelude_name(context_, scan.variable);
  loop->variable = add_local(scan.variable.text, i64_type(), scan.variable.span);
  check_statements(scan.body, BodyKind::scan, loop->body);
  const auto& statements = scan.body.statements;
  const auto* last =
      statements.empty() ? nullptr : syntax::try_as<syntax::Yield>(statements.back().get());
  if (last == nullptr) {
    const bool misplaced =
        std::any_of(statements.begin(), statements.end(),
                    [](const syntax::StatementPtr& s) { return s->kind == StatementKind::yield; });
    if (!misplaced) {
      error("E2124", scan.keyword, "a loop that is a value must end its body with `yield`")
          .with_label("nothing is yielded")
          .with_help("end the body with `yield v`, or write the loop as a statement");
    }
    ok = false;
  } else {
    loop->yield = check(*last->value);
    settle(loop->yield);
  }
  loop->carried = std::move(loops_.back().carried);
  std::sort(loop->carried.begin(), loop->carried.end());
  loops_.pop_back();
  leave_scope(mark);
  if (!ok || mentions_poison(loop->yield->type)) return failed(scan.span);
  ir::Type type = loop->yield->type;
  if (!stackable(type)) {
    error("E2104", loop->yield->span, "a value of type `" + render(type) + "` is not stacked")
        .with_label("this is `" + render(type) + "`")
        .with_help("yield tensors, scalars or tuples of them");
    return failed(scan.span);
  }
  stack_type(type, facts_.simplify(dims::sub(loop->stop, loop->start)));
  return make(scan.span, type, Scan{std::move(loop)});
}

}  // namespace linnet::sema
