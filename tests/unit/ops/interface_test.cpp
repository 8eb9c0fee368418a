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
  CHECK(context.take_error().message == "input `x`: axis 0 is 4, expected 3");
  CHECK_FALSE(ops::fits(context, "x", five, linnet::symbol_values(five)));
  const linnet::Error beyond = context.take_error();
  CHECK(beyond.code == linnet::ErrorCode::shape_mismatch);
  CHECK(beyond.message == "input `x`: axis 0 is 5, at most 4 is possible");
  const linnet::TensorView<const float, S> negative(data, -1);
  CHECK_FALSE(ops::fits(context, "x", negative, linnet::symbol_values(negative)));
  CHECK(context.take_error().message == "input `x`: axis 0 is -1, below zero");
}

TEST_CASE("a view of elements needs data, one of none does not") {
  linnet::Context context;
  const linnet::TensorView<const float, S> none(nullptr, 0);
  CHECK(ops::fits(context, "x", none, linnet::symbol_values(none)));
  const linnet::TensorView<const float, S> two(nullptr, 2);
  CHECK_FALSE(ops::fits(context, "x", two, linnet::symbol_values(two)));
  CHECK(context.take_error().message == "input `x`: 2 elements without data");
  const linnet::TensorView<const float, 3> fixed(nullptr);
  CHECK_FALSE(ops::fits(context, "y", fixed, linnet::symbol_values(fixed)));
  CHECK(context.take_error().message == "input `y`: 3 elements without data");
  // The next error is about no input.
  context.fail_index(9, 4);
  CHECK(context.take_error().message == "index 9 out of range for axis of 4");
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
