#include "linnet/ops/interface.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <tuple>

namespace ops = linnet::ops;

namespace {
constexpr linnet::Extent S = linnet::symbol<"S", 4>;
}

TEST_CASE("inputs are found by name, and what is wrong is named") {
  const std::int32_t value = 3;
  const linnet::AnyTensor scalar{linnet::DType::i32, {}, &value};
  const ops::Inputs inputs = {{"at", {scalar}}, {"pair", {scalar, scalar}}, {"other", {scalar}}};
  {
    ops::InputReader reader(inputs);
    CHECK(reader.find("at", 0, 1, true) == &inputs[0].tensors[0]);
    CHECK(reader.find("pair", 1, 2, true) == &inputs[1].tensors[1]);
    CHECK(reader.find("bias", 0, 1, false) == nullptr);
    const auto ready = reader.finish();
    REQUIRE_FALSE(ready);
    CHECK(ready.error().message == "input `other` is no parameter of this entry");
  }
  {
    ops::InputReader reader(inputs);
    CHECK(reader.find("tokens", 0, 1, true) == nullptr);
    CHECK(reader.finish().error().message == "input `tokens` is missing");
  }
  {
    ops::InputReader reader(inputs);
    CHECK(reader.find("pair", 0, 3, true) == nullptr);
    CHECK(reader.finish().error().message == "input `pair`: 2 tensors given, expected 3");
  }
}

TEST_CASE("views of one symbol must agree and keep its bound") {
  const float data[8] = {};
  linnet::Context context;
  const linnet::TensorView<const float, S> three(data, 3);
  const linnet::TensorView<const float, S> four(data, 4);
  const linnet::TensorView<const float, S> five(data, 5);
  CHECK(ops::fits(context, "x", three, linnet::symbol_values(three)));
  CHECK_FALSE(ops::fits(context, "x", four, linnet::symbol_values(three)));
  CHECK(context.take_error().message == "an axis is 4, expected 3");
  CHECK_FALSE(ops::fits(context, "x", five, linnet::symbol_values(five)));
  CHECK(context.take_error().code == linnet::ErrorCode::shape_mismatch);
}

TEST_CASE("constraints of blocks compare extents") {
  using ops::Relation;
  CHECK(ops::holds<linnet::Extent(3), Relation::gt, linnet::Extent(2)>);
  CHECK(ops::holds<linnet::Extent(4) % 2, Relation::eq, linnet::Extent(0)>);
  CHECK_FALSE(ops::holds<linnet::Extent(3), Relation::le, linnet::Extent(2)>);
  CHECK_FALSE(ops::holds<linnet::Extent(3), Relation::ne, linnet::Extent(3)>);
}

TEST_CASE("results are flattened in order and copied") {
  const float data[2] = {1, 2};
  const linnet::TensorView<const float, 2> view(data);
  const auto outputs = ops::outputs(std::tuple(view, std::int64_t{7}, true));
  REQUIRE(outputs.size() == 3);
  CHECK(outputs[0].extents == std::vector<std::int64_t>{2});
  CHECK(outputs[0].bytes.size() == 8);
  CHECK(outputs[1].dtype == linnet::DType::i64);
  CHECK(outputs[2].dtype == linnet::DType::boolean);
  CHECK(outputs[2].extents.empty());
}
