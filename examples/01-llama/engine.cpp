#include "engine.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "linnet/core/context.hpp"
#include "linnet/runtime/threads.hpp"
#include "linnet/text/tokenizer_gguf.hpp"
#include "linnet/weights/load.hpp"
#include "linnet/weights/messages.hpp"
#include "llama.linnet.hpp"

namespace llama_example {

namespace {

using linnet::Error;
using linnet::ErrorCode;
using linnet::Numerics;
using linnet::Result;

// SmolLM2-135M, one row, f32.
constexpr int vocabulary_size = 49152;
constexpr int hidden = 576;
constexpr int query_heads = 9;
constexpr int key_value_heads = 3;
constexpr int inner = 1536;
constexpr int layers = 30;
using Model = llama::Model<vocabulary_size, hidden, query_heads, key_value_heads, inner, layers, 1,
                           LLAMA_CONTEXT, float>;

// The workspace is sized by the largest chunk of a prompt.
constexpr linnet::Extent prompt = linnet::symbol<"S", Engine::prefill_chunk>;
constexpr linnet::Extent scored = linnet::symbol<"S", Engine::score_chunk>;

/// Room for any of the calls below, whatever the numerics.
template <Numerics policy>
constexpr std::size_t workspace_bytes_of =
    std::max({Model::prefill_workspace_bytes<prompt, policy>,
              Model::score_workspace_bytes<scored, policy>, Model::decode_workspace_bytes<policy>});

/// Compares the file's own description with the program. What shapes do not show makes a model of
/// the same shapes another one: how heads are cut, the rotation, the norm. Collects all that
/// differs.
class Description {
 public:
  explicit Description(const linnet::weights::GgufFile& file) : metadata_(file.metadata()) {}

  /// `fallback`: what a file that does not say means.
  void expect_count(std::string_view key, std::uint32_t wanted, std::uint32_t fallback) {
    const auto found = metadata_.get_or(key, fallback);
    if (!found) {
      differences_.push_back(found.error().message);
    } else if (*found != wanted) {
      add(key, std::to_string(wanted), std::to_string(*found) + unless_set(key));
    }
  }

  void expect_number(std::string_view key, float wanted, float fallback) {
    const auto found = metadata_.get_or(key, fallback);
    if (!found) {
      differences_.push_back(found.error().message);
    } else if (!(std::abs(*found - wanted) <= 1e-6F * std::abs(wanted))) {
      add(key, number(wanted), number(*found) + unless_set(key));
    }
  }

  void expect_text(std::string_view key, std::string_view wanted, std::string_view fallback) {
    if (!metadata_.contains(key) && fallback == wanted) return;
    const auto found = metadata_.get_string(key);
    if (!found) {
      differences_.push_back(found.error().message);
    } else if (*found != wanted) {
      add(key, std::string(wanted), linnet::weights::in_backquotes(*found));
    }
  }

  void add(std::string_view what, const std::string& expected, const std::string& found) {
    differences_.push_back(std::string(what) + ": expected " + expected + ", found " + found);
  }

  [[nodiscard]] Result<void> result() const {
    if (differences_.empty()) return {};
    std::string message = "the file is not of the model that this program was built for:";
    for (const std::string& difference : differences_) message += "\n  " + difference;
    return Error{ErrorCode::unsupported, std::move(message)};
  }

 private:
  /// `1e-05`, where std::to_string gives 0.000010.
  [[nodiscard]] static std::string number(float value) {
    std::ostringstream text;
    text << value;
    return text.str();
  }

  [[nodiscard]] std::string unless_set(std::string_view key) const {
    return metadata_.contains(key) ? "" : " (the file does not say)";
  }

  const linnet::weights::GgufMetadata& metadata_;
  std::vector<std::string> differences_;
};

/// Without this the file's tensors mean something else, whatever their names.
Result<void> check_architecture(const linnet::weights::GgufFile& file) {
  Description description(file);
  description.expect_text("general.architecture", "llama", "");
  return description.result();
}

/// Fallbacks are those of the GGUF specification's `llama` keys and of its reference reader.
Result<void> check_description(const linnet::weights::GgufFile& file,
                               const linnet::text::Tokenizer& tokenizer,
                               std::span<const std::string> unread_tensors) {
  Description description(file);
  description.expect_count("llama.block_count", layers, layers);
  description.expect_count("llama.attention.head_count", query_heads, 0);
  description.expect_count("llama.attention.head_count_kv", key_value_heads, query_heads);
  description.expect_count("llama.rope.dimension_count", hidden / query_heads,
                           hidden / query_heads);
  description.expect_number("llama.rope.freq_base", 100000.0F, 10000.0F);  // src/rope.linnet
  description.expect_text("llama.rope.scaling.type", "none", "none");      // likewise
  description.expect_number("llama.attention.layer_norm_rms_epsilon", 1e-5F, 0.0F);  // std.nn.norm
  if (tokenizer.vocabulary_size() != vocabulary_size)
    description.add("tokenizer.ggml.tokens", std::to_string(vocabulary_size) + " tokens",
                    std::to_string(tokenizer.vocabulary_size()));
  for (const std::string& tensor : unread_tensors)
    description.add("tensor " + linnet::weights::in_backquotes(tensor), "none",
                    "one that the model does not read");
  return description.result();
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
  const auto in_file = [&](const Error& error) {
    return Error{error.code,
                 error.message.starts_with(path) ? error.message : path + ": " + error.message};
  };
  if (const auto fine = check_architecture(*file); !fine) return in_file(fine.error());

  // Shapes first: they tell the most about a file of another model.
  const auto bindings = weights::Bindings::parse(gguf_bindings);
  if (!bindings) return bindings.error();
  auto load_options = weights::options_for(*checkpoint);
  if (!load_options) return load_options.error();
  load_options->executor = pool.get();
  load_options->pack = !options.exact;
  load_options->workspace_bytes =
      options.exact ? workspace_bytes_of<Numerics::exact> : workspace_bytes_of<Numerics::fast>;
  auto model = weights::load<Model>(std::move(*checkpoint), *bindings, *load_options);
  if (!model) return model.error();

  file = model->checkpoint()->gguf();
  auto tokenizer = linnet::text::tokenizer_from_gguf(file->metadata());
  if (!tokenizer) return in_file(tokenizer.error());
  if (const auto fine = check_description(*file, *tokenizer, model->report().unbound_tensors);
      !fine)
    return in_file(fine.error());

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
    const std::size_t count = std::min<std::size_t>(tokens.size(), Engine::prefill_chunk);
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
    return Impl::logits_of(
        impl_->model->score<scored, policy>(impl_->context_of_calls, chunk, position));
  });
}

}  // namespace llama_example
