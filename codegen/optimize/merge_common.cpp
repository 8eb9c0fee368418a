#include <string>
#include <unordered_map>

#include "codegen/ir/effects.hpp"
#include "codegen/optimize/fingerprint.hpp"
#include "codegen/optimize/optimize.hpp"
#include "codegen/optimize/rewrite.hpp"

namespace linnet::optimize {
namespace {

using namespace ir;

class CommonValues {
 public:
  explicit CommonValues(const Effects& effects) : effects_(effects) {}

  void merge(Region& region) {
    std::vector<std::string> mine;
    std::vector<Op> kept;
    for (Op& op : region.ops) {
      replacements_.apply(op);
      for (Region& inner : op.regions) merge(inner);
      // Constants stay where they are used; equal ones have equal fingerprints.
      if (is_constant(op)) {
        fingerprints_.note_constant(op);
      } else if (effects_.of(op) != Effect::state && !op.results.empty()) {
        std::string key = fingerprints_.of(op);
        const auto [found, is_new] = values_.try_emplace(key, results_of(op));
        if (!is_new) {
          for (std::size_t i = 0; i < op.results.size(); ++i) {
            replacements_.add(op.results[i].id, found->second[i]);
          }
          continue;
        }
        mine.push_back(std::move(key));
      }
      kept.push_back(std::move(op));
    }
    region.ops = std::move(kept);
    for (const std::string& key : mine) values_.erase(key);
  }

 private:
  static std::vector<int> results_of(const Op& op) {
    std::vector<int> ids;
    for (const Value& result : op.results) ids.push_back(result.id);
    return ids;
  }

  const Effects& effects_;
  Fingerprints fingerprints_;
  Replacements replacements_;
  std::unordered_map<std::string, std::vector<int>> values_;  ///< in scope
};

}  // namespace

void merge_common(Program& program) {
  const Effects effects(program);
  for_each_body(program, [&](Region& region) { CommonValues(effects).merge(region); });
}

}  // namespace linnet::optimize
