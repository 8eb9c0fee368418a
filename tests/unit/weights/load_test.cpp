#include "linnet/weights/load.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "file_builder.hpp"

namespace {

using linnet::bf16;
using linnet::Extent;
using linnet::Format;
using linnet::member;
using linnet::members;
using linnet::Shape;
using linnet::test::contains;
using linnet::test::GgufBuilder;
using linnet::weights::Bindings;
using linnet::weights::Checkpoint;
using linnet::weights::FloatStorage;
using linnet::weights::GgufFile;
using linnet::weights::load;
using linnet::weights::LoadOptions;
using linnet::weights::StoredTensor;
using linnet::weights::TensorTable;

// As the generator writes blocks.
template <Extent In, Extent Out, class T>
struct Linear {
  linnet::Param<T, Shape<Out, In>> weight;
  linnet::OptionalParam<T, Shape<Out>> bias;
  static constexpr auto linnet_members() {
    return members(member<"weight">(&Linear::weight), member<"bias">(&Linear::bias));
  }
};

template <Extent H, class T>
struct Layer {
  Linear<H, H, T> proj;
  linnet::State<float, Shape<4, H>> cache;
  static constexpr auto linnet_members() {
    return members(member<"proj">(&Layer::proj), member<"cache">(&Layer::cache));
  }
};

template <Extent Vocab, Extent H, Extent Layers, class T>
struct Model {
  linnet::Param<T, Shape<Vocab, H>> embed;
  linnet::SubArray<Layer<H, T>, Layers> layers;
  linnet::OptionalSub<Linear<H, Vocab, T>> head;
  linnet::Buffer<std::int32_t, Shape<2>> ids;
  static constexpr auto linnet_members() {
    return members(member<"embed">(&Model::embed), member<"layers">(&Model::layers),
                   member<"head">(&Model::head), member<"ids">(&Model::ids));
  }
};

using Small = Model<3, 32, 2, float>;

/// Tensors in memory, each with its own storage.
class Tensors {
 public:
  template <class T>
  Tensors& add(std::string name, Format format, std::vector<std::int64_t> shape,
               std::vector<T> values) {
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    storage_.push_back(
        std::make_shared<std::vector<std::byte>>(bytes, bytes + values.size() * sizeof(T)));
    StoredTensor tensor;
    tensor.name = std::move(name);
    tensor.file = "memory";
    tensor.format = format;
    tensor.type_name = linnet::format_name(format);
    tensor.rank = static_cast<std::uint8_t>(shape.size());
    std::copy(shape.begin(), shape.end(), tensor.extents.begin());
    tensor.bytes = *storage_.back();
    tensors_.push_back(tensor);
    return *this;
  }
  Tensors& floats(std::string name, std::vector<std::int64_t> shape, float first = 0) {
    std::vector<float> values(
        static_cast<std::size_t>(linnet::weights::element_count(shape).value_or(0)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + static_cast<float>(i);
    return add(std::move(name), Format::f32, std::move(shape), std::move(values));
  }
  Tensors& drop(std::string_view name) {
    std::erase_if(tensors_, [&](const StoredTensor& tensor) { return tensor.name == name; });
    return *this;
  }
  [[nodiscard]] TensorTable table() const {
    TensorTable table;
    for (const auto& tensor : tensors_) table.add(tensor);
    REQUIRE_FALSE(table.finish());
    return table;
  }

 private:
  std::vector<std::shared_ptr<std::vector<std::byte>>> storage_;  // shared by copies
  std::vector<StoredTensor> tensors_;
};

Tensors good_tensors() {
  Tensors tensors;
  tensors.floats("embed", {3, 32})
      .floats("layers.0.proj.weight", {32, 32})
      .floats("layers.1.proj.weight", {32, 32}, 5000)
      .floats("layers.1.proj.bias", {32})
      .add<std::int32_t>("ids", Format::i32, {2}, {7, 8});
  return tensors;
}

std::string refusal(const Tensors& tensors, const Bindings& bindings = {},
                    const LoadOptions& options = {}) {
  const auto loaded = load<Small>(tensors.table(), bindings, options);
  return loaded ? std::string() : loaded.error().message;
}

}  // namespace

TEST_CASE("a model is bound, its optional parts absent and its state zero") {
  const auto tensors = good_tensors().floats("extra", {1});
  const auto table = tensors.table();
  LoadOptions options;
  options.workspace_bytes = 100;
  auto result = load<Small>(table, {}, options);
  REQUIRE(result);
  auto loaded = std::move(*result);
  const Small& model = *loaded;
  CHECK(model.embed(2, 31) == 95.0F);
  CHECK(model.layers[1].proj.weight(0, 1) == 5001.0F);
  CHECK_FALSE(model.layers[0].proj.bias.view().has_value());
  REQUIRE(model.layers[1].proj.bias.view().has_value());
  CHECK((*model.layers[1].proj.bias.view())(3) == 3.0F);
  CHECK_FALSE(model.head.present);
  CHECK(model.ids(1) == 8);

  auto cache = model.layers[1].cache.view();
  CHECK(cache(3, 31) == 0.0F);
  cache(3, 31) = 1.0F;
  loaded.reset_state();
  CHECK(cache(3, 31) == 0.0F);

  const auto& report = loaded.report();
  CHECK(report.unbound_tensors == std::vector<std::string>{"extra"});
  CHECK(report.absent == std::vector<std::string>{"layers.0.proj.bias", "head"});
  CHECK(report.memory.state == 2 * 4 * 32 * sizeof(float));
  CHECK(report.memory.workspace == 100);
  CHECK(loaded.workspace().size() == 100);
  CHECK(report.memory.copies == 0);
}

TEST_CASE("bindings rename and tie") {
  auto tensors = good_tensors().drop("layers.0.proj.weight").drop("layers.1.proj.weight");
  tensors.floats("blk.0.w", {32, 32}).floats("blk.1.w", {32, 32}, 1);
  const auto bindings = Bindings::parse(R"({"layers.{i}.proj.weight": "blk.{i}.w",
      "head.weight": "embed", "nothing.here": "x"})");
  REQUIRE(bindings);
  const auto table = tensors.table();
  const auto loaded = load<Small>(table, *bindings);
  REQUIRE(loaded);
  CHECK((*loaded)->layers[1].proj.weight(0, 0) == 1.0F);
  CHECK((*loaded)->head.present);
  CHECK((*loaded)->head->weight.data() == (*loaded)->embed.data());
  CHECK(loaded->report().unused_bindings == std::vector<std::string>{"nothing.here"});
}

TEST_CASE("everything that does not fit is listed at once") {
  Tensors tensors;
  tensors.floats("embed", {3, 31})
      .add<std::uint16_t>("q0", Format::f16, {32, 32}, std::vector<std::uint16_t>(1024))
      .floats("layers.1.proj.bias", {32, 1})
      .add<std::int64_t>("ids", Format::i64, {3}, {7, 8, 9});
  const auto bindings = Bindings::parse(R"({"layers.0.proj.weight": "q0"})");
  REQUIRE(bindings);
  CHECK(refusal(tensors, *bindings) ==
        "5 weights do not fit the model:\n"
        "  embed: expected [3, 32], found [3, 31]\n"
        "  layers.0.proj.weight: expected f32, found f16 (tensor `q0`)\n"
        "  layers.1.proj.weight: missing, expected [32, 32] f32\n"
        "  layers.1.proj.bias: expected [32], found [32, 1]\n"
        "  ids: expected [2] i32, found [3] i64");
}

TEST_CASE("two bindings of one path are an error") {
  const auto bindings = Bindings::parse(R"({"layers.{i}.proj.weight": "layers.{i}.proj.weight",
      "layers.0.proj.weight": "layers.1.proj.weight"})");
  REQUIRE(bindings);
  CHECK(refusal(good_tensors(), *bindings) ==
        "1 weight does not fit the model:\n"
        "  layers.0.proj.weight: bound twice, by `layers.{i}.proj.weight` and by "
        "`layers.0.proj.weight`");
}

