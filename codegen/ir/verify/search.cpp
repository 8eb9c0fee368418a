// A local search: start from small numbers spread by a hash, then move one symbol at a time so
// that a constraint that fails comes to hold, until all of them do. Constraints of programs are
// chains such as `H % Heads == 0, Heads % Shards == 0, Inner == 4 * H`, which settle in a few
// rounds.

#include "codegen/ir/verify/search.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "codegen/sema/dims/build.hpp"
#include "codegen/sema/dims/polynomial.hpp"

namespace linnet::ir::detail {
namespace {

constexpr std::size_t max_witnesses = 6;
constexpr std::uint32_t max_attempts = 24;
constexpr int max_rounds = 16;
/// Small enough that products of several symbols stay far from overflow.
constexpr std::int64_t max_value = 1 << 20;

/// Numbers that only depend on the seed (the splitmix64 generator).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31);
  }
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(bound));
  }

 private:
  std::uint64_t state_;
};

class Search {
 public:
  Search(const std::vector<Constraint>& constraints, Effort& effort, std::uint32_t seed)
      : constraints_(constraints), effort_(effort), random_(seed) {}

  /// Whether an assignment was found.
  bool run(const std::vector<const Generic*>& generics);
  [[nodiscard]] const sema::dims::Bindings& found() const { return values_; }

 private:
  [[nodiscard]] std::optional<std::int64_t> value(const Dim& dim) {
    return effort_.evaluate(dim, values_);
  }
  std::int64_t start();
  void repair(const Constraint& constraint);
  bool drive(const Dim& dim, std::int64_t target, int depth);
  bool drive_one_of(const Dim& dim, std::int64_t target, int depth);
  bool drive_division(const Dim& dim, std::int64_t target, int depth);

  const std::vector<Constraint>& constraints_;
  Effort& effort_;
  Random random_;
  sema::dims::Bindings values_;
};

/// Large numbers rarely coincide. Among small ones divisions lose less: `(N + 1) / S` is `N / S`
/// for most N, but not where S is 1. So each attempt has both.
std::int64_t Search::start() {
  constexpr std::int64_t small = 3, large = 61;
  return random_.below(3) == 0 ? 1 + random_.below(small) : 2 + random_.below(large - 1);
}

bool Search::run(const std::vector<const Generic*>& generics) {
  for (const Generic* generic : generics) {
    if (generic->kind == GenericKind::dim) values_.dims[generic->id] = start();
    if (generic->kind == GenericKind::shape) values_.packs[generic->id] = {start()};
  }
  for (int round = 0; round < max_rounds; ++round) {
    bool all = true;
    for (const Constraint& constraint : constraints_) {
      if (!effort_.spend(1)) return false;
      if (effort_.evaluate(constraint, values_).value_or(false)) continue;
      all = false;
      repair(constraint);
    }
    if (all) return true;
  }
  return false;
}

/// Moves one side to where the other is, or beside it.
void Search::repair(const Constraint& constraint) {
  const auto lhs = value(constraint.lhs);
  const auto rhs = value(constraint.rhs);
  if (!lhs || !rhs) return;
  std::int64_t below = 0;  // how far the left side is to be below the right one
  switch (constraint.relation) {
    case Relation::eq:
      break;
    case Relation::lt:
    case Relation::ne:
      below = 1 + random_.below(3);
      break;
    case Relation::le:
      below = random_.below(3);
      break;
    case Relation::gt:
      below = -1 - random_.below(3);
      break;
    case Relation::ge:
      below = -random_.below(3);
      break;
  }
  const bool left_first = random_.below(2) == 0;
  for (const bool left : {left_first, !left_first}) {
    if (left ? drive(constraint.lhs, *rhs - below, 0) : drive(constraint.rhs, *lhs + below, 0)) {
      return;
    }
  }
}

/// Changes one symbol so that `dim` gets the value `target`, if there is an easy way.
bool Search::drive(const Dim& dim, std::int64_t target, int depth) {
  if (depth > sema::dims::max_dim_depth || target < -max_value || target > max_value) return false;
  switch (dim->kind) {
    case DimKind::constant:
      return dim->value == target;
    case DimKind::symbol: {
      const auto found = values_.dims.find(dim->id);
      if (found == values_.dims.end() || target < 0) return false;
      found->second = target;
      return true;
    }
    case DimKind::pack_size: {
      const auto found = values_.packs.find(dim->id);
      if (found == values_.packs.end() || target < 0) return false;
      found->second = {target};
      return true;
    }
    case DimKind::floordiv:
    case DimKind::mod:
      return drive_division(dim, target, depth);
    default:
      return drive_one_of(dim, target, depth);
  }
}

/// Sums, products, minima and maxima: one argument makes up for the others.
bool Search::drive_one_of(const Dim& dim, std::int64_t target, int depth) {
  constexpr std::size_t max_tries = 4;
  const auto whole = value(dim);
  if (!whole) return false;
  const std::size_t count = dim->args.size();
  const auto first = static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(count)));
  for (std::size_t i = 0; i < std::min(count, max_tries); ++i) {
    const Dim& arg = dim->args[(first + i) % count];
    const auto own = value(arg);
    if (!own) return false;
    std::int64_t wanted = target;
    if (dim->kind == DimKind::add) {
      wanted = target - (*whole - *own);
    } else if (dim->kind == DimKind::mul) {
      const std::int64_t others = *own == 0 ? 0 : *whole / *own;
      if (others == 0 || target % others != 0) continue;
      wanted = target / others;
    } else if (*own != *whole) {
      continue;  // another argument is the smallest or largest
    }
    if (drive(arg, wanted, depth + 1)) return true;
  }
  return false;
}

bool Search::drive_division(const Dim& dim, std::int64_t target, int depth) {
  const auto dividend = value(dim->args[0]);
  const auto divisor = value(dim->args[1]);
  if (!dividend || !divisor || *divisor <= 0 || *divisor > max_value) return false;
  if (dim->kind == DimKind::floordiv) {
    return target <= max_value / *divisor && drive(dim->args[0], target * *divisor, depth + 1);
  }
  if (target < 0) return false;
  if (target < *divisor) {
    const std::int64_t quotient = sema::dims::floor_divide(*dividend + *divisor - 1, *divisor);
    const std::int64_t wanted = std::max<std::int64_t>(quotient, 1) * *divisor + target;
    if (drive(dim->args[0], wanted, depth + 1)) return true;
  }
  // A dividend that does not move, as in `768 % N == 0`: one of its divisors.
  if (target != 0 || *dividend <= 0) return false;
  std::int64_t wanted = 1 + random_.below(std::min<std::int64_t>(*dividend, 256));
  while (*dividend % wanted != 0) --wanted;
  return drive(dim->args[1], wanted, depth + 1);
}

}  // namespace

std::vector<sema::dims::Bindings> find_witnesses(const std::vector<const Generic*>& generics,
                                                 const std::vector<Constraint>& constraints,
                                                 Effort& effort) {
  const bool has_symbols = std::ranges::any_of(
      generics, [](const Generic* generic) { return generic->kind != GenericKind::dtype; });
  const std::size_t wanted = has_symbols ? max_witnesses : 1;
  std::vector<sema::dims::Bindings> found;
  for (std::uint32_t attempt = 0; attempt < max_attempts && found.size() < wanted; ++attempt) {
    if (!effort.spend(static_cast<std::int64_t>(generics.size()))) break;
    Search search(constraints, effort, attempt);
    if (search.run(generics)) found.push_back(search.found());
  }
  return found;
}

}  // namespace linnet::ir::detail
