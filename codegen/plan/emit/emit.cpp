// Core IR → Linnet source: the module and its declarations.

#include <algorithm>
#include <string>

#include "codegen/ir/print.hpp"
#include "codegen/plan/emit/body.hpp"
#include "codegen/plan/emit/items.hpp"
#include "codegen/plan/emit/prepare.hpp"
#include "codegen/plan/plan.hpp"
#include "codegen/syntax/format.hpp"

namespace linnet::plan {
namespace {

using namespace ir;
using detail::BodyWriter;
using detail::item_of;
using detail::Items;
using detail::split_name;

class ModuleWriter {
 public:
  ModuleWriter(const Program& program, std::vector<Problem>& problems,
               const std::set<std::string>* importable)
      : program_(program), problems_(problems), items_(program, importable) {}

  std::string write() {
    for (const Structure& structure : program_.structures) write_structure(structure);
    for (const Enumeration& enumeration : program_.enumerations) write_enumeration(enumeration);
    for (const Constant& constant : program_.constants) write_constant(constant);
    functions_and_blocks();
    std::string head = doc(program_.doc, "") + "module " + program_.module + "\n\n";
    const std::string imports = items_.imports();
    if (!imports.empty()) head += imports + "\n";
    return head + out_;
  }

 private:
  const Program& program_;
  std::vector<Problem>& problems_;
  Items items_;
  std::string out_;
  std::size_t next_block_ = 0;

  static std::string doc(const std::string& text, const std::string& indent) {
    std::string out;
    for (std::size_t begin = 0; !text.empty() && begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::string line = text.substr(begin, end - begin);
      out += indent + (line.empty() ? "///" : "/// " + line) + "\n";
      begin = end + 1;
    }
    return out;
  }

  static const char* visibility(bool is_public) { return is_public ? "pub " : ""; }

  void write_structure(const Structure& structure) {
    if (items_.is_imported(structure.module + "::" + structure.name)) return;
    out_ += doc(structure.doc, "") + "pub struct " + items_.type(structure.module, structure.name) +
            to_text(structure.generics) + " {\n";
    for (const auto& [name, type] : structure.fields) {
      out_ += "    " + name + ": " + items_.type_text(type) + "\n";
    }
    out_ += "}\n\n";
  }

  void write_enumeration(const Enumeration& enumeration) {
    if (items_.is_imported(enumeration.module + "::" + enumeration.name)) return;
    out_ += doc(enumeration.doc, "") + "pub enum " +
            items_.type(enumeration.module, enumeration.name) + to_text(enumeration.generics) +
            " {\n";
    for (const std::string& variant : enumeration.variants) out_ += "    " + variant + ",\n";
    out_ += "}\n\n";
  }

  void write_constant(const Constant& constant) {
    if (items_.is_imported(constant.name)) return;
    BodyWriter body(items_, nullptr, problems_, constant.name);
    const std::string type =
        constant.contextual ? std::string{} : ": " + items_.type_text(constant.type);
    out_ += visibility(constant.is_public) + std::string("const ") +
            items_.constant(constant.name) + type + " = " + body.value(constant.body) + "\n\n";
  }

  /// `where` with the source's own words where they can mean the same here.
  static std::string constraints(const std::vector<Constraint>& list,
                                 const std::vector<const std::vector<Generic>*>& scopes) {
    std::string text;
    for (const Constraint& constraint : list) {
      Constraint rendered = constraint;
      rendered.text.clear();
      const bool as_written = only_names(constraint.text, scopes);
      text += (text.empty() ? "where " : ", ") + (as_written ? constraint.text : to_text(rendered));
    }
    return text.empty() ? text : "\n" + text + " ";
  }

  /// Whether every word of a constraint is a generic in scope, `min` or `max`.
  static bool only_names(const std::string& text,
                         const std::vector<const std::vector<Generic>*>& scopes) {
    if (text.empty()) return false;
    const auto is_word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    for (std::size_t i = 0; i < text.size();) {
      if (!is_word(text[i])) {
        // Comments and anything else that is not arithmetic.
        if (std::string_view(" +-*/%()<>=!,").find(text[i]) == std::string_view::npos) return false;
        if (text[i] == '/' && i + 1 < text.size() && (text[i + 1] == '/' || text[i + 1] == '*')) {
          return false;
        }
        ++i;
        continue;
      }
      std::size_t end = i;
      while (end < text.size() && is_word(text[end])) ++end;
      const std::string word = text.substr(i, end - i);
      const bool is_number = word[0] >= '0' && word[0] <= '9';
      bool known = is_number || word == "min" || word == "max";
      for (const auto* generics : scopes) {
        known = known || std::any_of(generics->begin(), generics->end(),
                                     [&](const Generic& g) { return g.name == word; });
      }
      if (!known) return false;
      i = end;
    }
    return true;
  }

