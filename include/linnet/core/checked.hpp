#pragma once
// The one way in for tensors that arrive at run time: a file, a request, another language.
//
// Rank, dtype, every extent, equality between axes, the bounds of symbols and the pointer are
// verified; what is wrong is said by name: "input `tokens`: axis 1 is 900, expected S <= 512".
//
//   const linnet::ExpectedInput inputs[] = {
//       linnet::expected_input<TensorView<const std::int32_t, 1, S>>("tokens", &tokens),
//       linnet::expected_input<TensorView<const bool, S, S>>("mask", &mask)};
//   auto symbols = linnet::bind_inputs<linnet::symbols_of<V1, V2>>(inputs);
//   if (!symbols) return symbols.error();
//   const auto view = linnet::as_view<V1>(tokens, *symbols);

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "linnet/core/dtype.hpp"
#include "linnet/core/extent.hpp"
#include "linnet/core/result.hpp"
#include "linnet/core/symbols.hpp"
#include "linnet/core/tensor.hpp"

namespace linnet {

/// A dense row-major tensor described at run time. The data is somebody else's.
struct AnyTensor {
  DType dtype = DType::f32;
  std::vector<std::int64_t> extents;
  const void* data = nullptr;
};

/// A typed view, described at run time.
template <AnyTensorView View>
[[nodiscard]] AnyTensor any_tensor(const View& view) {
  const auto extents = view.extents();
  return {dtype_of<typename View::value_type>, {extents.begin(), extents.end()}, view.data()};
}

/// `[2, 3]`.
[[nodiscard]] inline std::string shape_string(std::span<const std::int64_t> extents) {
  std::string text = "[";
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(extents[i]);
  }
  return text + "]";
}

/// Every symbol in the shapes of some views.
template <class... Views>
inline constexpr SymbolSet symbols_of =
    detail::symbols_of_shapes<typename detail::ShapeOf<Views>::type...>();

/// An input as a program wants it, and what was given for it.
struct ExpectedInput {
  std::string_view name;
  DType dtype = DType::f32;
  std::span<const Extent> extents;
  const AnyTensor* given = nullptr;  ///< null: an optional input left out
};

template <AnyTensorView View>
[[nodiscard]] ExpectedInput expected_input(std::string_view name, const AnyTensor* given) {
  return {name, dtype_of<typename View::value_type>, View::shape_type::extents, given};
}

namespace detail {

/// What is known of symbols while inputs are bound; the arrays follow the order of the set.
struct SymbolTable {
  const SymbolSet& set;
  std::int64_t values[SymbolSet::capacity] = {};
  bool known[SymbolSet::capacity] = {};
  std::string_view source[SymbolSet::capacity] = {};  ///< the input that told the value

  [[nodiscard]] bool knows_all_of(const Extent& extent) const {
    SymbolSet used;
    used.insert_all(extent);
    for (int i = 0; i < used.count; ++i) {
      const int index = set.index_of(used.words + 2 * i);
      if (index < 0 || !known[index]) return false;
    }
    return true;
  }

  /// The value of an extent whose symbols are all known; saturates.
  [[nodiscard]] std::int64_t value(const Extent& extent) const {
    std::int64_t sum = extent.constant;
    for (const std::uint64_t* p = extent.terms; *p != 0; p += term_length(*p)) {
      std::int64_t product = term_coefficient(*p);
      for (const std::uint64_t* f = p + 1; f != p + term_length(*p); f += factor_length(f)) {
        product = saturating_multiply(product, factor_value(f));
      }
      sum = saturating_add(sum, product);
    }
    return sum;
  }

