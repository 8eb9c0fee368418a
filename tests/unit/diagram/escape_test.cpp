// Text in each format, and how wide it is.
#include "codegen/diagram/escape.hpp"

#include <doctest/doctest.h>

#include "codegen/diagram/label.hpp"
#include "codegen/diagram/measure.hpp"

using namespace linnet::diagram;

TEST_CASE("what a format gives a meaning is escaped") {
  CHECK(escape_xml("a<b> & \"c\" 'd'") == "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  CHECK(escape_dot("a \"b\" \\n") == "a \\\"b\\\" \\\\n");
  CHECK(escape_tex("a_b{c}$#&%") == "a\\_b\\{c\\}\\$\\#\\&\\%");
  CHECK(escape_tex("x^2~\\end") == "x\\textasciicircum{}2\\textasciitilde{}\\textbackslash{}end");
  CHECK(escape_tex("a × b") == "a $\\times$ b");
}

TEST_CASE("characters that a format cannot hold are replaced") {
  const std::string controls("a\0\n\x1b\x7f", 5);
  CHECK(escape_xml(controls) == "a\uFFFD\uFFFD\uFFFD\uFFFD");
  CHECK(escape_tex(controls) == "a????");
  CHECK(escape_dot("a\nb") == "a\uFFFDb");
  // Not UTF-8, a surrogate, U+FFFF, and a character cut short.
  CHECK(escape_xml("\xff") == "\uFFFD");
  CHECK(escape_xml("\xed\xa0\x80") == "\uFFFD\uFFFD\uFFFD");
  CHECK(escape_xml("\xef\xbf\xbf") == "\uFFFD\uFFFD\uFFFD");
  CHECK(escape_xml("\xe2\x82") == "\uFFFD\uFFFD");
  CHECK(escape_xml("größe 漢") == "größe 漢");
  CHECK(escape_tex("größe") == "gr??e");
}

TEST_CASE("texts are cut between characters") {
  CHECK(shortened("abcdef", 6) == "abcdef");
  CHECK(shortened("abcdef", 5) == "abcd…");
  CHECK(shortened("äöüß", 3) == "äö…");
}

TEST_CASE("a box is as wide as its longest line") {
  CHECK(text_width("", 13) == 0);
  CHECK(text_width("iii", 13) < text_width("WWW", 13));
  CHECK(text_width("\x01é漢", 10) > 0);
  Node node;
  node.title = "short";
  const int narrow = box_size(node).width;
  node.details = {"a line that is much longer than the title"};
  CHECK(box_size(node).width > narrow);
  CHECK(box_size(node).width > text_width(node.details[0], detail_size));
}
