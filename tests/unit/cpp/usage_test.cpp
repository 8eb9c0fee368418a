#include "codegen/cpp/usage.hpp"

#include <doctest/doctest.h>

#include "codegen/ir/build.hpp"

namespace ir = linnet::ir;
using linnet::cpp::Usage;

namespace {

ir::Value boolean(int id) {
  return {id, "", ir::make_scalar(ir::Scalar::boolean)};
}

ir::Op op(ir::OpKind kind, std::vector<int> operands, std::vector<ir::Value> results) {
  ir::Op made;
  made.kind = kind;
  made.operands = std::move(operands);
  made.results = std::move(results);
  return made;
}

}  // namespace

TEST_CASE("the right side of && waits, with all that only it needs") {
  // c = a; d = !b; e = !d; f = a && e; g = !a; h = f && g; return h, g
  ir::Region region;
  region.args = {boolean(0), boolean(1)};
  region.ops.push_back(op(ir::OpKind::not_, {1}, {boolean(3)}));
  region.ops.push_back(op(ir::OpKind::not_, {3}, {boolean(4)}));
  region.ops.push_back(op(ir::OpKind::and_, {0, 4}, {boolean(5)}));
  region.ops.push_back(op(ir::OpKind::not_, {0}, {boolean(6)}));
  region.ops.push_back(op(ir::OpKind::and_, {5, 6}, {boolean(7)}));
  region.ops.push_back(op(ir::OpKind::yield, {7, 6}, {}));
  const Usage usage(region);
  CHECK(usage.guarded(4));
  CHECK(usage.guarded(3));
  CHECK_FALSE(usage.guarded(5));
  CHECK_FALSE(usage.guarded(6));  // also read outside
  CHECK(usage.uses(0) == 2);
  CHECK(usage.last_use(6) == 5);
}

TEST_CASE("reads inside a loop repeat, and last until the loop ends") {
  ir::Region body;
  body.args = {{10, "i", ir::make_scalar(ir::Scalar::i64)}};
  body.ops.push_back(op(ir::OpKind::not_, {1}, {boolean(11)}));
  body.ops.push_back(op(ir::OpKind::not_, {11}, {boolean(12)}));
  body.ops.push_back(op(ir::OpKind::yield, {12}, {}));
  ir::Op loop = op(ir::OpKind::reduce, {}, {boolean(13)});
  loop.regions.push_back(body);
  ir::Region region;
  region.args = {boolean(1)};
  region.ops.push_back(loop);
  region.ops.push_back(op(ir::OpKind::yield, {13}, {}));
  const Usage usage(region);
  CHECK(usage.repeated(1));
  CHECK_FALSE(usage.repeated(11));
  CHECK(usage.last_use(1) == 3);  // the loop is op 0, its body 1 to 3
  CHECK(Usage::free_values(region.ops[0]) == std::vector<int>{1});
}
