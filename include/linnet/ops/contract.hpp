#pragma once
// Contractions: sums of products of two tensors over any indices in any order.
//
// Generated code names every index once, output indices first, with its extent and its stride in
// the result and in both operands (0 where an index does not occur):
//
//   // y[s, o] = sum[i] x[s, i] * w[o, i]
//   contract<float>(context, {S, Out, In}, 2, y, {Out, 1, 0}, x, {In, 0, 1}, w, {0, In, 1});
//
// Which indices are rows, columns or a batch is found here, at run time. One index that only the
// first operand has becomes the rows, one that only the second has the columns, everything that
// is summed the depth; what is left is looped over outside. A tile of 16 columns by up to 64 rows
// is computed at a time: the second operand is brought into columns (32 KiB at most, read once
// for all rows, which is where a weight stored in blocks is decoded), the first into four rows,
// and the innermost loop runs over 16 contiguous columns, which compilers vectorise without
// reordering the sums of floats.

#include <cstddef>
#include <cstdint>

#include "linnet/core/arithmetic.hpp"
#include "linnet/core/context.hpp"
#include "linnet/core/dtype.hpp"
#include "linnet/core/tensor.hpp"
#include "linnet/core/weight.hpp"
#include "linnet/ops/memory.hpp"
#include "linnet/weights/block_formats.hpp"

namespace linnet::ops {

namespace detail {

inline constexpr std::int64_t tile_columns = 16;
inline constexpr std::int64_t tile_rows = 4;
inline constexpr std::int64_t row_chunk = 64;     // rows that share one reading of the columns
inline constexpr std::int64_t depth_block = 256;  // a multiple of every block format's length

struct ContractedIndex {
  std::int64_t extent = 1;
  std::int64_t out = 0, a = 0, b = 0;  // strides
};

inline constexpr std::size_t most_indices = 8;

/// The roles that the indices of a contraction have.
struct ContractionPlan {
  ContractedIndex rows, columns;
  ContractedIndex outer[most_indices];
  ContractedIndex depth[most_indices];
  std::size_t outer_count = 0, depth_count = 0;
  std::int64_t outer_size = 1, depth_size = 1;
};

inline ContractionPlan plan_contraction(const ContractedIndex* indices, std::size_t count,
                                        std::size_t outputs) {
  ContractionPlan plan;
  for (std::size_t i = outputs; i < count; ++i) {
    plan.depth[plan.depth_count++] = indices[i];
    plan.depth_size *= indices[i].extent;
  }
  // The longest index of each kind becomes rows and columns.
  std::size_t row = count;
  std::size_t column = count;
  for (std::size_t i = 0; i < outputs; ++i) {
    const ContractedIndex& index = indices[i];
    if (index.a != 0 && index.b == 0 && (row == count || index.extent > indices[row].extent))
      row = i;
    if (index.b != 0 && index.a == 0 &&
        (column == count || index.extent > indices[column].extent)) {
      column = i;
    }
  }
  for (std::size_t i = 0; i < outputs; ++i) {
    if (i == row) {
      plan.rows = indices[i];
    } else if (i == column) {
      plan.columns = indices[i];
    } else {
      plan.outer[plan.outer_count++] = indices[i];
      plan.outer_size *= indices[i].extent;
    }
  }
  return plan;
}

/// Where an operand's elements along the depth lie, for one block of it.
struct DepthOffsets {
  std::int64_t a[depth_block];
  std::int64_t b[depth_block];
  bool a_contiguous = true, b_contiguous = true;

