#include "linnet/runtime/threads.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "linnet/core/context.hpp"
#include "linnet/runtime/cpu.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LINNET_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LINNET_TEST_SANITIZED 1
#endif
#endif
#ifndef LINNET_TEST_SANITIZED
#define LINNET_TEST_SANITIZED 0
#endif

using linnet::Context;
using linnet::ThreadPool;

namespace {

std::unique_ptr<ThreadPool> pool_of(int threads) {
  auto pool = ThreadPool::make(threads);
  REQUIRE(pool);
  return std::move(*pool);
}

}  // namespace

TEST_CASE("the number of threads must make sense") {
  CHECK(ThreadPool::make(0).error().message == "the number of threads is 0, expected at least 1");
  CHECK_FALSE(ThreadPool::make(-3));
  CHECK_FALSE(ThreadPool::make(1000000));
  CHECK(pool_of(1) == nullptr);
}

TEST_CASE("every thread runs once a call, and barriers order what they do") {
  for (int threads : {2, 3}) {
    const auto pool = pool_of(threads);
    Context context({}, pool.get());
    CHECK(context.threads() == threads);
    std::vector<std::int64_t> slots(static_cast<std::size_t>(threads) * 16);
    std::int64_t total = 0;
    const int calls = 100;
    for (int call = 0; call < calls; ++call) {
      context.parallel([&](int thread, int count) {
        slots[static_cast<std::size_t>(thread) * 16] = call;
        context.barrier();
        std::int64_t sum = 0;
        for (int i = 0; i < count; ++i) sum += slots[static_cast<std::size_t>(i) * 16];
        context.barrier();
        if (thread == 0) total += sum;
      });
    }
    CHECK(total == threads * (calls * (calls - 1) / 2));
  }
}

TEST_CASE("threads that slept between calls come back") {
  const auto pool = pool_of(2);
  Context context({}, pool.get());
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(round * 5));
    int seen = 0;
    context.parallel([&](int thread, int) {
      if (thread == 1) seen = 1;
    });
    CHECK(seen == 1);
  }
}

TEST_CASE("a pool may be dropped while its threads spin or sleep") {
  for (int wait = 0; wait < 3; ++wait) {
    const auto pool = pool_of(2);
    std::this_thread::sleep_for(std::chrono::milliseconds(wait * 10));
  }
}

TEST_CASE("parallel_for covers the range once and keeps small work on one thread") {
  const auto pool = pool_of(2);
  Context context({}, pool.get());
  std::vector<int> hits(1001);
  linnet::parallel_for(context, 1001, 10, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) ++hits[static_cast<std::size_t>(i)];
  });
  CHECK(hits == std::vector<int>(1001, 1));
  int calls = 0;
  linnet::parallel_for(context, 19, 10, [&](std::int64_t, std::int64_t) { ++calls; });
  CHECK(calls == 1);
}

TEST_CASE("errors of several threads: one is kept") {
  const auto pool = pool_of(3);
  Context context({}, pool.get());
  context.parallel([&](int thread, int) { context.fail_index(thread, 0); });
  REQUIRE(context.failed());
  CHECK(context.error().code == linnet::ErrorCode::out_of_range);
}

// Sanitizers need address space of their own for every thread.
#if !LINNET_TEST_SANITIZED
TEST_CASE("threads that cannot be started are an error") {
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
  // No room for stacks.
  const rlimit none{1 << 20, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_AS, &none) == 0);
  const auto pool = ThreadPool::make(64);
  REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
  REQUIRE_FALSE(pool);
  CHECK(pool.error().message.starts_with("cannot start 64 threads: "));
}
#endif

TEST_CASE("the machine has at least one usable core") {
  CHECK(linnet::usable_cores() >= 1);
  CHECK(linnet::usable_cores() <= 65536);
}

#if defined(__linux__)
TEST_CASE("CPU quotas are read as cores, rounded up") {
  CHECK(linnet::detail::parse_cpu_max("max 100000\n") == 0);
  CHECK(linnet::detail::parse_cpu_max("150000 100000\n") == 2);
  CHECK(linnet::detail::parse_cpu_max("100000 100000\n") == 1);
  CHECK(linnet::detail::parse_cpu_max("5000 100000\n") == 1);
  CHECK(linnet::detail::parse_cpu_max("-1 100000\n") == 0);
  CHECK(linnet::detail::parse_cpu_max("nonsense") == 0);
  CHECK(linnet::detail::parse_cpu_max("") == 0);
  CHECK(linnet::detail::smaller_limit(0, 3) == 3);
  CHECK(linnet::detail::smaller_limit(2, 0) == 2);
  CHECK(linnet::detail::smaller_limit(4, 3) == 3);
}
#endif
