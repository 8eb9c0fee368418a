#include "codegen/diagram/parameters.hpp"

#include <set>
#include <unordered_map>
#include <utility>

#include "codegen/diagram/instance.hpp"
#include "codegen/ir/build.hpp"

namespace linnet::diagram {
namespace {

using ir::OpKind;

/// Calls are followed at most so often; what lies beyond is not listed.
constexpr std::size_t max_calls = 4096;
constexpr int max_depth = 400;  ///< of regions, those of callees included

class Collector {
 public:
  explicit Collector(const ir::Lookup& lookup) : lookup_(lookup) {}

  std::vector<ParameterUse> uses;

  void function(const ir::Function& callee, const std::string& path, const ir::Substitution& with) {
    if (calls_.size() >= max_calls || !calls_.emplace(callee.name, path).second) return;
    Paths paths;
    if (!callee.block.empty() && !callee.body.args.empty()) {
      paths[callee.body.args[0].id] = path;
    }
    region(callee.body, paths, with);
  }

 private:
  using Paths = std::unordered_map<int, std::string>;  ///< of the blocks among the values

  const ir::Lookup& lookup_;
  std::set<std::pair<std::string, std::string>> calls_;
  std::set<std::string> seen_;
  int depth_ = 0;

  void region(const ir::Region& body, Paths& paths, const ir::Substitution& with) {
    if (depth_ >= max_depth) return;
    ++depth_;
    for (const ir::Op& op : body.ops) {
      const auto first = op.operands.empty() ? paths.end() : paths.find(op.operands[0]);
      if (first != paths.end()) {
        // A copy: the map grows below.
        const std::string path = first->second;
        follow(op, path, paths, with);
      } else if (op.kind == OpKind::call || op.kind == OpKind::semantic_call) {
        call(op, {}, with);
      }
      for (const ir::Region& inner : op.regions) region(inner, paths, with);
    }
    --depth_;
  }

  /// An op whose first operand is the block, array or optional weight at `path`.
  void follow(const ir::Op& op, const std::string& path, Paths& paths,
              const ir::Substitution& with) {
    switch (op.kind) {
      case OpKind::block_param:
        use(member_path(path, op.attrs.name), ir::substitute(op.results[0].type, with));
        break;
      case OpKind::block_sub:
        paths[op.results[0].id] = member_path(path, op.attrs.name);
        break;
      case OpKind::array_get:
        paths[op.results[0].id] = element_path(path, "*");
        break;
      case OpKind::static_for:
        paths[op.regions[0].args[0].id] = element_path(path, "*");
        break;
      case OpKind::option_match:
        if (!op.regions[0].args.empty()) paths[op.regions[0].args[0].id] = path;
        break;
      case OpKind::call:
      case OpKind::semantic_call:
        call(op, path, with);
        break;
      default:
        break;
    }
  }

  void call(const ir::Op& op, const std::string& path, const ir::Substitution& with) {
    const ir::Function* callee = lookup_.function(op.attrs.callee);
    if (callee != nullptr) function(*callee, path, compose(op.attrs.substitution, with));
  }

  void use(const std::string& path, const ir::Type& type) {
    if (seen_.insert(path).second) uses.push_back({path, type});
  }
};

}  // namespace

std::string member_path(const std::string& block, const std::string& name) {
  return block.empty() ? name : block + "." + name;
}

std::string element_path(const std::string& array, const std::string& position) {
  return array + "[" + position + "]";
}

std::vector<ParameterUse> parameters_of(const ir::Lookup& lookup, const ir::Function& callee,
                                        const std::string& path, const ir::Substitution& with) {
  Collector collector(lookup);
  collector.function(callee, path, with);
  return std::move(collector.uses);
}

}  // namespace linnet::diagram
