#include "codegen/syntax/parser.hpp"

#include <algorithm>
#include <utility>

#include "codegen/syntax/lexer.hpp"
#include "codegen/syntax/parser_impl.hpp"

namespace linnet::syntax {

using enum TokenKind;

std::unique_ptr<Module> parse(const SourceFile& file, NodeIds& ids, DiagnosticSink& sink) {
  const int before = sink.error_count();
  const TokenStream stream = tokenize(file, sink);
  auto made = Parser(file, stream, ids, sink).module();
  return sink.error_count() == before ? std::move(made) : nullptr;
}

Parser::Parser(const SourceFile& file, const TokenStream& stream, NodeIds& ids,
               DiagnosticSink& sink)
    : file_(file),
      tokens_(stream.tokens),
      stream_(stream),
      brackets_(tokens_),
      ids_(ids),
      sink_(sink),
      errors_before_(sink.error_count()) {}

// --- tokens and errors ---------------------------------------------------------

const Token& Parser::token(std::size_t ahead) const {
  return tokens_[std::min(pos_ + ahead, tokens_.size() - 1)];
}

std::string_view Parser::text(const Token& token) const {
  return file_.text().substr(token.begin, token.end - token.begin);
}

bool Parser::at_identifier(std::string_view wanted, std::size_t ahead) const {
  return kind(ahead) == identifier && text(token(ahead)) == wanted;
}

Span Parser::span_of(const Token& token) const {
  return {file_.id(), token.begin, token.end};
}

Span Parser::since(std::size_t start) const {
  const std::uint32_t begin = tokens_[start].begin;
  return {file_.id(), begin, pos_ > start ? tokens_[pos_ - 1].end : tokens_[start].end};
}

Span Parser::advance() {
  const Span span = span_of(token());
  if (!at(end_of_file)) ++pos_;
  return span;
}

bool Parser::accept(TokenKind wanted) {
  if (!at(wanted)) return false;
  advance();
  return true;
}

Span Parser::expect(TokenKind wanted, std::string_view help) {
  if (!at(wanted)) unexpected("`" + std::string(spelling(wanted)) + "`", help);
  return advance();
}

void Parser::expect_closing_angle() {
  if (at(greater_equal)) {
    // `let p: Pair<f32>= v`: the longest token joins what are two
    Token& both = tokens_[pos_];
    both.kind = assign;
    ++both.begin;
    return;
  }
  expect(greater);
}

std::string Parser::describe(const Token& token) const {
  switch (token.kind) {
    case end_of_file:
      return "the end of the file";
    case identifier:
      return "`" + std::string(text(token)) + "`";
    case integer:
    case floating:
      return "the number `" + std::string(text(token)) + "`";
    case string:
      return "a string";
    default:
      return "`" + std::string(spelling(token.kind)) + "`";
  }
}

void Parser::report(std::size_t place, Span span, std::string code, std::string message,
                    std::string_view help) {
  const bool explained = tokens_[place].after_error || place == last_error_;
  last_error_ = place;
  if (explained) return;
  Diagnostic& made = sink_.error(std::move(code), span, std::move(message));
  if (!help.empty()) made.with_help(std::string(help));
  if (sink_.error_count() - errors_before_ >= max_errors) {
    made.with_note(std::string(too_many_errors));
    throw GiveUp{};
  }
}

void Parser::unexpected(std::string_view expected, std::string_view help) {
  report(pos_, span_of(token()), "E1101",
         "expected " + std::string(expected) + ", found " + describe(token()), help);
  throw SyntaxError{};
}

void Parser::enter() {
  reach(++depth_);
}

void Parser::reach(int depth) {
  deepest_ = std::max(deepest_, depth);
  if (depth <= max_nesting) return;
  sink_.error("E1101", span_of(token()), "nesting too deep")
      .with_note("at most " + std::to_string(max_nesting) + " levels of nesting are read")
      .with_help("name a part of it with `let`");
  throw GiveUp{};
}

// --- names -----------------------------------------------------------------------

Name Parser::take_word() {
  std::string word(text(token()));
  return Name{std::move(word), advance()};
}

/// A keyword where a name is due is either a name someone should not have chosen, or
/// the next thing because the name was forgotten.
bool Parser::word_meant_as_name() const {
  if (!is_word(kind())) return false;
  if (is_reserved(kind()) && kind() != kw_yield && kind() != kw_kernel) return true;
  if (!token().first_on_line) return true;
  switch (kind(1)) {
    case colon:
    case assign:
    case comma:
    case right_paren:
    case greater:
      return true;
    default:
      return false;
  }
}

Name Parser::declared_name(std::string_view what) {
  if (at(identifier)) return take_word();
  if (!word_meant_as_name()) unexpected(what);
  reported_words_.insert(kind());
  report(pos_, span_of(token()), "E1004",
         "`" + std::string(text(token())) + "` is a reserved word and cannot be a name",
         "choose another name, such as `" + std::string(text(token())) + "_`");
  return take_word();
}

/// Like `declared_name`, but a word that was reported already is no further mistake.
Name Parser::used_name(std::string_view what) {
  if (is_word(kind()) && reported_words_.contains(kind())) return take_word();
  return declared_name(what);
}

bool Parser::forbidden_path_word() const {
  return at(kw_self) || at(kw_super);
}

Path Parser::path(std::string_view what) {
  const std::size_t start = pos_;
  Path made;
  do {
    if (forbidden_path_word()) {
      report(pos_, span_of(token()), "E1103",
             "`" + std::string(text(token())) + "` cannot be used in a path",
             "name the module from its root: `crate`, `std` or a dependency");
      made.segments.push_back(take_word());
    } else {
      made.segments.push_back(used_name(made.segments.empty() ? what : "a name"));
    }
  } while (accept(dot));
  made.span = since(start);
  return made;
}

// --- recovery ----------------------------------------------------------------------

bool Parser::starts_item(std::size_t ahead) const {
  const TokenKind next = kind(ahead + 1);
  switch (kind(ahead)) {
    case kw_pub:
    case kw_extern:
      return true;
    case kw_use:
      return next == kw_crate || next == identifier || is_word(next);
    case kw_const:
    case kw_type:
    case kw_struct:
    case kw_enum:
    case kw_fn:
    case kw_op:
    case kw_entry:
    case kw_kernel:
    case kw_block:
      return next == identifier || is_word(next);
    default:
      return false;
  }
}

bool Parser::starts_member(std::size_t ahead) const {
  switch (kind(ahead)) {
    case kw_param:
    case kw_buffer:
    case kw_state:
    case kw_sub:
      return (kind(ahead + 1) == identifier || is_word(kind(ahead + 1))) &&
             kind(ahead + 2) == colon;
    default:
      return false;
  }
}

bool Parser::starts_statement() const {
  switch (kind()) {
    case kw_let:
    case kw_var:
    case kw_return:
    case kw_static:
    case kw_for:
    case kw_while:
    case kw_yield:
      return true;
    case identifier:
      return token().first_on_line && kind(1) == assign;
    default:
      return false;
  }
}

/// Leaves the outermost bracket that was opened since token `start` and is closed later.
void Parser::leave_brackets(std::size_t start) {
  for (std::size_t i = start; i < pos_; ++i) {
    const TokenKind open = tokens_[i].kind;
    if (open != left_paren && open != left_bracket && open != left_brace) continue;
    const std::size_t close = brackets_.partner(i);
    if (close >= pos_) {
      pos_ = close + 1;
      return;
    }
  }
}

/// One token, or a bracket with all that it holds.
void Parser::skip_over_group() {
  const bool opens = at(left_paren) || at(left_bracket) || at(left_brace);
  const std::size_t close = opens ? brackets_.partner(pos_) : 0;
  if (close != 0) {
    pos_ = close + 1;
  } else {
    advance();
  }
}

void Parser::skip_to_statement(std::size_t start) {
  leave_brackets(start);
  if (pos_ == start && !at(right_brace)) skip_over_group();
  while (!at(end_of_file) && !at(right_brace) && !starts_statement() && !starts_item()) {
    skip_over_group();
  }
}

void Parser::skip_to_item(std::size_t start, bool in_block) {
  leave_brackets(start);
  const auto stop = [&] {
    return starts_item() || (in_block && (starts_member() || at(right_brace)));
  };
  if (pos_ == start) skip_over_group();
  while (!at(end_of_file) && !stop()) skip_over_group();
}

/// After an error in a header: to the `{` of its body, when that can be found.
bool Parser::skip_to_body(std::size_t start) {
  leave_brackets(start);
  while (!at(end_of_file) && !at(left_brace) && !at(right_brace) && !starts_item() &&
         !starts_statement()) {
    skip_over_group();
  }
  return at(left_brace);
}

/// Does the token begin its line no deeper than the line that holds `open`? Then it
/// is likelier that the `}` of `open` is missing than that the token belongs inside.
bool Parser::outdented_from(Span open) const {
  if (!token().first_on_line) return false;
  const auto indent = [&](std::uint32_t offset) {
    const std::string_view line = file_.line_text(file_.position(offset).line);
    const std::size_t found = line.find_first_not_of(" \t");
    return found == std::string_view::npos ? line.size() : found;
  };
  return indent(token().begin) <= indent(open.begin);
}

void Parser::missing_closing_brace(Span open) {
  const int before = sink_.error_count();
  report(pos_, span_of(token()), "E1101", "expected `}`, found " + describe(token()));
  if (sink_.error_count() != before) sink_.latest().with_related("for this `{`", open);
}

}  // namespace linnet::syntax
