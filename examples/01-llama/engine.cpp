#include "engine.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "linnet/core/context.hpp"
#include "linnet/runtime/threads.hpp"
#include "linnet/text/tokenizer_gguf.hpp"
#include "linnet/weights/load.hpp"
#include "llama.linnet.hpp"

namespace llama_example {

namespace {

using linnet::Error;
using linnet::ErrorCode;
using linnet::Numerics;
using linnet::Result;

// SmolLM2-135M: vocabulary, hidden, query and key/value heads, inner, layers. One row, f32.
constexpr int vocabulary_size = 49152;
using Model = llama::Model<vocabulary_size, 576, 9, 3, 1536, 30, 1, LLAMA_CONTEXT, float>;

// Prompts are taken in chunks of at most this many tokens: the workspace is sized by it.
constexpr int prefill_chunk = 256;
constexpr linnet::Extent prompt = linnet::symbol<"S", prefill_chunk>;
constexpr linnet::Extent scored = linnet::symbol<"S", Engine::score_chunk>;

/// Room for any of the calls below, whatever the numerics.
template <Numerics policy>
constexpr std::size_t workspace_bytes_of =
    std::max({Model::prefill_workspace_bytes<prompt, policy>,
              Model::score_workspace_bytes<scored, policy>, Model::decode_workspace_bytes<policy>});

/// What the Linnet source has as constants must be what the file was trained with.
Result<void> check_constants(const linnet::weights::GgufFile& file) {
  const auto& metadata = file.metadata();
  const auto expect = [&](std::string_view key, double wanted) -> Result<void> {
    if (!metadata.contains(key)) return {};
    const auto found = metadata.get_f32(key);
    if (!found) return found.error();
    if (std::abs(static_cast<double>(*found) - wanted) <= 1e-6 * std::abs(wanted)) return {};
    return Error{ErrorCode::unsupported, std::string(key) + " is " + std::to_string(*found) +
                                             ", this program was built for " +
                                             std::to_string(wanted) +
                                             " (src/rope.linnet, std.nn.norm)"};
  };
  if (auto fine = expect("llama.rope.freq_base", 100000.0); !fine) return fine;
  return expect("llama.attention.layer_norm_rms_epsilon", 1e-5);
}

}  // namespace

struct Engine::Impl {
  linnet::weights::Loaded<Model> model;
  linnet::text::Tokenizer tokenizer;
  std::unique_ptr<linnet::ThreadPool> pool;
  linnet::Context context_of_calls;
  int context = LLAMA_CONTEXT;
  bool exact = false;

  Impl(linnet::weights::Loaded<Model> loaded, linnet::text::Tokenizer read,
       std::unique_ptr<linnet::ThreadPool> threads)
      : model(std::move(loaded)),
        tokenizer(std::move(read)),
        pool(std::move(threads)),
        context_of_calls(model.workspace(), pool.get()) {}

  /// Refuses what would not fit, before anything runs.
  [[nodiscard]] Result<void> check(std::span<const TokenId> tokens, int position) const {
    if (tokens.empty()) return Error{ErrorCode::invalid_argument, "there are no tokens to take"};
    if (position < 0 || tokens.size() > static_cast<std::size_t>(context - position))
      return Error{ErrorCode::out_of_range, std::to_string(tokens.size()) + " tokens at position " +
                                                std::to_string(position) +
                                                " go beyond the context of " +
                                                std::to_string(context) + " positions"};
    for (const TokenId id : tokens)
      if (id < 0 || id >= vocabulary_size)
        return Error{ErrorCode::out_of_range, "token id " + std::to_string(id) +
                                                  " is outside the vocabulary of " +
                                                  std::to_string(vocabulary_size)};
    return {};
  }

  /// Calls `entry<policy>` with the policy that the options chose.
  template <class Call>
  auto with_numerics(const Call& call) {
    return exact ? call.template operator()<Numerics::exact>()
                 : call.template operator()<Numerics::fast>();
  }

