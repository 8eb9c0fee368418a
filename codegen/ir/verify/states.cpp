// The lists of states: a function names every state that it reads or writes, directly or through
// calls, by its path from the function's block. It may name more: what a pass proves never to run
// stays listed.

#include <unordered_map>
#include <unordered_set>

#include "codegen/ir/verify/verifier.hpp"

namespace linnet::ir::detail {
namespace {

/// The states that one function touches.
class Touched {
 public:
  Touched(const Lookup& lookup, Effort& effort) : lookup_(lookup), effort_(effort) {}

  /// The first path that is not in `listed`, empty for none.
  std::string find_missing(const Function& function) {
    listed_.insert(function.states.begin(), function.states.end());
    paths_[function.body.args[0].id] = "";
    visit(function.body);
    return missing_;
  }

 private:
  void visit(const Region& region);
  void visit(const Op& op);
  void touch(const std::string& path) {
    if (missing_.empty() && !listed_.contains(path)) missing_ = path;
  }
  static std::string joined(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
  }

  const Lookup& lookup_;
  Effort& effort_;
  std::unordered_set<std::string> listed_;
  std::unordered_map<int, std::string> paths_;  ///< of values that are blocks or arrays of them
  std::string missing_;
};

void Touched::visit(const Region& region) {
  for (const Op& op : region.ops) visit(op);
}

void Touched::visit(const Op& op) {
  const auto block = op.operands.empty() ? paths_.end() : paths_.find(op.operands[0]);
  if (block != paths_.end()) {
    const std::string path = block->second;
    if (!effort_.spend(static_cast<std::int64_t>(path.size()))) return;
    switch (op.kind) {
      case OpKind::block_sub:
        paths_[op.results[0].id] = joined(path, op.attrs.name);
        break;
      case OpKind::array_get:
        paths_[op.results[0].id] = path + "[*]";
        break;
      case OpKind::static_for:
        paths_[op.regions[0].args[0].id] = path + "[*]";
        break;
      case OpKind::option_match:
        paths_[op.regions[0].args[0].id] = path;
        break;
      case OpKind::state_read:
      case OpKind::state_write:
        touch(joined(path, op.attrs.name));
        break;
      case OpKind::call:
        for (const std::string& state : lookup_.function(op.attrs.callee)->states) {
          if (!effort_.spend(static_cast<std::int64_t>(path.size() + state.size()))) return;
          touch(joined(path, state));
        }
        break;
      default:
        break;
    }
  }
  for (const Region& region : op.regions) visit(region);
}

}  // namespace

void Verifier::check_states() {
  for (std::size_t i = 0; i < program_.functions.size() && !full(); ++i) {
    const Function& function = program_.functions[i];
    if (function.block.empty()) continue;
    const std::string missing = Touched(lookup_, witnesses_.effort()).find_missing(function);
    if (missing.empty()) continue;
    const At at(*this, element("functions", i) + ".states");
    problem("does not list `" + missing + "`, which the function uses");
  }
}

}  // namespace linnet::ir::detail
