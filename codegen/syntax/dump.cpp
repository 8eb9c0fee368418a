#include "codegen/syntax/dump.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace linnet::syntax {
namespace {

class Dumper {
 public:
  Dumper(const SourceFile& file, bool spans) : file_(file), spans_(spans) {}

  std::string run(const Module& module) {
    line("module " + joined(module.path), module.path.span);
    const Nested nested(*this);
    doc(module.doc);
    for (const Use& use : module.uses) this->use(use);
    for (const ItemPtr& item : module.items) this->item(*item);
    return std::move(out_);
  }

 private:
  class Nested {
   public:
    explicit Nested(Dumper& dumper) : dumper_(dumper) { ++dumper_.depth_; }
    ~Nested() { --dumper_.depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    Dumper& dumper_;
  };

  void line(std::string_view text, Span span = {}) {
    out_.append(static_cast<std::size_t>(depth_) * 2, ' ');
    out_ += text;
    if (spans_ && span.valid()) {
      const Position begin = file_.position(span.begin);
      const Position end = file_.position(span.end);
      fmt::format_to(std::back_inserter(out_), "  @{}:{}-{}:{}", begin.line, begin.column, end.line,
                     end.column);
    }
    out_ += '\n';
  }

  /// A heading and, nested under it, what `fill` prints.
  template <class Fill>
  void section(std::string_view heading, Span span, Fill fill) {
    line(heading, span);
    const Nested nested(*this);
    fill();
  }

  static std::string joined(const Path& path) {
    std::string text;
    for (const Name& segment : path.segments) text += (text.empty() ? "" : ".") + segment.text;
    return text;
  }

  void doc(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      line("doc " + std::string(text.substr(0, end)));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
  }

  // --- declarations ---------------------------------------------------------------

  void use(const Use& use) {
    line(fmt::format("use {}{}", joined(use.path), use.whole_module ? "" : "::"), use.span);
    const Nested nested(*this);
    for (const Import& import : use.imports) {
      line(import.alias ? import.name.text + " as " + import.alias->text : import.name.text,
           import.span);
    }
  }

  void item(const Item& item) {
    const auto heading = [&](std::string_view keyword) {
      return fmt::format("{}{} {}", item.is_public ? "pub " : "", keyword, item.name.text);
    };
    switch (item.kind) {
      case ItemKind::constant: {
        const auto& made = as<Const>(item);
        section(heading("const"), item.span, [&] {
          doc(item.doc);
          if (made.type) type(*made.type);
          expr(*made.value);
        });
        break;
      }
      case ItemKind::alias: {
        const auto& made = as<Alias>(item);
        section(heading("type"), item.span, [&] {
          doc(item.doc);
          generics(made.generics);
          type(*made.type);
        });
        break;
      }
      case ItemKind::structure:
        section(heading("struct"), item.span, [&] { structure(as<Struct>(item)); });
        break;
      case ItemKind::enumeration:
        section(heading("enum"), item.span, [&] {
          doc(item.doc);
          generics(as<Enum>(item).generics);
          for (const EnumVariant& variant : as<Enum>(item).variants) {
            doc(variant.doc);
            line("variant " + variant.name.text, variant.name.span);
          }
        });
        break;
      case ItemKind::function: {
        const auto& made = as<Function>(item);
        section(heading(spelling(made.function_kind)), item.span, [&] { function(made); });
        break;
      }
      case ItemKind::kernel:
        section(heading("kernel"), item.span, [&] { kernel(as<Kernel>(item)); });
        break;
      case ItemKind::block:
        section(heading("block"), item.span, [&] { block(as<Block>(item)); });
        break;
    }
  }

  void structure(const Struct& made) {
    doc(made.doc);
    generics(made.generics);
    for (const StructField& field : made.fields) {
      section("field " + field.name.text, field.span, [&] {
        doc(field.doc);
        type(*field.type);
      });
    }
  }

  void function(const Function& made) {
    doc(made.doc);
    generics(made.generics);
    params(made.params);
    if (made.result) section("result", made.result->span, [&] { type(*made.result); });
    if (made.kernel) {
      section("kernel " + joined(made.kernel->path), made.kernel->span,
              [&] { args(made.kernel->args); });
    }
    where(made.where);
    body(made.body);
    if (made.grad) {
      section(fmt::format("grad {} {}", made.grad->result.text, made.grad->gradient.text),
              made.grad->span, [&] { body(made.grad->body); });
    }
  }

