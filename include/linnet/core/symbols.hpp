#pragma once
// The run-time values of symbols, and of any extent over them.
//
// `SymbolValues<Set>` holds one integer a symbol; which symbols is part of its type, so a look-up
// costs nothing. A generated entry makes one from its arguments and passes it on by reference;
// `values.value<2 * S + 1>()` is then plain arithmetic, and constant for a static extent.
//
//   const auto symbols = linnet::symbol_values(tokens, mask);   // from the views' run-time extents
//   linnet::TensorView<float, B, S, 576> hidden(memory, symbols);

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "linnet/core/extent.hpp"
#include "linnet/core/fixed_string.hpp"
#include "linnet/core/shape.hpp"

namespace linnet {

inline void more_than_16_symbols_in_one_call() {}

/// A sorted set of symbols, as a template argument.
struct SymbolSet {
  static constexpr int capacity = 16;
  int count = 0;
  std::uint64_t words[2 * capacity] = {};

  /// Where a symbol stands, given its two words; -1 when it is not in the set.
  [[nodiscard]] constexpr int index_of(const std::uint64_t* symbol) const {
    for (int i = 0; i < count; ++i) {
      if (words[2 * i] == symbol[0] && words[2 * i + 1] == symbol[1]) return i;
    }
    return -1;
  }

  constexpr void insert(const std::uint64_t* symbol) {
    if (index_of(symbol) >= 0) return;
    if (count == capacity) {
      more_than_16_symbols_in_one_call();
      return;
    }
    int at = count++;
    for (; at > 0 && detail::compare_words(symbol, 2, words + 2 * (at - 1), 2) < 0; --at) {
      words[2 * at] = words[2 * at - 2];
      words[2 * at + 1] = words[2 * at - 1];
    }
    words[2 * at] = symbol[0];
    words[2 * at + 1] = symbol[1];
  }

  /// Adds every symbol that occurs in `extent`.
  constexpr void insert_all(const Extent& extent) {
    for (const std::uint64_t* p = extent.terms; *p != 0; p += detail::term_length(*p)) {
      const std::uint64_t* const end = p + detail::term_length(*p);
      for (const std::uint64_t* f = p + 1; f != end; f += detail::factor_length(f)) {
        if (detail::is_symbol_word(*f)) {
          insert(f);
        } else {
          const detail::Operands operands = detail::operands_of(f);
          insert_all(operands.left);
          insert_all(operands.right);
        }
      }
    }
  }

  [[nodiscard]] constexpr bool contains_all_of(const Extent& extent) const {
    SymbolSet others;
    others.insert_all(extent);
    for (int i = 0; i < others.count; ++i) {
      if (index_of(others.words + 2 * i) < 0) return false;
    }
    return true;
  }
};

// Left undefined; instantiating one is the error message.
template <FixedString Symbol>
struct NoValueForSymbol;

namespace detail {

template <AnyShape... Shapes>
constexpr SymbolSet symbols_of_shapes() {
  SymbolSet set;
  [[maybe_unused]] const auto add = [&set]<Extent... E>(Shape<E...>) { (set.insert_all(E), ...); };
  (add(Shapes{}), ...);
  return set;
}

}  // namespace detail

template <SymbolSet Set>
struct SymbolValues {
  static constexpr SymbolSet symbols = Set;
  std::int64_t values[Set.count == 0 ? 1 : Set.count] = {};

  /// The run-time value of `E`, whose symbols must all be in the set.
  template <Extent E>
  [[nodiscard]] constexpr std::int64_t value() const {
    if constexpr (E.is_static()) {
      return E.constant;
    } else {
      return E.constant + terms<E, 0>();
    }
  }

 private:
  template <Extent E, int At>
  [[nodiscard]] constexpr std::int64_t terms() const {
    if constexpr (E.terms[At] == 0) {
      return 0;
    } else {
      constexpr int end = At + detail::term_length(E.terms[At]);
      constexpr std::int64_t coefficient = detail::term_coefficient(E.terms[At]);
      return coefficient * factors<E, At + 1, end>() + terms<E, end>();
    }
  }

  template <Extent E, int At, int End>
  [[nodiscard]] constexpr std::int64_t factors() const {
    if constexpr (At == End) {
      return 1;
    } else {
      constexpr int next = At + detail::factor_length(E.terms + At);
      return factor<E, At>() * factors<E, next, End>();
    }
  }

