// `match` and patterns (language.md section 5).

#include <algorithm>
#include <cstddef>
#include <utility>

#include "codegen/sema/body.hpp"
#include "codegen/sema/suggest.hpp"

namespace linnet::sema {
namespace {

constexpr int case_some = 0;
constexpr int case_none = 1;

}  // namespace

bool Body::bind_pattern(const syntax::Pattern& pattern, const ir::Type& type, Pattern& out,
                        bool in_arm) {
  switch (pattern.kind) {
    case syntax::PatternKind::name: {
      const auto& named = syntax::as<syntax::NamePattern>(pattern);
      if (named.name == "_") {
        out.kind = Pattern::Kind::ignore;
        return true;
      }
      (void)refuse_prelude_name(context_, {named.name, named.span});
      out.kind = Pattern::Kind::bind;
      out.local = add_local(named.name, type, named.span);
      return true;
    }
    case syntax::PatternKind::tuple: {
      const auto& tuple = syntax::as<syntax::TuplePattern>(pattern);
      const bool failed_type = mentions_poison(type);
      const bool is_tuple = !failed_type && type->kind == ir::TypeKind::tuple;
      bool ok = true;
      if (!failed_type && (!is_tuple || type->elements.size() != tuple.elements.size())) {
        error("E2117", pattern.span,
              is_tuple
                  ? "a tuple of " + std::to_string(type->elements.size()) +
                        " is not taken apart by " + std::to_string(tuple.elements.size()) + " names"
                  : "a value of type `" + render(type) + "` is no tuple")
            .with_label("this pattern cannot match")
            .with_help(is_tuple ? "write one name for each element; `_` for those not needed"
                                : "bind it to a single name");
        ok = false;
      }
      out.kind = Pattern::Kind::tuple;
      for (std::size_t i = 0; i < tuple.elements.size(); ++i) {
        const ir::Type element = ok && is_tuple ? type->elements[i] : poison_type();
        ok = bind_pattern(*tuple.elements[i], element, out.elements.emplace_back(), in_arm) && ok;
      }
      return ok;
    }
    case syntax::PatternKind::some:
    case syntax::PatternKind::none:
      break;
  }
  error("E2117", pattern.span,
        in_arm ? "an optional inside a pattern" : "an optional is not taken apart by `let`")
      .with_label("may not match")
      .with_help("read it by `match`: `match x { some(v) => ...  none => ... }`");
  if (pattern.kind == syntax::PatternKind::some) {
    Pattern ignored;
    (void)bind_pattern(*syntax::as<syntax::SomePattern>(pattern).inner, poison_type(), ignored,
                       in_arm);
  }
  return false;
}

/// The case of a scrutinee that is known at compile time, else -1.
int Body::constant_case(const Expr& scrutinee) const {
  if (const auto* value = std::get_if<EnumValue>(&scrutinee.node)) return value->position;
  if (std::holds_alternative<SomeMake>(scrutinee.node)) return case_some;
  if (std::holds_alternative<NoneMake>(scrutinee.node)) return case_none;
  if (const auto* read = std::get_if<ConstantRead>(&scrutinee.node)) {
    const Constant& constant = context_.constant(read->constant);
    return constant.body != nullptr ? constant_case(*constant.body) : -1;
  }
  if (const auto* match = std::get_if<Match>(&scrutinee.node)) {
    if (match->chosen < 0) return -1;
    return constant_case(*match->arms[static_cast<std::size_t>(match->chosen)].body);
  }
  return -1;
}

ExprPtr Body::check_match(const syntax::Match& expr) {
  Match node;
  node.value = check(*expr.scrutinee);
  settle(node.value);
  const ir::Type type = node.value->type;
  bool ok = !mentions_poison(type);
  const bool is_optional = ok && type->kind == ir::TypeKind::optional;
  const bool is_enum = ok && type->kind == ir::TypeKind::enumeration;
  std::vector<std::string> cases;
  if (is_optional) {
    cases = {"some", "none"};
  } else if (is_enum) {
    cases = context_.enumeration(context_.declaration_of(type)).variants;
  } else if (ok) {
    error("E2117", expr.scrutinee->span, "a value of type `" + render(type) + "` is not matched")
        .with_label("neither optional nor enum")
        .with_help("use `if` to choose by a condition");
    ok = false;
  }
  const bool known = ok;
  node.arm_of_case.assign(cases.size(), -1);
  const bool open_ended = !known;  // nothing more is said about the arms of a failed scrutinee
  const syntax::MatchArm* catch_all = nullptr;
  bool exhausted_reported = false;

  for (const syntax::MatchArm& written : expr.arms) {
    const std::size_t mark = scope_mark();
    MatchArm arm;
    const syntax::Pattern& pattern = *written.pattern;
    const auto claim = [&](std::size_t which) {
      if (node.arm_of_case[which] >= 0) {
        if (ok) {
          error("E2117", pattern.span, "`" + cases[which] + "` is matched already")
              .with_label("nothing is left for this arm")
              .with_help("remove one of the two arms");
        }
        ok = false;
        return;
      }
      node.arm_of_case[which] = static_cast<int>(node.arms.size());
    };
    if (catch_all != nullptr && !exhausted_reported && !open_ended) {
      const std::string near =
          closest(std::string(context_.sources.text(catch_all->pattern->span)), cases);
      error("E2117", pattern.span, "nothing is left for this arm")
          .with_label("never matches")
          .with_related("this arm matches everything", catch_all->pattern->span)
          .with_help(near.empty() ? "move the catch-all to the end, or remove this arm"
                                  : "no variant is named so: did you mean `" + near + "`?");
      exhausted_reported = true;
      ok = false;
    } else if (pattern.kind == syntax::PatternKind::some ||
               pattern.kind == syntax::PatternKind::none) {
      const bool some = pattern.kind == syntax::PatternKind::some;
      if (is_enum) {
        error("E2117", pattern.span,
              std::string("`") + (some ? "some" : "none") + "` cannot match the enum `" +
                  type->name + "`")
            .with_label("never matches")
            .with_help("its variants are " + quoted_list(cases));
        ok = false;
      } else if (is_optional) {
        claim(some ? case_some : case_none);
      }
    }
    if (pattern.kind == syntax::PatternKind::some) {
      const ir::Type inside = is_optional ? inner_type(type) : poison_type();
      ok =
          bind_pattern(*syntax::as<syntax::SomePattern>(pattern).inner, inside, arm.inside, true) &&
          ok;
    } else if (pattern.kind == syntax::PatternKind::tuple) {
      ok = bind_pattern(pattern, known ? type : poison_type(), arm.inside, true) && ok;
    } else if (pattern.kind == syntax::PatternKind::name) {
      const auto& named = syntax::as<syntax::NamePattern>(pattern);
      const auto variant = std::find(cases.begin(), cases.end(), named.name);
      if (is_enum && variant != cases.end()) {
        if (catch_all == nullptr) claim(static_cast<std::size_t>(variant - cases.begin()));
      } else {
        if (catch_all == nullptr) {
          catch_all = &written;
          for (int& chosen : node.arm_of_case) {
            if (chosen < 0) chosen = static_cast<int>(node.arms.size());
          }
        }
        if (named.name != "_") {
          (void)refuse_prelude_name(context_, {named.name, named.span});
          arm.whole = add_local(named.name, known ? type : poison_type(), named.span);
        }
      }
    }
    arm.body = check(*written.value);
    leave_scope(mark);
    node.arms.push_back(std::move(arm));
  }

  if (ok) {
    std::vector<std::string> missing;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (node.arm_of_case[i] < 0) missing.push_back(cases[i]);
    }
    if (!missing.empty()) {
      error("E2118", expr.span, "this `match` leaves out " + quoted_list(missing))
          .with_label("not exhaustive")
          .with_help("add an arm for " + quoted_list(missing) + ", or a catch-all `_ => ...`");
      ok = false;
    }
  }
  std::vector<ExprPtr*> values;
  for (MatchArm& arm : node.arms) values.push_back(&arm.body);
  const ir::Type result = unify(std::move(values), "the arms of this `match`", expr.span);
  if (!ok || is_poison(result) || node.arms.empty()) return failed(expr.span);
  const int chosen = constant_case(*node.value);
  if (chosen >= 0) node.chosen = node.arm_of_case[static_cast<std::size_t>(chosen)];
  return make(expr.span, result, std::move(node));
}

}  // namespace linnet::sema
