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
  if (!at(wanted)) {
    const std::string meant = habit();
    unexpected("`" + std::string(spelling(wanted)) + "`", meant.empty() ? help : meant);
  }
  return advance();
}

void Parser::close(std::size_t open, std::string_view expected, std::string_view help) {
  const TokenKind wanted = tokens_[open].kind == left_paren     ? right_paren
                           : tokens_[open].kind == left_bracket ? right_bracket
                                                                : right_brace;
  if (accept(wanted)) return;
  const int before = sink_.error_count();
  const std::string meant = habit();
  std::string text(expected);
  text += "`" + std::string(spelling(wanted)) + "`";
  report(pos_, span_of(token()), "E1101", "expected " + text + ", found " + describe(token()),
         !meant.empty()  ? meant
         : !help.empty() ? std::string(help)
                         : "close it with `" + std::string(spelling(wanted)) + "`");
  if (sink_.error_count() != before) {
    sink_.latest().with_related("opened here", span_of(tokens_[open]));
  }
  throw SyntaxError{};
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
  constexpr std::size_t longest_quote = 80;
  const auto quoted = [&] {
    const std::string_view all = text(token);
    if (all.size() <= longest_quote) return "`" + std::string(all) + "`";
    return "`" + std::string(all.substr(0, longest_quote)) + "...`";
  };
  switch (token.kind) {
    case end_of_file:
      return "the end of the file";
    case identifier:
      return quoted();
    case integer:
    case floating:
      return "the number " + quoted();
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
         "expected " + std::string(expected) + ", found " + describe(token()),
         help.empty() ? habit() : help);
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

void Parser::too_many_operators() {
  sink_.error("E1101", span_of(token()), "this chain of operators is too long")
      .with_note("at most " + std::to_string(max_operators) + " operators in a row are read")
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
  if (at(kw_in) && follows(kw_for)) return kind(1) == kw_in;
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

/// A word that does not belong before a name: `pub a: f32`, `let mut x = 1`.
bool Parser::word_before_name() const {
  if (!is_word(kind()) || kind(1) != identifier || token(1).first_on_line) return false;
  if (token().first_on_line && !at(kw_pub)) return false;  // the name was forgotten
  switch (kind(2)) {
    case colon:
    case assign:
    case comma:
    case right_paren:
    case right_brace:
    case greater:
    case kw_in:
      return true;
    default:
      return false;
  }
}

Name Parser::declared_name(std::string_view what) {
  if (at(identifier)) return take_word();
  const bool misplaced = word_before_name();
  if (misplaced && !is_reserved(kind())) {
    report(pos_, span_of(token()), "E1101",
           "expected " + std::string(what) + ", found " + describe(token()),
           at(kw_pub) ? "only items and methods are `pub`: leave it off" : "leave it off");
    advance();
    return take_word();
  }
  if (!misplaced && !word_meant_as_name()) unexpected(what);
  reported_words_.insert(kind());
  const std::string word(text(token()));
  std::string help = "choose another name, such as `" + word + "_`";
  if (at(kw_mut)) help = "what changes is declared by `var`, everything else by `let`";
  if (at(kw_self)) help = "there is no `self`: members and methods are bare names";
  report(pos_, span_of(token()), "E1004", "`" + word + "` is a reserved word and cannot be a name",
         help);
  // `let mut x` names `x`, and that is no second mistake.
  if (misplaced) advance();
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

}  // namespace linnet::syntax