  template <class View>
  static Result<std::span<const float>> logits_of(const Result<View>& logits) {
    if (!logits) return logits.error();
    return std::span<const float>(logits->data(), static_cast<std::size_t>(logits->size()));
  }
};

Result<Engine> Engine::open(const std::string& path, const EngineOptions& options) {
  namespace weights = linnet::weights;
  if (options.context < 0 || options.context > LLAMA_CONTEXT)
    return Error{ErrorCode::invalid_argument,
                 "a context of " + std::to_string(options.context) +
                     " positions is more than the " + std::to_string(LLAMA_CONTEXT) +
                     " that this program was built for (configure with -DLLAMA_CONTEXT=N)"};
  std::unique_ptr<linnet::ThreadPool> pool;
  if (options.threads == 0) {
    pool = linnet::ThreadPool::make_for_machine();
  } else {
    auto made = linnet::ThreadPool::make(options.threads);
    if (!made) return made.error();
    pool = std::move(*made);
  }

  auto checkpoint = weights::Checkpoint::open(path);
  if (!checkpoint) return checkpoint.error();
  const weights::GgufFile* file = checkpoint->gguf();
  if (file == nullptr)
    return Error{ErrorCode::unsupported,
                 path + ": is no GGUF file, which brings its tokenizer along"};
  if (const auto fine = check_constants(*file); !fine)
    return Error{fine.error().code, path + ": " + fine.error().message};
  auto tokenizer = linnet::text::tokenizer_from_gguf(file->metadata());
  if (!tokenizer) return Error{tokenizer.error().code, path + ": " + tokenizer.error().message};

  const auto bindings = weights::Bindings::parse(gguf_bindings);
  if (!bindings) return bindings.error();
  auto load_options = weights::options_for(*checkpoint);
  if (!load_options) return load_options.error();
  load_options->executor = pool.get();
  load_options->pack = !options.exact;
  load_options->workspace_bytes = options.exact ? workspace_bytes_of<Numerics::exact>
                                                : workspace_bytes_of<Numerics::fast>;
  auto model = weights::load<Model>(std::move(*checkpoint), *bindings, *load_options);
  if (!model) return model.error();

  auto impl = std::make_unique<Impl>(std::move(*model), std::move(*tokenizer), std::move(pool));
  impl->exact = options.exact;
  if (options.context > 0) impl->context = options.context;
  return Engine(std::move(impl));
}

Engine::Engine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;
Engine::~Engine() = default;

const linnet::text::Tokenizer& Engine::tokenizer() const {
  return impl_->tokenizer;
}
int Engine::context() const {
  return impl_->context;
}
int Engine::vocabulary() const {
  return vocabulary_size;
}
int Engine::threads() const {
  return impl_->context_of_calls.threads();
}
std::string Engine::memory() const {
  return impl_->model.report().memory.text();
}

Result<std::span<const float>> Engine::prefill(std::span<const TokenId> tokens, int position) {
  if (const auto fine = impl_->check(tokens, position); !fine) return fine.error();
  for (;;) {
    const std::size_t count = std::min<std::size_t>(tokens.size(), prefill_chunk);
    const linnet::TensorView<const std::int32_t, 1, prompt> chunk(tokens.data(), count);
    auto logits = impl_->with_numerics([&]<Numerics policy>() {
      return Impl::logits_of(
          impl_->model->prefill<prompt, policy>(impl_->context_of_calls, chunk, position));
    });
    tokens = tokens.subspan(count);
    position += static_cast<int>(count);
    if (!logits || tokens.empty()) return logits;
  }
}

Result<std::span<const float>> Engine::decode(TokenId token, int position) {
  if (const auto fine = impl_->check({&token, 1}, position); !fine) return fine.error();
  const linnet::TensorView<const std::int32_t, 1> one(&token);
  return impl_->with_numerics([&]<Numerics policy>() {
    return Impl::logits_of(impl_->model->decode<policy>(impl_->context_of_calls, one, position));
  });
}

Result<std::span<const float>> Engine::score(std::span<const TokenId> tokens, int position) {
  if (const auto fine = impl_->check(tokens, position); !fine) return fine.error();
  if (tokens.size() > score_chunk)
    return Error{ErrorCode::invalid_argument, std::to_string(tokens.size()) +
                                                  " tokens are more than the " +
                                                  std::to_string(score_chunk) + " of one chunk"};
  const linnet::TensorView<const std::int32_t, 1, scored> chunk(tokens.data(), tokens.size());
  return impl_->with_numerics([&]<Numerics policy>() {
    return Impl::logits_of(impl_->model->score<scored, policy>(impl_->context_of_calls, chunk, position));
  });
}

}  // namespace llama_example