TEST_CASE("an optional child of the wrong shape is an error, not absence") {
  auto tensors = good_tensors().floats("head.weight", {3, 33});
  CHECK(contains(refusal(tensors), "head.weight: expected [3, 32], found [3, 33]"));
  CHECK(refusal(tensors.drop("head.weight").floats("head.bias", {3})).empty());
}

TEST_CASE("floats are converted only where the options say so, block formats always read") {
  auto tensors = good_tensors().drop("embed").add<std::uint16_t>(
      "embed", Format::bf16, {3, 32}, std::vector<std::uint16_t>(96, 0x3fc0));
  CHECK(contains(refusal(tensors), "embed: expected f32, found bf16"));
  LoadOptions options;
  options.floats = FloatStorage::any;
  {
    const auto table = tensors.table();
    const auto loaded = load<Small>(table, {}, options);
    REQUIRE(loaded);
    CHECK((*loaded)->embed.format() == Format::bf16);
    CHECK((*loaded)->embed(2, 5) == 1.5F);
  }
  // Integers stay what they are.
  tensors.drop("ids").add<float>("ids", Format::f32, {2}, {7, 8});
  CHECK(contains(refusal(tensors, {}, options), "ids: expected i32, found f32"));

  auto quantised = good_tensors().drop("embed").add<std::uint8_t>(
      "embed", Format::q4_0, {3, 32}, std::vector<std::uint8_t>(54, 0x3c));
  CHECK(refusal(quantised).empty());
}