  void fill(const ContractionPlan& plan, std::int64_t first, std::int64_t count) {
    a_contiguous = true;
    b_contiguous = true;
    for (std::int64_t k = 0; k < count; ++k) {
      std::int64_t rest = first + k;
      a[k] = 0;
      b[k] = 0;
      for (std::size_t i = plan.depth_count; i-- > 0;) {
        const ContractedIndex& index = plan.depth[i];
        const std::int64_t position = rest % index.extent;
        rest /= index.extent;
        a[k] += position * index.a;
        b[k] += position * index.b;
      }
      if (a[k] != a[0] + k) a_contiguous = false;
      if (b[k] != b[0] + k) b_contiguous = false;
    }
  }
};

/// `count` elements of an operand from `base`, at `offsets`, as accumulators.
template <class To, class Operand>
void gather(const Operand& operand, std::int64_t base, const std::int64_t* offsets,
            std::int64_t count, bool contiguous, To* out) {
  if constexpr (AnyTensorView<Operand>) {
    const auto* const data = operand.data() + base;
    if (contiguous) {
      for (std::int64_t k = 0; k < count; ++k) out[k] = static_cast<To>(data[offsets[0] + k]);
    } else {
      for (std::int64_t k = 0; k < count; ++k) out[k] = static_cast<To>(data[offsets[k]]);
    }
  } else {
    operand.read(base, offsets, count, contiguous, out);
  }
}

/// A product in `Product`, which rounds where that is a 16-bit float, as an accumulator.
template <class Product, class Accumulator>
[[nodiscard]] inline Accumulator multiply(Accumulator a, Accumulator b) {
  if constexpr (is_half<Product>) {
    return static_cast<Accumulator>(static_cast<Product>(a * b));
  } else {
    return arith::mul(a, b);
  }
}

/// A dot product over 16 independent sums, so that it becomes vector code.
template <class Product, class Accumulator>
[[nodiscard]] Accumulator dot(const Accumulator* a, const Accumulator* b, std::int64_t count) {
  Accumulator lanes[tile_columns] = {};
  std::int64_t k = 0;
  for (; k + tile_columns <= count; k += tile_columns) {
    for (std::int64_t j = 0; j < tile_columns; ++j) {
      lanes[j] = arith::add(lanes[j], multiply<Product>(a[k + j], b[k + j]));
    }
  }
  Accumulator sum{};
  for (; k < count; ++k) sum = arith::add(sum, multiply<Product>(a[k], b[k]));
  for (const Accumulator lane : lanes) sum = arith::add(sum, lane);
  return sum;
}

/// 16 columns by one or two rows: each column is read once, where it lies, and multiplied with the
/// rows at once. This is what a decoded token looks like, and turning columns into a tile would
/// cost as much as the products.
template <class Product, class Out, class A, class B>
void contract_few_rows(const ContractionPlan& plan, const Out& out, std::int64_t out_base,
                       const A& a, std::int64_t a_base, const B& b, std::int64_t b_base,
                       std::int64_t first_column, std::int64_t columns) {
  using Value = typename Out::value_type;
  using Accumulator = accumulator<Value>;
  DepthOffsets offsets;
  Accumulator line[depth_block];
  Accumulator left[2][depth_block];
  Accumulator sums[2][tile_columns] = {};
  for (std::int64_t k0 = 0; k0 < plan.depth_size; k0 += depth_block) {
    const std::int64_t depth =
        plan.depth_size - k0 < depth_block ? plan.depth_size - k0 : depth_block;
    offsets.fill(plan, k0, depth);
    for (std::int64_t r = 0; r < plan.rows.extent; ++r) {
      gather(a, a_base + r * plan.rows.a, offsets.a, depth, offsets.a_contiguous, left[r]);
    }
    for (std::int64_t j = 0; j < columns; ++j) {
      gather(b, b_base + (first_column + j) * plan.columns.b, offsets.b, depth,
             offsets.b_contiguous, line);
      for (std::int64_t r = 0; r < plan.rows.extent; ++r) {
        sums[r][j] = arith::add(sums[r][j], dot<Product>(left[r], line, depth));
      }
    }
  }
  for (std::int64_t r = 0; r < plan.rows.extent; ++r) {
    for (std::int64_t j = 0; j < columns; ++j) {
      out.data()[out_base + r * plan.rows.out + (first_column + j) * plan.columns.out] =
          static_cast<Value>(sums[r][j]);
    }
  }
}

/// 16 columns by all rows at one outer position.
template <class Product, class Out, class A, class B>
void contract_tile(const ContractionPlan& plan, const Out& out, std::int64_t out_base, const A& a,
                   std::int64_t a_base, const B& b, std::int64_t b_base,
                   std::int64_t first_column) {
  using Value = typename Out::value_type;
  using Accumulator = accumulator<Value>;
  const std::int64_t columns = plan.columns.extent - first_column < tile_columns
                                   ? plan.columns.extent - first_column
                                   : tile_columns;
  if (plan.rows.extent <= 2) {
    return contract_few_rows<Product>(plan, out, out_base, a, a_base, b, b_base, first_column,
                                      columns);
  }
  DepthOffsets offsets;
  Accumulator tile[depth_block * tile_columns];
  Accumulator line[depth_block];
  Accumulator left[tile_rows][depth_block];
  Accumulator sums[row_chunk][tile_columns];
  for (std::int64_t row0 = 0; row0 < plan.rows.extent; row0 += row_chunk) {
    const std::int64_t rows =
        plan.rows.extent - row0 < row_chunk ? plan.rows.extent - row0 : row_chunk;
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t j = 0; j < tile_columns; ++j) sums[r][j] = Accumulator{};
    }
    for (std::int64_t k0 = 0; k0 < plan.depth_size; k0 += depth_block) {
      const std::int64_t depth =
          plan.depth_size - k0 < depth_block ? plan.depth_size - k0 : depth_block;
      offsets.fill(plan, k0, depth);
      for (std::int64_t j = 0; j < tile_columns; ++j) {
        if (j >= columns) {
          for (std::int64_t k = 0; k < depth; ++k) tile[k * tile_columns + j] = Accumulator{};
          continue;
        }
        gather(b, b_base + (first_column + j) * plan.columns.b, offsets.b, depth,
               offsets.b_contiguous, line);
        for (std::int64_t k = 0; k < depth; ++k) tile[k * tile_columns + j] = line[k];
      }
      for (std::int64_t r0 = 0; r0 < rows; r0 += tile_rows) {
        const std::int64_t count = rows - r0 < tile_rows ? rows - r0 : tile_rows;
        for (std::int64_t r = 0; r < count; ++r) {
          gather(a, a_base + (row0 + r0 + r) * plan.rows.a, offsets.a, depth, offsets.a_contiguous,
                 left[r]);
        }
        for (std::int64_t r = 0; r < count; ++r) {
          // A copy that never leaves the registers.
          Accumulator sum[tile_columns];
          for (std::int64_t j = 0; j < tile_columns; ++j) sum[j] = sums[r0 + r][j];
          for (std::int64_t k = 0; k < depth; ++k) {
            const Accumulator x = left[r][k];
            const Accumulator* const y = tile + k * tile_columns;
            for (std::int64_t j = 0; j < tile_columns; ++j) {
              sum[j] = arith::add(sum[j], multiply<Product>(x, y[j]));
            }
          }
          for (std::int64_t j = 0; j < tile_columns; ++j) sums[r0 + r][j] = sum[j];
        }
      }
    }
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t j = 0; j < columns; ++j) {
        out.data()[out_base + (row0 + r) * plan.rows.out + (first_column + j) * plan.columns.out] =
            static_cast<Value>(sums[r][j]);
      }
    }
  }
}

