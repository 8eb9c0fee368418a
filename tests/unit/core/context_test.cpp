#include "linnet/core/context.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using linnet::Context;

TEST_CASE("the first error of a call is kept") {
  Context context;
  CHECK_FALSE(context.failed());
  context.fail_index(7, 5);
  context.fail_division();
  REQUIRE(context.failed());
  const linnet::Error error = context.take_error();
  CHECK(error.code == linnet::ErrorCode::out_of_range);
  CHECK(error.message == "index 7 out of range for axis of 5");
  CHECK_FALSE(context.failed());
  context.fail_division();
  CHECK(context.error().code == linnet::ErrorCode::division_by_zero);
}

TEST_CASE("ranges of threads cover everything once, evenly") {
  for (std::int64_t count : {0, 1, 5, 16, 1000003}) {
    for (int threads : {1, 2, 3, 16}) {
      std::int64_t next = 0;
      for (int thread = 0; thread < threads; ++thread) {
        const linnet::Range range = linnet::thread_range(count, thread, threads);
        REQUIRE(range.begin == next);
        REQUIRE(range.end - range.begin <= count / threads + 1);
        next = range.end;
      }
      REQUIRE(next == count);
    }
  }
}

TEST_CASE("without an executor everything runs on the caller's thread") {
  Context context;
  CHECK(context.threads() == 1);
  int runs = 0;
  context.parallel([&](int thread, int threads) {
    CHECK(thread == 0);
    CHECK(threads == 1);
    context.barrier();
    ++runs;
  });
  CHECK(runs == 1);
  std::vector<int> hits(10);
  linnet::parallel_for(context, 10, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) ++hits[static_cast<std::size_t>(i)];
  });
  CHECK(hits == std::vector<int>(10, 1));
  linnet::parallel_for(context, 0, 1, [&](std::int64_t, std::int64_t) { ++runs; });
  CHECK(runs == 1);
}
