#pragma once
// ThreadPool: a few threads that stay, for calls that last microseconds.
//
// Starting work is one store that the workers spin on; a barrier costs a fraction of a
// microsecond where a futex or `std::barrier` costs tens (docs: performance notes). Between calls
// the workers spin briefly, then sleep and use no CPU. When more threads share the machine than it
// has cores, spinning gives way to the scheduler after a while, so that nothing stands still.

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "linnet/core/context.hpp"
#include "linnet/core/result.hpp"
#include "linnet/runtime/cpu.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace linnet {

namespace detail {

/// Tells the processor that this is a waiting loop.
inline void pause_cpu() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Spins until `done()`: first hot, then giving the core away between looks. False when it is
/// still not done after about `patience` looks.
template <class Done>
bool spin_until(Done&& done, int patience) {
  for (int look = 0; look < patience; ++look) {
    if (done()) return true;
    if (look < 4096) {
      pause_cpu();
    } else {
      sched_yield();
    }
  }
  return false;
}

}  // namespace detail

class ThreadPool final : public Executor {
 public:
  /// A pool for `threads` threads, the caller of `run` being one of them. It is null when one
  /// thread is asked for: then there is nothing to share. An error when `threads` is not positive.
  [[nodiscard]] static Result<std::unique_ptr<ThreadPool>> make(int threads) {
    if (threads < 1) {
      return Error{ErrorCode::invalid_argument,
                   "the number of threads is " + std::to_string(threads) + ", expected at least 1"};
    }
    if (threads > max_threads) {
      return Error{ErrorCode::invalid_argument,
                   "the number of threads is " + std::to_string(threads) + ", expected at most " +
                       std::to_string(max_threads)};
    }
    if (threads == 1) return std::unique_ptr<ThreadPool>();
    std::unique_ptr<ThreadPool> pool(new ThreadPool(threads));
    if (const int error = pool->start_workers(); error != 0) {
      return Error{ErrorCode::out_of_memory,
                   "cannot start " + std::to_string(threads) + " threads: " + std::strerror(error)};
    }
    return pool;
  }

  /// As many threads as this process can keep busy; null, for one thread, also when the system
  /// refuses to start more.
  [[nodiscard]] static std::unique_ptr<ThreadPool> make_for_machine() {
    const int cores = usable_cores();
    auto pool = make(cores < max_threads ? cores : max_threads);
    return pool ? std::move(*pool) : nullptr;
  }

  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  ~ThreadPool() {
    task_ = nullptr;
    start();
    for (int i = 0; i < started_; ++i) pthread_join(workers_[i].handle, nullptr);
  }

  static constexpr int max_threads = 1024;

 private:
  static constexpr int call_patience = 1 << 30;    // within a call: practically for ever
  static constexpr int idle_patience = 4096 + 64;  // between calls: some 100 microseconds

  // A cache line each, so that threads do not pull one line back and forth.
  struct alignas(64) Worker {
    std::atomic<std::uint32_t> finished{0};  ///< the last call that it has done
    ThreadPool* pool = nullptr;
    int thread = 0;
    pthread_t handle{};
  };
  struct alignas(64) Counter {
    std::atomic<std::uint32_t> value{0};
  };

  explicit ThreadPool(int count)
      : Executor(count, &ThreadPool::run_on_all, &ThreadPool::wait_for_all),
        workers_(new Worker[static_cast<std::size_t>(count - 1)]) {}

  /// Starts all workers, or stops at the first that cannot be and gives its error number. Not
  /// `std::thread`, which throws then.
  int start_workers() {
    for (; started_ < threads() - 1; ++started_) {
      Worker& worker = workers_[started_];
      worker.pool = this;
      worker.thread = started_ + 1;
      const auto body = [](void* argument) -> void* {
        auto* const self = static_cast<Worker*>(argument);
        self->pool->work(self->thread);
        return nullptr;
      };
      if (const int error = pthread_create(&worker.handle, nullptr, body, &worker); error != 0) {
        return error;
      }
    }
    return 0;
  }

  static void run_on_all(Executor& self, Task task, void* argument) {
    static_cast<ThreadPool&>(self).run_task(task, argument);
  }
  static void wait_for_all(Executor& self) { static_cast<ThreadPool&>(self).wait(); }

  void run_task(Task task, void* argument) {
    task_ = task;
    argument_ = argument;
    const std::uint32_t call = start();
    task(argument, 0, threads());
    for (int i = 1; i < threads(); ++i) {
      std::atomic<std::uint32_t>& finished = workers_[i - 1].finished;
      spin_for([&] { return finished.load(std::memory_order_acquire) == call; });
    }
  }

  /// Publishes the task to the workers, waking those that sleep.
  std::uint32_t start() {
    const std::uint32_t call = call_.value.load(std::memory_order_relaxed) + 1;
    // Sequentially consistent against `sleepers_`: either this sees the sleeper or the sleeper,
    // looking once more under the lock, sees the call.
    call_.value.store(call, std::memory_order_seq_cst);
    if (sleepers_.load(std::memory_order_seq_cst) > 0) {
      {
        const std::lock_guard<std::mutex> lock(mutex_);
      }
      wake_.notify_all();
    }
    return call;
  }

  void work(int thread) {
    std::uint32_t seen = 0;
    while (true) {
      const auto called = [&] { return call_.value.load(std::memory_order_seq_cst) != seen; };
      if (!detail::spin_until(called, idle_patience)) {
        std::unique_lock<std::mutex> lock(mutex_);
        sleepers_.fetch_add(1, std::memory_order_seq_cst);
        wake_.wait(lock, called);
        sleepers_.fetch_sub(1, std::memory_order_seq_cst);
      }
      ++seen;
      if (task_ == nullptr) return;
      task_(argument_, thread, threads());
      workers_[thread - 1].finished.store(seen, std::memory_order_release);
    }
  }

  /// A sense-counting barrier: the last to arrive opens the next round.
  void wait() {
    const std::uint32_t round = round_.value.load(std::memory_order_acquire);
    const auto last = static_cast<std::uint32_t>(threads() - 1);
    if (arrived_.value.fetch_add(1, std::memory_order_acq_rel) == last) {
      arrived_.value.store(0, std::memory_order_relaxed);
      round_.value.store(round + 1, std::memory_order_release);
    } else {
      spin_for([&] { return round_.value.load(std::memory_order_acquire) != round; });
    }
  }

  template <class Done>
  static void spin_for(Done&& done) {
    while (!detail::spin_until(done, call_patience)) {
    }
  }

  std::unique_ptr<Worker[]> workers_;
  int started_ = 0;
  Counter call_;     ///< counts calls; a new value starts one
  Counter arrived_;  ///< threads at the barrier
  Counter round_;    ///< barriers passed
  Task task_ = nullptr;
  void* argument_ = nullptr;
  std::atomic<int> sleepers_{0};
  std::mutex mutex_;
  std::condition_variable wake_;
};

}  // namespace linnet
