// What a fuzz target defines. Under Clang with LINNET_BUILD_FUZZERS libFuzzer drives it; in the
// ordinary test suite `mutate.cpp` does, with a fixed number of fixed mutations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

/// Well-formed inputs to start from.
std::vector<std::string> fuzz_seeds();

/// Runs one input. Anything but a clean return is a finding.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

/// An invariant that must hold for every input, whatever the build type.
#define LINNET_FUZZ_REQUIRE(condition)                                                   \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      std::fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                      \
    }                                                                                    \
  } while (false)
