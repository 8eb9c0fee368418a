// A row of 5 numbers for a model of 4.
#include "linnet/core/context.hpp"
#include "shifted.linnet.hpp"

constexpr linnet::Extent S = linnet::symbol<"S", 128>;

void call(shifted::Model<4>& model, linnet::Context& context,
          linnet::TensorView<const float, S, 5> x) {
  (void)model.forward<S>(context, x);
}
