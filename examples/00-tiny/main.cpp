// Reads rows of numbers and prints what the network makes of them:
//
//   app tiny.safetensors bindings.json rows.txt [exact]

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "linnet/core/checked.hpp"
#include "linnet/core/context.hpp"
#include "linnet/weights/load.hpp"
#include "tiny.linnet.hpp"

namespace {

using linnet::Error;
using linnet::ErrorCode;
using linnet::Numerics;
using linnet::Result;

using Model = tiny::Mlp<4, 8>;
constexpr linnet::Extent S = linnet::symbol<"S", 128>;  // known at run time, at most 128

/// Numbers as a file has them: nothing is known of their shape before they are read.
struct Table {
  std::vector<float> numbers;
  std::int64_t rows = 0, columns = 0;

  [[nodiscard]] linnet::AnyTensor tensor() const {
    return {linnet::DType::f32, {rows, columns}, numbers.data()};
  }
};

Result<Table> read_table(const std::string& path) {
  std::ifstream in(path);
  if (!in) return Error{ErrorCode::io_error, path + ": cannot be read"};
  Table table;
  for (std::string line; std::getline(in, line); ++table.rows) {
    std::istringstream words(line);
    std::int64_t columns = 0;
    for (float number = 0; words >> number; ++columns) table.numbers.push_back(number);
    if (table.rows == 0) table.columns = columns;
    if (!words.eof() || columns != table.columns)
      return Error{ErrorCode::invalid_file, path + ":" + std::to_string(table.rows + 1) +
                                                ": expected " + std::to_string(table.columns) +
                                                " numbers, as in the first line"};
  }
  return table;
}

Result<void> run(const std::string& weights, const std::string& bindings_file,
                 const std::string& rows_file, bool exact) {
  auto checkpoint = linnet::weights::Checkpoint::open(weights);
  if (!checkpoint) return checkpoint.error();
  const auto bindings = linnet::weights::Bindings::open(bindings_file);
  if (!bindings) return bindings.error();
  auto options = linnet::weights::options_for(*checkpoint);
  if (!options) return options.error();
  // A constant: what a call with up to 128 rows needs, with either numerics.
  constexpr std::size_t by_kernels = Model::forward_workspace_bytes<S, Numerics::equivalent>;
  constexpr std::size_t by_bodies = Model::forward_workspace_bytes<S, Numerics::exact>;
  options->workspace_bytes = by_kernels > by_bodies ? by_kernels : by_bodies;
  const auto model = linnet::weights::load<Model>(std::move(*checkpoint), *bindings, *options);
  if (!model) return model.error();

  // Here the shape of the file becomes a type: [S, 4].
  const auto table = read_table(rows_file);
  if (!table) return table.error();
  const auto x = linnet::checked_view<linnet::TensorView<const float, S, 4>>("x", table->tensor());
  if (!x) return x.error();

  linnet::Context context(model->workspace());
  const auto y = exact ? (*model)->forward<S, Numerics::exact>(context, *x)
                       : (*model)->forward<S>(context, *x);
  if (!y) return y.error();
  for (std::int64_t row = 0; row < y->extent(0); ++row) {
    for (std::int64_t i = 0; i < y->extent(1); ++i)
      std::printf("%s%.4f", i == 0 ? "" : " ", static_cast<double>((*y)(row, i)));
    std::printf("\n");
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const bool exact = argc == 5 && std::string(argv[4]) == "exact";
  if (argc != 4 && !exact) {
    std::fprintf(stderr, "usage: app WEIGHTS BINDINGS ROWS [exact]\n");
    return 2;
  }
  const auto done = run(argv[1], argv[2], argv[3], exact);
  if (done) return 0;
  std::fprintf(stderr, "app: %s\n", done.error().message.c_str());
  return 1;
}