 private:
  [[nodiscard]] std::int64_t factor_value(const std::uint64_t* factor) const {
    if (is_symbol_word(*factor)) return values[set.index_of(factor)];
    const Operands operands = operands_of(factor);
    const std::int64_t a = value(operands.left);
    const std::int64_t b = value(operands.right);
    switch (operation_of(factor)) {
      case ExtentOperation::floordiv:
        return floor_divide(a, b);
      case ExtentOperation::mod:
        return floor_modulo(a, b);
      case ExtentOperation::min:
        return a < b ? a : b;
      case ExtentOperation::max:
        return a > b ? a : b;
    }
    return 0;
  }
};

inline std::string input_name(const ExpectedInput& input) {
  return "input `" + std::string(input.name) + "`";
}

inline Error axis_error(const ExpectedInput& input, std::size_t axis, const std::string& expected) {
  return {ErrorCode::shape_mismatch, input_name(input) + ": axis " + std::to_string(axis) + " is " +
                                         std::to_string(input.given->extents[axis]) +
                                         ", expected " + expected};
}

/// Dtype, rank, sign and pointer: what needs no symbols.
inline Result<void> check_form(const ExpectedInput& input) {
  const AnyTensor& given = *input.given;
  if (given.dtype != input.dtype) {
    return Error{ErrorCode::dtype_mismatch,
                 input_name(input) + ": dtype is " + std::string(dtype_name(given.dtype)) +
                     ", expected " + std::string(dtype_name(input.dtype))};
  }
  if (given.extents.size() != input.extents.size()) {
    return Error{ErrorCode::shape_mismatch, input_name(input) + ": rank is " +
                                                std::to_string(given.extents.size()) + " " +
                                                shape_string(given.extents) + ", expected " +
                                                std::to_string(input.extents.size())};
  }
  std::int64_t size = 1;
  for (std::size_t axis = 0; axis < given.extents.size(); ++axis) {
    if (given.extents[axis] < 0) return axis_error(input, axis, "no negative extent");
    size = saturating_multiply(size, given.extents[axis]);
  }
  if (size > 0 && given.data == nullptr) {
    return Error{ErrorCode::invalid_argument, input_name(input) + ": there is no data"};
  }
  if (reinterpret_cast<std::uintptr_t>(given.data) % dtype_size(input.dtype) != 0) {
    return Error{ErrorCode::invalid_argument, input_name(input) +
                                                  ": the data is not aligned to its dtype, " +
                                                  std::string(dtype_name(input.dtype))};
  }
  return {};
}

/// Takes the value of a symbol from an axis that is the symbol (`linear` false) or
/// `coefficient * symbol + constant` (`linear` true), unless it is known.
inline Result<void> learn_symbol(const ExpectedInput& input, std::size_t axis, bool linear,
                                 SymbolTable& table) {
  const Extent& extent = input.extents[axis];
  const std::uint64_t* const term = extent.terms;
  const bool lone = term[0] != 0 && term_length(term[0]) == 3 && term[3] == 0;
  if (!lone || extent.is_symbol() == linear) return {};
  const int index = table.set.index_of(term + 1);
  if (index < 0 || table.known[index]) return {};
  const std::int64_t difference = input.given->extents[axis] - extent.constant;
  const std::int64_t coefficient = term_coefficient(term[0]);
  const std::int64_t value = difference / coefficient;
  const auto bound = static_cast<std::int64_t>(term[2] & 0xffffffff);
  if (difference % coefficient != 0 || value < 0 || value > bound) {
    std::string expected(extent.description().view());
    if (linear) {
      Text symbol;
      append_symbol(symbol, term + 1);
      expected += " for a " + std::string(symbol.view()) + " <= " + std::to_string(bound);
    }
    return axis_error(input, axis, expected);
  }
  table.values[index] = value;
  table.known[index] = true;
  table.source[index] = input.name;
  return {};
}

/// Compares an axis with the value that the symbols give it.
inline Result<void> check_axis(const ExpectedInput& input, std::size_t axis,
                               const SymbolTable& table) {
  const Extent& extent = input.extents[axis];
  if (!table.knows_all_of(extent)) {
    return Error{ErrorCode::shape_mismatch,
                 input_name(input) + ": the inputs do not tell the value of " +
                     std::string(extent.text().view()) + ", axis " + std::to_string(axis)};
  }
  const std::int64_t value = table.value(extent);
  if (value == input.given->extents[axis]) return {};
  if (extent.is_static()) return axis_error(input, axis, std::to_string(value));
  std::string expected = std::string(extent.text().view()) + " = " + std::to_string(value);
  if (extent.is_symbol()) {
    const std::string_view source = table.source[table.set.index_of(extent.terms + 1)];
    if (!source.empty()) expected += " as in `" + std::string(source) + "`";
  }
  return axis_error(input, axis, expected);
}

/// Verifies all inputs and fills the table; the first thing that is wrong is the error.
inline Result<void> bind_all(std::span<const ExpectedInput> inputs, SymbolTable& table) {
  const auto each_axis = [&](auto&& action) -> Result<void> {
    for (const ExpectedInput& input : inputs) {
      for (std::size_t axis = 0; input.given != nullptr && axis < input.extents.size(); ++axis) {
        if (Result<void> done = action(input, axis); !done) return done;
      }
    }
    return {};
  };
  for (const ExpectedInput& input : inputs) {
    if (input.given == nullptr) continue;
    if (Result<void> done = check_form(input); !done) return done;
  }
  for (bool linear : {false, true}) {
    Result<void> learnt = each_axis([&](const ExpectedInput& input, std::size_t axis) {
      return learn_symbol(input, axis, linear, table);
    });
    if (!learnt) return learnt;
  }
  return each_axis(
      [&](const ExpectedInput& input, std::size_t axis) { return check_axis(input, axis, table); });
}

}  // namespace detail

