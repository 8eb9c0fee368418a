// What nvcc must make of the core headers: the same types as the host compilers, in host code and
// in kernels.

#include <type_traits>

#include "linnet/core/arena.hpp"
#include "linnet/core/arithmetic.hpp"
#include "linnet/core/tensor.hpp"

using linnet::Extent;
using linnet::symbol;
using linnet::TensorView;

namespace {

constexpr Extent S = symbol<"S", 2048>;
constexpr Extent B = symbol<"B", 4>;

template <Extent... E>
struct Holder {};
template <Extent A, Extent C>
constexpr bool one_type = std::is_same_v<Holder<A>, Holder<C>>;

static_assert(one_type<S + S, 2 * S>);
static_assert(one_type<S * B, B * S>);
static_assert(one_type<(S + 1) * (B + 1), 1 + B + S + S * B>);
static_assert(one_type<S - S + 3, 3>);
static_assert(one_type<(4 * S + 3) / 4, S>);
static_assert(one_type<(B * S) / S, B>);
static_assert(one_type<min(S, B + 7), min(B + 7, S)>);
static_assert(!one_type<S + 1, S>);
static_assert(!one_type<S, symbol<"S", 2047>>);
static_assert(!one_type<S / 2, S % 2>);
static_assert((S == B) == false);
static_assert(S != B + 1);
static_assert(((S + 1) / 2).bound() == 1024);
static_assert(S.description().view() == "S <= 2048");

constexpr auto layout = linnet::layout_arena(
    std::array<linnet::ArenaBuffer, 3>{{{256, 64, 0, 1}, {256, 64, 2, 3}, {128, 64, 1, 2}}});
static_assert(layout.bytes == 384);
static_assert(linnet::arith::shl<std::int8_t>(1, 8) == 0);
static_assert(linnet::arith::cast<std::int8_t>(300.0F) == 127);
static_assert(linnet::f16(65519.0F).bits == 0x7bff);

/// Views work in device code. A `__global__` function itself takes pointers and integers: nvcc
/// writes its signature into a C++ stub, where it cannot spell an array inside a template argument.
template <Extent Rows>
__device__ void twice(TensorView<float, Rows, 4> view, std::int64_t row) {
  for (std::int64_t i = 0; i < view.template extent<1>(); ++i) view(row, i) *= 2;
}

template <std::int64_t Rows>
__global__ void twice_static(float* data) {
  twice(TensorView<float, Rows, 4>(data), threadIdx.x);
}

__global__ void twice_dynamic(float* data, std::int64_t rows) {
  twice(TensorView<float, 2 * S + B, 4>(data, rows), threadIdx.x);
}

}  // namespace

/// Instantiates the kernels for a static and for a run-time extent.
void launch(float* data) {
  twice_static<8><<<1, 8>>>(data);
  const auto symbols = linnet::join_values(linnet::bind_symbol<S>(2), linnet::bind_symbol<B>(4));
  const TensorView<float, 2 * S + B, 4> rows(data, symbols);
  twice_dynamic<<<1, 8>>>(rows.data(), rows.extent(0));
}
