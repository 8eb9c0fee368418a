#include "linnet/weights/json_scanner.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

using linnet::weights::JsonScanner;
using linnet::weights::JsonToken;

/// The tokens of a document in one line: `{ k:a "x" 5 ] $`, or the error after `!`.
std::string scan(std::string_view document) {
  JsonScanner json(document);
  std::string out;
  for (;;) {
    switch (json.next()) {
      case JsonToken::begin_object:
        out += "{ ";
        break;
      case JsonToken::end_object:
        out += "} ";
        break;
      case JsonToken::begin_array:
        out += "[ ";
        break;
      case JsonToken::end_array:
        out += "] ";
        break;
      case JsonToken::key:
        out += "k:" + std::string(json.text()) + " ";
        break;
      case JsonToken::string:
        out += "'" + std::string(json.text()) + "' ";
        break;
      case JsonToken::number:
      case JsonToken::boolean:
      case JsonToken::null:
        out += std::string(json.text()) + " ";
        break;
      case JsonToken::end:
        return out + "$";
      case JsonToken::error:
        return out + "!" + std::string(json.error());
    }
  }
}

}  // namespace

TEST_CASE("documents come as tokens") {
  CHECK(scan(R"({"a":[1,-2.5e+3,{}],"b":{"c":true},"d":[]})") ==
        "{ k:a [ 1 -2.5e+3 { } ] k:b { k:c true } k:d [ ] } $");
  CHECK(scan(" null ") == "null $");
  CHECK(scan(R"("\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00")") ==
        "'\"\\/\b\f\n\r\tA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80' $");
}

TEST_CASE("what is not JSON is an error") {
  for (const std::string_view bad : {"",
                                     " ",
                                     "{",
                                     "[",
                                     "[1",
                                     "[1,",
                                     "[1,]",
                                     "[,1]",
                                     "[1 2]",
                                     "{\"a\"",
                                     "{\"a\":",
                                     "{\"a\":1,}",
                                     "{\"a\":1 \"b\":2}",
                                     "{1:2}",
                                     "{\"a\"}",
                                     "]",
                                     "}",
                                     "[}",
                                     "{]",
                                     "1 2",
                                     "tru",
                                     "nul",
                                     "+1",
                                     "01",
                                     "1.",
                                     ".5",
                                     "1e",
                                     "-",
                                     "0x1",
                                     "NaN",
                                     "'a'",
                                     "\"",
                                     "\"a",
                                     "\"\\",
                                     "\"\\x\"",
                                     "\"\\u12\"",
                                     "\"\\u123g\"",
                                     "\"\\ud800\"",
                                     "\"\\ud800\\u0041\"",
                                     "\"\\udc00\"",
                                     "\"\n\"",
                                     "\"\\n\n\""}) {
    CAPTURE(bad);
    CHECK(scan(bad).find('!') != std::string::npos);
  }
}

TEST_CASE("nesting is limited") {
  CHECK(scan(std::string(32, '[') + std::string(32, ']')).back() == '$');
  CHECK(scan(std::string(33, '[')).find("nested too deeply") != std::string::npos);
  CHECK(scan(std::string(1000000, '[')).find("nested too deeply") != std::string::npos);
}

TEST_CASE("integers are whole and fit, and values can be skipped") {
  JsonScanner json(R"([12, 1.0, 9223372036854775808, {"a":[1,[2]]}, 3])");
  REQUIRE(json.next() == JsonToken::begin_array);
  REQUIRE(json.next() == JsonToken::number);
  CHECK(json.integer() == 12);
  json.next();
  CHECK_FALSE(json.integer());
  json.next();
  CHECK_FALSE(json.integer());
  CHECK(json.skip(json.next()));
  REQUIRE(json.next() == JsonToken::number);
  CHECK(json.integer() == 3);
  CHECK(json.next() == JsonToken::end_array);
  CHECK(json.next() == JsonToken::end);
  JsonScanner broken("[[1,}");
  CHECK_FALSE(broken.skip(broken.next()));
}