template <class Product, class Out, class A, class B>
void contract(Context& context, const ContractedIndex* indices, std::size_t count,
              std::size_t outputs, const Out& out, const A& a, const B& b) {
  const ContractionPlan plan = plan_contraction(indices, count, outputs);
  const std::int64_t tiles = (plan.columns.extent + tile_columns - 1) / tile_columns;
  if (plan.outer_size <= 0 || plan.rows.extent <= 0 || tiles <= 0) return;
  const std::int64_t work =
      plan.rows.extent * tile_columns * (plan.depth_size > 0 ? plan.depth_size : 1);
  constexpr std::int64_t worth_a_thread = 64 * 1024;
  const std::int64_t grain = work >= worth_a_thread ? 1 : worth_a_thread / work + 1;
  parallel_for(context, plan.outer_size * tiles, grain, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t task = first; task < last; ++task) {
      std::int64_t rest = task / tiles;
      std::int64_t out_base = 0;
      std::int64_t a_base = 0;
      std::int64_t b_base = 0;
      for (std::size_t i = plan.outer_count; i-- > 0;) {
        const ContractedIndex& index = plan.outer[i];
        const std::int64_t position = rest % index.extent;
        rest /= index.extent;
        out_base += position * index.out;
        a_base += position * index.a;
        b_base += position * index.b;
      }
      contract_tile<Product>(plan, out, out_base, a, a_base, b, b_base,
                             task % tiles * tile_columns);
    }
  });
}

