#include "codegen/syntax/token.hpp"

#include <algorithm>

namespace linnet::syntax {

std::string_view spelling(TokenKind kind) {
  using enum TokenKind;
  switch (kind) {
    case end_of_file:
      return "end of file";
    case identifier:
      return "identifier";
    case integer:
      return "integer";
    case floating:
      return "float";
    case string:
      return "string";
    case kw_module:
      return "module";
    case kw_use:
      return "use";
    case kw_pub:
      return "pub";
    case kw_crate:
      return "crate";
    case kw_self:
      return "self";
    case kw_super:
      return "super";
    case kw_as:
      return "as";
    case kw_const:
      return "const";
    case kw_type:
      return "type";
    case kw_struct:
      return "struct";
    case kw_enum:
      return "enum";
    case kw_fn:
      return "fn";
    case kw_op:
      return "op";
    case kw_block:
      return "block";
    case kw_entry:
      return "entry";
    case kw_param:
      return "param";
    case kw_buffer:
      return "buffer";
    case kw_state:
      return "state";
    case kw_sub:
      return "sub";
    case kw_let:
      return "let";
    case kw_var:
      return "var";
    case kw_return:
      return "return";
    case kw_if:
      return "if";
    case kw_else:
      return "else";
    case kw_match:
      return "match";
    case kw_static:
      return "static";
    case kw_for:
      return "for";
    case kw_in:
      return "in";
    case kw_while:
      return "while";
    case kw_where:
      return "where";
    case kw_true:
      return "true";
    case kw_false:
      return "false";
    case kw_none:
      return "none";
    case kw_some:
      return "some";
    case kw_extern:
      return "extern";
    case kw_async:
      return "async";
    case kw_await:
      return "await";
    case kw_effect:
      return "effect";
    case kw_unsafe:
      return "unsafe";
    case kw_macro:
      return "macro";
    case kw_trait:
      return "trait";
    case kw_impl:
      return "impl";
    case kw_derive:
      return "derive";
    case kw_rng:
      return "rng";
    case kw_mut:
      return "mut";
    case kw_ref:
      return "ref";
    case kw_yield:
      return "yield";
    case kw_kernel:
      return "kernel";
    case kw_device:
      return "device";
    case left_paren:
      return "(";
    case right_paren:
      return ")";
    case left_bracket:
      return "[";
    case right_bracket:
      return "]";
    case left_brace:
      return "{";
    case right_brace:
      return "}";
    case comma:
      return ",";
    case semicolon:
      return ";";
    case colon:
      return ":";
    case double_colon:
      return "::";
    case dot:
      return ".";
    case dot_dot:
      return "..";
    case ellipsis:
      return "...";
    case arrow:
      return "->";
    case fat_arrow:
      return "=>";
    case question:
      return "?";
    case assign:
      return "=";
    case equal:
      return "==";
    case not_equal:
      return "!=";
    case less:
      return "<";
    case less_equal:
      return "<=";
    case greater:
      return ">";
    case greater_equal:
      return ">=";
    case plus:
      return "+";
    case minus:
      return "-";
    case star:
      return "*";
    case slash:
      return "/";
    case percent:
      return "%";
    case ampersand:
      return "&";
    case double_ampersand:
      return "&&";
    case pipe:
      return "|";
    case double_pipe:
      return "||";
    case caret:
      return "^";
    case bang:
      return "!";
  }
  return "";
}

std::string_view class_name(TokenKind kind) {
  switch (kind) {
    case TokenKind::end_of_file:
      return "end";
    case TokenKind::identifier:
      return "identifier";
    case TokenKind::integer:
      return "integer";
    case TokenKind::floating:
      return "float";
    case TokenKind::string:
      return "string";
    default:
      return is_reserved(kind) ? "reserved" : is_word(kind) ? "keyword" : "punctuation";
  }
}

int line_breaks(std::string_view text, std::size_t begin, std::size_t end) {
  if (end <= begin) return 0;
  const std::string_view part = text.substr(begin, end - begin);
  return static_cast<int>(std::count(part.begin(), part.end(), '\n'));
}

std::size_t first_leading_comment(const TokenStream& stream, std::string_view text,
                                  std::size_t at) {
  const Token& token = stream.tokens[at];
  const std::size_t last = stream.comments_end(at);
  if (at == 0) return token.comments;
  std::size_t end = stream.tokens[at - 1].end;
  std::size_t same_line = token.comments;
  while (same_line < last && line_breaks(text, end, stream.comments[same_line].begin) == 0) {
    end = stream.comments[same_line++].end;
  }
  if (same_line == token.comments) return same_line;
  const std::size_t next = same_line < last ? stream.comments[same_line].begin : token.begin;
  const bool ends_line = !stream.comments[same_line - 1].block ||
                         line_breaks(text, end, next) > 0 || token.kind == TokenKind::end_of_file;
  return ends_line ? same_line : token.comments;
}

}  // namespace linnet::syntax
