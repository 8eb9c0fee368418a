// Drives a fuzz target without libFuzzer: `NAME_mutations COUNT [FOLDER...]` runs every file of
// the folders (corpora, and inputs that once failed), every truncation of every built-in seed,
// then COUNT mutations of both from a fixed generator, so that a run always does the same.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fuzz_target.hpp"

namespace {

void run(const std::string& input) {
  // A copy of exactly this size, so that a sanitizer sees a read of one byte too many.
  const auto exact = std::make_unique<std::uint8_t[]>(input.size());
  if (!input.empty()) std::memcpy(exact.get(), input.data(), input.size());
  (void)LLVMFuzzerTestOneInput(exact.get(), input.size());
}

class Mutator {
 public:
  std::string operator()(std::string input, const std::string& other) {
    for (int rounds = pick(4); rounds >= 0; --rounds) mutate(input, other);
    return input;
  }

 private:
  int pick(std::size_t limit) {
    return limit == 0 ? 0 : static_cast<int>(random_() % static_cast<std::uint32_t>(limit));
  }

  void mutate(std::string& input, const std::string& other) {
    const auto at = static_cast<std::size_t>(pick(input.size()));
    const std::size_t left = input.size() - at;
    switch (pick(7)) {
      case 0:  // a bit
        if (left > 0) input[at] = static_cast<char>(input[at] ^ (1 << pick(8)));
        break;
      case 1:  // a byte
        if (left > 0) input[at] = static_cast<char>(pick(256));
        break;
      case 2: {  // a number with a telling value
        constexpr std::uint64_t telling[] = {0,          1,          0x7f,
                                             0xff,       0x7fffffff, 0xffffffff,
                                             1ULL << 32, 1ULL << 61, 0x7fffffffffffffff,
                                             ~0ULL,      ~0ULL - 31, 1ULL << 63};
        const std::uint64_t value = telling[pick(std::size(telling))];
        const std::size_t width = std::min<std::size_t>(std::size_t{1} << pick(4), left);
        std::memcpy(input.data() + at, &value, width);
        break;
      }
      case 3:
        input.erase(at, static_cast<std::size_t>(pick(16)));
        break;
      case 4:
        input.insert(at, input.substr(static_cast<std::size_t>(pick(input.size())), 16));
        break;
      case 5:
        input.resize(at);
        break;
      default: {  // a piece of another seed
        const std::string piece = other.substr(static_cast<std::size_t>(pick(other.size())),
                                               static_cast<std::size_t>(pick(32)));
        input.replace(at, piece.size(), piece);
      }
    }
  }

  std::mt19937 random_{20260101};
};

/// The files of a folder, in the order of their names.
std::vector<std::string> read_folder(const char* folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const std::filesystem::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "cannot read %s\n", path.c_str());
      std::exit(2);
    }
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

}  // namespace

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::atol(argv[1]) : 20000;
  std::vector<std::string> seeds = fuzz_seeds();
  for (const std::string& seed : seeds) {
    for (std::size_t size = 0; size <= seed.size(); ++size) run(seed.substr(0, size));
  }
  for (int i = 2; i < argc; ++i) {
    for (std::string& text : read_folder(argv[i])) {
      run(text);
      seeds.push_back(std::move(text));
    }
  }
  Mutator mutator;
  for (long i = 0; i < count; ++i) {
    const auto n = static_cast<long>(seeds.size());
    run(mutator(seeds[static_cast<std::size_t>(i % n)],
                seeds[static_cast<std::size_t>(i / n % n)]));
  }
  std::printf("%ld mutations of %zu seeds\n", count, seeds.size());
}
