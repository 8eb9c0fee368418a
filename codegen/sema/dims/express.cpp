// Polynomials back to expressions.

#include <algorithm>
#include <utility>

#include "codegen/sema/dims/build.hpp"
#include "codegen/sema/dims/engine.hpp"

namespace linnet::sema::dims {
namespace {

/// Writes `N * q` as `H` again where `H % N == 0` made `H` into `N * q`.
Polynomial with_dividends(Polynomial polynomial, const AtomTable& atoms,
                          const std::map<std::int32_t, Polynomial>& replaced) {
  for (auto it = replaced.rbegin(); it != replaced.rend(); ++it) {
    const auto& [atom, by] = *it;
    if (by.terms().size() != 1 || by.terms()[0].coefficient < 1) continue;
    const Term& product = by.terms()[0];
    const bool has_quotient = std::ranges::any_of(product.monomial.atoms(), [&](std::int32_t a) {
      return atoms.at(a).kind == AtomKind::quotient;
    });
    if (!has_quotient) continue;
    Polynomial written;
    for (Term term : polynomial.terms()) {
      while (term.coefficient % product.coefficient == 0) {
        const auto rest = term.monomial.over(product.monomial);
        const auto with = rest ? rest->times(Monomial(atom)) : std::nullopt;
        if (!with) break;
        term = {*with, term.coefficient / product.coefficient};
      }
      written = written + Polynomial(term);
    }
    polynomial = written;
  }
  return polynomial;
}

ir::Dim expressed(const Polynomial& given, const AtomTable& atoms,
                  const std::map<std::int32_t, Polynomial>& replaced, int depth);

ir::Dim expressed_atom(const Atom& atom, const AtomTable& atoms,
                       const std::map<std::int32_t, Polynomial>& replaced, int depth) {
  if (atom.kind == AtomKind::symbol) return symbol(atom.id, atom.name);
  if (atom.kind == AtomKind::pack_size) return pack_size(atom.id, atom.name);
  ir::Dim result;
  for (const Polynomial& arg : atom.args) {
    const ir::Dim next = expressed(arg, atoms, replaced, depth + 1);
    if (next == nullptr) return nullptr;
    if (result == nullptr) {
      result = next;
    } else if (atom.kind == AtomKind::mod) {
      result = mod(result, next);
    } else if (atom.kind == AtomKind::min) {
      result = min(result, next);
    } else if (atom.kind == AtomKind::max) {
      result = max(result, next);
    } else {
      result = floordiv(result, next);
    }
  }
  return result;
}

/// Symbols in the order of their declaration, then what is computed from them, constants last: an
/// order that the text of an expression settles, whatever was asked before.
bool written_before(const Monomial& a, const Monomial& b, const AtomTable& atoms) {
  if ((a.degree() == 0) != (b.degree() == 0)) return b.degree() == 0;
  const auto rank = [&atoms](std::int32_t number) {
    const Atom& atom = atoms.at(number);
    const bool leaf = atom.kind == AtomKind::symbol || atom.kind == AtomKind::pack_size;
    return leaf ? std::pair<int, int>{0, atom.id} : std::pair<int, int>{1, number};
  };
  return std::ranges::lexicographical_compare(a.atoms(), b.atoms(), {}, rank, rank);
}

ir::Dim expressed(const Polynomial& given, const AtomTable& atoms,
                  const std::map<std::int32_t, Polynomial>& replaced, int depth) {
  if (given.failed() || depth > 2 * AtomTable::max_depth) return nullptr;
  std::vector<Term> terms;
  std::vector<Term> subtracted;  // these read best at the end
  const Polynomial written = with_dividends(given, atoms, replaced);
  for (const Term& term : written.terms()) {
    (term.coefficient > 0 ? terms : subtracted).push_back(term);
  }
  const auto before = [&atoms](const Term& a, const Term& b) {
    return written_before(a.monomial, b.monomial, atoms);
  };
  std::ranges::sort(terms, before);
  std::ranges::sort(subtracted, before);
  terms.insert(terms.end(), subtracted.begin(), subtracted.end());
  ir::Dim sum = constant(0);
  for (const Term& term : terms) {
    ir::Dim product = constant(term.coefficient);
    for (const std::int32_t atom : term.monomial.atoms()) {
      const ir::Dim factor = expressed_atom(atoms.at(atom), atoms, replaced, depth);
      if (factor == nullptr) return nullptr;
      product = mul(product, factor);
    }
    sum = add(sum, product);
  }
  return within_limits(sum) ? sum : nullptr;
}

}  // namespace

ir::Dim Engine::express(const Polynomial& polynomial) {
  return expressed(polynomial, atoms_, replaced_, 0);
}

}  // namespace linnet::sema::dims
