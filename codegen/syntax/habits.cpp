// What someone who knows another language meant by tokens that Linnet has no use for. Only help
// lines come from here: which text is wrong, and where, is the parser's alone to say.

#include "codegen/syntax/foreign.hpp"
#include "codegen/syntax/parser_impl.hpp"

namespace linnet::syntax {

using enum TokenKind;

namespace {

std::string quoted(std::string_view before, std::string_view name, std::string_view after) {
  return "write `" + std::string(before) + std::string(name) + std::string(after) + "`";
}

bool is_arithmetic(TokenKind kind) {
  switch (kind) {
    case plus:
    case minus:
    case star:
    case slash:
    case percent:
    case ampersand:
    case pipe:
    case caret:
      return true;
    default:
      return false;
  }
}

}  // namespace

/// The text of an identifier or word at a place of the token stream; empty for others.
std::string_view Parser::word(std::size_t place) const {
  const Token& found = tokens_[std::min(place, tokens_.size() - 1)];
  return found.kind == identifier || is_word(found.kind) ? text(found) : std::string_view();
}

bool Parser::follows(TokenKind wanted) const {
  return pos_ > 0 && tokens_[pos_ - 1].kind == wanted;
}

bool Parser::touches_previous() const {
  return pos_ > 0 && tokens_[pos_ - 1].end == token().begin;
}

/// `y += 1`, at its `y`
bool Parser::at_compound_assignment() const {
  return at(identifier) && is_arithmetic(kind(1)) && kind(2) == assign &&
         token(1).end == token(2).begin;
}

std::string Parser::habit() const {
  std::string help = operator_habit();
  return help.empty() ? word_habit() : help;
}

std::string Parser::operator_habit() const {
  const std::string_view previous = pos_ > 0 ? word(pos_ - 1) : std::string_view();
  switch (kind()) {
    case assign:
      if (pos_ > 1 && touches_previous() && is_arithmetic(tokens_[pos_ - 1].kind)) {
        const std::string name(word(pos_ - 2));
        if (name.empty()) return {};
        return "write `" + name + " = " + name + " " +
               std::string(spelling(tokens_[pos_ - 1].kind)) + " ...`";
      }
      if (follows(colon)) return "a value is given with `=`, without the `:`";
      if (follows(dot_dot)) {
        return kind(1) == integer
                   ? "a range ends before its end: for the last value too, add 1 to it"
                   : "a range ends before its end: write `.. N + 1` for `..= N`";
      }
      return {};
    case equal:
      return "a value is given with `=`; `==` compares";
    case star:
      if (follows(star)) return "there is no `**`: multiply, or write `exp(y * log(x))`";
      if (follows(double_colon)) return "each item is named: `::{linear, Linear}`";
      return {};
    case question:
      if (follows(left_bracket) || follows(comma)) {
        return "an extent that may vary is a generic: `N: Dim`, and `*S: Shape` for several";
      }
      return "a choice is `if c { a } else { b }`; elementwise it is `select(c, a, b)`";
    case arrow:
      return touches_previous() && !previous.empty() && !word(pos_ + 1).empty()
                 ? quoted(std::string(previous) + ".", word(pos_ + 1), "")
                 : "";
    case fat_arrow:
      return follows(right_paren) ? "a result type follows `->`" : "";
    case double_colon:
      if (kind(2) == fat_arrow) return quoted("", word(pos_ + 1), " => ...");
      if (kind(1) == less) return "generic arguments follow the name: `f<4>(x)`, without the `::`";
      return "parts of a path are joined by `.`; `::` stands before what a `use` imports";
    case ampersand:
      return kind(1) == kw_self || kind(1) == kw_mut
                 ? "there is no `self`: members and methods are bare names"
                 : "there are no references: leave the `&` out";
    case pipe:
    case double_pipe:
      return "there are no function values: declare a `fn` and call it";
    case dot:
      if (kind(2) == fat_arrow) return quoted("", word(pos_ + 1), " => ...");
      return kind(1) == integer && token().end == token(1).begin ? quoted("0.", text(token(1)), "")
                                                                 : "";
    case left_brace:
      return !previous.empty() && kind(1) == identifier && (kind(2) == colon || kind(2) == assign)
                 ? "a struct is built like a call: `" + std::string(previous) + "(" +
                       std::string(word(pos_ + 1)) + " = ...)`"
                 : "";
    case left_bracket:
      if (previous.empty()) return {};
      return pos_ > 1 && is_word(tokens_[pos_ - 2].kind)
                 ? "generics stand in angles: `<N: Dim, T: Float>`"
                 : "a tensor type is written `Tensor[N; f32]`";
    case colon:
      return token(1).first_on_line ? "a body stands in braces: `{ ... }`" : "";
    case semicolon:
      return token(1).first_on_line ? "there are no semicolons" : "";
    default:
      return {};
  }
}

std::string Parser::word_habit() const {
  const std::string_view previous = pos_ > 0 ? word(pos_ - 1) : std::string_view();
  const std::string_view here = word(pos_);
  switch (kind()) {
    case kw_as: {
      std::string_view dtype = dtype_meant_by(word(pos_ + 1));
      if (dtype.empty()) dtype = word(pos_ + 1);
      if (previous.empty() || dtype.empty()) return "a value is converted by `cast<f32>(x)`";
      return quoted("cast<" + std::string(dtype) + ">(", previous, ")");
    }
    case kw_let:
    case kw_var:
    case kw_return:
      if (pos_ > 0 && is_arithmetic(tokens_[pos_ - 1].kind)) {
        return "the operator before it has no right side";
      }
      if (follows(kw_if)) {
        return "an optional is read by `match v { some(x) => a  none => b }`";
      }
      if (follows(left_brace)) {
        return "an `if` is a value, with one expression in each branch: "
               "`let y = if c { a } else { b }`";
      }
      return {};
    case kw_for:
      return "a tensor is defined element by element: `let b[i] = ...`";
    case identifier: {
      if (previous == "not") return quoted("!", here, "");
      if (previous == "lambda") return std::string(value_advice("lambda"));
      const bool is_operator = here == "and" || here == "or" || here == "is" || here == "not";
      if (is_operator) return std::string(value_advice(here));
      // `(f32) x`
      if (pos_ > 2 && follows(right_paren) && tokens_[pos_ - 3].kind == left_paren) {
        const std::string_view inside = word(pos_ - 2);
        const std::string_view meant = dtype_meant_by(inside);
        if (!inside.empty() && !token().first_on_line) {
          return quoted("cast<" + std::string(meant.empty() ? inside : meant) + ">(", here, ")");
        }
      }
      return {};
    }
    default:
      return {};
  }
}

/// At what stands where an item is due.
std::string Parser::item_habit() const {
  const std::string_view first = word(pos_);
  if (at(semicolon)) return "there are no semicolons";
  if (at(right_brace) || at(right_paren) || at(right_bracket)) {
    return "nothing is open here: remove it";
  }
  // `float f(float x) {`
  if (at(identifier) && kind(1) == identifier && kind(2) == left_paren && first != "def") {
    const std::string_view dtype = dtype_meant_by(first);
    if (!dtype.empty()) {
      return quoted("fn ", word(pos_ + 1), "(...) -> " + std::string(dtype) + " { ... }");
    }
  }
  if (at(identifier) && kind(1) == assign) return quoted("const ", first, " = ...");
  return std::string(item_advice(first));
}

/// At what stands where a member or method of a block is due.
std::string Parser::member_habit() const {
  const std::string_view name = word(pos_);
  if (at(identifier) && kind(1) == colon) {
    return "say what it is: `param " + std::string(name) +
           ": ...` for a weight, or `buffer`, "
           "`state`, `sub`";
  }
  if (at(identifier) && kind(1) == left_paren) return quoted("fn ", name, "(...)");
  if (at(semicolon)) return "there are no semicolons";
  if (at(kw_let) || at(kw_var)) {
    return "a block has `param`, `buffer`, `state` and `sub` members; run-time memory is a "
           "`state`, a constant stands outside";
  }
  return std::string(item_advice(name));
}

/// At what stands where a statement is due.
std::string Parser::statement_habit() const {
  const std::string_view first = word(pos_);
  if (!token().first_on_line) {
    // The rest of an expression, most likely.
    if (std::string help = habit(); !help.empty()) return help;
    const bool after_value = follows(identifier) || follows(integer) || follows(floating) ||
                             follows(right_paren) || follows(right_bracket);
    if (after_value && (at(identifier) || at(integer) || at(floating))) {
      return "an operator or the end of the line is missing before it";
    }
  }
  if (at(right_paren) || at(right_bracket)) return "nothing is open here: remove it";
  // `y++`, `++y`
  for (const TokenKind step : {plus, minus}) {
    const auto twice = [&](std::size_t ahead) {
      return kind(ahead) == step && kind(ahead + 1) == step &&
             token(ahead).end == token(ahead + 1).begin;
    };
    const std::size_t name = twice(0) ? 2 : 0;
    if (kind(name) != identifier || !(twice(0) || twice(1))) continue;
    const std::string changed(word(pos_ + name));
    return "write `" + changed + " = " + changed + " " + std::string(spelling(step)) + " 1`";
  }
  if (at(comma)) return "several values are a tuple, in parentheses: `(a, b)`";
  const std::string_view advice = statement_advice(first);
  if (!advice.empty()) return std::string(advice);
  if (at(identifier) && kind(1) == identifier && !token(1).first_on_line) {
    if (dtype_meant_by(first).empty() && kind(2) != assign) return std::string(item_advice(first));
    return quoted("let ", word(pos_ + 1), " = ...");
  }
  if (at(identifier) && kind(1) == assign) return quoted("let ", first, " = ...");
  return std::string(item_advice(first));
}

/// At what stands where the `:` after a parameter's name is due.
std::string Parser::parameter_habit(const Name& name) const {
  if (name.text == "self") return "there is no `self`: members and methods are bare names";
  if (!at(identifier)) return "a parameter has a type: `" + name.text + ": Tensor[N; f32]`";
  const std::string_view dtype = dtype_meant_by(name.text);
  if (!dtype.empty()) return quoted(word(pos_), ": ", dtype);
  return quoted(name.text, ": ", word(pos_));
}

}  // namespace linnet::syntax
