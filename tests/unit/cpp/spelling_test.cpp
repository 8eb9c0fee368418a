#include "codegen/cpp/spelling.hpp"

#include <doctest/doctest.h>

#include "codegen/ir/build.hpp"

namespace ir = linnet::ir;
using linnet::cpp::Scope;
using linnet::cpp::Spelling;

namespace {

Spelling spelling_with(Scope& scope) {
  Spelling spelling;
  spelling.declare({{"H", ir::GenericKind::dim, 0, {}, {}},
                    {"N", ir::GenericKind::dim, 1, {}, {}},
                    {"S", ir::GenericKind::shape, 2, {}, {}},
                    {"T", ir::GenericKind::dtype, 0, ir::DtypeClass::floating, {}}},
                   scope);
  return spelling;
}

const ir::Dim h = ir::make_symbol(0, "H");
const ir::Dim n = ir::make_symbol(1, "N");

}  // namespace

TEST_CASE("dimensions are extents in types and integers in bodies") {
  Scope scope;
  const Spelling spelling = spelling_with(scope);
  const ir::Dim head = ir::make_dim(ir::DimKind::floordiv, {h, n});
  CHECK(spelling.extent(head) == "H / N");
  CHECK(spelling.value(head).text == "linnet::ops::quotient(n_H, n_N)");
  const ir::Dim least = ir::make_dim(ir::DimKind::min, {h, ir::make_constant(8)});
  CHECK(spelling.extent(least).starts_with("linnet::min("));
  CHECK(spelling.extent(ir::make_pack_size(2, "S")) == "linnet::size_of<S>");
  CHECK(spelling.value(ir::make_pack_size(2, "S")).text == "n_S");
}

TEST_CASE("shapes join packs and runs of dimensions") {
  Scope scope;
  const Spelling spelling = spelling_with(scope);
  const ir::ShapeUnits units = {ir::make_pack_unit(2, "S"), ir::make_unit(h), ir::make_unit(n)};
  CHECK(spelling.shape(units) == "linnet::join<S, linnet::Shape<H, N>>");
  CHECK(spelling.shape({ir::make_pack_unit(2, "S")}) == "S");
  CHECK(spelling.shape({}) == "linnet::Shape<>");
  CHECK(spelling.view({ir::make_unit(h)}, ir::make_dtype(ir::Scalar::bf16)) ==
        "linnet::TensorView<linnet::bf16, H>");
  CHECK(spelling.view(units, ir::make_dtype_variable(0, "T"), true) ==
        "linnet::view_of<const T, linnet::join<S, linnet::Shape<H, N>>>");
  CHECK(spelling.size(units).text == "n_S * n_H * n_N");
}

TEST_CASE("a name that is not in scope is an error, not a guess") {
  Scope scope;
  const Spelling spelling = spelling_with(scope);
  CHECK_THROWS_AS((void)spelling.extent(ir::make_symbol(9, "X")), linnet::cpp::Unsupported);
  CHECK_THROWS_AS((void)spelling.dtype(ir::make_dtype_variable(9, "U")), linnet::cpp::Unsupported);
}

TEST_CASE("generics that are C++ keywords get other names") {
  Scope scope;
  Spelling spelling;
  const ir::Generic generic{"int", ir::GenericKind::dim, 5, {}, {}};
  spelling.declare({generic}, scope);
  CHECK(spelling.template_parameters({generic}) == "linnet::Extent int_");
  CHECK(spelling.extent(ir::make_symbol(5, "int")) == "int_");
}
