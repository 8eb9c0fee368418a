// What the kernel tests share: random operands in every format, threads, and loops over backends.
#pragma once

#include <barrier>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "linnet/core/context.hpp"
#include "linnet/core/dtype.hpp"
#include "linnet/core/format.hpp"
#include "linnet/kernels/isa.hpp"
#include "linnet/kernels/operand.hpp"
#include "linnet/weights/block_formats.hpp"

namespace linnet::kernels::test {

/// Runs tasks on fresh threads: slow, simple, and independent of the runtime's pool.
class PlainExecutor : public Executor {
 public:
  explicit PlainExecutor(int threads)
      : Executor(threads, &PlainExecutor::run_all, &PlainExecutor::wait), barrier_(threads) {}

 private:
  static void run_all(Executor& self, Task task, void* argument) {
    std::vector<std::thread> others;
    for (int t = 1; t < self.threads(); ++t) {
      others.emplace_back([=, &self] { task(argument, t, self.threads()); });
    }
    task(argument, 0, self.threads());
    for (std::thread& other : others) other.join();
  }
  static void wait(Executor& self) { static_cast<PlainExecutor&>(self).barrier_.arrive_and_wait(); }

  std::barrier<> barrier_;
};

/// Calls `body(context)` for every instruction set of this machine with one and two threads.
template <class Body>
void for_each_backend(Body&& body) {
  const Isa best = detect_isa();
  for (const Isa isa : {Isa::scalar, Isa::avx2, Isa::avx512}) {
    if (isa > best) continue;
    set_isa(isa);
    for (const int threads : {1, 2}) {
      PlainExecutor executor(threads);
      Context context({}, threads == 1 ? nullptr : &executor);
      INFO("isa " << std::string(isa_name(isa)) << ", threads " << threads);
      body(context);
    }
  }
  set_isa(best);
}

using Random = std::mt19937;

inline std::vector<float> random_floats(Random& random, std::int64_t n, float scale = 1.0F) {
  std::normal_distribution<float> normal(0.0F, scale);
  std::vector<float> out(static_cast<std::size_t>(n));
  for (float& x : out) x = normal(random);
  return out;
}

/// Elements in a dense float format or whole blocks of random bytes with sensible scales.
struct Stored {
  Format format = Format::f32;
  std::vector<std::byte> bytes;  // padded so that its alignment is that of an allocation

  [[nodiscard]] Operand operand() const { return {bytes.data(), format, nullptr}; }
};

inline Stored store_dense(const std::vector<float>& values, Format format) {
  Stored out{format, std::vector<std::byte>(values.size() * weights::block_bytes(format) + 1)};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (format == Format::f32) {
      std::memcpy(out.bytes.data() + 4 * i, &values[i], 4);
    } else {
      const std::uint16_t bits = format == Format::f16 ? f16(values[i]).bits : bf16(values[i]).bits;
      std::memcpy(out.bytes.data() + 2 * i, &bits, 2);
    }
  }
  return out;
}

/// `elements` values; for block formats a whole number of blocks.
inline Stored random_weights(Random& random, Format format, std::int64_t elements) {
  if (!is_block_format(format)) return store_dense(random_floats(random, elements, 0.1F), format);
  const std::size_t size = weights::block_bytes(format);
  const std::size_t blocks = static_cast<std::size_t>(elements) / weights::block_elements(format);
  Stored out{format, std::vector<std::byte>(blocks * size + 1)};
  for (std::byte& b : out.bytes) b = static_cast<std::byte>(random());
  std::uniform_real_distribution<float> scale(0.002F, 0.02F);
  const auto put_half = [&](std::size_t at, float value) {
    const std::uint16_t bits = f16(value).bits;
    std::memcpy(out.bytes.data() + at, &bits, 2);
  };
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t at = b * size;
    switch (format) {
      case Format::mxfp4:
        out.bytes[at] = static_cast<std::byte>(118 + random() % 8);
        break;
      case Format::q6_k:
        put_half(at + 208, scale(random) / 64);
        break;
      case Format::q2_k:
        put_half(at + 80, scale(random) / 4);
        put_half(at + 82, scale(random) / 4);
        break;
      case Format::q3_k:
        put_half(at + 108, scale(random) / 16);
        break;
      case Format::q4_k:
      case Format::q5_k:
        put_half(at, scale(random) / 32);
        put_half(at + 2, scale(random) / 8);
        break;
      case Format::q4_1:
      case Format::q5_1:
        put_half(at + 2, -8 * scale(random));
        [[fallthrough]];
      default:
        put_half(at, scale(random));
        break;
    }
  }
  return out;
}

/// All elements as f32; `row` is the row length of a block format.
inline std::vector<float> to_floats(const Stored& stored, std::int64_t elements) {
  std::vector<float> out(static_cast<std::size_t>(elements));
  weights::decode_row(stored.format, stored.bytes.data(), elements, out.data());
  return out;
}

/// The distance of `got` from `expected` relative to the norm of `expected`; infinite where one is
/// not finite and the other is.
inline double relative_error(const std::vector<double>& expected, const std::vector<float>& got) {
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::isfinite(expected[i]) != std::isfinite(got[i])) return INFINITY;
    if (!std::isfinite(expected[i])) continue;
    difference += (expected[i] - got[i]) * (expected[i] - got[i]);
    norm += expected[i] * expected[i];
  }
  return norm == 0 ? std::sqrt(difference) : std::sqrt(difference / norm);
}

/// Half a unit in the last place of a dense float format, relative.
inline double rounding_of(Format format) {
  return format == Format::f16 ? 0x1p-11 : format == Format::bf16 ? 0x1p-8 : 0x1p-24;
}

}  // namespace linnet::kernels::test
