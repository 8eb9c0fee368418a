#include "codegen/sema/dims/solver.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "codegen/sema/dims/canonical.hpp"
#include "codegen/sema/dims/engine.hpp"

namespace linnet::sema::dims {
namespace {

ir::Relation negated(ir::Relation relation) {
  switch (relation) {
    case ir::Relation::eq:
      return ir::Relation::ne;
    case ir::Relation::ne:
      return ir::Relation::eq;
    case ir::Relation::lt:
      return ir::Relation::ge;
    case ir::Relation::le:
      return ir::Relation::gt;
    case ir::Relation::gt:
      return ir::Relation::le;
    case ir::Relation::ge:
      return ir::Relation::lt;
  }
  return relation;
}

/// Whether nothing is subtracted anywhere; then the value is never negative.
bool subtracts_nothing(const ir::Dim& dim) {
  if (dim->kind == ir::DimKind::constant) return dim->value >= 0;
  return std::ranges::all_of(dim->args, subtracts_nothing);
}

/// Nodes written out, up to a bound.
std::size_t length(const ir::Dim& dim, std::size_t bound) {
  std::size_t nodes = 1;
  for (const ir::Dim& arg : dim->args) {
    if (nodes >= bound) break;
    nodes += length(arg, bound - nodes);
  }
  return nodes;
}

}  // namespace

struct Facts::State {
  struct Scope {
    std::size_t facts = 0;
    std::shared_ptr<Engine> engine;
  };

  std::vector<ir::Constraint> facts;
  std::vector<Scope> scopes;
  std::shared_ptr<Engine> engine;  ///< of the facts as they are; null until the first question
  std::shared_ptr<Engine> plain;   ///< of no facts

  Engine& current() {
    if (engine == nullptr) {
      engine = std::make_shared<Engine>();
      engine->assume(facts);
    }
    return *engine;
  }
  Engine& without_facts() {
    if (plain == nullptr) {
      plain = std::make_shared<Engine>();
      plain->assume({});
    }
    return *plain;
  }
};

Facts::Facts() : state_(std::make_unique<State>()) {}
Facts::~Facts() = default;
Facts::Facts(Facts&&) noexcept = default;
Facts& Facts::operator=(Facts&&) noexcept = default;

void Facts::add(const ir::Constraint& constraint) {
  if (!within_limits(constraint.lhs) || !within_limits(constraint.rhs)) return;
  state_->facts.push_back(constraint);
  state_->engine.reset();
}

void Facts::add(ir::Relation relation, ir::Dim lhs, ir::Dim rhs) {
  add(ir::Constraint{relation, std::move(lhs), std::move(rhs), {}});
}

void Facts::push() {
  state_->scopes.push_back({state_->facts.size(), state_->engine});
}

void Facts::pop() {
  if (state_->scopes.empty()) return;
  State::Scope& scope = state_->scopes.back();
  if (state_->facts.size() != scope.facts) {
    state_->facts.resize(scope.facts);
    state_->engine = std::move(scope.engine);
  }
  state_->scopes.pop_back();
}

bool Facts::prove(ir::Relation relation, const ir::Dim& lhs, const ir::Dim& rhs) const {
  const auto a = as_constant(lhs);
  const auto b = as_constant(rhs);
  if (a && b) {
    switch (relation) {
      case ir::Relation::eq:
        return *a == *b;
      case ir::Relation::ne:
        return *a != *b;
      case ir::Relation::lt:
        return *a < *b;
      case ir::Relation::le:
        return *a <= *b;
      case ir::Relation::gt:
        return *a > *b;
      case ir::Relation::ge:
        return *a >= *b;
    }
  }
  if (relation == ir::Relation::eq && lhs == rhs) return true;  // of any size
  if (!within_limits(lhs) || !within_limits(rhs)) return false;
  if (relation == ir::Relation::eq && same(lhs, rhs)) return true;
  if (state_->current().holds(relation, lhs, rhs)) return true;
  // Products and extrema with too many operands for a polynomial are still equal in another order.
  const bool reflexive =
      relation == ir::Relation::eq || relation == ir::Relation::le || relation == ir::Relation::ge;
  return reflexive && compare(canonical(lhs), canonical(rhs)) == 0;
}

bool Facts::prove(const ir::Constraint& constraint) const {
  return prove(constraint.relation, constraint.lhs, constraint.rhs);
}

bool Facts::refute(ir::Relation relation, const ir::Dim& lhs, const ir::Dim& rhs) const {
  return prove(negated(relation), lhs, rhs);
}

bool Facts::refute(const ir::Constraint& constraint) const {
  return refute(constraint.relation, constraint.lhs, constraint.rhs);
}

bool Facts::equal(const ir::Dim& a, const ir::Dim& b) const {
  return prove(ir::Relation::eq, a, b);
}

bool Facts::positive(const ir::Dim& dim) const {
  return prove(ir::Relation::gt, dim, constant(0));
}

bool Facts::negative(const ir::Dim& dim) const {
  if (!within_limits(dim) || subtracts_nothing(dim)) return false;
  return prove(ir::Relation::lt, dim, constant(0));
}

ir::Dim Facts::simplify(const ir::Dim& dim) const {
  if (!within_limits(dim) || dim->args.empty()) return dim;
  ir::Dim best = dim;
  for (Engine* engine : {&state_->without_facts(), &state_->current()}) {
    const ir::Dim other = engine->express(engine->simplified(dim));
    if (other != nullptr && length(other, max_dim_nodes) < length(best, max_dim_nodes)) {
      best = other;
    }
  }
  return best;
}

std::optional<std::int64_t> Facts::constant_value(const ir::Dim& dim) const {
  if (const auto value = as_constant(dim)) return value;
  if (!within_limits(dim)) return std::nullopt;
  return state_->current().simplified(dim).constant();
}

ir::Dim simplify(const ir::Dim& dim) {
  return Facts().simplify(dim);
}

}  // namespace linnet::sema::dims
