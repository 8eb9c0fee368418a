#include "linnet/core/result.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>

using linnet::Error;
using linnet::ErrorCode;
using linnet::Result;

namespace {

Result<std::string> greet(bool well) {
  if (!well) return {ErrorCode::not_found, "nobody is there"};
  return std::string("hello, and a text too long for a small string");
}

}  // namespace

TEST_CASE("a result holds a value or an error") {
  auto good = greet(true);
  REQUIRE(good);
  CHECK(good->size() == 45);
  const auto bad = greet(false);
  REQUIRE_FALSE(bad);
  CHECK(bad.error().code == ErrorCode::not_found);
  CHECK(bad.error().message == "nobody is there");
}

TEST_CASE("results copy, move and change sides") {
  auto result = greet(true);
  auto copy = result;
  CHECK(*copy == *result);
  copy = greet(false);
  CHECK_FALSE(copy);
  copy = std::move(result);
  REQUIRE(copy);
  CHECK(copy->starts_with("hello"));
  Result<std::unique_ptr<int>> owner(std::make_unique<int>(5));
  const std::unique_ptr<int> taken = std::move(*owner);
  CHECK(*taken == 5);
}

TEST_CASE("a result without a value") {
  const Result<void> fine;
  CHECK(fine);
  const Result<void> failed = Error{ErrorCode::io_error, "the disk is full"};
  CHECK_FALSE(failed);
  CHECK(failed.error().message == "the disk is full");
  CHECK(linnet::error_code_name(failed.error().code) == "input/output error");
}
