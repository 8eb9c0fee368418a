// A conversation with SmolLM2 on a terminal, or the answer to one prompt.

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include "conversation.hpp"
#include "engine.hpp"
#include "linnet/text/sampling.hpp"
#include "linnet/text/stream.hpp"

namespace {

using linnet::Error;
using linnet::Result;
using llama_example::Conversation;
using llama_example::Engine;
using llama_example::TokenId;
using Clock = std::chrono::steady_clock;

constexpr const char* default_system =
    "You are a helpful AI assistant named SmolLM, trained by Hugging Face";

constexpr int exit_wrong_command_line = 2;
constexpr int exit_interrupted = 130;  // as shells count a program that Ctrl-C ended

/// Set by Ctrl-C: the answer ends, the program goes on.
volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int) {
  interrupted = 1;
}

struct Arguments {
  std::string model;
  std::optional<std::string> prompt;
  std::string system = default_system;
  int max_tokens = 512;
  int threads = 0;
  int context = 0;
  bool exact = false;
  bool token_ids = false;
  linnet::text::SamplingOptions sampling;
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Tokens that lie in the caches already, from position 0 on.
class Session {
 public:
  Session(Engine& engine, linnet::text::Sampler sampler, const Arguments& arguments)
      : engine_(engine), sampler_(std::move(sampler)), arguments_(arguments) {}

  /// Answers on standard output and says how fast on standard error; the ids of the answer, or
  /// nothing where Ctrl-C came before the first.
  Result<std::optional<std::vector<TokenId>>> answer(const std::vector<TokenId>& prompt,
                                                     TokenId end_of_turn) {
    const auto begun = Clock::now();
    auto logits = take(prompt);
    if (!logits) return logits.error();
    if (logits->empty() || interrupted != 0) {
      std::fprintf(stderr, "[interrupted before the answer: the message is taken back]\n");
      return std::optional<std::vector<TokenId>>();
    }
    const std::size_t prompt_tokens = taken_;
    const double prompt_seconds = seconds_since(begun);
    if (arguments_.token_ids) print_ids("prompt ids:", prompt);

    const auto started = Clock::now();
    std::vector<TokenId> ids;
    linnet::text::StreamDecoder stream(engine_.tokenizer());
    const char* ended_by = "";
    for (;;) {
      if (interrupted != 0) {
        ended_by = ", interrupted";
        break;
      }
      if (static_cast<int>(ids.size()) >= arguments_.max_tokens) {
        ended_by = ", cut off at --max-tokens";
        break;
      }
      const auto next = sampler_.sample(*logits, cached_);
      if (!next) return next.error();
      if (*next == end_of_turn) break;
      ids.push_back(*next);
      if (!write(stream.push(*next))) return output_error();
      if (static_cast<int>(cached_.size()) == engine_.context()) {
        ended_by = ", the context is full";
        break;
      }
      logits = engine_.decode(*next, static_cast<int>(cached_.size()));
      if (!logits) return logits.error();
      cached_.push_back(*next);
    }
    write(stream.finish());
    write("\n");
    if (arguments_.token_ids) print_ids("answer ids:", ids);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return output_error();

    const double seconds = seconds_since(started);
    std::fprintf(
        stderr,
        "[prompt: %zu tokens, %.0f/s; answer: %zu tokens, %.1f/s%s; peak memory %.0f MiB]\n",
        prompt_tokens, static_cast<double>(prompt_tokens) / prompt_seconds, ids.size(),
        ids.empty() ? 0.0 : static_cast<double>(ids.size()) / seconds, ended_by, peak_mebibytes());
    return std::optional(std::move(ids));
  }

