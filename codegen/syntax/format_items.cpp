// Layout of the module line, imports and items.

#include "codegen/syntax/formatter.hpp"

namespace linnet::syntax {

using enum TokenKind;

void Formatter::module(const Module& made) {
  take(kw_module);
  space();
  path(made.path);
  bool first = true;
  for (const Use& one : made.uses) {
    out_.hard_line(first || tokens_.newlines_before() > 1);
    use(one);
    first = false;
  }
  for (const ItemPtr& one : made.items) {
    out_.hard_line(true);
    item(*one);
  }
  out_.hard_line(tokens_.newlines_before() > 1);
  tokens_.take();
}

void Formatter::use(const Use& made) {
  take(kw_use);
  space();
  path(made.path);
  if (made.whole_module) return;
  take(double_colon);
  const auto import = [&](const Import& one) {
    tokens_.take();
    if (!one.alias) return;
    space();
    take(kw_as);
    space();
    tokens_.take();
  };
  if (made.braces) {
    list(left_brace, right_brace, made.imports, import);
  } else {
    import(made.imports.front());
  }
}

void Formatter::item(const Item& made) {
  switch (made.kind) {
    case ItemKind::constant:
      constant(as<Const>(made));
      break;
    case ItemKind::alias:
      alias(as<Alias>(made));
      break;
    case ItemKind::structure:
      structure(as<Struct>(made));
      break;
    case ItemKind::enumeration:
      enumeration(as<Enum>(made));
      break;
    case ItemKind::function:
      function(as<Function>(made));
      break;
    case ItemKind::kernel:
      kernel(as<Kernel>(made));
      break;
    case ItemKind::block:
      block(as<Block>(made));
      break;
  }
}

/// `pub fn name`: up to the name.
void Formatter::item_keyword(const Item& made, TokenKind keyword) {
  if (made.is_public) {
    take(kw_pub);
    space();
  }
  take(keyword);
  space();
  take(identifier);
}

void Formatter::annotation(const TypePtr& annotated) {
  if (!annotated) return;
  take(colon);
  space();
  type(*annotated);
}

void Formatter::assigned(const ExprPtr& value) {
  if (!value) return;
  space();
  take(assign);
  space();
  expr(*value);
}

void Formatter::constant(const Const& made) {
  item_keyword(made, kw_const);
  annotation(made.type);
  assigned(made.value);
}

void Formatter::alias(const Alias& made) {
  item_keyword(made, kw_type);
  generics(made.generics);
  space();
  take(assign);
  space();
  type(*made.type);
}

void Formatter::structure(const Struct& made) {
  item_keyword(made, kw_struct);
  generics(made.generics);
  space();
  brace_list(Comma::optional, one_a_line(made.fields), made.fields, [&](const StructField& field) {
    take(identifier);
    annotation(field.type);
  });
}

void Formatter::enumeration(const Enum& made) {
  item_keyword(made, kw_enum);
  generics(made.generics);
  space();
  brace_list(Comma::required, tokens_.keeps_last_comma(), made.variants,
             [&](const EnumVariant&) { take(identifier); });
}

void Formatter::generics(const Generics& made) {
  if (made.params.empty()) return;
  list(less, greater, made.params, [&](const GenericParam& param) {
    if (param.starred) take(star);
    take(identifier);
    take(colon);
    space();
    take(identifier);
    if (!param.default_arg) return;
    space();
    take(assign);
    space();
    generic_arg(*param.default_arg);
  });
}

void Formatter::params(const std::vector<Param>& made) {
  list(left_paren, right_paren, made, [&](const Param& param) {
    take(identifier);
    annotation(param.type);
    assigned(param.default_value);
  });
}

/// On a line of its own, so that the body's brace ends that; after a last comma the brace
/// follows on the next.
void Formatter::where(const std::vector<WhereRelation>& made) {
  if (made.empty()) return;
  out_.hard_line();
  take(kw_where);
  space();
  const bool keeps_comma = tokens_.kind_from(made.back().span.end) == comma;
  out_.begin_group(keeps_comma);
  out_.begin_indent();
  bool first = true;
  for (const WhereRelation& one : made) {
    if (!first) {
      take(comma);
      out_.line();
    }
    first = false;
    relation(one);
  }
  tokens_.take_if(comma);
  out_.end_indent();
  out_.end_group();
  if (keeps_comma) out_.hard_line();
}

void Formatter::relation(const WhereRelation& made) {
  expr(*made.lhs);
  space();
  tokens_.take();
  space();
  expr(*made.rhs);
}

void Formatter::function(const Function& made) {
  const TokenKind keyword = made.function_kind == FunctionKind::fn   ? kw_fn
                            : made.function_kind == FunctionKind::op ? kw_op
                                                                     : kw_entry;
  item_keyword(made, keyword);
  generics(made.generics);
  params(made.params);
  if (made.result) {
    out_.begin_group();
    out_.begin_indent();
    out_.line();
    take(arrow);
    space();
    type(*made.result);
    out_.end_indent();
    out_.end_group();
  }
  if (made.kernel) {
    out_.begin_indent();
    out_.hard_line();
    take(kw_kernel);
    space();
    path(made.kernel->path);
    if (made.kernel->args) generic_args(*made.kernel->args);
    out_.end_indent();
  }
  where(made.where);
  space();
  body(made.body);
  if (!made.grad) return;
  space();
  take(identifier);
  take(left_paren);
  take(identifier);
  take(comma);
  space();
  take(identifier);
  take(right_paren);
  space();
  body(made.grad->body);
}

void Formatter::kernel(const Kernel& made) {
  item_keyword(made, kw_kernel);
  generics(made.generics);
  params(made.params);
  out_.begin_group();
  out_.begin_indent();
  out_.line();
  take(arrow);
  space();
  out_.begin_group();
  out_.begin_indent();
  bool first = true;
  for (const KernelResult& result : made.results) {
    if (!first) {
      take(comma);
      out_.line();
    }
    first = false;
    take(identifier);
    annotation(result.type);
  }
  out_.end_indent();
  out_.end_group();
  out_.line();
  take(identifier);
  list(left_paren, right_paren, made.grid, [&](const ExprPtr& size) { expr(*size); });
  for (const KernelHint& hint : made.hints) {
    space();
    take(identifier);
    take(left_paren);
    expr(*hint.value);
    take(right_paren);
  }
  out_.end_indent();
  out_.end_group();
  where(made.where);
  space();
  body(made.body);
}

void Formatter::block(const Block& made) {
  item_keyword(made, kw_block);
  generics(made.generics);
  where(made.where);
  space();
  braces(made.order.empty(), [&] {
    auto next_member = made.members.begin();
    auto next_item = made.items.begin();
    bool first = true;
    bool after_item = false;
    for (const bool is_member : made.order) {
      const bool apart = after_item || !is_member || tokens_.newlines_before() > 1;
      out_.hard_line(!first && apart);
      first = false;
      after_item = !is_member;
      if (is_member) {
        member(*next_member++);
      } else {
        item(**next_item++);
      }
    }
  });
}

void Formatter::member(const BlockMember& made) {
  tokens_.take();
  space();
  take(identifier);
  annotation(made.type);
  assigned(made.value);
}

}  // namespace linnet::syntax
