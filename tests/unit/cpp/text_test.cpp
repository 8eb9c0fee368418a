#include "codegen/cpp/text.hpp"

#include <doctest/doctest.h>

#include <string>

using linnet::cpp::Text;
using linnet::cpp::wrapped;

TEST_CASE("lines are indented by their braces") {
  Text text;
  text.open("if (a)");
  text.line("b();");
  text.reopen("else");
  text.line("c();");
  text.close();
  text.blank();
  text.line("");
  CHECK(text.str() == "if (a) {\n  b();\n} else {\n  c();\n}\n\n\n");
}

TEST_CASE("doc comments cannot escape their line") {
  Text text;
  text.doc(" one\n two \\\n");
  CHECK(text.str() == "/// one\n/// two\n");
}

TEST_CASE("long lines break between arguments, strings and comments do not") {
  const std::string name(30, 'n');
  const std::string call = "  f(" + name + ", " + name + ", " + name + ", " + name + ");\n";
  const std::string broken = wrapped(call);
  CHECK(broken == "  f(" + name + ", " + name + ", " + name + ",\n      " + name + ");\n");
  const std::string comment = "// " + std::string(120, 'c') + ", and\n";
  CHECK(wrapped(comment) == comment);
  const std::string literal =
      "x = \"" + std::string(60, 'a') + ", " + std::string(60, 'b') + "\";\n";
  CHECK(wrapped(literal).find("a, b") != std::string::npos);
  CHECK(wrapped("short;\n\n") == "short;\n\n");
}