  void kernel(const Kernel& made) {
    doc(made.doc);
    generics(made.generics);
    params(made.params);
    for (const KernelResult& result : made.results) {
      section("result " + result.name.text, result.span, [&] { type(*result.type); });
    }
    section("grid", {}, [&] {
      for (const ExprPtr& size : made.grid) expr(*size);
    });
    for (const KernelHint& hint : made.hints) {
      section(hint.kind == KernelHintKind::warps ? "warps" : "stages", hint.span,
              [&] { expr(*hint.value); });
    }
    where(made.where);
    body(made.body);
  }

  void block(const Block& made) {
    doc(made.doc);
    generics(made.generics);
    where(made.where);
    auto next_member = made.members.begin();
    auto next_item = made.items.begin();
    for (const bool is_member : made.order) {
      if (is_member) {
        member(*next_member++);
      } else {
        item(**next_item++);
      }
    }
  }

  void member(const BlockMember& made) {
    section(fmt::format("{} {}", spelling(made.kind), made.name.text), made.span, [&] {
      doc(made.doc);
      type(*made.type);
      if (made.value) expr(*made.value);
    });
  }

  void generics(const Generics& made) {
    for (const GenericParam& param : made.params) {
      section(fmt::format("generic {}{}: {}", param.starred ? "*" : "", param.name.text,
                          spelling(param.kind)),
              param.span, [&] {
                if (param.default_arg) arg(*param.default_arg);
              });
    }
  }

  void params(const std::vector<Param>& made) {
    for (const Param& param : made) {
      section("param " + param.name.text, param.span, [&] {
        doc(param.doc);
        type(*param.type);
        if (param.default_value) {
          section("default", {}, [&] { expr(*param.default_value); });
        }
      });
    }
  }

  void where(const std::vector<WhereRelation>& made) {
    for (const WhereRelation& relation : made) {
      section(fmt::format("where {}", spelling(relation.op)), relation.span, [&] {
        expr(*relation.lhs);
        expr(*relation.rhs);
      });
    }
  }

  // --- statements and patterns --------------------------------------------------------

  void body(const Body& made) {
    section("body", made.span, [&] {
      for (const StatementPtr& statement : made.statements) this->statement(*statement);
    });
  }

  void range(const ExprPtr& from, const ExprPtr& to) {
    section("from", {}, [&] { expr(*from); });
    if (to) section("to", {}, [&] { expr(*to); });
  }

  void statement(const Statement& made) {
    switch (made.kind) {
      case StatementKind::let: {
        const auto& let = as<Let>(made);
        section("let", made.span, [&] {
          pattern(*let.pattern);
          if (let.type) type(*let.type);
          expr(*let.value);
        });
        break;
      }
      case StatementKind::indexed_let: {
        const auto& let = as<IndexedLet>(made);
        std::string outputs;
        for (const OutputIndex& output : let.outputs) {
          outputs += (outputs.empty() ? "" : ", ") + std::string(output.is_pack ? "*" : "") +
                     output.name.text;
        }
        section(fmt::format("let {}[{}]", let.name.text, outputs), made.span,
                [&] { expr(*let.value); });
        break;
      }
      case StatementKind::var: {
        const auto& var = as<Var>(made);
        section("var " + var.name.text, made.span, [&] {
          if (var.type) type(*var.type);
          expr(*var.value);
        });
        break;
      }
      case StatementKind::assign: {
        const auto& assign = as<Assign>(made);
        section("assign " + assign.name.text, made.span, [&] { expr(*assign.value); });
        break;
      }
      case StatementKind::give_back: {
        const auto& back = as<Return>(made);
        section("return", made.span, [&] {
          if (back.value) expr(*back.value);
        });
        break;
      }
      case StatementKind::static_for: {
        const auto& loop = as<StaticFor>(made);
        section("static for", made.span, [&] {
          pattern(*loop.pattern);
          range(loop.from, loop.to);
          body(loop.body);
        });
        break;
      }
      case StatementKind::for_loop: {
        const auto& loop = as<For>(made);
        section("for " + loop.variable.text, made.span, [&] {
          range(loop.from, loop.to);
          body(loop.body);
        });
        break;
      }
      case StatementKind::while_loop: {
        const auto& loop = as<While>(made);
        section("while", made.span, [&] {
          expr(*loop.condition);
          body(loop.body);
        });
        break;
      }
      case StatementKind::yield:
        section("yield", made.span, [&] { expr(*as<Yield>(made).value); });
        break;
      case StatementKind::write: {
        const auto& write = as<Write>(made);
        section(spelling(write.op), made.span, [&] { call_args(write.args); });
        break;
      }
    }
  }

