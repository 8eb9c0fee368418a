#include "codegen/sema/dims/atoms.hpp"

#include <algorithm>
#include <utility>

namespace linnet::sema::dims {

Polynomial AtomTable::intern(const std::vector<std::int64_t>& key, Atom atom) {
  if (const auto found = numbers_.find(key); found != numbers_.end()) {
    return Polynomial::atom(found->second);
  }
  if (atoms_.size() >= max_atoms || atom.depth > max_depth) return Polynomial::failure();
  const auto number = static_cast<std::int32_t>(atoms_.size());
  atoms_.push_back(std::move(atom));
  numbers_.emplace(key, number);
  return Polynomial::atom(number);
}

Polynomial AtomTable::leaf(AtomKind kind, std::int32_t id, const std::string& name) {
  const auto next = static_cast<std::int32_t>(atoms_.size());
  return intern({static_cast<std::int64_t>(kind), id}, Atom{kind, id, name, {}, 0, {next}});
}

Polynomial AtomTable::node(AtomKind kind, std::vector<Polynomial> args) {
  std::vector<std::int64_t> key{static_cast<std::int64_t>(kind)};
  int depth = 0;
  std::vector<std::int32_t> leaves;
  for (const Polynomial& arg : args) {
    if (arg.failed()) return Polynomial::failure();
    key.push_back(static_cast<std::int64_t>(arg.terms().size()));
    for (const Term& term : arg.terms()) {
      key.push_back(term.coefficient);
      key.push_back(static_cast<std::int64_t>(term.monomial.degree()));
      for (const std::int32_t atom : term.monomial.atoms()) {
        key.push_back(atom);
        depth = std::max(depth, at(atom).depth);
        leaves.insert(leaves.end(), at(atom).leaves.begin(), at(atom).leaves.end());
      }
    }
  }
  std::ranges::sort(leaves);
  const auto repeated = std::ranges::unique(leaves);
  leaves.erase(repeated.begin(), repeated.end());
  return intern(key, Atom{kind, 0, {}, std::move(args), depth + 1, std::move(leaves)});
}

bool AtomTable::occurs(std::int32_t atom, const Polynomial& in) const {
  std::vector<bool> seen(atoms_.size());
  std::vector<const Polynomial*> open{&in};
  while (!open.empty()) {
    const Polynomial& next = *open.back();
    open.pop_back();
    for (const Term& term : next.terms()) {
      for (const std::int32_t used : term.monomial.atoms()) {
        if (used == atom) return true;
        if (seen[index(used)]) continue;
        seen[index(used)] = true;
        for (const Polynomial& arg : at(used).args) open.push_back(&arg);
      }
    }
  }
  return false;
}

}  // namespace linnet::sema::dims
