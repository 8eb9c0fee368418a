// Parts of the checker on their own: near names, ranges of dtypes, inference.

#include <doctest/doctest.h>

#include <limits>

#include "codegen/sema/body.hpp"
#include "codegen/sema/suggest.hpp"
#include "codegen/sema/types.hpp"

using namespace linnet;
using namespace linnet::sema;

TEST_CASE("names one edit apart") {
  CHECK(one_edit_apart("hiden", "hidden"));
  CHECK(one_edit_apart("hidden", "hiden"));
  CHECK(one_edit_apart("hidden", "hidxen"));
  CHECK(one_edit_apart("hidden", "hiddne"));
  CHECK(one_edit_apart("Width", "width"));
  CHECK_FALSE(one_edit_apart("hidden", "hidden"));
  CHECK_FALSE(one_edit_apart("hidden", "hid"));
  CHECK_FALSE(one_edit_apart("abcd", "badc"));
  CHECK(closest("lineer", {"conv", "linear"}) == "linear");
  CHECK(closest("x", {"y"}).empty());
}

TEST_CASE("ranges of dtypes") {
  using ir::Scalar;
  CHECK(holds(Scalar::i8, std::int64_t{-128}));
  CHECK_FALSE(holds(Scalar::i8, std::int64_t{128}));
  CHECK(holds(Scalar::u8, std::int64_t{255}));
  CHECK_FALSE(holds(Scalar::u8, std::int64_t{-1}));
  CHECK_FALSE(holds(Scalar::u64, std::int64_t{-1}));
  CHECK(holds(Scalar::u32, std::int64_t{4294967295}));
  CHECK_FALSE(holds(Scalar::u32, std::int64_t{4294967296}));
  CHECK(holds(Scalar::i64, std::numeric_limits<std::int64_t>::min()));
  CHECK_FALSE(holds(Scalar::boolean, std::int64_t{1}));
  CHECK(holds(Scalar::f16, 65519.99));
  CHECK_FALSE(holds(Scalar::f16, 65520.0));
  CHECK(holds(Scalar::f32, 3.4028235e38));
  CHECK_FALSE(holds(Scalar::f32, 3.5e38));
  CHECK(holds(Scalar::bf16, 3.39e38));
  CHECK_FALSE(holds(Scalar::bf16, 3.4e38));
  CHECK_FALSE(holds(Scalar::f64, std::numeric_limits<double>::infinity()));
}

TEST_CASE("a pack binds to the axes that the others leave") {
  std::vector<ir::Generic> generics(3);
  generics[0] = {"S", ir::GenericKind::shape, 0, ir::DtypeClass::any, {}};
  generics[1] = {"H", ir::GenericKind::dim, 1, ir::DtypeClass::any, {}};
  generics[2] = {"T", ir::GenericKind::dtype, 0, ir::DtypeClass::floating, {}};
  const ir::Dim h = dims::symbol(1, "H");
  const ir::Dtype t = std::get<ir::Dtype>(identity(generics[2]));
  const ir::Type parameter = tensor_type({dims::unit_of_pack(0, "S"), dims::unit_of(h)}, t);
  const auto shape = [](std::initializer_list<std::int64_t> extents) {
    ir::ShapeUnits units;
    for (const std::int64_t extent : extents)
      units.push_back(dims::unit_of(dims::constant(extent)));
    return units;
  };

  Inference inference(generics, {});
  inference.learn(parameter, tensor_type(shape({2, 3, 8}), dtype_of(ir::Scalar::f16)), {});
  REQUIRE(inference.is_bound(0));
  CHECK(render(*inference.bound(0)) == "[2, 3]");
  CHECK(render(*inference.bound(1)) == "8");
  CHECK(render(*inference.bound(2)) == "f16");

  Inference empty(generics, {});
  empty.learn(parameter, tensor_type(shape({8}), dtype_of(ir::Scalar::f16)), {});
  CHECK(render(*empty.bound(0)) == "[]");

  Inference scalar(generics, {});
  scalar.learn(parameter, scalar_type(ir::Scalar::f16), {});
  CHECK_FALSE(scalar.is_bound(0));
  CHECK_FALSE(scalar.is_bound(2));
}

TEST_CASE("types of exponential size are refused") {
  ir::Type type = i64_type();
  for (int i = 0; i < 11; ++i) type = tuple_type({type, type});
  CHECK(within_limits(type));
  for (int i = 0; i < 60; ++i) type = tuple_type({type, type});
  CHECK_FALSE(within_limits(type));
}