 private:
  /// Brings the caches to `ids`, taking only what follows the common beginning. No logits where
  /// Ctrl-C came on the way.
  Result<std::span<const float>> take(const std::vector<TokenId>& ids) {
    std::size_t common = 0;
    // The last token is taken again in any case: its logits are wanted.
    while (common < cached_.size() && common + 1 < ids.size() && cached_[common] == ids[common])
      ++common;
    cached_.resize(common);
    taken_ = ids.size() - common;
    // Between pieces Ctrl-C is looked at: one takes about a second where ops run as their bodies.
    const std::size_t piece = arguments_.exact ? 32 : Engine::prefill_chunk;
    for (;;) {
      if (interrupted != 0) return std::span<const float>();
      const auto next = std::span(ids).subspan(cached_.size());
      const auto now = next.first(std::min(piece, next.size()));
      auto logits = engine_.prefill(now, static_cast<int>(cached_.size()));
      if (!logits) return logits;
      cached_.insert(cached_.end(), now.begin(), now.end());
      if (now.size() == next.size()) return logits;
    }
  }

  /// False where the text could not be written.
  static bool write(std::string_view text) {
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
           std::fflush(stdout) == 0;
  }

  static Error output_error() {
    return Error{linnet::ErrorCode::io_error,
                 std::string("cannot write standard output: ") + std::strerror(errno)};
  }

  static void print_ids(const char* label, const std::vector<TokenId>& ids) {
    std::printf("%s", label);
    for (const TokenId id : ids) std::printf(" %d", id);
    std::printf("\n");
  }

  static double peak_mebibytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;  // Linux counts in KiB
  }

  Engine& engine_;
  linnet::text::Sampler sampler_;
  const Arguments& arguments_;
  std::vector<TokenId> cached_;
  std::size_t taken_ = 0;
};

/// What CLI11 takes for a number without a sign wraps and saturates.
std::string whole_number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return {};
  return "expected a whole number from 0 to 18446744073709551615, found " + text;
}

int fail(const Error& error) {
  std::fprintf(stderr, "chat: %s\n", error.message.c_str());
  return 1;
}

/// No context is long enough for a line of this many bytes: what comes is no text.
constexpr std::size_t longest_line = std::size_t{1} << 20;

/// One line of the user's; false at the end of input. Ctrl-C at the prompt clears the line.
Result<bool> read_line(std::string& line, bool terminal) {
  for (;;) {
    if (terminal) std::fputs("> ", stderr);
    interrupted = 0;
    line.clear();
    int c = EOF;
    while ((c = std::getc(stdin)) != EOF && c != '\n') {
      if (line.size() == longest_line)
        return Error{
            linnet::ErrorCode::invalid_argument,
            "standard input: a line of more than " + std::to_string(longest_line) + " bytes"};
      line += static_cast<char>(c);
    }
    if (c == '\n') return true;
    if (interrupted != 0) {
      std::clearerr(stdin);
      std::fputs("\n(Ctrl-D ends the program)\n", stderr);
      continue;
    }
    if (std::ferror(stdin) != 0)
      return Error{linnet::ErrorCode::io_error,
                   std::string("cannot read standard input: ") + std::strerror(errno)};
    return !line.empty();
  }
}