  void pattern(const Pattern& made) {
    switch (made.kind) {
      case PatternKind::name:
        line("pattern " + as<NamePattern>(made).name, made.span);
        break;
      case PatternKind::tuple:
        section("pattern tuple", made.span, [&] {
          for (const PatternPtr& element : as<TuplePattern>(made).elements) pattern(*element);
        });
        break;
      case PatternKind::some:
        section("pattern some", made.span, [&] { pattern(*as<SomePattern>(made).inner); });
        break;
      case PatternKind::none:
        line("pattern none", made.span);
        break;
    }
  }

  // --- types ------------------------------------------------------------------------------

  void type(const Type& made) {
    switch (made.kind) {
      case TypeKind::path: {
        const auto& path = as<PathType>(made);
        section("type " + joined(path.path), made.span, [&] { args(path.args); });
        break;
      }
      case TypeKind::tensor: {
        const auto& tensor = as<TensorType>(made);
        section("type Tensor", made.span, [&] {
          shape(tensor.shape);
          type(*tensor.dtype);
        });
        break;
      }
      case TypeKind::tuple:
        section("type tuple", made.span, [&] {
          for (const TypePtr& element : as<TupleType>(made).elements) type(*element);
        });
        break;
      case TypeKind::array:
        section("type array", made.span, [&] {
          type(*as<ArrayType>(made).element);
          expr(*as<ArrayType>(made).length);
        });
        break;
      case TypeKind::optional:
        section("type optional", made.span, [&] { type(*as<OptionalType>(made).element); });
        break;
    }
  }

  void shape(const std::vector<ShapeElement>& made) {
    for (const ShapeElement& element : made) {
      if (element.is_pack()) {
        line("pack " + element.pack.text, element.span);
      } else {
        expr(*element.dim);
      }
    }
  }

  void args(const std::optional<GenericArgs>& made) {
    if (!made) return;
    section("generic args", made->span, [&] {
      for (const GenericArg& one : made->args) arg(one);
    });
  }

  void arg(const GenericArg& made) {
    switch (made.kind) {
      case GenericArgKind::name:
        line("name " + joined(made.name), made.span);
        break;
      case GenericArgKind::dimension:
        expr(*made.dimension);
        break;
      case GenericArgKind::type:
        type(*made.type);
        break;
      case GenericArgKind::shape:
        section("shape", made.span, [&] { shape(made.shape); });
        break;
    }
  }

  // --- expressions ------------------------------------------------------------------------

