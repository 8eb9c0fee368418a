#pragma once
// What a generated header tells about itself, and its entries for tensors described at run time.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "linnet/core/checked.hpp"
#include "linnet/core/context.hpp"
#include "linnet/core/extent.hpp"
#include "linnet/core/result.hpp"
#include "linnet/core/symbols.hpp"
#include "linnet/core/tensor.hpp"

namespace linnet::ops {

/// An entry in the signature table; `block` is empty for an entry of the module.
struct EntryInfo {
  std::string_view block, name, signature;
};

/// A parameter, buffer or state of the root block. In `path`, `[*]` stands for each element of
/// an array; `repeat` gives the arrays' lengths, outermost first.
struct ParameterInfo {
  std::string_view path, kind, dtype, shape, repeat;
  bool optional = false;
};

enum class Relation : std::uint8_t { eq, ne, lt, le, gt, ge };

/// Whether a `where` of a block holds; its generics are static.
template <Extent A, Relation Which, Extent B>
inline constexpr bool holds = Which == Relation::eq   ? A.value() == B.value()
                              : Which == Relation::ne ? A.value() != B.value()
                              : Which == Relation::lt ? A.value() < B.value()
                              : Which == Relation::le ? A.value() <= B.value()
                              : Which == Relation::gt ? A.value() > B.value()
                                                      : A.value() >= B.value();

/// A generic of a block with its value, for the error of a `where`.
template <FixedString Name, Extent Value>
struct NamedExtent {
  static constexpr void append(Text& out) {
    if (out.size > 0) out.append(", ");
    out.append(Name.view());
    out.append(" = ");
    out.append(Value.text().view());
  }
};

/// Left undefined; instantiating it is the error message.
template <FixedString Block, FixedString Where, FixedString Values>
struct BrokenWhere;

/// A `where` of a block. Where it does not hold, compiling fails on
/// `BrokenWhere<"Attention", "where Heads % Kv == 0", "Heads = 9, Kv = 4">`.
template <FixedString Block, FixedString Where, bool Holds, class... Values>
[[nodiscard]] consteval bool require() {
  if constexpr (Holds) {
    return true;
  } else {
    constexpr Text values = [] {
      Text text;
      (Values::append(text), ...);
      return text;
    }();
    return sizeof(BrokenWhere<Block, Where, to_fixed_string<values.size + 1>(values.view())>) > 0;
  }
}

[[nodiscard]] inline Error workspace_error(std::string_view entry, std::size_t needed,
                                           std::size_t given) {
  return {ErrorCode::workspace_too_small, "entry `" + std::string(entry) +
                                              "` needs a workspace of " + std::to_string(needed) +
                                              " bytes, the context has " + std::to_string(given)};
}

/// The error of a call that failed after it may have written state.
[[nodiscard]] inline Error state_error(Error error) {
  return {ErrorCode::state_invalid, error.message + "; the state must be reset"};
}

/// Whether a view's run-time extents are what the symbols say, each within its bound, and there is
/// data for them. Views of one symbol that disagree are an error of the call.
template <class T, Extent... E, SymbolSet Set>
[[nodiscard]] bool fits(Context& context, const char* name, const TensorView<T, E...>& view,
                        const SymbolValues<Set>& symbols) {
  if constexpr (!TensorView<T, E...>::is_static) {
    const auto extents = view.extents();
    std::int64_t axis = 0;
    const auto check = [&]<Extent Axis>() {
      const std::int64_t expected = symbols.template value<Axis>();
      const std::int64_t actual = extents[static_cast<std::size_t>(axis)];
      if (actual < 0) {
        context.fail_input(name, ErrorCode::shape_mismatch, "axis {} is {}, below zero", axis,
                           actual);
      } else if (actual > Axis.bound()) {
        context.fail_input(name, ErrorCode::shape_mismatch, "axis {} is {}, at most {} is possible",
                           axis, actual, Axis.bound());
      } else if (actual != expected) {
        context.fail_input(name, ErrorCode::shape_mismatch, "axis {} is {}, expected {}", axis,
                           actual, expected);
      }
      ++axis;
      return actual >= 0 && actual <= Axis.bound() && actual == expected;
    };
    if (!(check.template operator()<E>() && ...)) return false;
  }
  if (view.data() == nullptr && view.size() > 0) {
    context.fail_input(name, ErrorCode::invalid_argument, "{} elements without data", view.size());
    return false;
  }
  return true;
}
template <class T, Extent... E, SymbolSet Set>
[[nodiscard]] bool fits(Context& context, const char* name,
                        const std::optional<TensorView<T, E...>>& view,
                        const SymbolValues<Set>& symbols) {
  return !view.has_value() || fits(context, name, *view, symbols);
}

/// Inputs by parameter name; a tuple or struct is the list of its tensors, in order.
struct NamedInput {
  std::string name;
  std::vector<AnyTensor> tensors;
};
using Inputs = std::vector<NamedInput>;

/// Finds inputs by name, and says which one is missing or unknown.
class InputReader {
 public:
  explicit InputReader(const Inputs& inputs) : inputs_(inputs), used_(inputs.size(), false) {}

