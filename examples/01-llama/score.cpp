// How well the model predicts a text, and how far its logits are from a reference's.

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>

#include "engine.hpp"
#include "npy.hpp"

namespace {

using linnet::Error;
using linnet::ErrorCode;
using linnet::Result;
using llama_example::Engine;
using llama_example::TokenId;

struct Arguments {
  std::string model, text;
  std::optional<std::string> logits, reference;
  int threads = 0;
  bool exact = false;
};

/// log(sum exp x), in double.
double log_sum_exp(std::span<const float> x) {
  const double top = *std::max_element(x.begin(), x.end());
  double sum = 0;
  for (const float v : x) sum += std::exp(v - top);
  return top + std::log(sum);
}

std::size_t first_choice(std::span<const float> x) {
  return static_cast<std::size_t>(std::max_element(x.begin(), x.end()) - x.begin());
}

/// KL(reference || ours) of the two distributions over the vocabulary, in nats.
double divergence(std::span<const float> reference, std::span<const float> ours) {
  const double a = log_sum_exp(reference), b = log_sum_exp(ours);
  double sum = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double log_p = reference[i] - a;
    if (std::isinf(log_p)) continue;  // ruled out by the reference: 0 log 0 counts nothing
    sum += std::exp(log_p) * (log_p - (ours[i] - b));
  }
  return sum;
}

struct Comparison {
  double sum = 0, largest = 0;
  std::size_t agreeing = 0, positions = 0;

  void add(std::span<const float> reference, std::span<const float> ours) {
    const double kl = divergence(reference, ours);
    sum += kl;
    largest = std::max(largest, kl);
    agreeing += first_choice(reference) == first_choice(ours);
    ++positions;
  }
};

/// Far beyond what any context holds, so that an endless device ends in words.
constexpr std::size_t longest_text = std::size_t{64} << 20;

Result<std::string> read_text(const std::string& path) {
  const auto failed = [&](const std::string& why) {
    return Error{ErrorCode::io_error, path + ": " + why};
  };
  const std::unique_ptr<std::FILE, llama_example::CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) return failed(std::strerror(errno));
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file.get())) {
    text.append(buffer, count);
    if (text.size() > longest_text) return failed("is over 64 MiB, too long for a text");
  }
  if (std::ferror(file.get()) != 0) return failed(std::strerror(errno));
  return text;
}