/// Verifies inputs against what is expected and gives the values of the symbols in `Set`.
/// `known` are symbols that the inputs cannot tell. A symbol that nothing tells, because only
/// inputs left out have it, is 0.
template <SymbolSet Set, SymbolSet Known = SymbolSet{}>
[[nodiscard]] Result<SymbolValues<detail::union_of(Set, Known)>> bind_inputs(
    std::span<const ExpectedInput> inputs, const SymbolValues<Known>& known = {}) {
  static constexpr SymbolSet all = detail::union_of(Set, Known);
  detail::SymbolTable table{all};
  constexpr auto positions = detail::positions_in(all, Known);
  for (std::size_t i = 0; i < static_cast<std::size_t>(Known.count); ++i) {
    table.values[positions[i]] = known.values[i];
    table.known[positions[i]] = true;
  }
  if (Result<void> bound = detail::bind_all(inputs, table); !bound) {
    return std::move(bound).error();
  }
  SymbolValues<all> result;
  for (int i = 0; i < all.count; ++i) result.values[i] = table.values[i];
  return result;
}

/// A tensor that `bind_inputs` has accepted for `View`, as that view.
template <AnyTensorView View, SymbolSet Set>
  requires(std::is_const_v<typename View::element_type>)
[[nodiscard]] View as_view(const AnyTensor& tensor, const SymbolValues<Set>& symbols) {
  return View(static_cast<typename View::element_type*>(tensor.data), symbols);
}

/// One tensor, checked on its own.
template <AnyTensorView View>
[[nodiscard]] Result<View> checked_view(std::string_view name, const AnyTensor& tensor) {
  const ExpectedInput input = expected_input<View>(name, &tensor);
  auto symbols = bind_inputs<symbols_of<View>>(std::span(&input, 1));
  if (!symbols) return std::move(symbols).error();
  return as_view<View>(tensor, *symbols);
}

/// A value that a `where` speaks of, for its error.
struct NamedValue {
  std::string_view name;
  std::int64_t value = 0;
};

/// The error for a `where` that the values break, quoted as written:
/// "where `N % 2 == 0` does not hold: N is 3".
[[nodiscard]] inline Error constraint_error(std::string_view relation,
                                            std::initializer_list<NamedValue> values = {}) {
  std::string message = "where `" + std::string(relation) + "` does not hold";
  const char* separator = ": ";
  for (const NamedValue& value : values) {
    message += separator + std::string(value.name) + " is " + std::to_string(value.value);
    separator = ", ";
  }
  return {ErrorCode::constraint_violated, std::move(message)};
}

}  // namespace linnet
