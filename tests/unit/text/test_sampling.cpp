// Sampling against the distributions that its options define.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "linnet/text/sampling.hpp"

namespace {

using namespace linnet::text;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

Sampler sampler(SamplingOptions options) {
  auto made = Sampler::make(options);
  REQUIRE(made);
  return std::move(*made);
}

/// How often each of the logits is drawn in `count` draws.
std::vector<int> draws(SamplingOptions options, const std::vector<float>& logits, int count) {
  Sampler s = sampler(options);
  std::vector<int> seen(logits.size());
  for (int i = 0; i < count; ++i) {
    const auto id = s.sample(logits);
    REQUIRE(id);
    ++seen[static_cast<std::size_t>(*id)];
  }
  return seen;
}

}  // namespace

TEST_CASE("greedy takes the first of the largest and never NaN") {
  Sampler s = sampler({});
  CHECK(*s.sample(std::vector<float>{1, 5, 5, 2}) == 1);
  CHECK(*s.sample(std::vector<float>{not_a_number, -3, not_a_number}) == 1);
  CHECK(!s.sample(std::vector<float>{not_a_number}));
  CHECK(!s.sample(std::vector<float>{}));
}

TEST_CASE("temperature draws in proportion") {
  const auto seen = draws({.temperature = 2.0f, .seed = 1}, {0, 2 * std::log(3.0f)}, 20000);
  CHECK(seen[1] > 14700);
  CHECK(seen[1] < 15300);
}

TEST_CASE("top-k, top-p and min-p drop what they should") {
  const std::vector<float> logits{std::log(0.5f), std::log(0.3f), std::log(0.15f), std::log(0.05f)};
  CHECK(draws({.temperature = 1, .top_k = 2, .seed = 3}, logits, 2000)[2] == 0);
  const auto p = draws({.temperature = 1, .top_p = 0.79f, .seed = 3}, logits, 2000);
  CHECK(p[1] > 0);
  CHECK(p[2] == 0);
  const auto m = draws({.temperature = 1, .min_p = 0.25f, .seed = 3}, logits, 2000);
  CHECK(m[2] > 0);
  CHECK(m[3] == 0);
}

TEST_CASE("a tiny top-p leaves the most likely") {
  CHECK(draws({.temperature = 1, .top_p = 1e-6f}, {1, 3, 2}, 50)[1] == 50);
}

TEST_CASE("the penalty pushes recent tokens down, once each") {
  Sampler s = sampler({.repetition_penalty = 2.0f});
  const std::vector<float> logits{3, 2, -1};
  CHECK(*s.sample(logits, std::vector<TokenId>{0, 0, 0}) == 1);
  CHECK(*s.sample(logits, std::vector<TokenId>{-4, 77}) == 0);
  CHECK(*s.sample(std::vector<float>{-1, -1.5f}, std::vector<TokenId>{0}) == 1);
}

TEST_CASE("a seed fixes the draws") {
  const std::vector<float> logits{1, 1, 1, 1, 1, 1, 1, 1};
  CHECK(draws({.temperature = 1, .seed = 9}, logits, 100) ==
        draws({.temperature = 1, .seed = 9}, logits, 100));
  CHECK(draws({.temperature = 1, .seed = 9}, logits, 100) !=
        draws({.temperature = 1, .seed = 10}, logits, 100));
}

TEST_CASE("infinite logits") {
  CHECK(draws({.temperature = 1}, {0, inf, -inf}, 20)[1] == 20);
  Sampler s = sampler({.temperature = 1});
  CHECK(!s.sample(std::vector<float>{-inf, -inf}));
}

TEST_CASE("options out of range are named") {
  const auto why = [](SamplingOptions options) {
    const auto made = Sampler::make(options);
    return made ? std::string() : made.error().message;
  };
  CHECK(why({.temperature = -1}) == "the temperature must be 0 or more");
  CHECK(why({.temperature = not_a_number}) == "the temperature must be 0 or more");
  CHECK(why({.top_k = -1}) == "top-k must be 0 or more");
  CHECK(why({.top_p = 0}) == "top-p must be more than 0 and at most 1");
  CHECK(why({.min_p = 1}) == "min-p must be 0 or more and less than 1");
  CHECK(why({.repetition_penalty = 0}) == "the repetition penalty must be more than 0");
}
