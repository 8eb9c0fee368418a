#pragma once
// The parser's insides, shared by the files that implement it: recursive descent
// over the whole token stream, precedence climbing for the binary levels.
//
// Errors: `unexpected` reports and throws `SyntaxError`, which only loops over
// statements, items, members and arms catch; they skip to a place from where
// parsing can go on. An error that a previous one already explains (same
// token, or a token spoilt by a lexical error) is dropped silently.

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/syntax/ast.hpp"
#include "codegen/syntax/brackets.hpp"
#include "codegen/syntax/diagnostics.hpp"
#include "codegen/syntax/token.hpp"

namespace linnet::syntax {

/// How deep a tree may be, so that recursion over it is safe in every stage.
inline constexpr int max_nesting = 256;

/// `a + b + c` nests to the left, but every stage walks that in a loop: no nesting in this
/// sense, bounded only so that what is generated from it stays of a size that compilers take.
inline constexpr int max_operators = 10'000;

class Parser {
 public:
  Parser(const SourceFile& file, const TokenStream& stream, NodeIds& ids, DiagnosticSink& sink);

  /// Null when anything was wrong.
  std::unique_ptr<Module> module();

 private:
  struct SyntaxError {};  ///< reported; unwinds to the nearest recovery point
  struct GiveUp {};       ///< reported; ends the parse of this file

  /// Counts one level of recursion for as long as it lives.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) { parser_.enter(); }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  /// Counts an enclosing brace that nothing closes, for as long as it lives.
  class Enclosure {
   public:
    Enclosure(Parser& parser, std::size_t open)
        : parser_(parser), unclosed_(parser.brackets_.partner(open) == 0 ? 1 : 0) {
      parser_.unclosed_ += unclosed_;
    }
    ~Enclosure() { parser_.unclosed_ -= unclosed_; }
    Enclosure(const Enclosure&) = delete;
    Enclosure& operator=(const Enclosure&) = delete;

   private:
    Parser& parser_;
    int unclosed_;
  };

  /// Tracks the height of what is parsed while it lives, for the left-recursive
  /// productions: `a.b[c](d)` nests to the left without any recursion here.
  class Chain {
   public:
    explicit Chain(Parser& parser) : parser_(parser), outer_(parser.deepest_) {
      parser_.deepest_ = parser_.depth_;
    }
    ~Chain() { parser_.deepest_ = std::max(outer_, parser_.deepest_); }
    Chain(const Chain&) = delete;
    Chain& operator=(const Chain&) = delete;
    /// All that was parsed so far becomes the child of one more node.
    void push_down() { parser_.reach(++parser_.deepest_); }

   private:
    Parser& parser_;
    int outer_;
  };

  // --- tokens and errors (parser.cpp)
  [[nodiscard]] const Token& token(std::size_t ahead = 0) const;
  [[nodiscard]] TokenKind kind(std::size_t ahead = 0) const { return token(ahead).kind; }
  [[nodiscard]] bool at(TokenKind wanted) const { return kind() == wanted; }
  [[nodiscard]] std::string_view text(const Token& token) const;
  [[nodiscard]] bool at_identifier(std::string_view wanted, std::size_t ahead = 0) const;
  [[nodiscard]] Span span_of(const Token& token) const;
  /// From token `start` to the last consumed one.
  [[nodiscard]] Span since(std::size_t start) const;
  Span advance();
  bool accept(TokenKind wanted);
  Span expect(TokenKind wanted, std::string_view help = {});
  /// `>` that ends a generic list; splits a `>=` when `=` follows without a space.
  void expect_closing_angle();
  [[noreturn]] void unexpected(std::string_view expected, std::string_view help = {});
  /// Reports at `place` unless a lexical error explains it.
  void report(std::size_t place, Span span, std::string code, std::string message,
              std::string_view help = {});
  [[nodiscard]] std::string describe(const Token& token) const;
  /// Consumes the bracket that closes the one at token `open`.
  void close(std::size_t open, std::string_view expected, std::string_view help = {});
  void enter();
  void reach(int depth);
  [[noreturn]] void too_many_operators();
  template <class Node>
  std::unique_ptr<Node> make() {
    return std::make_unique<Node>(ids_.next(), span_of(token()));
  }

  // --- names (parser.cpp)
  Name declared_name(std::string_view what);
  Name used_name(std::string_view what);
  Name take_word();
  [[nodiscard]] bool word_meant_as_name() const;
  [[nodiscard]] bool word_before_name() const;
  [[nodiscard]] bool forbidden_path_word() const;
  Path path(std::string_view what);

