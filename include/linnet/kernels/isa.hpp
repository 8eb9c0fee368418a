// Which instruction set the kernels run on: chosen once at run time in a generic build.
//
// Every kernel exists as portable C++ (the oracle, and all there is on machines without SIMD code)
// and, on x86-64, compiled twice more in the namespaces `avx2` and `avx512`.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && \
    !defined(LINNET_SCALAR_KERNELS) && !defined(__CUDACC__)
#define LINNET_X86_KERNELS 1
#else
#define LINNET_X86_KERNELS 0
#endif

namespace linnet::kernels {

enum class Isa : std::uint8_t {
  scalar,
  avx2,    // with FMA and F16C: Haswell, Zen and later
  avx512,  // F, BW, DQ, VL, VNNI: Ice Lake, Zen 4 and later
};

[[nodiscard]] constexpr std::string_view isa_name(Isa isa) {
  switch (isa) {
    case Isa::avx512:
      return "avx512";
    case Isa::avx2:
      return "avx2";
    case Isa::scalar:
      break;
  }
  return "scalar";
}

/// The best instruction set that this processor and operating system offer.
[[nodiscard]] inline Isa detect_isa() noexcept {
#if LINNET_X86_KERNELS
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                    __builtin_cpu_supports("f16c") != 0;
  if (!avx2) return Isa::scalar;
  const bool avx512 =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
      __builtin_cpu_supports("avx512vnni") != 0;
  return avx512 ? Isa::avx512 : Isa::avx2;
#else
  return Isa::scalar;
#endif
}

namespace detail {
inline std::atomic<Isa>& isa_slot() noexcept {
  static std::atomic<Isa> slot{detect_isa()};
  return slot;
}
}  // namespace detail

/// The instruction set that kernels dispatch on.
[[nodiscard]] inline Isa active_isa() noexcept {
  return detail::isa_slot().load(std::memory_order_relaxed);
}

/// Restricts the kernels to `isa` or to what the machine has, whichever is less; returns the one
/// now active. For tests and measurements; not while kernels run.
inline Isa set_isa(Isa isa) noexcept {
  const Isa best = detect_isa();
  const Isa chosen = isa < best ? isa : best;
  detail::isa_slot().store(chosen, std::memory_order_relaxed);
  return chosen;
}

}  // namespace linnet::kernels