  std::string kernel_text(const Function& function) {
    if (!function.kernel || function.kernel->callee.empty()) return {};
    return " kernel " + items_.function(function.kernel->callee) +
           items_.arguments_text(function.kernel->generics);
  }

  void write_function(const Function& function, const Block* block) {
    BodyWriter body(items_, block, problems_, function.name);
    const bool is_kernel = function.kind == FunctionKind::kernel;
    body.reserve_uses(function.body);
    std::vector<const std::vector<Generic>*> scopes{&function.generics};
    if (block != nullptr) scopes.push_back(&block->generics);
    for (const auto* generics : scopes) {
      for (const Generic& generic : *generics) body.reserve(generic.name);
    }
    const std::string name = split_name(function.name).second;
    std::string head =
        doc(function.doc, "") + visibility(function.is_public) +
        std::string(function_kind(function.kind)) + " " +
        (block != nullptr ? name.substr(name.find('.') + 1) : items_.function(function.name)) +
        to_text(function.generics) + "(";
    const std::size_t first = block == nullptr ? 0 : 1;
    if (block != nullptr) body.own_block(function.body.args[0]);
    for (std::size_t i = first; i < function.body.args.size(); ++i) {
      const Value& value = function.body.args[i];
      head +=
          (i == first ? "" : ", ") + body.parameter(value) + ": " + items_.type_text(value.type);
      if (const auto found = function.defaults.find(static_cast<int>(i));
          found != function.defaults.end()) {
        BodyWriter default_value(items_, block, problems_, function.name);
        head += " = " + default_value.value(found->second);
      }
    }
    head += ")";
    if (is_kernel) {
      head += kernel_results(function, body);
    } else if (function.results.size() == 1) {
      head += " -> " + items_.type_text(function.results[0]);
    } else if (function.results.size() > 1) {
      std::string list;
      for (const Type& type : function.results) {
        list += (list.empty() ? "" : ", ") + items_.type_text(type);
      }
      head += " -> (" + list + ")";
    }
    head += kernel_text(function) + " " + constraints(function.constraints, scopes) + "{\n";
    out_ += head + body.statements(function.body) + "}";
    if (function.grad) write_grad(function, block, scopes);
    out_ += "\n\n";
  }

  static const char* function_kind(FunctionKind kind) {
    switch (kind) {
      case FunctionKind::fn:
        return "fn";
      case FunctionKind::op:
        return "op";
      case FunctionKind::entry:
        return "entry";
      case FunctionKind::kernel:
        return "kernel";
    }
    return "fn";
  }

  std::string kernel_results(const Function& function, BodyWriter& body) {
    std::string text;
    if (!function.kernel) return text;
    for (const Value& result : function.kernel->results) {
      text += (text.empty() ? " -> " : ", ") + body.parameter(result) + ": " +
              items_.type_text(result.type);
    }
    std::string grid;
    for (const Dim& extent : function.kernel->grid) {
      grid += (grid.empty() ? "" : ", ") + to_text(extent);
    }
    text += " grid(" + grid + ")";
    if (function.kernel->warps) text += " warps(" + std::to_string(*function.kernel->warps) + ")";
    if (function.kernel->stages) {
      text += " stages(" + std::to_string(*function.kernel->stages) + ")";
    }
    return text;
  }

