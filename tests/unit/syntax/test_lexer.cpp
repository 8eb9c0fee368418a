#include <doctest/doctest.h>

#include "codegen/syntax/doc_comment.hpp"
#include "codegen/syntax/unicode.hpp"
#include "tests/unit/syntax/support.hpp"

using namespace linnet::syntax;
using namespace linnet::syntax::testing;

namespace {

struct Lexed {
  explicit Lexed(std::string text) : file(sources.add("t", std::move(text))) {
    stream = tokenize(file, sink);
  }
  [[nodiscard]] std::string words() const {
    std::string all;
    for (const Token& token : stream.tokens) {
      if (token.kind == TokenKind::end_of_file) break;
      all += (all.empty() ? "" : " ") + std::string(class_name(token.kind)).substr(0, 2) + ":" +
             std::string(file.text().substr(token.begin, token.end - token.begin));
    }
    return all;
  }
  [[nodiscard]] std::string errors() const {
    std::string list;
    for (const Diagnostic& found : sink.diagnostics()) {
      list += (list.empty() ? "" : " ") + found.code + "@" + std::to_string(found.span.begin) +
              "-" + std::to_string(found.span.end);
    }
    return list;
  }
  SourceManager sources;
  DiagnosticSink sink;
  const SourceFile& file;
  TokenStream stream;
};

}  // namespace

TEST_CASE("a number is the longest run, with a fraction and an exponent sign") {
  CHECK(Lexed("0..N").words() == "in:0 pu:.. id:N");
  CHECK(Lexed("1.5..2").words() == "fl:1.5 pu:.. in:2");
  CHECK(Lexed("1e-5 3.141_592 1e+5 2E3").words() == "fl:1e-5 fl:3.141_592 fl:1e+5 fl:2E3");
  CHECK(Lexed("0x1e-5").words() == "in:0x1e pu:- in:5");
  CHECK(Lexed("0b10 1_000 0").words() == "in:0b10 in:1_000 in:0");
  CHECK(Lexed("x.0").words() == "id:x pu:. in:0");
  CHECK(Lexed("1.x").words() == "in:1 pu:. id:x");
}

TEST_CASE("malformed numbers are one error with the whole number") {
  for (const std::string number : {"007", "1__0", "1_", "0x", "0b", "0b12", "0xg", "1f32", "1e",
                                   "1e-", "1.5x", "01.5", "0X1", "1._5e" /* 1 . _5e */}) {
    CAPTURE(number);
    const Lexed lexed(number);
    if (number == "1._5e") {
      CHECK(lexed.errors() == "");
    } else {
      CHECK(lexed.errors() == "E1005@0-" + std::to_string(number.size()));
    }
  }
}

TEST_CASE("words and punctuation") {
  CHECK(Lexed("let letx _ yield rng").words() == "ke:let id:letx id:_ re:yield re:rng");
  CHECK(Lexed("a::b ... .. -> => >= <== != && ||").words() ==
        "id:a pu::: id:b pu:... pu:.. pu:-> pu:=> pu:>= pu:<= pu:= pu:!= pu:&& pu:||");
}

TEST_CASE("strings and their escapes") {
  CHECK(string_value(R"("a\n\t\r\\\"\0\u{e9}")") == std::string("a\n\t\r\\\"\0\xC3\xA9", 9));
  CHECK(Lexed("\"open").errors() == "E1003@0-5");
  CHECK(Lexed("\"open\r\nx").errors() == "E1003@0-5");
  CHECK(Lexed(R"("a\qb")").errors() == "E1003@2-4");
  CHECK(Lexed(R"("\u{}")").errors() == "E1003@1-5");
  CHECK(Lexed(R"("\u{1234567}")").errors() == "E1003@1-12");
  CHECK(Lexed(R"("\u{d800}")").errors() == "E1003@1-9");
  CHECK(Lexed(R"("\u{10ffff}")").errors() == "");
  CHECK(Lexed(R"("\u12")").errors() == "E1003@1-5");
  CHECK(Lexed("\"\\").errors() == "E1003@0-2");
}

TEST_CASE("comments nest, and an unclosed one is reported at its opening") {
  CHECK(Lexed("/* /* */ */ x").words() == "id:x");
  CHECK(Lexed("x /* /* */").errors() == "E1002@2-4");
  CHECK(Lexed("x /*/").errors() == "E1002@2-4");
  const Lexed lexed("/// a\n//// b\n/** c */ /*** d */ /**/ x");
  std::string kinds;
  for (const Comment& comment : lexed.stream.comments) kinds += comment.doc ? 'd' : '-';
  CHECK(kinds == "d-d--");
}

TEST_CASE("what starts no token is one error a run") {
  CHECK(Lexed("a $$ b").errors() == "E1001@2-4");
  CHECK(Lexed("a $$ b").words() == "id:a id:b");
  CHECK(Lexed("gr\xC3\xB6\xC3\x9F"
              "e gr\xC3\xB6\xC3\x9F"
              "e")
            .errors() == "E1001@2-4");
  CHECK(Lexed("// \xFC\n\"\xFF\"").errors() == "E1001@3-4");
  CHECK(Lexed("\xEF\xBB\xBFmodule").words() == "ke:module");
  CHECK(Lexed(std::string("a\0b", 3)).errors() == "E1001@1-2");
}

TEST_CASE("UTF-8 is decoded by RFC 3629") {
  const auto decoded = [](std::string_view bytes) {
    const CodePoint found = decode_utf8(bytes, 0);
    return std::make_tuple(found.value, found.size, found.valid);
  };
  CHECK(decoded("\xC3\xA9") == std::make_tuple(U'\u00E9', std::size_t{2}, true));
  CHECK(decoded("\xF0\x9F\x98\x80") == std::make_tuple(U'\U0001F600', std::size_t{4}, true));
  for (const char* bad : {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\x80",
                          "\xFF", "\xC3", "\xE2\x82"}) {
    CHECK_FALSE(std::get<2>(decoded(bad)));
  }
  std::string out;
  append_utf8(out, U'\U0001F600');
  CHECK(out == "\xF0\x9F\x98\x80");
}

TEST_CASE("documentation comments lose their markers") {
  CHECK(doc_text("/// a b ") == "a b");
  CHECK(doc_text("/** one\n * two\n *\n * three */") == "one\ntwo\n\nthree");
}

TEST_CASE("lines and columns count from one, columns in code points") {
  SourceManager sources;
  const SourceFile& file = sources.add("t", "\xEF\xBB\xBFx\r\n\xC3\xA9y\n");
  CHECK(file.position(3).column == 1);
  CHECK(file.position(6).line == 2);
  CHECK(file.position(8).column == 2);
  CHECK(file.line_text(1) == "x");
  CHECK(file.line_text(3).empty());
  CHECK(file.position(99).line == 3);
}
