// Programs that are well formed but that no checker has seen: a plan is changed op by op as the
// input says, and what the verifier lets through must become a header or a refusal.
#include <string>
#include <vector>

#include "codegen/cpp/header.hpp"
#include "codegen/ir/verify.hpp"
#include "codegen/plan/plan.hpp"
#include "fuzz_target.hpp"
#include "tests/unit/plan/sample_plan.hpp"

namespace ir = linnet::ir;

namespace {

void collect(ir::Region& region, std::vector<ir::Op*>& ops) {
  for (ir::Op& op : region.ops) {
    ops.push_back(&op);
    for (ir::Region& inner : op.regions) collect(inner, ops);
  }
}

/// Four bytes an edit: which op, what of it, and two values.
void edit(const std::vector<ir::Op*>& ops, const std::uint8_t* bytes) {
  ir::Op& op = *ops[bytes[0] % ops.size()];
  switch (bytes[1] % 6) {
    case 0:
      op.kind = static_cast<ir::OpKind>(bytes[2] % 60);
      break;
    case 1:
      if (!op.operands.empty()) op.operands[bytes[2] % op.operands.size()] = bytes[3] % 48;
      break;
    case 2:
      op.operands.push_back(bytes[2] % 48);
      break;
    case 3:
      if (!op.operands.empty()) op.operands.pop_back();
      break;
    case 4:
      op.attrs.axis = bytes[2] % 4;
      break;
    default:
      op.attrs.reduce = static_cast<ir::ReduceKind>(bytes[2] % 6);
      break;
  }
}

}  // namespace

std::vector<std::string> fuzz_seeds() {
  return {std::string(4, '\0'), std::string("\x03\x01\x00\x07", 4), std::string(40, '\x05')};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ir::Program base = [] {
    std::vector<ir::Problem> problems;
    auto program = linnet::plan::read(linnet::test::sample_plan, problems);
    LINNET_FUZZ_REQUIRE(program.has_value());
    return *program;
  }();
  ir::Program program = base;
  std::vector<ir::Op*> ops;
  for (ir::Function& function : program.functions) collect(function.body, ops);
  for (std::size_t at = 0; at + 4 <= size && at < 64; at += 4) edit(ops, data + at);
  if (!ir::verify(program).empty()) return 0;
  const linnet::cpp::Header header = linnet::cpp::generate(program);
  LINNET_FUZZ_REQUIRE(header.text.empty() == !header.errors.empty());
  LINNET_FUZZ_REQUIRE(header.text == linnet::cpp::generate(program).text);
  return 0;
}
