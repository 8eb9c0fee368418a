#include <algorithm>
#include <unordered_set>

#include "codegen/optimize/optimize.hpp"
#include "codegen/optimize/rewrite.hpp"

namespace linnet::optimize {
namespace {

using namespace ir;

/// The largest number of a value in the program.
int last_id(const Program& program) {
  int last = -1;
  const auto note = [&last](const std::vector<Value>& values) {
    for (const Value& value : values) last = std::max(last, value.id);
  };
  for_each_body(program, [&](const Region& region) {
    note(region.args);
    walk(region, [&](const Op& op) {
      note(op.results);
      for (const Region& inner : op.regions) note(inner.args);
    });
  });
  for (const Function& function : program.functions) {
    if (function.kernel) note(function.kernel->results);
  }
  return last;
}

class Placement {
 public:
  explicit Placement(int& next_id) : next_id_(next_id) {}

  void visit(Region& region) {
    std::vector<Op> out;
    for (Op& op : region.ops) {
      // Named ones are locals of the source and stay.
      if (is_constant(op) && op.results[0].name.empty()) {
        constants_.emplace(op.results[0].id, std::move(op));
        continue;
      }
      for (int& operand : op.operands) {
        const auto found = constants_.find(operand);
        if (found == constants_.end()) continue;
        Op copy = found->second;
        // The first use keeps the number, so that running again changes nothing.
        if (!placed_.insert(operand).second) copy.results[0].id = next_id_++;
        operand = copy.results[0].id;
        out.push_back(std::move(copy));
      }
      for (Region& inner : op.regions) visit(inner);
      out.push_back(std::move(op));
    }
    region.ops = std::move(out);
  }

 private:
  int& next_id_;
  std::unordered_map<int, Op> constants_;
  std::unordered_set<int> placed_;
};

}  // namespace

void place_constants(Program& program) {
  int next_id = last_id(program) + 1;
  for_each_body(program, [&](Region& region) { Placement(next_id).visit(region); });
}

}  // namespace linnet::optimize