  template <Extent E, int At>
  [[nodiscard]] constexpr std::int64_t factor() const {
    if constexpr (detail::is_symbol_word(E.terms[At])) {
      constexpr int index = Set.index_of(E.terms + At);
      if constexpr (index < 0) {
        constexpr Text name = [] {
          Text text;
          detail::append_symbol(text, E.terms + At);
          return text;
        }();
        return sizeof(NoValueForSymbol<to_fixed_string<name.size + 1>(name.view())>);
      } else {
        return values[index];
      }
    } else {
      constexpr detail::Operands operands = detail::operands_of(E.terms + At);
      constexpr detail::ExtentOperation kind = detail::operation_of(E.terms + At);
      const std::int64_t a = value<operands.left>();
      const std::int64_t b = value<operands.right>();
      if constexpr (kind == detail::ExtentOperation::floordiv) {
        return detail::floor_divide(a, b);
      } else if constexpr (kind == detail::ExtentOperation::mod) {
        return detail::floor_modulo(a, b);
      } else if constexpr (kind == detail::ExtentOperation::min) {
        return a < b ? a : b;
      } else {
        return a > b ? a : b;
      }
    }
  }
};

/// No symbols: every extent in use is static.
using NoSymbols = SymbolValues<SymbolSet{}>;

namespace detail {

constexpr SymbolSet set_of(const Extent& extent) {
  SymbolSet set;
  set.insert_all(extent);
  return set;
}

constexpr SymbolSet union_of(SymbolSet a, const SymbolSet& b) {
  for (int i = 0; i < b.count; ++i) a.insert(b.words + 2 * i);
  return a;
}

}  // namespace detail

namespace detail {

/// Where each symbol of `of` stands in `set`, or -1. Worked out while compiling: reading a template
/// argument of class type at run time is left alone, because Clang 19 may place it misaligned.
constexpr std::array<int, SymbolSet::capacity> positions_in(const SymbolSet& set,
                                                            const SymbolSet& of) {
  std::array<int, SymbolSet::capacity> positions{};
  for (int i = 0; i < of.count; ++i) {
    positions[static_cast<std::size_t>(i)] = set.index_of(of.words + 2 * i);
  }
  return positions;
}

}  // namespace detail

/// Gives the symbol `S` a value: `bind_symbol<S>(17)`. Its bound is the caller's to check.
template <Extent S>
[[nodiscard]] constexpr auto bind_symbol(std::int64_t value) {
  static_assert(S.is_symbol(), "bind_symbol takes a plain symbol");
  return SymbolValues<detail::set_of(S)>{{value}};
}

/// The values of both; where both have a symbol, those of `a`.
template <SymbolSet A, SymbolSet B>
[[nodiscard]] constexpr auto join_values(const SymbolValues<A>& a, const SymbolValues<B>& b) {
  using Joined = SymbolValues<detail::union_of(A, B)>;
  constexpr auto from_a = detail::positions_in(A, Joined::symbols);
  constexpr auto from_b = detail::positions_in(B, Joined::symbols);
  Joined joined;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Joined::symbols.count); ++i) {
    joined.values[i] = from_a[i] >= 0 ? a.values[from_a[i]] : b.values[from_b[i]];
  }
  return joined;
}

namespace detail {

/// An axis that a symbol's value can be read from: `extent = coefficient * symbol + constant`.
struct SymbolSource {
  int axis = -1;
  std::int64_t coefficient = 1;
  std::int64_t constant = 0;
};

/// The best axis for a symbol: the symbol itself, else something linear in it alone.
constexpr SymbolSource source_of(const std::uint64_t* symbol, const Extent* extents, int count) {
  SymbolSource linear;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t* const term = extents[i].terms;
    if (term[0] == 0 || term_length(term[0]) != 3 || term[3] != 0) continue;
    if (term[1] != symbol[0] || term[2] != symbol[1]) continue;
    if (extents[i].is_symbol()) return {i, 1, 0};
    if (linear.axis < 0) linear = {i, term_coefficient(term[0]), extents[i].constant};
  }
  return linear;
}

template <class View>
constexpr void read_extents(const View& view, std::int64_t*& out) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((*out++ = view.template extent<I>()), ...);
  }(std::make_index_sequence<View::shape_type::rank>{});
}

template <class T>
concept HasShape = requires { typename T::shape_type; };

template <class T>
struct ShapeOf {
  using type = Shape<>;
};
template <HasShape T>
struct ShapeOf<T> {
  using type = typename T::shape_type;
};

template <SymbolSet Set, int Index, class Joined>
consteval SymbolSource source_in() {
  constexpr SymbolSource source =
      source_of(Set.words + 2 * Index, Joined::extents.data(), static_cast<int>(Joined::rank));
  if constexpr (source.axis < 0) {
    constexpr Text name = [] {
      Text text;
      append_symbol(text, Set.words + 2 * Index);
      return text;
    }();
    (void)sizeof(NoValueForSymbol<to_fixed_string<name.size + 1>(name.view())>);
  }
  return source;
}

}  // namespace detail

/// Every symbol in the shapes of `views`, read from their run-time extents. A symbol's value is
/// taken from an axis that is the symbol, else from one that is linear in it; where there is
/// none, compiling fails naming it. Arguments without a shape are passed over.
template <class... Views>
[[nodiscard]] constexpr auto symbol_values(const Views&... views) {
  using Joined = join<typename detail::ShapeOf<Views>::type...>;
  constexpr SymbolSet set = detail::symbols_of_shapes<typename detail::ShapeOf<Views>::type...>();
  SymbolValues<set> result;
  if constexpr (set.count > 0) {
    std::int64_t extents[Joined::rank] = {};
    std::int64_t* out = extents;
    const auto read = [&out](const auto& view) {
      if constexpr (detail::HasShape<std::remove_cvref_t<decltype(view)>>) {
        detail::read_extents(view, out);
      }
    };
    (read(views), ...);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto solve = [&]<int Index>(std::integral_constant<int, Index>) {
        constexpr detail::SymbolSource source = detail::source_in<set, Index, Joined>();
        result.values[Index] = (extents[source.axis] - source.constant) / source.coefficient;
      };
      (solve(std::integral_constant<int, static_cast<int>(I)>{}), ...);
    }(std::make_index_sequence<static_cast<std::size_t>(set.count)>{});
  }
  return result;
}

}  // namespace linnet
