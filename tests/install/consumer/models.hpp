// What both translation units of the consumer see: both models, and the calls of the other unit.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "counted.linnet.hpp"
#include "linnet/core/context.hpp"
#include "linnet/core/reflect.hpp"
#include "shifted.linnet.hpp"

using Shifted = shifted::Model<2>;
using Counted = counted::Model<2>;
constexpr linnet::Extent S = linnet::symbol<"S", 3>;
using Rows = linnet::TensorView<const float, S, 2>;

constexpr std::size_t workspace_bytes =
    std::max(Shifted::forward_workspace_bytes<S>, Counted::forward_workspace_bytes<S>);

/// Row `row` of the shifted model's result, and the counted model's, called in elsewhere.cpp.
std::array<float, 2> shifted_elsewhere(Shifted& model, const Rows& rows, int row);
std::array<float, 2> counted_elsewhere(Counted& model, const Rows& rows);
