// Assignments that satisfy the facts. What is false at one of them cannot be proven, so that most
// hopeless searches end before they begin. Witnesses never prove anything.

#include <algorithm>

#include "codegen/sema/dims/engine.hpp"

namespace linnet::sema::dims {
namespace {

constexpr std::size_t max_witnesses = 6;
constexpr std::uint32_t max_seeds = 40;

/// The value of a free atom: the seeds in turn try all ones, all twos, then small and larger
/// numbers spread by a multiplicative hash.
std::int64_t spread(std::uint32_t seed, std::int32_t atom) {
  if (seed < 2) return seed + 1;
  std::uint64_t mixed = (std::uint64_t{seed} << 32) ^ static_cast<std::uint64_t>(atom);
  mixed = (mixed ^ (mixed >> 29)) * 0x9e3779b97f4a7c15U;
  mixed ^= mixed >> 32;
  const std::uint64_t bound = seed % 3 == 0 ? 3 : seed % 3 == 1 ? 9 : 40;
  return static_cast<std::int64_t>(mixed % bound);
}

}  // namespace

void Engine::prepare_witnesses() {
  if (witnesses_ready_) return;
  witnesses_ready_ = true;
  for (std::uint32_t seed = 0; seed < max_seeds && witnesses_.size() < max_witnesses; ++seed) {
    witnesses_.push_back({seed, {}});
    const std::size_t last = witnesses_.size() - 1;
    const bool satisfies = std::ranges::all_of(facts_,
                                               [&](const Polynomial& fact) {
                                                 const auto value = value_at(last, fact);
                                                 return value && *value >= 0;
                                               }) &&
                           std::ranges::all_of(distinct_, [&](const Polynomial& difference) {
                             const auto value = value_at(last, difference);
                             return value && *value != 0;
                           });
    if (!satisfies) witnesses_.pop_back();
  }
}

bool Engine::fails_at_witness(const Polynomial& nonnegative) {
  // While facts are being worked in, equations that are not facts yet hold too.
  if (!fold_by_proof_) return false;
  prepare_witnesses();
  for (std::size_t i = 0; i < witnesses_.size(); ++i) {
    const auto value = value_at(i, nonnegative);
    if (!value || *value >= 0) continue;
    const bool in_case = std::ranges::all_of(case_facts_, [&](const Polynomial& fact) {
      const auto assumed = value_at(i, fact);
      return assumed && *assumed >= 0;
    });
    if (in_case) return true;
  }
  return false;
}

std::optional<std::int64_t> Engine::value_at(std::size_t witness, const Polynomial& polynomial) {
  if (polynomial.failed()) return std::nullopt;
  std::int64_t sum = 0;
  for (const Term& term : polynomial.terms()) {
    std::int64_t product = term.coefficient;
    for (const std::int32_t atom : term.monomial.atoms()) {
      const auto factor = atom_at(witness, atom);
      if (!factor || __builtin_mul_overflow(product, *factor, &product)) return std::nullopt;
    }
    if (__builtin_add_overflow(sum, product, &sum)) return std::nullopt;
  }
  return sum;
}

std::optional<std::int64_t> Engine::atom_at(std::size_t witness, std::int32_t atom) {
  if (const auto known = witnesses_[witness].values.find(atom);
      known != witnesses_[witness].values.end()) {
    return known->second;
  }
  const Atom& node = atoms_.at(atom);
  std::optional<std::int64_t> result;
  if (node.args.empty() || node.kind == AtomKind::quotient) {
    result = spread(witnesses_[witness].seed, atom);
  } else {
    std::vector<std::int64_t> args;
    for (const Polynomial& arg : node.args) {
      if (const auto value = value_at(witness, arg)) args.push_back(*value);
    }
    const bool divides = node.kind == AtomKind::floordiv || node.kind == AtomKind::mod;
    if (args.size() == node.args.size() && (!divides || args[1] > 0)) {
      switch (node.kind) {
        case AtomKind::min:
          result = std::ranges::min(args);
          break;
        case AtomKind::max:
          result = std::ranges::max(args);
          break;
        default: {
          const std::int64_t quotient = floor_divide(args[0], args[1]);
          result = node.kind == AtomKind::floordiv ? quotient : args[0] - quotient * args[1];
        }
      }
    }
  }
  witnesses_[witness].values.emplace(atom, result);
  return result;
}

}  // namespace linnet::sema::dims
