// Building, writing, evaluating and substituting dimensions; shapes.

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/unit/dims/helpers.hpp"

namespace linnet::sema::dims::testing {
namespace {

TEST_CASE("rendering reads back as the same expression") {
  constexpr std::pair<const char*, const char*> cases[] = {
      {"a", "a"},
      {"a + b + c", "a + b + c"},
      {"a - b", "a - b"},
      {"a - (b + c)", "a - (b + c)"},
      {"a - (b - c)", "a - (b - c)"},
      {"a - 2 * b - 3", "a - 2 * b - 3"},
      {"(a + b) * c", "(a + b) * c"},
      {"a * (b * c)", "a * b * c"},
      {"a / b * c", "a / b * c"},
      {"a / (b * c)", "a / (b * c)"},
      {"a / (b / c)", "a / (b / c)"},
      {"a * (b / c)", "a * (b / c)"},
      {"a % b % c", "a % b % c"},
      {"(H + 2 * P - K) / S + 1", "(H + 2 * P - K) / S + 1"},
      {"min(a, max(b, c + 1))", "min(a, max(b, c + 1))"},
      {"size(*S) * h", "size(*S) * h"},
      {"2 + 3", "5"},
      {"0 * a", "0"},
      {"1 * a", "a"},
      {"a + 0", "a"},
      {"2 * (3 * a)", "6 * a"},
      {"7 / 2", "3"},
      {"(0 - 7) / 2", "-4"},
      {"(0 - 7) % 2", "1"},
      {"a / 0", "a / 0"},
      {"a / 1", "a"},
      {"a % 1", "0"},
  };
  for (const auto& [from, to] : cases) {
    Reader reader;
    const ir::Dim dim = reader.dim(from);
    CHECK(render(dim) == to);
    if (std::string(to).find('-') != 0) CHECK(render(reader.dim(render(dim))) == to);
  }
}

TEST_CASE("constraints and shapes are rendered as source") {
  Reader reader;
  CHECK(render(reader.relation("H % N == 0")) == "H % N == 0");
  CHECK(render(ir::ShapeUnits{unit_of(reader.dim("B")), unit_of_pack(9, "S"),
                              unit_of(reader.dim("2 * H"))}) == "B, *S, 2 * H");
}

TEST_CASE("rendering a nest of shared nodes stays short") {
  ir::Dim dim = symbol(0, "A");
  for (int i = 0; i < 60; ++i) dim = floordiv(dim, dim);
  CHECK(render(dim).size() < 100'000);
  CHECK(!within_limits(dim));
}

TEST_CASE("evaluation checks for overflow, divisors and missing values") {
  Reader reader;
  Bindings bindings;
  const auto value = [&](const char* text) { return evaluate(reader.dim(text), bindings); };
  CHECK(value("A") == Evaluated(EvaluationError::unbound));
  const ir::Dim a = reader.dim("A");
  bindings.dims[0] = 7;
  CHECK(value("A * A + 1") == Evaluated(std::int64_t{50}));
  CHECK(value("(A - 14) / 2") == Evaluated(std::int64_t{-4}));
  CHECK(value("(A - 14) % 4") == Evaluated(std::int64_t{1}));
  CHECK(value("A / (A - 7)") == Evaluated(EvaluationError::divisor));
  CHECK(value("A % (A - 9)") == Evaluated(EvaluationError::divisor));
  CHECK(value("min(A, 3) + max(A, 3)") == Evaluated(std::int64_t{10}));
  bindings.dims[0] = std::numeric_limits<std::int64_t>::max();
  CHECK(value("A + 1") == Evaluated(EvaluationError::overflow));
  CHECK(value("A * 2") == Evaluated(EvaluationError::overflow));
  bindings.packs[5] = {2, 3, 4};
  CHECK(evaluate(pack_size(5, "S"), bindings) == Evaluated(std::int64_t{24}));
  bindings.packs[5] = {};
  CHECK(evaluate(pack_size(5, "S"), bindings) == Evaluated(std::int64_t{1}));
  bindings.dims[0] = 7;
  CHECK(std::get<bool>(evaluate(ir::Constraint{ir::Relation::le, a, constant(7), {}}, bindings)));
  CHECK(!std::get<bool>(evaluate(ir::Constraint{ir::Relation::ne, a, constant(7), {}}, bindings)));
}

TEST_CASE("substitution replaces symbols, packs and dtypes at once") {
  Reader reader;
  const ir::Dim a = reader.dim("A");
  const ir::Dim b = reader.dim("B");
  ir::Substitution with;
  with.dims[0] = b;
  with.dims[1] = a;
  with.packs[2] = {unit_of(a), unit_of(constant(3))};
  with.dtypes[4] = ir::Dtype{false, ir::Scalar::f16, 0, {}};
  CHECK(render(substitute(reader.dim("A - 2 * B"), with)) == "B - 2 * A");
  CHECK(render(substitute(mul(pack_size(2, "S"), a), with)) == "3 * A * B");
  CHECK(render(substitute(ir::ShapeUnits{unit_of_pack(2, "S"), unit_of(a)}, with)) == "A, 3, B");
  CHECK(render(substitute(ir::ShapeUnits{unit_of_pack(3, "R")}, with)) == "*R");

  auto tensor = std::make_shared<ir::TypeNode>();
  tensor->kind = ir::TypeKind::tensor;
  tensor->dtype = ir::Dtype{true, {}, 4, "T"};
  tensor->shape = {unit_of_pack(2, "S")};
  auto optional = std::make_shared<ir::TypeNode>();
  optional->kind = ir::TypeKind::optional;
  optional->elements = {tensor};
  const ir::Type result = substitute(ir::Type(optional), with);
  CHECK(result->elements[0]->dtype.scalar == ir::Scalar::f16);
  CHECK(result->elements[0]->shape.size() == 2);
  const Facts facts;
  CHECK(!types_equal(facts, result, optional));
  CHECK(types_equal(facts, result, substitute(ir::Type(optional), with)));
}

class Shapes {
 public:
  /// `*S` is a pack, everything else a dimension.
  ir::ShapeUnits operator()(std::initializer_list<const char*> units) {
    ir::ShapeUnits shape;
    for (const std::string unit : units) {
      if (unit[0] == '*') {
        shape.push_back(unit_of_pack(100 + unit[1], unit.substr(1)));
      } else {
        shape.push_back(unit_of(reader.dim(unit)));
      }
    }
    return shape;
  }
  Reader reader;
};

TEST_CASE("broadcasting aligns from the right") {
  Shapes shape;
  const Facts facts = shape.reader.facts("N == M");
  const auto text = [&](const ir::ShapeUnits& a, const ir::ShapeUnits& b) {
    const Broadcast result = broadcast(facts, a, b);
    return result.shape ? render(*result.shape) : "fails at " + std::to_string(result.from_back);
  };
  CHECK(text(shape({"B", "S", "H"}), shape({"H"})) == "B, S, H");
  CHECK(text(shape({"B", "S", "H"}), shape({"S", "1"})) == "B, S, H");
  CHECK(text(shape({"M", "1"}), shape({"1", "K"})) == "M, K");
  CHECK(text(shape({"B", "S", "H"}), shape({"S"})) == "fails at 0");
  CHECK(text(shape({"B", "S", "H"}), shape({"B", "1", "H"})) == "B, S, H");
  CHECK(text(shape({"A", "S", "H"}), shape({"B", "S", "H"})) == "fails at 2");
  CHECK(text(shape({"N"}), shape({"M"})) == "N");
  CHECK(text(shape({"H + H"}), shape({"2 * H"})) == "H + H");
  CHECK(text(shape({"*S", "H"}), shape({"*S", "1"})) == "*S, H");
  CHECK(text(shape({"*S", "H"}), shape({"H"})) == "*S, H");
  CHECK(text(shape({"*S", "H"}), shape({"1", "H"})) == "fails at 1");
  CHECK(text(shape({"A", "*S"}), shape({"*S"})) == "A, *S");
  CHECK(text(shape({"*S"}), shape({"*R"})) == "fails at 0");
  CHECK(text(shape({}), shape({"A"})) == "A");

  CHECK(broadcast_to(facts, shape({"H"}), shape({"B", "H"})).shape);
  CHECK(broadcast_to(facts, shape({"1", "H"}), shape({"B", "H"})).shape);
  CHECK(broadcast_to(facts, shape({}), shape({"*S"})).shape);
  CHECK(!broadcast_to(facts, shape({"B", "H"}), shape({"H"})).shape);
  CHECK(!broadcast_to(facts, shape({"B", "H"}), shape({"1", "H"})).shape);
}

TEST_CASE("element counts decide reshapes with packs") {
  Shapes shape;
  const Facts facts = shape.reader.facts("N > 0; H % N == 0");
  CHECK(element_counts_equal(facts, shape({"*S", "H"}), shape({"*S", "N", "H / N"})));
  CHECK(element_counts_equal(facts, shape({"*S", "A + B", "C"}), shape({"*S", "C * A + C * B"})));
  CHECK(element_counts_equal(facts, shape({"*S", "1"}), shape({"*S"})));
  CHECK(element_counts_equal(facts, shape({"*S", "*R"}), shape({"*R", "*S"})));
  CHECK(!element_counts_equal(facts, shape({"*S", "H"}), shape({"*R", "H"})));
  CHECK(!element_counts_equal(facts, shape({"B", "S", "H"}), shape({"B", "H"})));
  CHECK(shapes_equal(facts, shape({"*S", "N * (H / N)"}), shape({"*S", "H"})));
  CHECK(!shapes_equal(facts, shape({"*S", "H"}), shape({"H"})));
}

TEST_CASE("slices clamp as Python's do") {
  struct {
    const char* start;
    const char* stop;
    const char* step;
    const char* extent;
    const char* result;
  } const cases[] = {
      {"2", "100", nullptr, "8", "6"},
      {nullptr, "20", nullptr, "8", "8"},
      {"9", nullptr, nullptr, "8", "0"},
      {"6", "4", nullptr, "8", "0"},
      {"3", "50", "2", "8", "3"},
      {nullptr, nullptr, "2", "2 * D", "D"},
      {"0", "S + 2", nullptr, "S", "S"},
      {"3", "S + 7", nullptr, "S + 3", "S"},
      {"H", nullptr, nullptr, "2 * H", "H"},
      {"0", "H", nullptr, "2 * H", "H"},
      {"1", nullptr, "2", "2 * D", "D"},
      {"0", "S", nullptr, "K", "min(S, K)"},
      {"2", nullptr, nullptr, "S", "max(0, S - 2)"},
  };
  for (const auto& one : cases) {
    Reader reader;
    const auto maybe = [&](const char* text) {
      return text == nullptr ? nullptr : reader.dim(text);
    };
    const Facts facts;
    const ir::Dim result = slice_extent(facts, maybe(one.start), maybe(one.stop), maybe(one.step),
                                        reader.dim(one.extent));
    CHECK_MESSAGE(facts.equal(result, reader.dim(one.result)), render(result), " is not ",
                  std::string(one.result));
  }
}

TEST_CASE("limits hold for shared and long expressions") {
  ir::Dim sum = constant(0);
  for (int i = 0; i < 5000; ++i) sum = add(sum, symbol(i, "S"));
  CHECK(!within_limits(sum));
  ir::Dim wide = constant(0);
  for (int i = 0; i < 200; ++i) wide = add(wide, symbol(i, "S"));
  CHECK(within_limits(wide));
  CHECK(mentions_symbol(wide, 150));
  CHECK(!mentions_symbol(wide, 200));
  CHECK(!within_limits(nullptr));
}

TEST_CASE("a kept division of constants folds toward minus infinity") {
  const ir::Dim quotient = unfolded(ir::DimKind::floordiv, constant(-7), constant(2));
  const ir::Dim rest = unfolded(ir::DimKind::mod, constant(-7), constant(2));
  CHECK(!as_constant(quotient));
  CHECK(as_constant(folded(quotient)) == -4);
  CHECK(as_constant(folded(rest)) == 1);
  CHECK(as_constant(folded(add(quotient, constant(4)))) == 0);
  const ir::Dim open = add(quotient, symbol(0, "A"));
  CHECK(folded(open) == open);
}

TEST_CASE("a quotient that rounds up fits where its sum does not") {
  const ir::Dim huge = constant(9223372036854775807);
  CHECK(as_constant(ceildiv(constant(8), huge)) == 1);
  CHECK(as_constant(ceildiv(huge, constant(2))) == 4611686018427387904);
  CHECK(as_constant(ceildiv(constant(-3), constant(2))) == -1);
  CHECK(as_constant(ceildiv(constant(0), huge)) == 0);
}

}  // namespace
}  // namespace linnet::sema::dims::testing