  // --- habits of other languages (habits.cpp): what to write instead, empty when none is seen
  [[nodiscard]] std::string habit() const;
  [[nodiscard]] std::string operator_habit() const;
  [[nodiscard]] std::string word_habit() const;
  [[nodiscard]] std::string item_habit() const;
  [[nodiscard]] std::string member_habit() const;
  [[nodiscard]] std::string statement_habit() const;
  [[nodiscard]] std::string parameter_habit(const Name& name) const;
  [[nodiscard]] bool follows(TokenKind wanted) const;
  [[nodiscard]] bool touches_previous() const;
  [[nodiscard]] bool at_compound_assignment() const;
  [[nodiscard]] std::string_view word(std::size_t place) const;

  // --- recovery (recovery.cpp)
  [[nodiscard]] bool starts_item(std::size_t ahead = 0) const;
  [[nodiscard]] bool at_item_keyword() const;
  [[nodiscard]] bool starts_member(std::size_t ahead = 0) const;
  [[nodiscard]] bool starts_statement() const;
  [[nodiscard]] bool starts_line_like(std::size_t start) const;
  void leave_brackets(std::size_t start);
  void skip_over_group();
  void skip_to_statement(std::size_t start);
  void skip_to_item(std::size_t start, bool in_block);
  bool skip_to_element(std::size_t start, TokenKind close);
  bool skip_to_body(std::size_t start);
  void missing_closing_brace(std::size_t open);
  [[nodiscard]] bool brace_is_missing(std::size_t open, bool holds_items) const;
  [[nodiscard]] int indent_of(std::size_t place) const;

  // --- declarations (parse_items.cpp)
  [[nodiscard]] std::string doc_before(std::size_t place) const;
  void module_line(Module& made);
  Use use();
  ItemPtr item();
  ItemPtr item_body(TokenKind keyword);
  std::unique_ptr<Const> constant();
  std::unique_ptr<Alias> alias();
  std::unique_ptr<Struct> structure();
  StructField field();
  std::unique_ptr<Enum> enumeration();
  std::unique_ptr<Function> function(FunctionKind kind);
  std::unique_ptr<Kernel> kernel();
  std::unique_ptr<Block> block();
  void block_body(Block& made);
  void function_header(Function& made);
  void kernel_header(Kernel& made);
  BlockMember member();
  void extern_item();
  Generics generics();
  GenericParam generic_param();
  std::vector<Param> params();
  Param param();
  std::vector<WhereRelation> where();

  // --- statements (parse_statements.cpp)
  Body body();
  /// Null for what was reported and read to its end.
  StatementPtr statement();
  StatementPtr let_statement();
  StatementPtr var_statement();
  StatementPtr return_statement();
  StatementPtr static_for();
  StatementPtr for_loop();
  /// Reads a loop up to its body; after an error there, on to the body.
  template <class Header>
  void loop_header(Header header);
  StatementPtr while_loop();
  StatementPtr yield_statement();
  StatementPtr write_statement(WriteOp op);
  StatementPtr assignment();
  void expression_statement();
  PatternPtr pattern();

  // --- types and generic arguments (parse_types.cpp)
  TypePtr type();
  TypePtr type_atom();
  GenericArgs generic_args();
  GenericArg generic_arg();
  ShapeElement shape_element();
  std::vector<ShapeElement> shape();

  // --- expressions (parse_expressions.cpp)
  ExprPtr expression();
  ExprPtr additive();
  ExprPtr binary(int loosest);
  ExprPtr unary();
  ExprPtr postfix();
  ExprPtr primary();
  ExprPtr call(ExprPtr callee, std::size_t start);
  ExprPtr index(ExprPtr base, std::size_t start);
  ExprPtr integer_literal();
  ExprPtr float_literal();
  ExprPtr parenthesised();
  ExprPtr shape_literal();
  ExprPtr if_else();
  ExprPtr match();
  void arms(Match& made);
  MatchArm arm();
  ExprPtr reduction(ReductionOp op);
  ExprPtr scan();
  IndexComponent component();
  std::vector<CallArg> call_args();
  [[nodiscard]] bool at_reduction(ReductionOp& op) const;
  [[nodiscard]] bool at_generic_call() const;

  const SourceFile& file_;
  std::vector<Token> tokens_;
  const TokenStream& stream_;
  Brackets brackets_;
  NodeIds& ids_;
  DiagnosticSink& sink_;
  std::size_t pos_ = 0;
  int depth_ = 0;
  int deepest_ = 0;
  int unclosed_ = 0;  ///< enclosing braces that nothing closes
  int errors_before_;
  std::size_t last_error_ = static_cast<std::size_t>(-1);
  std::set<TokenKind> reported_words_;
};

}  // namespace linnet::syntax