  /// Tensor `part` of the `parts` that parameter `name` has; null when it is left out, which is
  /// an error where it is required.
  [[nodiscard]] const AnyTensor* find(std::string_view name, std::size_t part, std::size_t parts,
                                      bool required) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i].name != name) continue;
      used_[i] = true;
      if (inputs_[i].tensors.size() != parts) {
        note("input `" + std::string(name) + "`: " + std::to_string(inputs_[i].tensors.size()) +
             " tensors given, expected " + std::to_string(parts));
        return nullptr;
      }
      return &inputs_[i].tensors[part];
    }
    if (required) note("input `" + std::string(name) + "` is missing");
    return nullptr;
  }

  /// Once all parameters are read.
  [[nodiscard]] Result<void> finish() {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (!used_[i]) note("input `" + inputs_[i].name + "` is no parameter of this entry");
    }
    if (problem_.empty()) return {};
    return Error{ErrorCode::invalid_argument, problem_};
  }

 private:
  void note(std::string text) {
    if (problem_.empty()) problem_ = std::move(text);
  }

  const Inputs& inputs_;
  std::vector<bool> used_;
  std::string problem_;
};

/// A result described at run time, with its own copy of the elements.
struct Output {
  DType dtype = DType::f32;
  std::vector<std::int64_t> extents;
  std::vector<std::byte> bytes;
};
using Outputs = std::vector<Output>;

namespace detail {

template <class T>
void append_output(Outputs& outputs, const T& value) {
  Output output;
  if constexpr (AnyTensorView<T>) {
    using Value = typename T::value_type;
    output.dtype = dtype_of<Value>;
    const auto extents = value.extents();
    output.extents.assign(extents.begin(), extents.end());
    const auto* const first = reinterpret_cast<const std::byte*>(value.data());
    output.bytes.assign(first, first + static_cast<std::size_t>(value.size()) * sizeof(Value));
  } else if constexpr (std::is_enum_v<T>) {
    append_output(outputs, static_cast<std::int32_t>(value));
    return;
  } else {
    output.dtype = dtype_of<T>;
    const auto* const first = reinterpret_cast<const std::byte*>(&value);
    output.bytes.assign(first, first + sizeof value);
  }
  outputs.push_back(std::move(output));
}

template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;

}  // namespace detail

/// The results of an entry, flattened in order.
template <class T>
[[nodiscard]] Outputs outputs(const T& result) {
  Outputs all;
  if constexpr (detail::is_tuple<T>) {
    std::apply([&](const auto&... part) { (detail::append_output(all, part), ...); }, result);
  } else {
    detail::append_output(all, result);
  }
  return all;
}

}  // namespace linnet::ops
