#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "codegen/syntax/render.hpp"

using namespace linnet::syntax;

namespace {

struct Example {
  explicit Example(std::string text) : file(sources.add("model.linnet", std::move(text))) {}

  [[nodiscard]] Span find(std::string_view wanted, std::size_t from = 0) const {
    const auto at = static_cast<std::uint32_t>(file.text().find(wanted, from));
    return {file.id(), at, at + static_cast<std::uint32_t>(wanted.size())};
  }
  [[nodiscard]] std::string text() const {
    return render_text(sink.diagnostics().front(), sources, false);
  }

  SourceManager sources;
  const SourceFile& file;
  DiagnosticSink sink;
};

}  // namespace

TEST_CASE("labels share a line where there is room") {
  Example example("let y = a[m, k] * b[k, n]\n");
  example.sink.error("E2201", example.find("y"), "index `k` has two different extents")
      .with_related("4096", example.find("k"))
      .with_related("5120", example.find("k", 16))
      .with_help("both accesses must give `k` one domain");
  CHECK(example.text() ==
        "error E2201: index `k` has two different extents\n"
        " --> model.linnet:1:5\n"
        "  |\n"
        "1 | let y = a[m, k] * b[k, n]\n"
        "  |     ^        - 4096 - 5120\n"
        "  = help: both accesses must give `k` one domain\n");
}

TEST_CASE("labels without room stand below, the last first") {
  Example example("f(a, b)\n");
  example.sink.error("E2101", example.find("f"), "wrong")
      .with_label("this call")
      .with_related("first", example.find("a"))
      .with_related("second", example.find("b"))
      .with_note("a note\nof two lines");
  CHECK(example.text() ==
        "error E2101: wrong\n"
        " --> model.linnet:1:1\n"
        "  |\n"
        "1 | f(a, b)\n"
        "  | ^ -  - second\n"
        "  | | first\n"
        "  | this call\n"
        "  = note: a note\n"
        "          of two lines\n");
}

TEST_CASE("tabs, wide and combining characters keep the underline in place") {
  Example example(
      "\tx = \xE5\xBD\xA2"
      "e\xCC\x81 + bad\n");
  example.sink.error("E1201", example.find("bad"), "no `bad`");
  CHECK(
      example.text().ends_with("1 |     x = \xE5\xBD\xA2"
                               "e\xCC\x81 + bad\n"
                               "  |               ^^^\n"));
}

TEST_CASE("lines in between are shown or left out, other files have a section") {
  Example example("a\nb\nc\n\n\n\nd\n");
  const SourceFile& other = example.sources.add("other.linnet", "zz\n");
  example.sink.error("E1204", example.find("c"), "two")
      .with_related("one", example.find("a"))
      .with_related("far", example.find("d"))
      .with_related("there", Span{other.id(), 0, 2});
  CHECK(example.text() ==
        "error E1204: two\n --> model.linnet:3:1\n  |\n1 | a\n  | - one\n2 | b\n3 | c\n  | ^\n"
        "...\n7 | d\n  | - far\n ::: other.linnet:1:1\n  |\n1 | zz\n  | -- there\n");
}

TEST_CASE("no place, the end of the file, and spans over lines") {
  Example example("ab\ncd");
  example.sink.error("E5001", {}, "no manifest");
  CHECK(example.text() == "error E5001: no manifest\n");
  DiagnosticSink at_end;
  at_end.error("E1101", Span{0, 5, 5}, "end");
  CHECK(
      render_text(at_end.diagnostics()[0], example.sources, false).ends_with("2 | cd\n  |   ^\n"));
  DiagnosticSink lines;
  lines.error("E1101", Span{0, 1, 5}, "both");
  CHECK(render_text(lines.diagnostics()[0], example.sources, false).ends_with("1 | ab\n  |  ^\n"));
}

TEST_CASE("hostile text neither reaches the terminal nor makes long output") {
  Example example("\x1b[31m" + std::string(1'000'000, 'x') + " bad \xFF\n");
  example.sink.error("E1001", example.find("bad"), "\x1b[2J");
  const std::string text = example.text();
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.size() < 2000);
  CHECK(text.find("bad") != std::string::npos);
}

TEST_CASE("the JSON document has the fields of the language page") {
  Example example("a\n\xC3\xA9 bad\n");
  example.sink.error("E1201", example.find("bad"), "no \xFF")
      .with_label("here")
      .with_related("there", example.find("a"))
      .with_note("n")
      .with_help("h");
  example.sink.warning("W1001", {}, "w");
  const auto document =
      nlohmann::ordered_json::parse(render_json(example.sink.diagnostics(), example.sources));
  CHECK(document["version"] == 1);
  CHECK(document["summary"].dump() == R"({"errors":1,"warnings":1})");
  const auto& first = document["diagnostics"][0];
  std::string keys;
  for (const auto& [key, value] : first.items()) keys += key + " ";
  CHECK(keys == "code severity message label location related notes help ");
  CHECK(first["location"].dump() ==
        R"({"file":"model.linnet","start":{"line":2,"column":3,"offset":5},)"
        R"("end":{"line":2,"column":6,"offset":8}})");
  CHECK(first["related"][0]["message"] == "there");
  CHECK(document["diagnostics"][1]["location"].is_null());
}

TEST_CASE("colours only when asked") {
  Example example("a\n");
  example.sink.error("E1201", example.find("a"), "x");
  CHECK(render_text(example.sink.diagnostics()[0], example.sources, true).find("\x1b[1;31m") !=
        std::string::npos);
}

TEST_CASE("a message of any length fits a screen") {
  Example example("x\n");
  example.sink.error("E1201", example.find("x"), "no value `" + std::string(1 << 20, 'a') + "`");
  CHECK(example.text().size() < 1000);
  CHECK(example.text().find("aaa...\n") != std::string::npos);
}
