// The real file of models.md, through the bindings of the example. Needs tools/fetch_model.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "linnet/weights/load.hpp"

namespace {

using linnet::Extent;
using linnet::member;
using linnet::members;
using linnet::Shape;
using linnet::weights::Bindings;
using linnet::weights::Checkpoint;

// The members of examples/01-llama, by hand: this test is of the loader, not of the generator.
template <Extent In, Extent Out, class T>
struct Linear {
  linnet::Param<T, Shape<Out, In>> weight;
  linnet::OptionalParam<T, Shape<Out>> bias;
  static constexpr auto linnet_members() {
    return members(member<"weight">(&Linear::weight), member<"bias">(&Linear::bias));
  }
};

template <Extent H, class T>
struct RmsNorm {
  linnet::Param<T, Shape<H>> weight;
  static constexpr auto linnet_members() { return members(member<"weight">(&RmsNorm::weight)); }
};

template <Extent H, Extent Kv, class T>
struct Attention {
  Linear<H, H, T> q_proj;
  Linear<H, Kv, T> k_proj;
  Linear<H, Kv, T> v_proj;
  Linear<H, H, T> o_proj;
  static constexpr auto linnet_members() {
    return members(member<"q_proj">(&Attention::q_proj), member<"k_proj">(&Attention::k_proj),
                   member<"v_proj">(&Attention::v_proj), member<"o_proj">(&Attention::o_proj));
  }
};

template <Extent H, Extent Inner, class T>
struct SwiGlu {
  Linear<H, Inner, T> gate;
  Linear<H, Inner, T> up;
  Linear<Inner, H, T> down;
  static constexpr auto linnet_members() {
    return members(member<"gate">(&SwiGlu::gate), member<"up">(&SwiGlu::up),
                   member<"down">(&SwiGlu::down));
  }
};

template <Extent H, Extent Kv, Extent Inner, class T>
struct Layer {
  RmsNorm<H, T> input_norm;
  Attention<H, Kv, T> attention;
  RmsNorm<H, T> post_norm;
  SwiGlu<H, Inner, T> mlp;
  static constexpr auto linnet_members() {
    return members(member<"input_norm">(&Layer::input_norm), member<"attention">(&Layer::attention),
                   member<"post_norm">(&Layer::post_norm), member<"mlp">(&Layer::mlp));
  }
};

template <Extent Vocab, Extent H, Extent Kv, Extent Inner, Extent Layers, class T>
struct Llama {
  RmsNorm<H, T> norm;
  linnet::SubArray<Layer<H, Kv, Inner, T>, Layers> layers;
  struct Embedding {
    linnet::Param<T, Shape<Vocab, H>> weight;
    static constexpr auto linnet_members() { return members(member<"weight">(&Embedding::weight)); }
  } embed;
  linnet::OptionalSub<Linear<H, Vocab, T>> lm_head;
  static constexpr auto linnet_members() {
    return members(member<"embed">(&Llama::embed), member<"layers">(&Llama::layers),
                   member<"norm">(&Llama::norm), member<"lm_head">(&Llama::lm_head));
  }
};

/// The model's file, or empty. LINNET_MODEL names it; otherwise the cache folder is searched.
std::string model_path() {
  if (const char* given = std::getenv("LINNET_MODEL")) return given;
  const char* cache = std::getenv("LINNET_CACHE");
  const char* home = std::getenv("HOME");
  const std::filesystem::path folder =
      cache != nullptr ? cache
                       : std::filesystem::path(home != nullptr ? home : "") / ".cache/linnet";
  const auto path = folder / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf";
  return std::filesystem::exists(path) ? path.string() : std::string();
}

Bindings example_bindings() {
  auto bindings = Bindings::open(LINNET_SOURCE_DIR "/examples/01-llama/bindings.gguf.json");
  REQUIRE(bindings);
  return std::move(*bindings);
}

}  // namespace

TEST_CASE("SmolLM2 binds whole, with query and key rows in halves") {
  const std::string path = model_path();
  if (path.empty()) {
    std::puts("SKIPPED: the model is not there; run tools/fetch_model");
    return;
  }
  auto checkpoint = Checkpoint::open(path);
  REQUIRE(checkpoint);
  auto options = linnet::weights::options_for(*checkpoint);
  REQUIRE(options);
  options->pack = true;
  using Model = Llama<49152, 576, 192, 1536, 30, linnet::bf16>;
  const auto loaded =
      linnet::weights::load<Model>(std::move(*checkpoint), example_bindings(), *options);
  if (!loaded) MESSAGE(loaded.error().message);
  REQUIRE(loaded);
  const auto& report = loaded->report();
  MESSAGE(report.memory.text());
  CHECK(report.unbound_tensors.empty());
  CHECK_FALSE((*loaded)->lm_head.present);
  CHECK(report.memory.file == 98362432);
  CHECK(linnet::count_parameters(**loaded) == 134515008);
  // Query and key matrices in Q4_1, gathered: 30 * (576 + 192) rows of 18 blocks of 20 bytes.
  CHECK(report.memory.copies == 30U * (576 + 192) * 18 * 20);

  // Row 32 of head 1 of layer 7 is stored as its row 1: the second of the first pair.
  const auto* stored = loaded->checkpoint()->tensors().find("blk.7.attn_q.weight");
  REQUIRE(stored != nullptr);
  std::vector<float> expected(576);
  linnet::weights::decode_row(stored->format, stored->bytes.data() + (64 + 1) * 18 * 20, 576,
                              expected.data());
  const auto& query = (*loaded)->layers[7].attention.q_proj.weight;
  std::vector<linnet::bf16> row(576);
  query.read_row(64 + 32, row.data());
  for (std::size_t i = 0; i < row.size(); ++i) {
    CAPTURE(i);
    REQUIRE(static_cast<float>(row[i]) ==
            static_cast<float>(static_cast<linnet::bf16>(expected[i])));
  }
}

TEST_CASE("a model of another shape lists each weight that differs") {
  const std::string path = model_path();
  if (path.empty()) return;
  auto checkpoint = Checkpoint::open(path);
  REQUIRE(checkpoint);
  using Wrong = Llama<49152, 576, 192, 1024, 31, linnet::bf16>;
  const auto loaded = linnet::weights::load<Wrong>(std::move(*checkpoint), example_bindings());
  REQUIRE_FALSE(loaded);
  const std::string& message = loaded.error().message;
  // Three of the feed-forward in each of 30 layers, and the nine weights of the layer too many.
  CHECK(message.find("99 weights do not fit the model:") != std::string::npos);
  CHECK(message.find("layers.29.mlp.down.weight: expected [576, 1024], found [576, 1536] (tensor "
                     "`blk.29.ffn_down.weight`)") != std::string::npos);
  CHECK(message.find("layers.30.input_norm.weight: missing (tensor `blk.30.attn_norm.weight`), "
                     "expected [576] bf16") != std::string::npos);
}
