#include <doctest/doctest.h>

#include <string>

#include "linnet/text/normalize.hpp"
#include "linnet/text/utf8.hpp"

using namespace linnet::text;

TEST_CASE("every code point goes through append and decode") {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    utf8_append(text, c);
    const Utf8Character read = utf8_decode(text, 0);
    if (!read.valid || read.code_point != c || read.length != text.size()) {
      FAIL("code point " << static_cast<unsigned>(c));
    }
  }
}

TEST_CASE("invalid sequences are replaced by maximal subparts") {
  CHECK(utf8_repair("\xF0\x9F\x98") == "\uFFFD");
  CHECK(utf8_repair("\xE2\x28\xA1") == "\uFFFD(\uFFFD");
  CHECK(utf8_repair("\xED\xA0\x80") == "\uFFFD\uFFFD\uFFFD");
  CHECK(utf8_repair("\xC0\xAF") == "\uFFFD\uFFFD");
  CHECK(utf8_repair("\xF4\x90\x80\x80") == "\uFFFD\uFFFD\uFFFD\uFFFD");
  CHECK(utf8_repair("ok") == "ok");
}

TEST_CASE("a cut tail is only what could still be completed") {
  CHECK(utf8_cut_tail("") == 0);
  CHECK(utf8_cut_tail("a") == 0);
  CHECK(utf8_cut_tail("a\xC3") == 1);
  CHECK(utf8_cut_tail("\xF0\x9F") == 2);
  CHECK(utf8_cut_tail("\xF0\x9F\x98") == 3);
  CHECK(utf8_cut_tail("\xF0\x9F\x98\x80") == 0);
  CHECK(utf8_cut_tail("\xFF") == 0);
  CHECK(utf8_cut_tail("\x80\x80\x80\x80") == 0);
  CHECK(utf8_cut_tail("\xE2\x28") == 0);
}

TEST_CASE("NFC composes") {
  std::string out, why;
  REQUIRE(normalize_nfc("e\u0301 plain", out, why));
  CHECK(out == "\u00e9 plain");
  REQUIRE(normalize_nfc("\u1100\u1161", out, why));
  CHECK(out == "\uac00");
}
