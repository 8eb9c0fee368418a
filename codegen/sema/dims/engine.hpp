#pragma once
// One set of facts, compiled: normal forms under them, and proofs from them.
//
// Facts are worked in at three strengths. An equality that determines an atom replaces it
// everywhere (`Inner == 4 * H`; `H % N == 0` with `N > 0` makes `H` into `N * q`, so `H / N` is
// `q` wherever it turns up). One that determines only a product rewrites that product. Everything
// else is a polynomial known to be non-negative, for the prover.
//
//   engine.cpp       compiling facts, questions
//   normalize.cpp    expressions to polynomials, with all folds
//   prove.cpp        is this polynomial never negative?
//   pool.cpp         what is known that bears on the goal
//   differences.cpp  chains of `x - y + c >= 0`
//   least.cpp        what follows from least values alone
//   witness.cpp      assignments at which a proof would be wrong
//   express.cpp      polynomials back to expressions

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "codegen/ir/types.hpp"
#include "codegen/sema/dims/atoms.hpp"
#include "codegen/sema/dims/polynomial.hpp"

namespace linnet::sema::dims {

struct PolynomialLess {
  bool operator()(const Polynomial& a, const Polynomial& b) const {
    return Polynomial::compare(a, b) < 0;
  }
};

struct MonomialLess {
  bool operator()(const Monomial& a, const Monomial& b) const {
    return Monomial::compare(a, b) < 0;
  }
};

class Engine {
 public:
  /// To be called once, before any question. What can be proven later does not depend on the order
  /// of the facts.
  void assume(std::span<const ir::Constraint> facts);

  [[nodiscard]] bool holds(ir::Relation relation, const ir::Dim& lhs, const ir::Dim& rhs);
  [[nodiscard]] Polynomial simplified(const ir::Dim& dim);
  /// Null for a failed polynomial.
  [[nodiscard]] ir::Dim express(const Polynomial& polynomial);

 private:
  // engine.cpp
  /// Whether it was new.
  bool add_fact(const Polynomial& nonnegative);
  [[nodiscard]] bool solve_equations();
  [[nodiscard]] bool solve_divisibilities();
  [[nodiscard]] bool strengthen_inequalities();
  [[nodiscard]] bool find_positive_factors();
  void keep_unsolved_equations();
  [[nodiscard]] std::optional<std::int32_t> solvable_atom(const Polynomial& equation) const;
  void replace(std::int32_t atom, const Polynomial& by);
  void number_leaves(const std::vector<ir::Constraint>& facts);
  void forget_conclusions();
  [[nodiscard]] bool is_distinct(const Polynomial& difference);
  [[nodiscard]] bool is_zero(const Polynomial& difference);

  // normalize.cpp
  [[nodiscard]] Polynomial normal_form(const ir::Dim& dim);
  [[nodiscard]] Polynomial normalize(const ir::Dim& dim, int depth);
  [[nodiscard]] Polynomial product(const Polynomial& a, const Polynomial& b);
  [[nodiscard]] Polynomial reduced(Polynomial polynomial) const;
  [[nodiscard]] Polynomial value(const Polynomial& atom) const;
  [[nodiscard]] Polynomial rebuild(const Polynomial& polynomial);
  [[nodiscard]] Polynomial rebuild_atom(std::int32_t atom);
  [[nodiscard]] Polynomial make_node(AtomKind kind, const std::vector<Polynomial>& args);
  [[nodiscard]] Polynomial make_floordiv(const Polynomial& a, const Polynomial& b);
  [[nodiscard]] Polynomial make_mod(const Polynomial& a, const Polynomial& b);
  [[nodiscard]] Polynomial make_extremum(AtomKind kind, std::vector<Polynomial> args);
  [[nodiscard]] bool in_range(const Polynomial& remainder, const Polynomial& divisor);

  // prove.cpp
  [[nodiscard]] bool nonnegative(const Polynomial& polynomial);
  [[nodiscard]] bool positive(const Polynomial& polynomial);
  [[nodiscard]] bool atom_nonnegative(std::int32_t atom);
  [[nodiscard]] bool monomial_nonnegative(const Monomial& monomial);
  [[nodiscard]] bool all_terms_nonnegative(const Polynomial& polynomial);
  [[nodiscard]] bool search(const Polynomial& goal, const std::vector<Polynomial>& pool, int depth,
                            int& nodes, std::map<Polynomial, int, PolynomialLess>& visited);
  [[nodiscard]] bool split(const Polynomial& goal);

