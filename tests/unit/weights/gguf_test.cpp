#include "linnet/weights/gguf.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "file_builder.hpp"

namespace {

using linnet::Format;
using linnet::test::Bytes;
using linnet::test::contains;
using linnet::test::GgufBuilder;
using linnet::weights::GgufFile;

constexpr std::uint32_t u8 = 0, u32 = 4, i32 = 5, f32 = 6, boolean = 7, array = 9, u64 = 10;
constexpr std::uint32_t type_f32 = 0, type_q4_1 = 3;

/// The message with which a file is refused; empty where it is accepted.
std::string refusal(const std::vector<std::byte>& file) {
  const auto opened = GgufFile::from_bytes(file, "m.gguf");
  return opened ? std::string() : opened.error().message;
}

GgufBuilder good_file() {
  GgufBuilder builder;
  builder.string("general.architecture", "llama")
      .number("llama.block_count", u32, std::uint32_t{30})
      .number("count64", u64, std::uint64_t{7})
      .number("negative", i32, std::int32_t{-1})
      .number("epsilon", f32, 1e-5F)
      .number("flag", boolean, std::uint8_t{1})
      .strings("tokens", {"a", "", "\xc3\xa9\n"})
      .entry("types", Bytes().put(array).put(i32).put(std::uint64_t{2}).put(1).put(-3))
      .tensor("w", {2, 3}, type_f32, std::vector<float>{1, 2, 3, 4, 5, 6})
      .tensor("q", {32, 2}, type_q4_1, std::vector<std::byte>(40));
  return builder;
}

}  // namespace

TEST_CASE("a GGUF file gives its metadata with types checked") {
  const auto bytes = good_file().build();
  const auto file = GgufFile::from_bytes(bytes, "m.gguf");
  REQUIRE(file);
  const auto& metadata = file->metadata();
  CHECK(file->version() == 3);
  CHECK(*metadata.get_string("general.architecture") == "llama");
  CHECK(*metadata.get_u32("llama.block_count") == 30);
  CHECK(*metadata.get_u32("count64") == 7);  // any integer type that fits
  CHECK(*metadata.get_f32("epsilon") == 1e-5F);
  CHECK(*metadata.get_bool("flag"));
  CHECK(*metadata.get_or<std::uint32_t>("none", 5) == 5);

  CHECK(metadata.get_u32("none").error().message == "m.gguf: key `none` is missing");
  CHECK(metadata.get_u32("negative").error().message ==
        "m.gguf: key `negative`: -1 does not fit in u32");
  CHECK(metadata.get_u32("epsilon").error().message ==
        "m.gguf: key `epsilon`: expected u32, found f32");
  CHECK(metadata.get_u32("flag").error().message == "m.gguf: key `flag`: expected u32, found bool");
  CHECK(metadata.get_string("tokens").error().message ==
        "m.gguf: key `tokens`: expected a string, found array of string");
  CHECK_FALSE(metadata.get_or<std::uint32_t>("epsilon", 5));

  const auto tokens = metadata.get_strings("tokens");
  REQUIRE(tokens);
  const std::vector<std::string_view> walked(tokens->begin(), tokens->end());
  CHECK(walked == std::vector<std::string_view>{"a", "", "\xc3\xa9\n"});
  CHECK(tokens->size() == 3);
  const auto types = metadata.get_numbers<std::int32_t>("types");
  REQUIRE(types);
  CHECK(types->size() == 2);
  CHECK((*types)[1] == -3);
  CHECK_FALSE(metadata.get_numbers<float>("types"));
  CHECK_FALSE(metadata.get_strings("types"));
}

TEST_CASE("a GGUF file gives its tensors with the shape turned round") {
  const auto bytes = good_file().build(2);
  auto opened = GgufFile::from_bytes(bytes);
  REQUIRE(opened);
  const GgufFile file = std::move(*opened);  // views survive the move
  CHECK(file.version() == 2);
  const auto* w = file.tensors().find("w");
  REQUIRE(w != nullptr);
  CHECK(w->rank == 2);
  CHECK(w->extents[0] == 3);
  CHECK(w->extents[1] == 2);
  CHECK(w->format == Format::f32);
  CHECK(w->bytes.size() == 24);
  CHECK(linnet::weights::load_little_endian<float>(w->bytes.data() + 20) == 6.0F);
  const auto* q = file.tensors().find("q");
  REQUIRE(q != nullptr);
  CHECK(q->format == Format::q4_1);
  CHECK(q->type_name == "Q4_1");
  CHECK(q->bytes.size() == 40);
  CHECK(file.tensors().find("none") == nullptr);
}

TEST_CASE("a file that is no GGUF is refused") {
  CHECK(refusal({}) == "m.gguf: the file is empty");
  CHECK(refusal(Bytes().raw("GG").vector()) == "m.gguf: not a GGUF file");
  CHECK(refusal(Bytes().raw("GGML\3\0\0\0").vector()) == "m.gguf: not a GGUF file");
  CHECK(contains(refusal(GgufBuilder().build(1)), "version 1; versions 2 and 3 are read"));
  CHECK(contains(refusal(GgufBuilder().build(0x03000000)), "big-endian"));
  CHECK(contains(GgufFile::open("/nonexistent/m.gguf").error().message, "No such file"));
}

