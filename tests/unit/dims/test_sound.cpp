// Whatever the solver proves must hold: random facts and relations, evaluated for random values.

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "codegen/sema/dims/solver.hpp"

namespace linnet::sema::dims::testing {
namespace {

constexpr int symbol_count = 5;
constexpr std::array<const char*, symbol_count> names = {"A", "B", "C", "D", "E"};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(engine_); }
  bool chance(int percent) { return below(100) < percent; }

  ir::Dim dim(int depth) {
    if (depth == 0 || chance(20)) {
      if (chance(30)) return constant(below(5));
      const int id = below(symbol_count);
      return id == 4 ? pack_size(id, "E") : symbol(id, names[static_cast<std::size_t>(id)]);
    }
    const ir::Dim a = dim(depth - 1);
    const ir::Dim b = dim(depth - 1);
    switch (below(10)) {
      case 0:
        return sub(a, b);
      case 1:
      case 2:
        return add(a, b);
      case 3:
      case 4:
        return mul(a, b);
      case 5:
      case 6:
        return floordiv(a, b);
      case 7:
        return mod(a, b);
      case 8:
        return min(a, b);
      default:
        return max(a, b);
    }
  }

  ir::Constraint relation(int depth) {
    constexpr std::array<ir::Relation, 6> relations = {ir::Relation::eq, ir::Relation::ne,
                                                       ir::Relation::lt, ir::Relation::le,
                                                       ir::Relation::gt, ir::Relation::ge};
    const ir::Relation chosen = relations[static_cast<std::size_t>(below(6))];
    if (chance(25)) return {ir::Relation::eq, mod(dim(1), dim(1)), constant(0), {}};
    return {chosen, dim(depth), dim(depth), {}};
  }

  /// A relation that a rewrite makes true more often than chance would.
  ir::Constraint likely(int depth) {
    const ir::Dim a = dim(depth);
    const ir::Dim b = dim(1);
    switch (below(7)) {
      case 0:
        return {ir::Relation::eq, mul(floordiv(a, b), b), a, {}};
      case 1:
        return {ir::Relation::eq, add(mul(floordiv(a, b), b), mod(a, b)), a, {}};
      case 2:
        return {ir::Relation::le, floordiv(a, b), a, {}};
      case 3:
        return {ir::Relation::eq, floordiv(mul(a, b), b), a, {}};
      case 4:
        return {ir::Relation::ge, max(a, b), min(a, dim(1)), {}};
      case 5:
        return {ir::Relation::le, mul(a, dim(1)), mul(b, dim(1)), {}};
      default:
        return relation(depth);
    }
  }

  Bindings values() {
    Bindings bindings;
    const int bound = 1 + below(12);
    for (int id = 0; id + 1 < symbol_count; ++id) bindings.dims[id] = below(bound);
    bindings.packs[4] = {below(bound), 1 + below(2)};
    return bindings;
  }

 private:
  std::mt19937 engine_;
};

bool holds(const ir::Constraint& constraint, const Bindings& bindings) {
  const auto result = evaluate(constraint, bindings);
  return std::holds_alternative<bool>(result) && std::get<bool>(result);
}

std::string describe_case(const std::vector<ir::Constraint>& facts, const ir::Constraint& relation,
                          const Bindings& bindings) {
  std::string text;
  for (const ir::Constraint& fact : facts) text += render(fact) + "; ";
  text += " => " + render(relation) + "   at";
  for (const auto& [id, value] : bindings.dims) {
    text += std::string(" ") + names[static_cast<std::size_t>(id)] + "=" + std::to_string(value);
  }
  return text + " E=" + std::to_string(bindings.packs.at(4)[0] * bindings.packs.at(4)[1]);
}

TEST_CASE("no proof is wrong") {
  Random random(20260801);
  int proofs = 0;
  int checks = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<ir::Constraint> facts;
    Facts solver;
    const int fact_count = random.below(5);
    for (int i = 0; i < fact_count; ++i) {
      facts.push_back(random.relation(random.below(3)));
      solver.add(facts.back());
    }
    // Assignments that the facts allow; without any, a proof says nothing.
    std::vector<Bindings> allowed;
    for (int i = 0; i < 600 && allowed.size() < 60; ++i) {
      Bindings bindings = random.values();
      bool all = true;
      for (const ir::Constraint& fact : facts) all = all && holds(fact, bindings);
      if (all) allowed.push_back(std::move(bindings));
    }
    if (allowed.empty()) continue;
    for (int question = 0; question < 8; ++question) {
      const ir::Constraint relation = random.likely(1 + random.below(3));
      const bool proven = solver.prove(relation);
      const bool refuted = solver.refute(relation);
      const ir::Dim simple = solver.simplify(relation.lhs);
      if (proven || refuted) ++proofs;
      for (const Bindings& bindings : allowed) {
        const auto truth = evaluate(relation, bindings);
        if (!std::holds_alternative<bool>(truth)) continue;
        ++checks;
        if (proven) {
          REQUIRE_MESSAGE(std::get<bool>(truth), describe_case(facts, relation, bindings));
        }
        if (refuted) {
          REQUIRE_MESSAGE(!std::get<bool>(truth), describe_case(facts, relation, bindings));
        }
        const auto before = evaluate(relation.lhs, bindings);
        const auto after = evaluate(simple, bindings);
        REQUIRE_MESSAGE(before == after, render(relation.lhs), " became ", render(simple), " in ",
                        describe_case(facts, relation, bindings));
      }
    }
  }
  // The test means something only while there is a lot to check.
  CHECK(proofs > 300);
  CHECK(checks > 20'000);
}

}  // namespace
}  // namespace linnet::sema::dims::testing