  // differences.cpp
  /// `above - below + margin >= 0`; the empty monomial, 1, stands for an absent side.
  struct Difference {
    Monomial above, below;
    std::int64_t margin = 0;
  };
  using Heights = std::map<Monomial, std::int64_t, MonomialLess>;
  [[nodiscard]] static std::optional<Difference> difference_of(const Polynomial& polynomial);
  [[nodiscard]] std::vector<Difference> differences_of(const Polynomial& goal,
                                                       const std::vector<Polynomial>& pool);
  [[nodiscard]] bool follows_by_differences(const Polynomial& goal,
                                            const std::vector<Difference>& edges);
  [[nodiscard]] Heights heights_above(const Monomial& ground, const std::vector<Difference>& edges);

  // least.cpp
  [[nodiscard]] bool follows_by_least_values(const Polynomial& goal,
                                             const std::vector<Difference>& edges);
  [[nodiscard]] std::optional<std::int64_t> least(std::int32_t atom, const Heights& heights);

  // pool.cpp
  void prepare_pool();
  void relate_leaves();
  [[nodiscard]] std::vector<Polynomial> pool_for(const Polynomial& goal);
  void add_bounds(const Polynomial& of, std::vector<Polynomial>& pool, std::vector<bool>& seen);
  void add_atom_bounds(std::int32_t atom, std::vector<Polynomial>& pool);
  void add_monotonic_quotients(const Polynomial& goal, std::vector<Polynomial>& pool);
  [[nodiscard]] std::vector<std::int32_t> leaves_of(const Polynomial& polynomial) const;

  // witness.cpp
  void prepare_witnesses();
  [[nodiscard]] bool fails_at_witness(const Polynomial& nonnegative);
  [[nodiscard]] std::optional<std::int64_t> value_at(std::size_t witness,
                                                     const Polynomial& polynomial);
  [[nodiscard]] std::optional<std::int64_t> atom_at(std::size_t witness, std::int32_t atom);

  struct Rule {
    Monomial lead;
    Polynomial rest;  ///< smaller than `lead` in the order of monomials
  };
  struct Divisibility {
    Polynomial dividend, divisor;
  };

  AtomTable atoms_;
  std::vector<Polynomial> facts_;      ///< each >= 0
  std::vector<Polynomial> equations_;  ///< each == 0, not worked in yet
  std::vector<Polynomial> distinct_;   ///< each != 0
  std::vector<Divisibility> divisibilities_;
  std::map<std::int32_t, Polynomial> replaced_;
  std::vector<Rule> rules_;
  std::map<std::int32_t, bool> quotient_nonnegative_;

  // Facts are normalised without proofs, or each would be used to fold itself away.
  bool fold_by_proof_ = false;
  std::unordered_map<const ir::DimNode*, Polynomial> normalized_;  ///< of the current question
  std::map<std::int32_t, Polynomial> rebuilt_;                     ///< of the current rebuild
  std::map<std::int32_t, Polynomial> cases_;  ///< extrema replaced inside the current case split
  std::vector<Polynomial> case_facts_;

  // Conclusions; only kept while no case is assumed and no other conclusion is pending.
  std::map<Polynomial, bool, PolynomialLess> proven_;
  std::map<std::int32_t, bool> sign_;
  /// What was not proven on the way, perhaps for want of depth: not tried again in one question
  /// under the same cases.
  struct Scratch {
    std::map<Polynomial, bool, PolynomialLess> proven;
    std::map<std::int32_t, bool> sign;
  };
  Scratch scratch_;
  std::vector<std::int32_t> sign_pending_;
  std::vector<Polynomial> pool_;
  std::vector<bool> pool_atoms_;
  /// For each leaf of the pool, one leaf that names all those it is related to.
  std::map<std::int32_t, std::int32_t> related_;
  bool pool_ready_ = false;
  /// An assignment that satisfies all facts: the seed of its symbols, and the values of atoms.
  struct Witness {
    std::uint32_t seed = 0;
    std::map<std::int32_t, std::optional<std::int64_t>> values;
  };
  std::vector<Witness> witnesses_;
  bool witnesses_ready_ = false;
  int nesting_ = 0;
  std::int64_t work_ = 0;  ///< what is left of the question's budget
};

}  // namespace linnet::sema::dims
