// speed --model FILE [--prompt N] [--generate N] [--threads N] [--repeat N]
//
// Prefill and decode speed of the engine of examples/01-llama, as tools/peer/llama_cpp.py counts
// them: fixed tokens, nothing sampled, logits of the last position, the best of the repeats. One
// JSON object on standard output.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <CLI/CLI.hpp>

#include "engine.hpp"

namespace {

using llama_example::Engine;
using llama_example::TokenId;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  std::string model;
  int prompt = 512, generate = 128, threads = 0, repeat = 3;
  CLI::App app("Prefill and decode speed of examples/01-llama");
  app.add_option("--model", model, "GGUF file of the model")->required();
  app.add_option("--prompt", prompt, "Tokens of the prompt")->check(CLI::Range(1, 1 << 20));
  app.add_option("--generate", generate, "Tokens to decode after it")
      ->check(CLI::Range(1, 1 << 20));
  app.add_option("--threads", threads, "Threads; 0 for all usable cores");
  app.add_option("--repeat", repeat, "Repeats; the best counts")->check(CLI::Range(1, 1000));
  CLI11_PARSE(app, argc, argv);

  auto engine = Engine::open(model, {threads, 0, false});
  if (!engine) {
    std::fprintf(stderr, "speed: %s\n", engine.error().message.c_str());
    return 1;
  }
  std::vector<TokenId> tokens;
  for (int i = 0; i < prompt + generate; ++i)
    tokens.push_back(static_cast<TokenId>(1 + 7919LL * i % (engine->vocabulary() - 1)));

  double prefill = 1e30, decode = 1e30;
  for (int run = 0; run <= repeat; ++run) {  // the first run warms up
    auto start = Clock::now();
    auto logits = engine->prefill(std::span(tokens).first(static_cast<std::size_t>(prompt)), 0);
    const double prompt_seconds = seconds_since(start);
    start = Clock::now();
    for (int at = prompt; logits && at < prompt + generate; ++at)
      logits = engine->decode(tokens[static_cast<std::size_t>(at)], at);
    const double decode_seconds = seconds_since(start);
    if (!logits) {
      std::fprintf(stderr, "speed: %s\n", logits.error().message.c_str());
      return 1;
    }
    if (run == 0) continue;
    prefill = std::min(prefill, prompt_seconds);
    decode = std::min(decode, decode_seconds);
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf(
      "{\"threads\": %d, \"prompt\": %d, \"generate\": %d, \"prompt_tokens_per_second\": %.1f, "
      "\"generate_tokens_per_second\": %.1f, \"peak_mebibytes\": %.1f, \"memory\": \"%s\"}\n",
      engine->threads(), prompt, generate, prompt / prefill, generate / decode,
      static_cast<double>(usage.ru_maxrss) / 1024.0, engine->memory().c_str());
  return 0;
}
