// Types, patterns, generic arguments and shapes.

#include <utility>

#include "codegen/syntax/parser_impl.hpp"

namespace linnet::syntax {

using enum TokenKind;

TypePtr Parser::type() {
  const Level level(*this);
  const std::size_t start = pos_;
  TypePtr inner = type_atom();
  if (!at(question)) return inner;
  auto made = make<OptionalType>();
  advance();
  made->element = std::move(inner);
  made->span = since(start);
  return made;
}

TypePtr Parser::type_atom() {
  const std::size_t start = pos_;
  if (at_identifier("Tensor")) {
    auto made = make<TensorType>();
    advance();
    expect(left_bracket, "a tensor type is written `Tensor[B, S; f32]`");
    if (at(semicolon)) unexpected("a dimension", "a tensor of rank 0 is the scalar: `f32`");
    made->shape = shape();
    expect(semicolon, "the dtype follows a `;`: `Tensor[B, S; f32]`");
    made->dtype = type_atom();
    close(start + 1, "");
    made->span = since(start);
    return made;
  }
  if (at(left_paren)) {
    auto made = make<TupleType>();
    advance();
    made->elements.push_back(type());
    expect(comma, "a tuple type has a comma: `(A, B)`");
    while (!at(right_paren)) {
      made->elements.push_back(type());
      if (!accept(comma)) break;
    }
    close(start, "`,` or ");
    made->span = since(start);
    return made;
  }
  if (at(left_bracket)) {
    auto made = make<ArrayType>();
    advance();
    made->element = type();
    expect(semicolon, "an array type is written `[Layer<H>; N]`");
    made->length = expression();
    close(start, "");
    made->span = since(start);
    return made;
  }
  auto made = make<PathType>();
  made->path = path("a type");
  if (at(less)) made->args = generic_args();
  made->span = since(start);
  return made;
}

GenericArgs Parser::generic_args() {
  const std::size_t start = pos_;
  GenericArgs made;
  expect(less);
  do {
    made.args.push_back(generic_arg());
  } while (accept(comma) && !at(greater) && !at(greater_equal));
  expect_closing_angle();
  made.span = since(start);
  return made;
}

GenericArg Parser::generic_arg() {
  const Level level(*this);
  const std::size_t start = pos_;
  GenericArg made;
  // How far does a dotted name reach, and what follows it?
  std::size_t after = 0;
  if (at(identifier)) {
    after = 1;
    while (kind(after) == dot && kind(after + 1) == identifier) after += 2;
  }
  const TokenKind next = kind(after);
  const bool tensor = at_identifier("Tensor") && next == left_bracket;
  const bool applied = after != 0 && next == less;
  const std::size_t close = applied ? brackets_.partner(pos_ + after) : 0;
  const bool generic_call = close != 0 && tokens_[close + 1].kind == left_paren;
  if (at(left_bracket) && !brackets_.has_semicolon(pos_)) {
    made.kind = GenericArgKind::shape;
    advance();
    if (!at(right_bracket)) made.shape = shape();
    expect(right_bracket);
  } else if (at(left_bracket) || (at(left_paren) && brackets_.has_comma(pos_)) || tensor ||
             (applied && !generic_call) || (after != 0 && next == question)) {
    made.kind = GenericArgKind::type;
    made.type = type();
  } else if (after != 0 && (next == comma || next == greater || next == greater_equal)) {
    made.kind = GenericArgKind::name;
    made.name = path("a generic argument");
  } else {
    made.kind = GenericArgKind::dimension;
    made.dimension = additive();
  }
  made.span = since(start);
  return made;
}

ShapeElement Parser::shape_element() {
  const std::size_t start = pos_;
  ShapeElement made;
  if (accept(star)) {
    made.pack = used_name("the name of a shape pack");
  } else {
    made.dim = additive();
  }
  made.span = since(start);
  return made;
}

std::vector<ShapeElement> Parser::shape() {
  std::vector<ShapeElement> made;
  do {
    made.push_back(shape_element());
  } while (accept(comma));
  return made;
}

PatternPtr Parser::pattern() {
  const Level level(*this);
  const std::size_t start = pos_;
  if (at(left_paren)) {
    auto made = make<TuplePattern>();
    advance();
    do {
      made->elements.push_back(pattern());
    } while (accept(comma) && !at(right_paren));
    expect(right_paren);
    made->span = since(start);
    return made;
  }
  if (at(kw_some)) {
    auto made = make<SomePattern>();
    advance();
    expect(left_paren, "it is written `some(x)`");
    made->inner = pattern();
    expect(right_paren);
    made->span = since(start);
    return made;
  }
  if (at(kw_none)) {
    auto made = make<NonePattern>();
    advance();
    return made;
  }
  auto made = make<NamePattern>();
  made->name = declared_name("a pattern").text;
  made->span = since(start);
  return made;
}

}  // namespace linnet::syntax
