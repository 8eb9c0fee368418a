#pragma once
// Context: what a call runs with. Its scratch memory, its threads, and its first run-time error.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

#include "linnet/core/result.hpp"

namespace linnet {

/// Something that runs a function on several threads at once. `ThreadPool` is one; a program may
/// bring its own. A null Executor means one thread.
class Executor {
 public:
  /// Called once per thread with 0 <= thread < threads.
  using Task = void (*)(void* argument, int thread, int threads);

  [[nodiscard]] int threads() const { return threads_; }

  /// Runs `task` on all threads, the caller being thread 0, and returns when all are done.
  /// Not to be called from inside a task.
  void run(Task task, void* argument) { run_(*this, task, argument); }

  /// Inside a task: waits until every thread of it has come here.
  void barrier() { barrier_(*this); }

 protected:
  // Function pointers and not virtual functions: no RTTI, no vtable in small programs.
  using Run = void (*)(Executor& self, Task task, void* argument);
  using Barrier = void (*)(Executor& self);
  Executor(int thread_count, Run run_function, Barrier barrier_function)
      : threads_(thread_count), run_(run_function), barrier_(barrier_function) {}
  ~Executor() = default;

 private:
  int threads_;
  Run run_;
  Barrier barrier_;
};

/// The first thing that went wrong while a call ran. `text` is a literal in which each `{}`
/// stands for the next of the numbers: "index {} out of range for axis of {}".
struct RuntimeError {
  ErrorCode code = ErrorCode::none;
  const char* text = "";
  std::int64_t numbers[3] = {};
  const char* input = nullptr;  ///< the parameter that it is about, if it is about one

  [[nodiscard]] std::string message() const {
    std::string result;
    if (input != nullptr) result = "input `" + std::string(input) + "`: ";
    int next = 0;
    for (const char* c = text; *c != '\0'; ++c) {
      if (c[0] == '{' && c[1] == '}' && next < 3) {
        result += std::to_string(numbers[next++]);
        ++c;
      } else {
        result += *c;
      }
    }
    return result;
  }
};

class Context {
 public:
  Context() = default;
  explicit Context(std::span<std::byte> memory, Executor* executor_of_call = nullptr)
      : workspace(memory), executor(executor_of_call) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  std::span<std::byte> workspace;  ///< scratch of the calls made with this context
  Executor* executor = nullptr;    ///< null: one thread

  [[nodiscard]] int threads() const { return executor == nullptr ? 1 : executor->threads(); }

  /// Runs `body(thread, threads)` on every thread.
  template <class Body>
  void parallel(Body&& body) {
    if (executor == nullptr || executor->threads() == 1) {
      body(0, 1);
      return;
    }
    using Plain = std::remove_reference_t<Body>;
    executor->run([](void* argument, int thread,
                     int threads) { (*static_cast<Plain*>(argument))(thread, threads); },
                  const_cast<void*>(static_cast<const void*>(std::addressof(body))));
  }

  /// Inside `parallel`: waits for all threads.
  void barrier() {
    if (executor != nullptr && executor->threads() > 1) executor->barrier();
  }

  /// Records an error unless there is one already; from any thread. `text` must be a literal.
  void fail(ErrorCode code, const char* text, std::int64_t first = 0, std::int64_t second = 0) {
    bool expected = false;
    if (!claimed_.compare_exchange_strong(expected, true, std::memory_order_relaxed)) return;
    error_ = {code, text, {first, second, 0}, nullptr};
    failed_.store(true, std::memory_order_release);
  }

  /// The argument for the parameter `input` does not fit. Before the threads of a call start.
  void fail_input(const char* input, ErrorCode code, const char* text, std::int64_t first = 0,
                  std::int64_t second = 0, std::int64_t third = 0) {
    fail(code, text, first, second);
    error_.numbers[2] = third;
    error_.input = input;
  }

  /// A position was outside its axis.
  void fail_index(std::int64_t index, std::int64_t extent) {
    fail(ErrorCode::out_of_range, "index {} out of range for axis of {}", index, extent);
  }

  /// An integer was divided by zero.
  void fail_division() { fail(ErrorCode::division_by_zero, "division by zero"); }

  [[nodiscard]] bool failed() const { return failed_.load(std::memory_order_acquire); }
  /// What `fail` recorded; meaningful once the threads of the call are done.
  [[nodiscard]] const RuntimeError& error() const { return error_; }
  [[nodiscard]] Error take_error() {
    Error result{error_.code, error_.message()};
    clear_error();
    return result;
  }
  void clear_error() {
    error_ = {};
    claimed_.store(false, std::memory_order_relaxed);
    failed_.store(false, std::memory_order_relaxed);
  }

 private:
  RuntimeError error_;
  std::atomic<bool> claimed_{false};
  std::atomic<bool> failed_{false};
};

/// The part of `count` items that a thread takes when they are split evenly, in order.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

[[nodiscard]] constexpr Range thread_range(std::int64_t count, int thread, int threads) {
  const std::int64_t each = count / threads;
  const std::int64_t extra = count % threads;
  const std::int64_t begin = each * thread + (thread < extra ? thread : extra);
  return {begin, begin + each + (thread < extra ? 1 : 0)};
}

/// Runs `body(begin, end)` over 0..count, split evenly among the threads. On the caller's thread
/// alone when there are fewer than two grains of work. `grain`: items that are worth a thread.
template <class Body>
void parallel_for(Context& context, std::int64_t count, std::int64_t grain, Body&& body) {
  if (count <= 0) return;
  if (context.threads() == 1 || count < 2 * grain) {
    body(std::int64_t{0}, count);
    return;
  }
  context.parallel([&](int thread, int threads) {
    const Range range = thread_range(count, thread, threads);
    if (range.begin < range.end) body(range.begin, range.end);
  });
}

}  // namespace linnet
