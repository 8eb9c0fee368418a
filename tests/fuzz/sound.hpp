// What a fuzz target asks of Core IR.
#pragma once

#include "codegen/ir/verify.hpp"
#include "fuzz_target.hpp"

/// Says which rule is broken, where one is.
inline void require_sound(const linnet::ir::Program& program) {
  const std::vector<linnet::ir::Problem> broken = linnet::ir::verify(program, 1);
  if (!broken.empty()) {
    std::fprintf(stderr, "%s: %s\n", broken[0].where.c_str(), broken[0].message.c_str());
  }
  LINNET_FUZZ_REQUIRE(broken.empty());
}
