#include "linnet/weights/bindings.hpp"

#include <doctest/doctest.h>

#include <string>

#include "file_builder.hpp"

namespace {

using linnet::test::contains;
using linnet::weights::Bindings;

std::string refusal(std::string_view json) {
  const auto parsed = Bindings::parse(json, "bindings.json");
  return parsed ? std::string() : parsed.error().message;
}

}  // namespace

TEST_CASE("paths map to tensors, others keep their names") {
  const auto bindings = Bindings::parse(R"({
    "layers.{i}.attention.q_proj.weight": "blk.{i}.attn_q.weight",
    "stages.{s}.blocks.{b}.w": "b{b}.s{s}",
    "embedding.weight": "token_embd.weight",
    "head.weight": "token_embd.weight"})");
  REQUIRE(bindings);
  CHECK(bindings->resolve("layers.12.attention.q_proj.weight").tensor == "blk.12.attn_q.weight");
  CHECK(bindings->resolve("stages.3.blocks.40.w").tensor == "b40.s3");
  CHECK(bindings->resolve("embedding.weight").tensor == "token_embd.weight");
  CHECK(bindings->resolve("head.weight").tensor == "token_embd.weight");  // tied
  CHECK(bindings->resolve("layers.x.attention.q_proj.weight").entries.empty());
  CHECK(bindings->resolve("layers.1.attention.q_proj").tensor == "layers.1.attention.q_proj");
  CHECK(bindings->resolve("layers.1.attention.q_proj.weight.more").entries.empty());
}

TEST_CASE("two entries may claim one path, which the loader reports") {
  const auto bindings = Bindings::parse(R"({"layers.{i}.w": "a{i}", "layers.0.w": "b"})");
  REQUIRE(bindings);
  CHECK(bindings->resolve("layers.0.w").entries.size() == 2);
  CHECK(bindings->resolve("layers.1.w").entries.size() == 1);
}

TEST_CASE("bad bindings are refused with the path") {
  CHECK(contains(refusal("[]"), "bindings.json: expected an object of strings"));
  CHECK(contains(refusal(R"({"a": 1})"), "path `a`: expected the name of a tensor"));
  CHECK(contains(refusal(R"({"a": "x", "a": "y"})"), "path `a` is bound twice"));
  CHECK(contains(refusal(R"({"a.{i}": "x{i}", "a.{j}": "y{j}"})"), "path `a.{j}` is bound twice"));
  for (const std::string_view path :
       {"", ".", "a.", "a..b", "a.{}", "a.{1}", "a.{i", "a.x{i}", "a.{i}.b.{i}", "a.{i}x"}) {
    CAPTURE(path);
    CHECK(contains(refusal("{\"" + std::string(path) + "\": \"t\"}"), "is no parameter path"));
  }
  for (const std::string_view tensor : {"", "t{j}", "t{i", "t}i{", "t{}"}) {
    CAPTURE(tensor);
    CHECK(contains(refusal("{\"a.{i}\": \"" + std::string(tensor) + "\"}"), "placeholder"));
  }
  CHECK(contains(refusal(R"({"a": "x",})"), "at byte"));
}