TEST_CASE("a tensor that is not read, or holds no bools, never binds") {
  struct Flags {
    linnet::Param<bool, Shape<2>> flags;
    static constexpr auto linnet_members() { return members(member<"flags">(&Flags::flags)); }
  };
  const auto message = [](std::uint8_t byte, bool readable) {
    const std::byte bytes[] = {std::byte{1}, std::byte{byte}};
    StoredTensor tensor;
    tensor.name = "flags";
    tensor.type_name = "BOOL";
    tensor.format = Format::boolean;
    tensor.readable = readable;
    tensor.rank = 1;
    tensor.extents[0] = 2;
    tensor.bytes = bytes;
    TensorTable table;
    table.add(tensor);
    REQUIRE_FALSE(table.finish());
    const auto loaded = load<Flags>(table);
    return loaded ? std::string() : loaded.error().message;
  };
  CHECK(message(1, true).empty());
  CHECK(contains(message(2, true), "flags: holds 2, which is no bool"));
  CHECK(contains(message(1, false), "flags: stored as BOOL, which is not read"));
}

TEST_CASE("misaligned tensors are copied") {
  linnet::test::Bytes data;
  data.put(std::uint8_t{1});
  for (int i = 0; i < 2; ++i) data.put(static_cast<float>(i) + 0.5F);
  struct One {
    linnet::Param<float, Shape<2>> w;
    static constexpr auto linnet_members() { return members(member<"w">(&One::w)); }
  };
  const std::string header = R"({"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                             R"("w":{"dtype":"F32","shape":[2],"data_offsets":[1,9]}})";
  const auto file =
      linnet::test::safetensors(header + std::string(8 - header.size() % 8, ' '), data.span());
  auto opened = linnet::weights::SafeTensors::from_bytes(file);
  REQUIRE(opened);
  const auto loaded = load<One>(Checkpoint(std::move(*opened)));
  REQUIRE(loaded);
  CHECK((*loaded)->w(1) == 1.5F);
  CHECK(loaded->report().memory.copies > 0);
  CHECK(loaded->report().memory.file == file.size());
}

TEST_CASE("rows of rotary projections go from pairs to halves") {
  // Two heads of four rows: stored 0 1 2 3 are (pair 0, 0), (pair 0, 1), (pair 1, 0), (pair 1, 1).
  CHECK(linnet::weights::half_split_rows(8, 2) ==
        std::vector<std::int64_t>{0, 2, 1, 3, 4, 6, 5, 7});

  struct Query {
    linnet::Param<bf16, Shape<8, 32>> weight;
    linnet::OptionalParam<bf16, Shape<8>> bias;
    static constexpr auto linnet_members() {
      return members(member<"weight">(&Query::weight), member<"bias">(&Query::bias));
    }
  };
  // Q8_0 rows whose elements are the number of the row.
  std::vector<std::uint8_t> rows;
  for (std::uint8_t row = 0; row < 8; ++row) {
    rows.insert(rows.end(), {0x00, 0x3c});
    rows.insert(rows.end(), 32, row);
  }
  GgufBuilder builder;
  builder.string("general.architecture", "llama")
      .number("llama.attention.head_count", 4, std::uint32_t{2})
      .tensor("blk.0.attn_q.weight", {32, 8}, 8, rows)
      .tensor("blk.0.attn_q.bias", {8}, 0, std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7});
  const auto bytes = builder.build();
  auto file = GgufFile::from_bytes(bytes);
  REQUIRE(file);
  const auto bindings =
      Bindings::parse(R"({"weight": "blk.0.attn_q.weight", "bias": "blk.0.attn_q.bias"})");
  REQUIRE(bindings);
  const auto loaded = load<Query>(Checkpoint(std::move(*file)), *bindings);
  REQUIRE(loaded);
  const std::vector<float> expected = {0, 2, 1, 3, 4, 6, 5, 7};
  for (std::int64_t row = 0; row < 8; ++row) {
    CAPTURE(row);
    CHECK(static_cast<float>((*loaded)->weight(row, 9)) == expected[static_cast<std::size_t>(row)]);
    CHECK(static_cast<float>((*(*loaded)->bias.view())(row)) ==
          expected[static_cast<std::size_t>(row)]);
  }
  CHECK((*loaded)->weight.format() == Format::q8_0);
  CHECK(loaded->report().memory.copies >= rows.size());
}

TEST_CASE("one part of a split model is refused") {
  const auto bytes = GgufBuilder()
                         .string("general.architecture", "x")
                         .number("split.count", 2, std::uint16_t{3})
                         .build();
  auto file = GgufFile::from_bytes(bytes, "m-00001-of-00003.gguf");
  REQUIRE(file);
  const auto loaded = load<Small>(Checkpoint(std::move(*file)));
  REQUIRE_FALSE(loaded);
  CHECK(contains(loaded.error().message, "one of 3 parts of a model"));
}

