// Two models, and two instances of one of them, in one program and from two translation units.
// Weights are bound by hand. Ends with 1 and says what differs from the sums done on paper.

#include <cstdio>
#include <cstring>

#include "models.hpp"

namespace {

alignas(linnet::arena_alignment) std::byte workspace[workspace_bytes];
int failures = 0;

void expect(const char* what, std::array<float, 2> got, std::array<float, 2> wanted) {
  if (got == wanted) return;
  std::printf("%s: (%g, %g), expected (%g, %g)\n", what, static_cast<double>(got[0]),
              static_cast<double>(got[1]), static_cast<double>(wanted[0]),
              static_cast<double>(wanted[1]));
  ++failures;
}

}  // namespace

int main() {
  static const float twice[] = {2, 0, 0, 2};
  static const float swapped[] = {0, 1, 1, 0};
  static const float numbers[] = {1, 2, 3, 4, 5, 6};
  const Rows rows(numbers, 3);
  const Rows two_rows(numbers, 2);

  Shifted doubling, swapping;
  doubling.map.weight.bind({twice, linnet::Format::f32});
  swapping.map.weight.bind({swapped, linnet::Format::f32});
  expect("doubling elsewhere", shifted_elsewhere(doubling, rows, 2), {11, 13});
  expect("swapping elsewhere", shifted_elsewhere(swapping, two_rows, 1), {5, 4});
  linnet::Context context(workspace);
  for (const bool exact : {false, true}) {
    const auto y = exact ? doubling.forward<S, linnet::Numerics::exact>(context, rows)
                         : doubling.forward<S>(context, rows);
    if (!y) return std::printf("doubling: %s\n", y.error().message.c_str()), 1;
    expect("doubling here", {(*y)(0, 0), (*y)(0, 1)}, {3, 5});
  }

  Counted first, second;
  alignas(64) float seen[2][16] = {};
  linnet::bind_states(first, reinterpret_cast<std::byte*>(seen[0]));
  linnet::bind_states(second, reinterpret_cast<std::byte*>(seen[1]));
  first.weight.bind({twice, linnet::Format::f32});
  second.weight.bind({swapped, linnet::Format::f32});
  expect("first, once", counted_elsewhere(first, rows), {18, 24});
  expect("second, once", counted_elsewhere(second, two_rows), {6, 4});
  const auto y = first.forward<S>(context, two_rows);
  if (!y) return std::printf("first: %s\n", y.error().message.c_str()), 1;
  expect("first, twice", {(*y)(0), (*y)(1)}, {26, 36});
  expect("second, twice", counted_elsewhere(second, two_rows), {12, 8});

  // Tensors described at run time, by the names of the parameters.
  const linnet::AnyTensor tall{linnet::DType::f32, {3, 2}, numbers};
  const auto outputs = doubling.forward_dynamic<S>(context, {{"x", {tall}}});
  if (!outputs) return std::printf("dynamic: %s\n", outputs.error().message.c_str()), 1;
  const linnet::ops::Output& output = outputs->front();  // dtype, extents, bytes
  float last[2];
  std::memcpy(last, output.bytes.data() + 2 * sizeof last, sizeof last);
  expect("dynamic, last row", {last[0], last[1]}, {11, 13});
  const linnet::AnyTensor wide{linnet::DType::f32, {2, 3}, numbers};
  const auto misfit = doubling.forward_dynamic<S>(context, {{"x", {wide}}});
  if (misfit || misfit.error().message != "input `x`: axis 1 is 3, expected 2") {
    std::printf("a wide input is not refused rightly\n");
    ++failures;
  }

  linnet::Context nothing;
  const auto refused = doubling.forward<S>(nothing, rows);
  if (refused || refused.error().code != linnet::ErrorCode::workspace_too_small) {
    std::printf("a call without a workspace is not refused\n");
    ++failures;
  }
  std::printf("%d wrong\n", failures);
  return failures == 0 ? 0 : 1;
}
