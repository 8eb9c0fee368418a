#pragma once
// Checking all bodies of a program, and warnings that wait until it is known to be sound.

#include <string>
#include <vector>

#include "codegen/sema/context.hpp"

namespace linnet::sema {

struct Warning {
  const char* code;
  Span span;
  std::string message;
  std::string help;
};

/// Settles every header and constant and checks every function.
void check_bodies(Context& context, std::vector<Warning>& warnings);

/// E2122 for a constant whose value needs `use`, which needs the constant: once.
void report_circular_constant(Context& context, ConstantId id, Span use);

/// E2119 for recursion, E2122 for structs and blocks that hold themselves (cycles.cpp).
void check_cycles(Context& context);

/// W1001 and W1003, added to what bodies found (lints.cpp).
void collect_unused(Context& context, std::vector<Warning>& warnings);

}  // namespace linnet::sema