TEST_CASE("every truncation of a GGUF file is refused or complete") {
  auto file = good_file().build();
  const std::size_t whole = file.size();
  for (std::size_t size = 0; size < whole; ++size) {
    CAPTURE(size);
    const std::vector<std::byte> part(file.begin(),
                                      file.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK_FALSE(refusal(part).empty());
  }
  CHECK(refusal(file).empty());
}

TEST_CASE("counts that the file has no room for are refused before anything is allocated") {
  const std::uint64_t huge = UINT64_MAX;
  CHECK(contains(refusal(Bytes().raw("GGUF").put(3U).put(huge).put(std::uint64_t{0}).vector()),
                 "tensors, more than the file has room for"));
  CHECK(contains(refusal(Bytes().raw("GGUF").put(3U).put(std::uint64_t{0}).put(huge).vector()),
                 "metadata entries, more than the file has room for"));
  const auto with_array = [](std::uint32_t element, std::uint64_t count) {
    return refusal(
        GgufBuilder().entry("a", Bytes().put(array).put(element).put(count).put(0)).build());
  };
  CHECK(contains(with_array(u64, huge), "longer than the file has room for"));
  CHECK(contains(with_array(8, huge / 8), "longer than the file has room for"));
  CHECK(contains(with_array(u8, std::uint64_t{1} << 63U), "longer than the file has room for"));
  CHECK(contains(with_array(99, 1), "unknown element type 99"));
}

TEST_CASE("bad metadata is refused with the key") {
  CHECK(contains(refusal(GgufBuilder().number("k", 13, 0).build()), "key `k`: unknown value type"));
  CHECK(contains(refusal(GgufBuilder().number("k", boolean, std::uint8_t{2}).build()),
                 "key `k`: a bool that is neither 0 nor 1"));
  CHECK(contains(refusal(GgufBuilder().string("k", "1").string("k", "2").build()),
                 "key `k` occurs twice"));
  CHECK(contains(refusal(GgufBuilder().string("", "1").build()), "a key of 0 bytes"));
  for (const std::uint32_t alignment : {0U, 4U, 24U, 0x80000000U}) {
    CAPTURE(alignment);
    CHECK(contains(refusal(GgufBuilder().number("general.alignment", u32, alignment).build()),
                   "power of two of at least 8"));
  }
  CHECK(contains(refusal(GgufBuilder().string("general.alignment", "32").build()),
                 "key `general.alignment`: expected u32, found string"));
  // Control characters of a name never reach the terminal.
  CHECK(contains(refusal(GgufBuilder().number("\x1b[2J", 13, 0).build()), "key `?[2J`"));
}

TEST_CASE("arrays may nest, but not without end") {
  const auto nested = [](int depth) {
    Bytes value;
    value.put(array);
    for (int i = 0; i < depth; ++i) value.put(array).put(std::uint64_t{1});
    value.put(u8).put(std::uint64_t{1}).put(std::uint8_t{5});
    return refusal(GgufBuilder().entry("k", value).build());
  };
  CHECK(nested(3).empty());
  CHECK(contains(nested(100), "nested too deeply"));
  CHECK(contains(nested(50000), "nested too deeply"));
}

TEST_CASE("bad tensor descriptions are refused with the tensor's name") {
  const std::uint64_t big = std::uint64_t{1} << 40U;
  const auto with = [](const std::vector<std::uint64_t>& shape, std::uint32_t type,
                       std::uint64_t offset) {
    return refusal(GgufBuilder()
                       .tensor("a", {16}, type_f32, std::vector<float>(16))
                       .tensor_at("w", shape, type, offset)
                       .build());
  };
  CHECK(contains(with({4}, 99, 32), "tensor `w`: unknown tensor type 99"));
  CHECK(contains(with({4}, type_f32, 33), "no multiple of the alignment"));
  CHECK(contains(with({4}, type_f32, 64), "truncated?"));
  CHECK(contains(with({4}, type_f32, UINT64_MAX - 31), "truncated?"));
  CHECK(contains(with({4}, type_f32, 32), "tensors `a` and `w` overlap"));
  CHECK(contains(with({1, 1, 1, 1, 1, 1, 1, 1, 1}, type_f32, 32), "9 axes"));
  CHECK(contains(with({33}, type_q4_1, 32), "no whole blocks of Q4_1"));
  CHECK(contains(with({}, type_q4_1, 32), "no whole blocks of Q4_1"));
  CHECK(contains(with({big, big}, type_f32, 32), "too many elements"));
  CHECK(contains(with({0, big, big}, type_f32, 32), "too many elements"));
  CHECK(contains(with({UINT64_MAX}, type_f32, 32), "an extent of"));
  CHECK(contains(with({INT64_MAX}, type_f32, 32), "too many elements"));
  CHECK(contains(with({INT64_MAX / 8}, type_f32, 32), "truncated?"));
  CHECK(with({0, 4}, type_f32, 1U << 20U).empty());  // no elements, no bytes
  CHECK(contains(refusal(GgufBuilder()
                             .tensor("w", {1}, type_f32, std::vector<float>(1))
                             .tensor("w", {1}, type_f32, std::vector<float>(1))
                             .build()),
                 "tensor `w` occurs twice"));
}

TEST_CASE("a tensor of a known type without a reader is listed and marked") {
  const auto bytes =
      GgufBuilder().tensor("w", {256}, 16, std::vector<std::byte>(66)).build();  // IQ2_XXS
  const auto file = GgufFile::from_bytes(bytes);
  REQUIRE(file);
  const auto* w = file->tensors().find("w");
  REQUIRE(w != nullptr);
  CHECK_FALSE(w->readable);
  CHECK(w->type_name == "IQ2_XXS");
}
