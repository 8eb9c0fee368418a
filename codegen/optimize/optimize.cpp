#include "codegen/optimize/optimize.hpp"

#ifndef NDEBUG
#include <stdexcept>
#include <string>

#include "codegen/ir/verify.hpp"
#endif

namespace linnet::optimize {
namespace {

/// Each round makes the program smaller, so few are needed; the bound is for safety.
constexpr int max_rounds = 16;

void simplify_and_fold(ir::Program& program) {
  for (int round = 0; round < max_rounds; ++round) {
    const bool simplified = simplify(program);
    const bool folded = fold_constants(program);
    if (!simplified && !folded) return;
  }
}

struct Pass {
  const char* name;
  void (*run)(ir::Program&);
};

constexpr Pass passes[] = {
    {"simplify and fold constants", simplify_and_fold},
    {"merge common values", merge_common},
    {"hoist invariants", hoist_invariants},
    {"merge common values", merge_common},
    {"place constants", place_constants},
    {"drop dead values", drop_dead},
};

/// A pass that breaks a program is a mistake of this compiler, not of its input.
void check([[maybe_unused]] const ir::Program& program, [[maybe_unused]] const char* pass) {
#ifndef NDEBUG
  const auto problems = ir::verify(program, 1);
  if (problems.empty()) return;
  throw std::logic_error("the pass `" + std::string(pass) +
                         "` broke the program: " + problems[0].where + ": " + problems[0].message);
#endif
}

}  // namespace

void run(ir::Program& program) {
  check(program, "(none yet)");
  for (const Pass& pass : passes) {
    pass.run(program);
    check(program, pass.name);
  }
}

}  // namespace linnet::optimize