int converse(Engine& engine, Session& session, Conversation conversation,
             const Arguments& arguments) {
  // Answers may be long; what is kept free for one may not push out all that came before.
  const int reserve = std::min(arguments.max_tokens, engine.context() / 4);
  const auto exchange = [&](const std::string& text) -> Result<void> {
    if (auto asked = conversation.ask(text, reserve); !asked) return asked;
    if (conversation.dropped() > 0)
      std::fprintf(stderr, "[the context of %d tokens is full: the oldest %d turns are dropped]\n",
                   engine.context(), conversation.dropped());
    interrupted = 0;
    const auto answered = session.answer(conversation.ids(), conversation.end_of_turn());
    if (!answered || !*answered) conversation.withdraw();
    if (!answered) return answered.error();
    return *answered ? conversation.reply(**answered) : Result<void>();
  };

  if (arguments.prompt) {
    if (const auto done = exchange(*arguments.prompt); !done) return fail(done.error());
    return interrupted != 0 ? exit_interrupted : 0;
  }
  const bool terminal = isatty(STDIN_FILENO) != 0;
  int status = 0;
  std::string line;
  for (;;) {
    const auto more = read_line(line, terminal);
    if (!more) return fail(more.error());
    if (!*more) break;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (!terminal) {
      std::fputs("> ", stdout);
      std::fwrite(line.data(), 1, line.size(), stdout);
      std::fputs("\n", stdout);
    }
    if (const auto done = exchange(line); !done) {
      status = fail(done.error());
      if (std::ferror(stdout) != 0) break;
      // Otherwise the conversation goes on without that message.
    }
  }
  if (terminal) std::fputs("\n", stderr);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  std::string numerics = "fast";
  CLI::App app(
      "Chats with SmolLM2-135M-Instruct, compiled from Linnet. Without --prompt it holds a "
      "conversation, a line a message.");
  app.add_option("--model", arguments.model, "GGUF file of the model")->required();
  app.add_option("--prompt", arguments.prompt, "Answer this and end");
  app.add_option("--system", arguments.system, "System prompt; empty for none")
      ->capture_default_str();
  app.add_option("--max-tokens", arguments.max_tokens, "Longest answer, in tokens")
      ->check(CLI::Range(1, 1 << 30))
      ->capture_default_str();
  app.add_option("--temp", arguments.sampling.temperature,
                 "Temperature; 0 takes the most likely token")
      ->capture_default_str();
  app.add_option("--top-k", arguments.sampling.top_k, "Sample from the k most likely; 0 for all");
  app.add_option("--top-p", arguments.sampling.top_p,
                 "Sample from the most likely of this probability");
  app.add_option("--min-p", arguments.sampling.min_p,
                 "Drop tokens below this fraction of the most likely");
  app.add_option("--repeat-penalty", arguments.sampling.repetition_penalty,
                 "Penalty of repeated tokens");
  app.add_option("--seed", arguments.sampling.seed, "Seed of sampling")
      ->check(whole_number)
      ->capture_default_str();
  auto* threads = app.add_option("--threads", arguments.threads,
                                 "Threads; default: all cores this process may use");
  auto* context = app.add_option("--ctx", arguments.context, "Positions of context to use");
  app.add_option("--numerics", numerics,
                 "exact: every op as its Linnet body says; fast: native kernels")
      ->check(CLI::IsMember({"exact", "fast"}))
      ->capture_default_str();
  app.add_flag("--token-ids", arguments.token_ids, "Print the ids of prompt and answer");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_wrong_command_line;
  }
  arguments.exact = numerics == "exact";
  // 0 means "not given" inside: from the command line it is a mistake.
  for (const auto* option : {threads, context}) {
    if (option->count() > 0 && option->as<int>() < 1) {
      std::fprintf(stderr, "chat: %s must be at least 1\n", option->get_name().c_str());
      return exit_wrong_command_line;
    }
  }
  auto sampler = linnet::text::Sampler::make(arguments.sampling);
  if (!sampler) {
    std::fprintf(stderr, "chat: %s\n", sampler.error().message.c_str());
    return exit_wrong_command_line;
  }

  auto engine =
      Engine::open(arguments.model, {arguments.threads, arguments.context, arguments.exact});
  if (!engine) return fail(engine.error());
  std::fprintf(stderr, "[%s; %d threads; %s numerics]\n", engine->memory().c_str(),
               engine->threads(), numerics.c_str());
  auto conversation = Conversation::start(engine->tokenizer(), arguments.system, engine->context());
  if (!conversation)
    return fail({conversation.error().code, arguments.model + ": " + conversation.error().message});

  // From here on there is something for Ctrl-C to end other than the program. No SA_RESTART: at the
  // prompt it must come back from the read.
  struct sigaction action{};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);

  Session session(*engine, std::move(*sampler), arguments);
  return converse(*engine, session, std::move(*conversation), arguments);
}
