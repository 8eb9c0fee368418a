// The module line, imports and items (language.md sections 2, 8, 10, 11).

#include <optional>
#include <utility>

#include "codegen/syntax/doc_comment.hpp"
#include "codegen/syntax/foreign.hpp"
#include "codegen/syntax/parser_impl.hpp"

namespace linnet::syntax {

using enum TokenKind;

namespace {

std::optional<GenericParamKind> generic_kind(std::string_view name) {
  using enum GenericParamKind;
  for (const GenericParamKind kind :
       {dim, shape, dtype, numeric, GenericParamKind::integer, GenericParamKind::floating}) {
    if (name == spelling(kind)) return kind;
  }
  return std::nullopt;
}

std::optional<RelationOp> relation(TokenKind kind) {
  switch (kind) {
    case equal:
      return RelationOp::eq;
    case not_equal:
      return RelationOp::ne;
    case less:
      return RelationOp::lt;
    case less_equal:
      return RelationOp::le;
    case greater:
      return RelationOp::gt;
    case greater_equal:
      return RelationOp::ge;
    default:
      return std::nullopt;
  }
}

std::optional<MemberKind> member_kind(TokenKind kind) {
  switch (kind) {
    case kw_param:
      return MemberKind::param;
    case kw_buffer:
      return MemberKind::buffer;
    case kw_state:
      return MemberKind::state;
    case kw_sub:
      return MemberKind::sub;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::unique_ptr<Module> Parser::module() {
  auto made = std::make_unique<Module>();
  made->file = file_.id();
  try {
    module_line(*made);
    while (!at(end_of_file)) {
      const std::size_t start = pos_;
      try {
        if (at(kw_use)) {
          if (!made->items.empty()) {
            report(pos_, span_of(token()), "E1101", "expected an item, found `use`",
                   "imports come before the first item");
          }
          made->uses.push_back(use());
        } else {
          made->items.push_back(item());
        }
      } catch (const SyntaxError&) {
        skip_to_item(start, false);
      }
    }
  } catch (const GiveUp&) {
    return nullptr;
  }
  return sink_.error_count() == errors_before_ ? std::move(made) : nullptr;
}

void Parser::module_line(Module& made) {
  const std::size_t start = pos_;
  if (!at(kw_module)) {
    report(pos_, span_of(token()), "E1102", "a file begins with its `module` line",
           "write `module name` above it");
    // A first line that is not even an item is likely a `module` line gone wrong.
    if (!starts_item()) skip_to_item(start, false);
    return;
  }
  made.doc = doc_before(pos_);
  advance();
  try {
    made.path = path("the name of the module");
  } catch (const SyntaxError&) {
    if (!starts_item() && !at(end_of_file)) skip_to_item(start, false);
  }
}

Use Parser::use() {
  const std::size_t start = pos_;
  Use made;
  expect(kw_use);
  if (at(kw_crate)) {
    made.path.segments.push_back(take_word());
    made.path.span = made.path.segments.front().span;
    if (accept(dot)) {
      Path rest = path("the name of a module");
      made.path.span = join(made.path.span, rest.span);
      for (Name& segment : rest.segments) made.path.segments.push_back(std::move(segment));
    }
  } else {
    made.path = path("the path of a module");
  }
  made.whole_module = !accept(double_colon);
  const auto import = [&] {
    const std::size_t first = pos_;
    Import& found = made.imports.emplace_back();
    found.name = used_name("the name of an item");
    if (made.braces && accept(kw_as)) found.alias = declared_name("a name");
    found.span = since(first);
  };
  if (!made.whole_module) {
    const std::size_t open = pos_;
    made.braces = accept(left_brace);
    if (made.braces) {
      do {
        import();
      } while (accept(comma) && !at(right_brace));
      close(open, "`,` or ");
    } else {
      import();
    }
  }
  made.span = since(start);
  return made;
}

ItemPtr Parser::item() {
  const Level level(*this);
  const std::size_t start = pos_;
  std::string doc = doc_before(pos_);
  const bool is_public = accept(kw_pub);
  if (at(kw_extern)) extern_item();
  ItemPtr made = item_body(kind());
  made->doc = std::move(doc);
  made->is_public = is_public;
  made->span = since(start);
  return made;
}

ItemPtr Parser::item_body(TokenKind keyword) {
  switch (keyword) {
    case kw_const:
      return constant();
    case kw_type:
      return alias();
    case kw_struct:
      return structure();
    case kw_enum:
      return enumeration();
    case kw_fn:
      return function(FunctionKind::fn);
    case kw_op:
      return function(FunctionKind::op);
    case kw_entry:
      return function(FunctionKind::entry);
    case kw_kernel:
      return kernel();
    case kw_block:
      return block();
    case kw_param:
    case kw_buffer:
    case kw_state:
    case kw_sub:
      unexpected("an item", "members stand in a block, and have no `pub`");
    default:
      unexpected("an item", item_habit());
  }
}

/// `extern` is reserved: one error for the whole item.
void Parser::extern_item() {
  report(pos_, span_of(token()), "E1103", "`extern` items do not exist in this version",
         "an op has a body; a backend may run a native kernel in its place");
  advance();
  if (at(string)) advance();
  if (starts_item()) {
    advance();
    while (!at(end_of_file) && !at(left_brace) && !at(right_brace) && !starts_item() &&
           !starts_member()) {
      skip_over_group();
    }
    if (at(left_brace)) skip_over_group();
  }
  throw SyntaxError{};
}

std::unique_ptr<Const> Parser::constant() {
  auto made = std::make_unique<Const>();
  expect(kw_const);
  made->name = declared_name("the name of a constant");
  if (accept(colon)) made->type = type();
  expect(assign, "a constant is written `const N = 4`");
  made->value = expression();
  return made;
}

std::unique_ptr<Alias> Parser::alias() {
  auto made = std::make_unique<Alias>();
  expect(kw_type);
  made->name = declared_name("the name of a type");
  made->generics = generics();
  expect(assign);
  made->type = type();
  return made;
}

std::unique_ptr<Struct> Parser::structure() {
  auto made = std::make_unique<Struct>();
  expect(kw_struct);
  made->name = declared_name("the name of a struct");
  made->generics = generics();
  expect(left_brace);
  while (!at(right_brace)) {
    const std::size_t start = pos_;
    try {
      made->fields.push_back(field());
    } catch (const SyntaxError&) {
      if (!skip_to_element(start, right_brace)) throw;
    }
    accept(comma);
  }
  advance();
  return made;
}

StructField Parser::field() {
  const std::size_t start = pos_;
  StructField made;
  made.doc = doc_before(pos_);
  made.name = declared_name("a field or `}`");
  expect(colon, "a field is written `name: type`");
  made.type = type();
  made.span = since(start);
  return made;
}

std::unique_ptr<Enum> Parser::enumeration() {
  auto made = std::make_unique<Enum>();
  expect(kw_enum);
  made->name = declared_name("the name of an enum");
  made->generics = generics();
  expect(left_brace);
  while (!at(right_brace)) {
    const std::size_t start = pos_;
    EnumVariant& variant = made->variants.emplace_back();
    variant.doc = doc_before(pos_);
    try {
      variant.name = declared_name("a variant or `}`");
      if (!at(comma) && !at(right_brace)) unexpected("`,` or `}`");
    } catch (const SyntaxError&) {
      if (!skip_to_element(start, right_brace)) throw;
    }
    accept(comma);
  }
  advance();
  return made;
}

std::unique_ptr<Function> Parser::function(FunctionKind function_kind) {
  auto made = std::make_unique<Function>();
  made->function_kind = function_kind;
  const std::size_t start = pos_;
  advance();
  try {
    function_header(*made);
  } catch (const SyntaxError&) {
    // The body may hold independent errors.
    if (!skip_to_body(start)) throw;
  }
  made->body = body();
  if (at_identifier("grad") && kind(1) == left_paren) {
    const std::size_t first = pos_;
    GradClause& grad = made->grad.emplace();
    advance();
    try {
      expect(left_paren);
      grad.result = declared_name("the name of the result");
      expect(comma, "it is written `grad(y, dy)`");
      grad.gradient = declared_name("the name of the result's gradient");
      expect(right_paren);
    } catch (const SyntaxError&) {
      if (!skip_to_body(first)) throw;
    }
    grad.body = body();
    grad.span = since(first);
  }
  return made;
}

void Parser::function_header(Function& made) {
  made.name = declared_name("the name of a function");
  made.generics = generics();
  made.params = params();
  if (accept(arrow)) made.result = type();
  if (at(kw_kernel)) {
    const std::size_t start = pos_;
    KernelBinding& binding = made.kernel.emplace();
    advance();
    binding.path = path("the name of a kernel");
    if (at(less)) binding.args = generic_args();
    binding.span = since(start);
  }
  made.where = where();
  if (!at(left_brace)) {
    const bool at_type = at(identifier) || at(fat_arrow) || (at(colon) && !token(1).first_on_line);
    unexpected("`{`", at_type     ? "a result type follows `->`"
                      : at(colon) ? "a body stands in braces: `{ ... }`"
                                  : "every function has a body: `{ ... }`");
  }
}

std::unique_ptr<Kernel> Parser::kernel() {
  auto made = std::make_unique<Kernel>();
  const std::size_t start = pos_;
  expect(kw_kernel);
  try {
    kernel_header(*made);
  } catch (const SyntaxError&) {
    if (!skip_to_body(start)) throw;
  }
  made->body = body();
  return made;
}

void Parser::kernel_header(Kernel& made) {
  made.name = declared_name("the name of a kernel");
  made.generics = generics();
  made.params = params();
  expect(arrow, "a kernel names its results: `-> y: Tensor[N; f32]`");
  do {
    const std::size_t start = pos_;
    KernelResult& result = made.results.emplace_back();
    result.name = declared_name("the name of a result");
    expect(colon, "a kernel names its results: `-> y: Tensor[N; f32]`");
    result.type = type();
    result.span = since(start);
  } while (accept(comma));
  if (!at_identifier("grid")) unexpected("`grid`", "the grid follows the results: `grid(R)`");
  advance();
  const std::size_t open = pos_;
  expect(left_paren);
  do {
    made.grid.push_back(expression());
  } while (accept(comma));
  close(open, "`,` or ");
  while (at_identifier("warps") || at_identifier("stages")) {
    const std::size_t start = pos_;
    KernelHint& hint = made.hints.emplace_back();
    hint.kind = at_identifier("warps") ? KernelHintKind::warps : KernelHintKind::stages;
    advance();
    expect(left_paren);
    hint.value = expression();
    expect(right_paren);
    hint.span = since(start);
  }
  made.where = where();
  if (!at(left_brace)) unexpected("`{`", "every kernel has a body");
}

std::unique_ptr<Block> Parser::block() {
  auto made = std::make_unique<Block>();
  const std::size_t start = pos_;
  expect(kw_block);
  try {
    made->name = declared_name("the name of a block");
    made->generics = generics();
    made->where = where();
    if (!at(left_brace)) unexpected("`{`");
  } catch (const SyntaxError&) {
    if (!skip_to_body(start)) throw;
  }
  block_body(*made);
  return made;
}

void Parser::block_body(Block& made) {
  const std::size_t open = pos_;
  expect(left_brace);
  const Enclosure enclosure(*this, open);
  while (!accept(right_brace)) {
    if (at(end_of_file) || (starts_item() && brace_is_missing(open, true))) {
      missing_closing_brace(open);
      return;
    }
    const std::size_t start = pos_;
    try {
      if (member_kind(kind())) {
        made.members.push_back(member());
        made.order.push_back(true);
      } else if (starts_item()) {
        made.items.push_back(item());
        made.order.push_back(false);
      } else {
        unexpected("a member, an item or `}`", member_habit());
      }
    } catch (const SyntaxError&) {
      skip_to_item(start, true);
    }
  }
}

BlockMember Parser::member() {
  const std::size_t start = pos_;
  BlockMember made;
  made.doc = doc_before(pos_);
  made.kind = *member_kind(kind());
  advance();
  made.name = declared_name("the name of a member");
  expect(colon, "a member has a type: `param w: Tensor[N; f32]`");
  made.type = type();
  if (accept(assign)) made.value = expression();
  made.span = since(start);
  return made;
}

Generics Parser::generics() {
  Generics made;
  if (!at(less)) return made;
  const std::size_t start = pos_;
  advance();
  do {
    made.params.push_back(generic_param());
  } while (accept(comma) && !at(greater) && !at(greater_equal));
  expect_closing_angle();
  made.span = since(start);
  return made;
}

GenericParam Parser::generic_param() {
  const std::size_t start = pos_;
  GenericParam made;
  made.starred = accept(star);
  made.name = declared_name("the name of a generic");
  expect(colon, "a generic has a kind: `" + made.name.text + ": Dim`, `" + made.name.text +
                    ": Float`, `*" + made.name.text + ": Shape`");
  const auto kind_found = at(identifier) ? generic_kind(text(token())) : std::nullopt;
  if (!kind_found) {
    const bool is_dtype = at(identifier) && !dtype_meant_by(text(token())).empty();
    unexpected("a generic kind", is_dtype
                                     ? "a dimension is `" + made.name.text + ": Dim`"
                                     : "the kinds are `Dim Shape DType Numeric Integer Float`");
  }
  made.kind = *kind_found;
  made.kind_span = span_of(token());
  if (made.starred != (made.kind == GenericParamKind::shape)) {
    report(pos_, span_of(token()), "E1101",
           made.starred ? "only a `Shape` generic has a star"
                        : "a `Shape` generic is written with a star",
           made.starred ? "write `*" + made.name.text + ": Shape`, or leave the star off"
                        : "write `*" + made.name.text + ": Shape`");
  }
  advance();
  if (accept(assign)) made.default_arg = generic_arg();
  made.span = since(start);
  return made;
}

std::vector<Param> Parser::params() {
  std::vector<Param> made;
  const std::size_t open = pos_;
  expect(left_paren);
  while (!at(right_paren)) {
    const std::size_t start = pos_;
    if (at(kw_self) && (kind(1) == comma || kind(1) == right_paren)) {
      (void)declared_name("the name of a parameter");
      accept(comma);
      continue;
    }
    try {
      made.push_back(param());
    } catch (const SyntaxError&) {
      if (brackets_.partner(open) == 0 || !skip_to_element(start, right_paren)) throw;
    }
    if (!accept(comma)) break;
  }
  close(open, "`,` or ");
  return made;
}

Param Parser::param() {
  const std::size_t start = pos_;
  Param made;
  made.doc = doc_before(pos_);
  made.name = declared_name("the name of a parameter");
  if (!at(colon)) unexpected("`:`", parameter_habit(made.name));
  advance();
  made.type = type();
  if (accept(assign)) made.default_value = expression();
  made.span = since(start);
  return made;
}

std::vector<WhereRelation> Parser::where() {
  std::vector<WhereRelation> made;
  if (!accept(kw_where)) return made;
  do {
    const std::size_t start = pos_;
    WhereRelation& found = made.emplace_back();
    found.lhs = additive();
    const auto op = relation(kind());
    if (!op) {
      unexpected("a comparison", at(assign) ? "equality is written `==`"
                                 : at(colon)
                                     ? "a generic has its kind where it is declared: `<T: Float>`"
                                     : "a `where` relates two dimensions: `H % N == 0`");
    }
    found.op = *op;
    found.op_span = advance();
    found.rhs = additive();
    found.span = since(start);
  } while (accept(comma) && !at(left_brace));
  return made;
}

/// The doc comments right before a token, joined by line breaks. One that trails the
/// previous token belongs to that and is left out.
std::string Parser::doc_before(std::size_t place) const {
  std::string doc;
  const std::size_t first = first_leading_comment(stream_, file_.text(), place);
  for (std::size_t i = first; i < stream_.comments_end(place); ++i) {
    const Comment& comment = stream_.comments[i];
    if (!comment.doc) continue;
    if (!doc.empty()) doc += '\n';
    doc += doc_text(file_.text().substr(comment.begin, comment.end - comment.begin));
  }
  return doc;
}

}  // namespace linnet::syntax
