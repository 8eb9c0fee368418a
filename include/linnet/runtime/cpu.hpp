#pragma once
// What this machine offers: instruction sets, and how many cores this process may use.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#if defined(__linux__)
#include <sched.h>
#include <unistd.h>
#else
#include <thread>
#endif

namespace linnet {

/// Instruction sets that the processor has and the operating system lets programs use.
struct CpuFeatures {
  bool avx2 = false;
  bool fma = false;
  bool f16c = false;
  bool avx512f = false;
  bool avx512bw = false;
  bool avx512dq = false;
  bool avx512vl = false;
  bool avx512vnni = false;
  bool avx512bf16 = false;
  bool avx512fp16 = false;
  bool neon = false;
};

[[nodiscard]] inline CpuFeatures detect_cpu_features() {
  CpuFeatures features;
#if (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__)) && \
    !defined(__CUDACC__)
  // The compiler's run-time library asks the processor once and checks what the OS saves.
  __builtin_cpu_init();
  features.avx2 = __builtin_cpu_supports("avx2") != 0;
  features.fma = __builtin_cpu_supports("fma") != 0;
  features.avx512f = __builtin_cpu_supports("avx512f") != 0;
  features.avx512bw = __builtin_cpu_supports("avx512bw") != 0;
  features.avx512dq = __builtin_cpu_supports("avx512dq") != 0;
  features.avx512vl = __builtin_cpu_supports("avx512vl") != 0;
  features.avx512vnni = __builtin_cpu_supports("avx512vnni") != 0;
  features.avx512bf16 = __builtin_cpu_supports("avx512bf16") != 0;
#if defined(__clang__) || __GNUC__ >= 12
  features.avx512fp16 = __builtin_cpu_supports("avx512fp16") != 0;
#endif
  features.f16c = features.avx2;  // every processor with AVX2 has it
#elif defined(__aarch64__)
  features.neon = true;  // part of the base architecture
#endif
  return features;
}

/// `detect_cpu_features`, asked once.
[[nodiscard]] inline const CpuFeatures& cpu_features() {
  static const CpuFeatures features = detect_cpu_features();
  return features;
}

namespace detail {

#if defined(__linux__)

/// Reads a small text file whole; false when it cannot.
inline bool read_small_file(const char* path, char (&text)[4096]) {
  std::FILE* file = std::fopen(path, "r");
  if (file == nullptr) return false;
  const std::size_t length = std::fread(text, 1, sizeof(text) - 1, file);
  std::fclose(file);
  text[length] = '\0';
  return length > 0;
}

/// Cores of a quota, rounded up; 0 for no limit.
constexpr int quota_cores(long long quota, long long period) {
  if (quota <= 0 || period <= 0) return 0;
  const long long cores = (quota + period - 1) / period;
  return cores < 1 ? 1 : (cores > 65536 ? 65536 : static_cast<int>(cores));
}

/// "max 100000" or "150000 100000", the content of cgroup v2's cpu.max.
inline int parse_cpu_max(const char* text) {
  if (std::strncmp(text, "max", 3) == 0) return 0;
  char* end = nullptr;
  const long long quota = std::strtoll(text, &end, 10);
  return end == text ? 0 : quota_cores(quota, std::strtoll(end, nullptr, 10));
}

constexpr int smaller_limit(int a, int b) {
  if (a == 0) return b;
  return b == 0 || a < b ? a : b;
}

/// The tightest CPU quota of this process's control groups, its own and those around it.
inline int cgroup_cores() {
  char groups[4096];
  int limit = 0;
  if (read_small_file("/proc/self/cgroup", groups)) {
    char* rest = nullptr;
    for (char* line = strtok_r(groups, "\n", &rest); line != nullptr;
         line = strtok_r(nullptr, "\n", &rest)) {
      if (std::strncmp(line, "0::", 3) != 0) continue;
      char path[4096];
      std::snprintf(path, sizeof(path), "/sys/fs/cgroup%s", line + 3);
      // Up to the root of the hierarchy: a limit anywhere on the way holds.
      while (std::strlen(path) > std::strlen("/sys/fs/cgroup")) {
        char file[4200];
        char text[4096];
        std::snprintf(file, sizeof(file), "%s/cpu.max", path);
        if (read_small_file(file, text)) limit = smaller_limit(limit, parse_cpu_max(text));
        char* const slash = std::strrchr(path, '/');
        if (slash == nullptr) break;
        *slash = '\0';
      }
    }
  }
  char text[4096];
  if (read_small_file("/sys/fs/cgroup/cpu.max", text)) {
    limit = smaller_limit(limit, parse_cpu_max(text));
  }
  char period[4096];
  if (read_small_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", text) &&
      read_small_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", period)) {
    limit = smaller_limit(
        limit, quota_cores(std::strtoll(text, nullptr, 10), std::strtoll(period, nullptr, 10)));
  }
  return limit;
}

/// Cores that the affinity mask of this process allows; 0 when it cannot be read.
inline int affinity_cores() {
  for (int capacity = 1024; capacity <= 65536; capacity *= 4) {
    cpu_set_t* const set = CPU_ALLOC(capacity);
    if (set == nullptr) return 0;
    const std::size_t size = CPU_ALLOC_SIZE(capacity);
    const bool known = sched_getaffinity(0, size, set) == 0;
    const int count = known ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (known) return count;
  }
  return 0;
}

#endif

}  // namespace detail

/// How many threads this process can keep busy: the cores it may run on, no more than its CPU
/// quota pays for. At least 1.
[[nodiscard]] inline int usable_cores() {
#if defined(__linux__)
  int cores = detail::affinity_cores();
  if (cores == 0) cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  cores = detail::smaller_limit(cores, detail::cgroup_cores());
#else
  int cores = static_cast<int>(std::thread::hardware_concurrency());
#endif
  return cores < 1 ? 1 : cores;
}

}  // namespace linnet