  /// Grouping parentheses do not change the tree's shape, so they are not shown.
  void expr(const Expr& made) {
    switch (made.kind) {
      case ExprKind::integer:
        line("int " + as<IntegerLiteral>(made).text, made.span);
        break;
      case ExprKind::floating:
        line("float " + as<FloatLiteral>(made).text, made.span);
        break;
      case ExprKind::boolean:
        line(as<BoolLiteral>(made).value ? "true" : "false", made.span);
        break;
      case ExprKind::string:
        line("string " + as<StringLiteral>(made).text, made.span);
        break;
      case ExprKind::name:
        line("name " + as<NameExpr>(made).name.text, made.span);
        break;
      case ExprKind::none:
        line("none", made.span);
        break;
      case ExprKind::some:
        section("some", made.span, [&] { expr(*as<SomeExpr>(made).operand); });
        break;
      case ExprKind::tuple:
        section("tuple", made.span, [&] {
          for (const ExprPtr& element : as<TupleExpr>(made).elements) expr(*element);
        });
        break;
      case ExprKind::shape:
        section("shape", made.span, [&] { shape(as<ShapeExpr>(made).elements); });
        break;
      case ExprKind::unary: {
        const auto& unary = as<Unary>(made);
        section(fmt::format("unary {}", spelling(unary.op)), made.span,
                [&] { expr(*unary.operand); });
        break;
      }
      case ExprKind::binary: {
        const auto& binary = as<Binary>(made);
        section(fmt::format("binary {}", spelling(binary.op)), made.span, [&] {
          expr(*binary.lhs);
          expr(*binary.rhs);
        });
        break;
      }
      case ExprKind::call: {
        const auto& call = as<Call>(made);
        section("call", made.span, [&] {
          expr(*call.callee);
          args(call.generics);
          call_args(call.args);
        });
        break;
      }
      case ExprKind::index: {
        const auto& index = as<Index>(made);
        section("index", made.span, [&] {
          expr(*index.base);
          for (const IndexComponent& one : index.components) component(one);
        });
        break;
      }
      case ExprKind::member: {
        const auto& member = as<Member>(made);
        section("member " + member.name.text, made.span, [&] { expr(*member.base); });
        break;
      }
      case ExprKind::if_else: {
        const auto& branch = as<IfElse>(made);
        section("if", made.span, [&] {
          expr(*branch.condition);
          section("then", {}, [&] { expr(*branch.then_value); });
          section("else", {}, [&] { expr(*branch.else_value); });
        });
        break;
      }
      case ExprKind::match: {
        const auto& match = as<Match>(made);
        section("match", made.span, [&] {
          expr(*match.scrutinee);
          for (const MatchArm& arm : match.arms) {
            section("arm", arm.span, [&] {
              pattern(*arm.pattern);
              expr(*arm.value);
            });
          }
        });
        break;
      }
      case ExprKind::reduction:
        reduction(as<Reduction>(made));
        break;
      case ExprKind::scan: {
        const auto& scan = as<Scan>(made);
        section("scan " + scan.variable.text, made.span, [&] {
          range(scan.from, scan.to);
          body(scan.body);
        });
        break;
      }
    }
  }

  void reduction(const Reduction& made) {
    std::string indices;
    for (const Name& index : made.indices) indices += (indices.empty() ? "" : ", ") + index.text;
    const std::string accumulator = made.accumulator ? "<" + made.accumulator->text + ">" : "";
    section(fmt::format("{}{}[{}]", spelling(made.op), accumulator, indices), made.span,
            [&] { expr(*made.body); });
  }

  void component(const IndexComponent& made) {
    switch (made.kind) {
      case IndexComponentKind::position:
        expr(*made.position);
        break;
      case IndexComponentKind::ellipsis:
        line("...", made.span);
        break;
      case IndexComponentKind::pack:
        line("pack " + made.pack.text, made.span);
        break;
      case IndexComponentKind::slice:
        section("slice", made.span, [&] {
          if (made.start) section("start", {}, [&] { expr(*made.start); });
          if (made.stop) section("stop", {}, [&] { expr(*made.stop); });
          if (made.step) section("step", {}, [&] { expr(*made.step); });
        });
        break;
    }
  }

  void call_args(const std::vector<CallArg>& made) {
    for (const CallArg& one : made) {
      if (one.name) {
        section("argument " + one.name->text, one.span, [&] { expr(*one.value); });
      } else {
        expr(*one.value);
      }
    }
  }

  const SourceFile& file_;
  bool spans_;
  int depth_ = 0;
  std::string out_;
};

}  // namespace

std::string dump(const Module& module, const SourceFile& file, bool spans) {
  return Dumper(file, spans).run(module);
}

std::string dump(const TokenStream& stream, const SourceFile& file) {
  std::string out;
  for (const Token& token : stream.tokens) {
    const Position at = file.position(token.begin);
    fmt::format_to(std::back_inserter(out), "{}:{}\t{}\t{}\n", at.line, at.column,
                   class_name(token.kind),
                   file.text().substr(token.begin, token.end - token.begin));
  }
  return out;
}

}  // namespace linnet::syntax