Result<void> run(const Arguments& arguments) {
  if (arguments.logits) {
    for (const auto& input : {arguments.model, arguments.text, arguments.reference.value_or("")}) {
      std::error_code missing;
      if (std::filesystem::equivalent(*arguments.logits, input, missing))
        return Error{
            ErrorCode::invalid_argument,
            "--logits " + *arguments.logits + " would write over " + input + ", which is read"};
    }
  }
  const auto text = read_text(arguments.text);
  if (!text) return text.error();
  auto engine = Engine::open(arguments.model, {arguments.threads, 0, arguments.exact});
  if (!engine) return engine.error();
  const auto ids = engine->tokenizer().encode(*text, linnet::text::ControlTokens::as_text);
  if (!ids) return ids.error();
  if (ids->size() < 2)
    return Error{ErrorCode::invalid_argument, arguments.text + ": is " +
                                                  std::to_string(ids->size()) +
                                                  " tokens long; scoring needs at least 2"};
  if (ids->size() > static_cast<std::size_t>(engine->context()))
    return Error{ErrorCode::out_of_range, arguments.text + ": is " + std::to_string(ids->size()) +
                                              " tokens long, the context has " +
                                              std::to_string(engine->context())};

  const auto rows = static_cast<std::int64_t>(ids->size());
  const std::int64_t columns = engine->vocabulary();
  std::optional<llama_example::NpyReader> reference;
  if (arguments.reference) {
    auto opened = llama_example::NpyReader::open(*arguments.reference);
    if (!opened) return opened.error();
    if (opened->rows() != rows || opened->columns() != columns)
      return Error{ErrorCode::shape_mismatch,
                   *arguments.reference + ": expected [" + std::to_string(rows) + ", " +
                       std::to_string(columns) + "], found [" + std::to_string(opened->rows()) +
                       ", " + std::to_string(opened->columns()) + "]"};
    reference.emplace(std::move(*opened));
  }
  std::optional<llama_example::NpyWriter> out;
  if (arguments.logits) {
    auto created = llama_example::NpyWriter::create(*arguments.logits, rows, columns);
    if (!created) return created.error();
    out.emplace(std::move(*created));
  }

  double negative_log_likelihood = 0;
  Comparison comparison;
  std::vector<float> reference_row(static_cast<std::size_t>(columns));
  for (std::size_t at = 0; at < ids->size(); at += Engine::score_chunk) {
    const std::size_t count = std::min<std::size_t>(Engine::score_chunk, ids->size() - at);
    const auto logits = engine->score(std::span(*ids).subspan(at, count), static_cast<int>(at));
    if (!logits) return logits.error();
    if (std::any_of(logits->begin(), logits->end(), [](float v) { return !std::isfinite(v); }))
      return Error{ErrorCode::out_of_range,
                   arguments.model + ": gives logits that are no numbers for the tokens from " +
                       std::to_string(at) + " on"};
    if (out)
      if (auto written = out->write(*logits); !written) return written;
    for (std::size_t i = 0; i < count; ++i) {
      const auto row = logits->subspan(i * reference_row.size(), reference_row.size());
      if (at + i + 1 < ids->size())
        negative_log_likelihood +=
            log_sum_exp(row) - row[static_cast<std::size_t>((*ids)[at + i + 1])];
      if (reference) {
        if (auto read = reference->read(reference_row); !read) return read;
        comparison.add(reference_row, row);
      }
    }
    std::fprintf(stderr, "\r%zu of %zu tokens", at + count, ids->size());
  }
  std::fprintf(stderr, "\n");
  if (out)
    if (auto closed = out->close(); !closed) return closed;

  const double mean = negative_log_likelihood / static_cast<double>(rows - 1);
  std::printf("tokens %zu\nmean negative log-likelihood %.4f\nperplexity %.3f\n", ids->size(), mean,
              std::exp(mean));
  if (reference)
    std::printf("mean KL %.6f\nlargest KL %.6f\nfirst choice equal %.2f %%\n",
                comparison.sum / static_cast<double>(comparison.positions), comparison.largest,
                100.0 * static_cast<double>(comparison.agreeing) /
                    static_cast<double>(comparison.positions));
  if (std::fflush(stdout) != 0)
    return Error{ErrorCode::io_error,
                 std::string("cannot write standard output: ") + std::strerror(errno)};
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  std::string numerics = "fast";
  CLI::App app(
      "Scores a text with SmolLM2: likelihood, perplexity and, against reference logits, "
      "Kullback-Leibler divergence and agreement of the first choice.");
  app.add_option("--model", arguments.model, "GGUF file of the model")->required();
  app.add_option("--text", arguments.text, "Text file; encoded without added tokens")->required();
  app.add_option("--logits", arguments.logits,
                 "Write the logits here: .npy [positions, vocabulary; f32]");
  app.add_option("--reference", arguments.reference,
                 "Compare with these logits, of the same shape");
  auto* threads =
      app.add_option("--threads", arguments.threads, "Threads; default: all usable cores");
  app.add_option("--numerics", numerics,
                 "exact: every op as its Linnet body says; fast: native kernels")
      ->check(CLI::IsMember({"exact", "fast"}))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  arguments.exact = numerics == "exact";
  if (threads->count() > 0 && arguments.threads < 1) {
    std::fprintf(stderr, "score: --threads must be at least 1\n");
    return 2;
  }
  if (const auto done = run(arguments); !done) {
    std::fprintf(stderr, "score: %s\n", done.error().message.c_str());
    return 1;
  }
  return 0;
}