/// Operands by element type alone: one instantiation serves every shape.
template <class T, Extent... E>
[[nodiscard]] TensorView<const T> without_shape(const TensorView<T, E...>& view) {
  return TensorView<const T>(view.data());
}
template <class T, Extent... E>
[[nodiscard]] TensorView<const T> without_shape(const TensorView<const T, E...>& view) {
  return TensorView<const T>(view.data());
}

/// A weight in its stored form, its shape reduced to the length of a row.
template <class T>
struct StoredRows {
  using value_type = T;
  const void* stored = nullptr;
  Format format = Format::f32;
  std::int64_t row_length = 1;

  /// `count` elements at `base + offsets[k]`, read as `T`. Consecutive ones within a row are
  /// decoded a block at a time.
  template <class To>
  void read(std::int64_t base, const std::int64_t* offsets, std::int64_t count, bool contiguous,
            To* out) const {
    if (format == dense_format(dtype_of<T>)) {
      const T* const data = static_cast<const T*>(stored) + base;
      for (std::int64_t k = 0; k < count; ++k) out[k] = static_cast<To>(data[offsets[k]]);
      return;
    }
    if constexpr (is_float<T>) {
      const auto block = static_cast<std::int64_t>(block_elements(format));
      if (block == 1) {
        for (std::int64_t k = 0; k < count; ++k) {
          T value{};
          linnet::detail::read_dense<T>(stored, format, base + offsets[k], 1, &value);
          out[k] = static_cast<To>(value);
        }
        return;
      }
      float values[256];  // the longest block
      std::int64_t decoded = -1;
      for (std::int64_t k = 0; k < count; ++k) {
        // Rows are whole blocks, so blocks are counted over all rows.
        const std::int64_t at = base + offsets[k];
        if (at / block != decoded) {
          decoded = at / block;
          weights::decode_row(format,
                              static_cast<const std::byte*>(stored) +
                                  static_cast<std::size_t>(decoded) * block_bytes(format),
                              block, values);
        }
        if (contiguous) {
          const std::int64_t first = at % block;
          const std::int64_t run = block - first < count - k ? block - first : count - k;
          for (std::int64_t i = 0; i < run; ++i) {
            out[k + i] = static_cast<To>(static_cast<T>(values[first + i]));
          }
          k += run - 1;
          continue;
        }
        out[k] = static_cast<To>(static_cast<T>(values[at % block]));
      }
    }
  }
};

template <class T, Extent... E>
[[nodiscard]] StoredRows<T> without_shape(const WeightView<T, E...>& view) {
  return {view.data(), view.format(), view.columns()};
}
template <class Weight, AnyShape S>
[[nodiscard]] auto without_shape(const ReshapedWeight<Weight, S>& view) {
  return without_shape(view.weight);
}

}  // namespace detail

/// See the head of this file. `Product` is the dtype of the products.
template <class Product, std::size_t Rank, class Out, class A, class B>
void contract(Context& context, const std::int64_t (&extents)[Rank], std::size_t outputs,
              const Out& out, const std::int64_t (&out_strides)[Rank], const A& a,
              const std::int64_t (&a_strides)[Rank], const B& b,
              const std::int64_t (&b_strides)[Rank]) {
  static_assert(Rank <= detail::most_indices);
  detail::ContractedIndex indices[Rank];
  for (std::size_t i = 0; i < Rank; ++i) {
    indices[i] = {extents[i], out_strides[i], a_strides[i], b_strides[i]};
  }
  const TensorView<typename Out::value_type> plain(out.data());
  detail::contract<Product>(context, indices, Rank, outputs, plain, detail::without_shape(a),
                            detail::without_shape(b));
}

}  // namespace linnet::ops
