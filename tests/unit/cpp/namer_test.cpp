#include "codegen/cpp/namer.hpp"

#include <doctest/doctest.h>

using linnet::cpp::identifier;
using linnet::cpp::Scope;

TEST_CASE("identifiers are valid C++ and keep what they can") {
  CHECK(identifier("hidden") == "hidden");
  CHECK(identifier("class") == "class_");
  CHECK(identifier("double") == "double_");
  CHECK(identifier("linnet") == "linnet_");
  CHECK(identifier("a b") == "a_b");
  CHECK(identifier("a__b") == "a_b");
  CHECK(identifier("_Reserved") == "Reserved");
  CHECK(identifier("") == "value");
  CHECK(identifier("_") == "value");
  CHECK(identifier("3d") == "v3d");
  CHECK(identifier("\xc3\xa9t\xc3\xa9") == "t_");
}

TEST_CASE("a scope hands out each name once, and knows its parents") {
  Scope module;
  CHECK(module.name("x") == "x");
  CHECK(module.name("x") == "x_2");
  CHECK(module.name("x") == "x_3");
  Scope inner(&module);
  CHECK(inner.name("x") == "x_4");
  CHECK(inner.name("class") == "class_");
  CHECK(inner.name("class") == "class_2");
  CHECK_FALSE(inner.reserve("x"));
  CHECK(inner.reserve("y"));
  CHECK_FALSE(module.taken("y"));
}

TEST_CASE("modules become namespaces") {
  CHECK(linnet::cpp::module_namespace("std.nn.linear") == "linnet::stdlib::nn::linear");
  CHECK(linnet::cpp::module_namespace("llama.attention") == "llama::attention");
  CHECK(linnet::cpp::module_namespace("my.class") == "my::class_");
  CHECK(linnet::cpp::module_namespace("") == "program");
}

TEST_CASE("full names come apart") {
  const auto method = linnet::cpp::split_name("a.b::Block.forward");
  CHECK(method.module == "a.b");
  CHECK(method.block == "Block");
  CHECK(method.name == "forward");
  const auto function = linnet::cpp::split_name("a.b::f");
  CHECK(function.block.empty());
  CHECK(function.name == "f");
}

TEST_CASE("string literals are escaped") {
  CHECK(linnet::cpp::quoted("a\"b\\c\n") == "\"a\\\"b\\\\c\\n\"");
  CHECK(linnet::cpp::quoted(std::string_view("\x01", 1)) == "\"\\001\"");
}
