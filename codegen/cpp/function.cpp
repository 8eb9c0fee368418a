#include "codegen/cpp/function.hpp"

#include <cstddef>

#include "codegen/cpp/kernel_table.hpp"
#include "codegen/cpp/namer.hpp"
#include "codegen/ir/print.hpp"

namespace linnet::cpp {

using ir::TypeKind;

Signature make_signature(const ProgramIndex& index, const ir::Function& function, Scope& scope) {
  Signature signature;
  for (std::size_t i = 0; i < function.results.size(); ++i) {
    const std::string name = function.results.size() == 1 ? "out" : "out_" + std::to_string(i);
    collect_leaves(index, function.results[i], name, true, signature.results);
  }
  for (const ir::Value& arg : function.body.args) {
    if (arg.type->kind == TypeKind::block) continue;
    collect_leaves(index, arg.type, arg.name.empty() ? "x" : arg.name, false, signature.parameters);
  }
  // Parameters keep their names; results give way.
  for (Leaf& leaf : signature.parameters) leaf.name = scope.name(leaf.name);
  for (Leaf& leaf : signature.results) leaf.name = scope.name(leaf.name);
  signature.returns_scalar =
      signature.results.size() == 1 && signature.results[0].type->kind != TypeKind::tensor;
  return signature;
}

std::string source_signature(const ir::Function& function) {
  std::string text = split_name(function.name).name + ir::to_text(function.generics) + "(";
  bool first = true;
  for (const ir::Value& arg : function.body.args) {
    if (arg.type->kind == TypeKind::block) continue;
    text += (first ? "" : ", ") + arg.name + ": " + ir::to_text(arg.type);
    first = false;
  }
  text += ")";
  for (std::size_t i = 0; i < function.results.size(); ++i) {
    text += (i == 0 ? " -> " : ", ") + ir::to_text(function.results[i]);
  }
  return text;
}

bool mentions(std::string_view text, std::string_view name) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) {
      return true;
    }
  }
  return false;
}

void write_generic_values(const Spelling& spelling, const std::vector<ir::Generic>& generics,
                          std::string_view used_in, Text& out) {
  for (const ir::Generic& generic : generics) {
    if (generic.kind == ir::GenericKind::dtype) continue;
    if (!mentions(used_in, spelling.local(generic))) continue;
    const std::string name = spelling.generic_name(generic);
    const std::string extent =
        generic.kind == ir::GenericKind::dim ? name : "linnet::size_of<" + name + ">";
    out.line("const std::int64_t " + spelling.local(generic) + " = symbols.template value<" +
             extent + ">();");
  }
}

void write_frame(const std::string& head, const std::string& name, const std::vector<Slot>& slots,
                 const std::string& no_frame_condition, Text& out) {
  out.line(head);
  out.open("struct " + name);
  if (slots.empty()) {
    out.line("static constexpr std::size_t bytes = 0;");
    out.close(";");
    return;
  }
  out.line("static constexpr auto layout = linnet::layout_arena(");
  out.line("    std::to_array<linnet::ArenaBuffer>({");
  for (const Slot& slot : slots) {
    out.line("        " + slot.buffer + "(" + std::to_string(slot.first) + ", " +
             std::to_string(slot.last) + "),  // " + slot.name);
  }
  out.line("    }));");
  if (no_frame_condition.empty()) {
    out.line("static constexpr std::size_t bytes = layout.bytes;");
  } else {
    out.open("static constexpr std::size_t bytes = []");
    out.open("if constexpr (" + no_frame_condition + ")");
    out.line("return std::size_t{0};");
    out.reopen("else");
    out.line("return layout.bytes;");
    out.close();
    out.close("();");
  }
  out.line("static constexpr std::size_t at(std::size_t slot) { return layout.offsets[slot]; }");
  out.close(";");
}

namespace {

std::string scalar_text(const ProgramNames& names, const Spelling& spelling, const ir::Type& type) {
  if (type->kind == TypeKind::enumeration) {
    const auto found = names.enums.find(type->module + "::" + type->name);
    return found == names.enums.end() ? "int" : found->second;
  }
  return spelling.dtype(type->dtype);
}

}  // namespace

