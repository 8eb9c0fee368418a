#pragma once
// The variables of polynomials, numbered: one number for all atoms that are written the same.

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "codegen/sema/dims/polynomial.hpp"

namespace linnet::sema::dims {

enum class AtomKind : std::uint8_t {
  symbol,
  pack_size,
  quotient,  ///< `args[0] / args[1]` where the facts say that this division is exact
  floordiv,
  mod,
  min,
  max
};

struct Atom {
  AtomKind kind = AtomKind::symbol;
  std::int32_t id = 0;           ///< symbol, pack_size
  std::string name;              ///< symbol, pack_size
  std::vector<Polynomial> args;  ///< operators: floordiv, mod and quotient two; min and max sorted
  int depth = 0;                 ///< operators inside operators
  /// The symbols and pack sizes that it speaks of, sorted.
  std::vector<std::int32_t> leaves;
};

class AtomTable {
 public:
  /// Operators nested deeper than this are not interned.
  static constexpr int max_depth = 24;
  static constexpr std::size_t max_atoms = 1 << 16;

  /// The atom as a polynomial; a failure beyond the limits.
  [[nodiscard]] Polynomial leaf(AtomKind kind, std::int32_t id, const std::string& name);
  [[nodiscard]] Polynomial node(AtomKind kind, std::vector<Polynomial> args);
  [[nodiscard]] const Atom& at(std::int32_t atom) const { return atoms_[index(atom)]; }
  [[nodiscard]] std::size_t size() const { return atoms_.size(); }
  /// Whether `atom` occurs in the polynomial, inside the arguments of other atoms too.
  [[nodiscard]] bool occurs(std::int32_t atom, const Polynomial& in) const;

 private:
  [[nodiscard]] static std::size_t index(std::int32_t atom) {
    return static_cast<std::size_t>(atom);
  }
  [[nodiscard]] Polynomial intern(const std::vector<std::int64_t>& key, Atom atom);

  std::deque<Atom> atoms_;  // references stay valid while more are interned
  std::map<std::vector<std::int64_t>, std::int32_t> numbers_;
};

}  // namespace linnet::sema::dims