  void write_grad(const Function& function, const Block* block,
                  const std::vector<const std::vector<Generic>*>& scopes) {
    BodyWriter body(items_, block, problems_, function.name + " grad");
    body.reserve_uses(*function.grad);
    for (const auto* generics : scopes) {
      for (const Generic& generic : *generics) body.reserve(generic.name);
    }
    const std::size_t parameters = function.body.args.size();
    const std::vector<Value>& args = function.grad->args;
    if (args.size() == 2) {
      // The op's own parameters, used as they are.
      for (std::size_t i = block == nullptr ? 0 : 1; i < parameters; ++i) {
        body.parameter(function.body.args[i]);
      }
    } else if (args.size() != parameters + 2) {
      problems_.push_back({function.name, "has a gradient with other arguments than its own"});
      return;
    }
    const bool takes_block = block != nullptr && args.size() > 2;
    if (block != nullptr) body.own_block(takes_block ? args[0] : function.body.args[0]);
    for (std::size_t i = takes_block ? 1 : 0; i + 2 < args.size(); ++i) body.parameter(args[i]);
    const std::string y = body.parameter(args[args.size() - 2]);
    const std::string dy = body.parameter(args[args.size() - 1]);
    out_ += " grad(" + y + ", " + dy + ") {\n" + body.statements(*function.grad) + "}";
  }

  void write_block(const std::string& key, const Block& block) {
    out_ += doc(block.doc, "") + visibility(block.is_public) + std::string("block ") +
            items_.type(block.module, block.name) + to_text(block.generics) + " " +
            constraints(block.constraints, {&block.generics}) + "{\n";
    for (const Member& member : block.members) {
      const bool is_optional =
          member.type->kind == TypeKind::optional && member.kind != MemberKind::buffer;
      out_ += doc(member.doc, "    ") + "    " + std::string(member_kind(member.kind)) + " " +
              member.name + ": " + items_.type_text(member.type) + (is_optional ? " = none" : "") +
              "\n";
    }
    for (const Function& function : program_.functions) {
      if (function.block != key) continue;
      const std::size_t start = out_.size() + 1;
      out_ += "\n";
      write_function(function, &block);
      indent_from(start);
    }
    out_ += "}\n\n";
  }

  void indent_from(std::size_t start) {
    std::string indented;
    for (std::size_t begin = start; begin < out_.size();) {
      const std::size_t end = out_.find('\n', begin);
      if (end != begin) indented += "    ";
      indented.append(out_, begin, end + 1 - begin);
      begin = end + 1;
    }
    out_.replace(start, std::string::npos, indented);
  }

  static const char* member_kind(MemberKind kind) {
    switch (kind) {
      case MemberKind::param:
        return "param";
      case MemberKind::buffer:
        return "buffer";
      case MemberKind::state:
        return "state";
      case MemberKind::sub:
        return "sub";
    }
    return "param";
  }

  /// Blocks up to and with the one of `key`, in their order.
  void blocks_through(const std::string& key) {
    const auto found = std::find_if(program_.blocks.begin(), program_.blocks.end(),
                                    [&](const auto& block) { return block.first == key; });
    const auto end = static_cast<std::size_t>(found - program_.blocks.begin());
    while (next_block_ < program_.blocks.size() && next_block_ <= end) {
      const auto& [name, block] = program_.blocks[next_block_++];
      if (!items_.is_imported(block.module + "::" + block.name)) write_block(name, block);
    }
  }

  /// Functions in their order; a block stands where its methods do.
  void functions_and_blocks() {
    for (const Function& function : program_.functions) {
      if (!problems_.empty()) return;
      if (items_.is_imported(item_of(function.name))) continue;
      if (function.block.empty()) {
        write_function(function, nullptr);
      } else {
        blocks_through(function.block);
      }
    }
    blocks_through({});
  }
};

}  // namespace

std::optional<std::string> emit(const Program& program, std::vector<Problem>& problems,
                                const std::set<std::string>* importable) {
  std::vector<Problem> found;
  Program prepared = program;
  detail::declare_missing(prepared, found);
  detail::make_names_legal(prepared);
  std::string source;
  if (found.empty()) source = ModuleWriter(prepared, found, importable).write();
  if (found.empty()) {
    const syntax::SourceFile file(0, program.module + ".linnet", source);
    syntax::DiagnosticSink sink;
    if (auto formatted = syntax::format(file, sink)) return formatted;
    for (const syntax::Diagnostic& diagnostic : sink.diagnostics()) {
      const int line = diagnostic.span.valid() ? file.position(diagnostic.span.begin).line : 0;
      found.push_back({program.module, "cannot be written as source: " + diagnostic.message +
                                           ": `" + std::string(file.line_text(line)) + "`"});
    }
  }
  problems.insert(problems.end(), found.begin(), found.end());
  return std::nullopt;
}

}  // namespace linnet::plan