void write_function(const ProgramIndex& index, const ProgramNames& names,
                    const Surroundings& around, const ir::Function& function, Text& out) {
  Scope scope(around.scope);
  Spelling spelling = around.spelling;
  spelling.declare(function.generics, scope);
  const Signature signature = make_signature(index, function, scope);
  const bool method = !function.block.empty();
  const std::string qualified = names.functions.at(function.name);
  const std::size_t colons = qualified.rfind("::");
  const std::string name = colons == std::string::npos ? qualified : qualified.substr(colons + 2);
  const std::string qualified_frame = names.frames.at(function.name);
  const std::size_t frame_colons = qualified_frame.rfind("::");
  const std::string frame_name = frame_colons == std::string::npos
                                     ? qualified_frame
                                     : qualified_frame.substr(frame_colons + 2);

  const Kernel* kernel =
      function.kind == ir::FunctionKind::op ? find_kernel(function.name) : nullptr;
  BodyWriter body(index, names, spelling, function, scope);
  body.write(signature, out.level() + (kernel == nullptr ? 1 : 2));

  const std::string parameters = spelling.template_parameters(function.generics);
  const std::string head =
      "template <linnet::Numerics P" + (parameters.empty() ? "" : ", " + parameters) + ">";
  const std::string generics = spelling.template_arguments(function.generics);
  const std::string arguments = "P" + (generics.empty() ? "" : ", " + generics);
  const std::string condition =
      kernel == nullptr ? "" : kernel_condition(*kernel, function, spelling);

  write_frame(head, frame_name, body.slots(), condition, out);
  out.blank();
  out.doc(function.doc);
  out.line("// " + source_signature(function));
  for (const ir::Constraint& constraint : function.constraints) {
    out.line("// where " + ir::to_text(constraint));
  }
  out.line(head);
  const std::string result =
      signature.returns_scalar ? scalar_text(names, spelling, signature.results[0].type) : "void";
  // What the body does not mention has no name.
  std::string used = body.text();
  if (kernel != nullptr) {
    used += " context";
    for (const Leaf& leaf : signature.parameters) used += " " + leaf.name;
  }
  bool needs_symbols = mentions(used, "symbols");
  for (const std::vector<ir::Generic>* generics_of : {&around.block_generics, &function.generics}) {
    for (const ir::Generic& generic : *generics_of) {
      if (generic.kind == ir::GenericKind::dtype) continue;
      needs_symbols = needs_symbols || mentions(body.text(), spelling.local(generic));
    }
  }
  const auto named = [&](const std::string& type, const std::string& parameter, bool is_used) {
    return is_used ? type + " " + parameter : type;
  };
  std::vector<std::string> list{named("linnet::Context&", "context", mentions(used, "context")),
                                named("const auto&", "symbols", needs_symbols),
                                named("std::byte*", "frame", mentions(used, "frame"))};
  if (!signature.returns_scalar) {
    for (const Leaf& leaf : signature.results) {
      if (leaf.presence) {
        list.push_back("bool& " + leaf.name);
      } else if (leaf.type->kind == TypeKind::tensor) {
        list.push_back("const auto& " + leaf.name);
      } else {
        list.push_back(scalar_text(names, spelling, leaf.type) + "& " + leaf.name);
      }
    }
  }
  for (const Leaf& leaf : signature.parameters) {
    const bool plain =
        leaf.type->kind == TypeKind::scalar || leaf.type->kind == TypeKind::enumeration;
    list.push_back(named(plain ? scalar_text(names, spelling, leaf.type) : "const auto&", leaf.name,
                         mentions(used, leaf.name)));
  }
  std::string text = (method ? "" : "inline ") + result + " " + name + "(";
  for (std::size_t i = 0; i < list.size(); ++i) text += (i == 0 ? "" : ", ") + list[i];
  out.open(text + ")");
  if (kernel != nullptr) {
    out.open("if constexpr (" + condition + ")");
    std::string call = "linnet::kernels::" + kernel->function + "(context";
    for (const Leaf& leaf : signature.results) call += ", " + leaf.name;
    for (const Leaf& leaf : signature.parameters) call += ", " + leaf.name;
    out.line(call + ");");
    out.reopen("else");
  }
  if (!body.slots().empty()) {
    out.line("using Frame = " + frame_name + "<" + arguments + ">;");
  }
  write_generic_values(spelling, around.block_generics, body.text(), out);
  write_generic_values(spelling, function.generics, body.text(), out);
  out.raw(body.text());
  if (kernel != nullptr) out.close();
  out.close();
}

}  // namespace linnet::cpp