TEST_CASE("head counts that do not fit are refused") {
  const auto message = [](std::uint32_t heads) {
    const auto bytes = GgufBuilder()
                           .string("general.architecture", "llama")
                           .number("llama.attention.head_count", 4, heads)
                           .tensor("blk.0.attn_q.weight", {1, 8}, 0, std::vector<float>(8))
                           .build();
    const auto file = GgufFile::from_bytes(bytes, "m.gguf");
    REQUIRE(file);
    const auto orders = linnet::weights::gguf_row_orders(*file);
    return orders ? std::string() : orders.error().message;
  };
  CHECK(message(4).empty());
  CHECK(contains(message(8), "8 rows are no 8 heads of an even size"));
  CHECK(contains(message(0), "no 0 heads"));
  CHECK(contains(message(UINT32_MAX), "no 4294967295 heads"));
  // Extents of a tensor without elements are bounded by nothing: no order is made of them.
  const auto bytes = GgufBuilder()
                         .string("general.architecture", "llama")
                         .number("llama.attention.head_count", 4, std::uint32_t{1})
                         .tensor_at("blk.0.attn_q.weight", {0, std::uint64_t{1} << 60U}, 0, 0)
                         .build();
  const auto file = GgufFile::from_bytes(bytes, "m.gguf");
  REQUIRE(file);
  const auto orders = linnet::weights::gguf_row_orders(*file);
  REQUIRE(orders);
  CHECK(orders->empty());
}

TEST_CASE("a row order that does not fit its tensor is refused") {
  LoadOptions options;
  const auto pattern = linnet::weights::PathPattern::parse("embed");
  REQUIRE(pattern);
  options.row_orders = {{*pattern, {0, 1}}};
  CHECK(contains(refusal(good_tensors(), {}, options), "the order of 2 rows does not fit [3, 32]"));
  options.row_orders = {{*pattern, {0, 1, 3}}};
  CHECK(contains(refusal(good_tensors(), {}, options), "the order of 3 rows does not fit"));
  options.row_orders = {{*pattern, {2, 1, 0}}};
  const auto tensors = good_tensors();
  const auto table = tensors.table();
  const auto loaded = load<Small>(table, {}, options);
  REQUIRE(loaded);
  CHECK((*loaded)->embed(0, 0) == 64.0F);
}

TEST_CASE("matrices are packed on request, tied ones once") {
  const std::int64_t packed = linnet::kernels::packed_bytes(Format::q8_0, 3, 32);
  REQUIRE(packed > 0);
  auto tensors = good_tensors().drop("embed").add<std::uint8_t>(
      "embed", Format::q8_0, {3, 32}, std::vector<std::uint8_t>(3 * 34, 0x3c));
  const auto bindings = Bindings::parse(R"({"head.weight": "embed"})");
  REQUIRE(bindings);
  LoadOptions options;
  options.pack = true;
  const auto table = tensors.table();
  const auto loaded = load<Small>(table, *bindings, options);
  REQUIRE(loaded);
  REQUIRE((*loaded)->embed.packed() != nullptr);
  CHECK((*loaded)->head->weight.packed() == (*loaded)->embed.packed());
  CHECK((*loaded)->layers[0].proj.weight.packed() == nullptr);  // dense
  CHECK(loaded->report().memory.packed == static_cast<std::size_t>((packed + 63) / 64 * 64));
  std::vector<std::byte> expected(static_cast<std::size_t>(packed));
  linnet::kernels::pack(Format::q8_0, (*loaded)->embed.data(), 3, 32, expected.data());
  CHECK(std::memcmp(expected.data(), (*loaded)->embed.packed(), expected.size()) == 0);
}

TEST_CASE("axes of extent 1 that a GGUF drops are taken as there") {
  struct Conv {
    linnet::Param<float, Shape<1, 1, 4>> w;
    static constexpr auto linnet_members() { return members(member<"w">(&Conv::w)); }
  };
  const auto bytes = GgufBuilder()
                         .string("general.architecture", "other")
                         .tensor("w", {4}, 0, std::vector<float>{1, 2, 3, 4})
                         .build();
  auto file = GgufFile::from_bytes(bytes, "m.gguf");
  REQUIRE(file);
  const auto loaded = load<Conv>(Checkpoint(std::move(*file)));
  REQUIRE(loaded);
  CHECK((*loaded)->w(0, 0, 3) == 4.0F);

  const auto empty = GgufBuilder().string("general.architecture", "x").build();
  auto other = GgufFile::from_bytes(empty, "m.gguf");
  REQUIRE(other);
  const auto missing = load<Conv>(Checkpoint(std::move(*other)));
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message ==
        "m.gguf: 1 weight does not fit the model:\n  w: missing, expected [1, 1, 4] f32");
}
