#include "codegen/cpp/block.hpp"

#include <cstddef>
#include <set>
#include <string>

#include "codegen/cpp/entry.hpp"
#include "codegen/cpp/namer.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"

namespace linnet::cpp {

using ir::TypeKind;

namespace {

std::string block_type(const ProgramNames& names, const Spelling& spelling, const ir::Type& type) {
  const auto found = names.blocks.find(type->module + "::" + type->name);
  if (found == names.blocks.end()) throw Unsupported{"the block `" + type->name + "`"};
  const std::string arguments = spelling.arguments(type->args);
  return arguments.empty() ? found->second : found->second + "<" + arguments + ">";
}

std::string member_type(const ProgramNames& names, const Spelling& spelling,
                        const ir::Member& member) {
  const bool optional = member.type->kind == TypeKind::optional;
  const ir::Type& type = optional ? member.type->elements.at(0) : member.type;
  switch (member.kind) {
    case ir::MemberKind::sub:
      if (type->kind == TypeKind::array) {
        return "linnet::SubArray<" + block_type(names, spelling, type->elements.at(0)) + ", " +
               spelling.extent(type->length) + ">";
      }
      if (optional) return "linnet::OptionalSub<" + block_type(names, spelling, type) + ">";
      return block_type(names, spelling, type);
    case ir::MemberKind::param:
    case ir::MemberKind::buffer:
    case ir::MemberKind::state:
      break;
  }
  const char* name = member.kind == ir::MemberKind::state    ? "linnet::State<"
                     : member.kind == ir::MemberKind::buffer ? "linnet::Buffer<"
                     : optional                              ? "linnet::OptionalParam<"
                                                             : "linnet::Param<";
  return name + spelling.dtype(type->dtype) + ", " + spelling.shape(type->shape) + ">";
}

void collect_values(const Spelling& spelling, const ir::Dim& dim, std::set<int>& seen,
                    std::string& out) {
  if (dim->kind == ir::DimKind::symbol && seen.insert(dim->id).second) {
    out += ", linnet::ops::NamedExtent<" + quoted(dim->name) + ", " + spelling.extent(dim) + ">";
  }
  for (const ir::Dim& arg : dim->args) collect_values(spelling, arg, seen, out);
}

/// `static_assert(linnet::ops::require<"Block", "where A > 0", A > 0, values...>())`.
void write_constraint(const Spelling& spelling, const std::string& block,
                      const ir::Constraint& constraint, Text& out) {
  const std::string text = constraint.text.empty() ? ir::to_text(constraint) : constraint.text;
  std::set<int> seen;
  std::string values;
  collect_values(spelling, constraint.lhs, seen, values);
  collect_values(spelling, constraint.rhs, seen, values);
  out.line("static_assert(linnet::ops::require<" + quoted(block) + ", " + quoted("where " + text) +
           ", linnet::ops::holds<" + spelling.extent(constraint.lhs) +
           ", linnet::ops::Relation::" + std::string(ir::relation_name(constraint.relation)) +
           ", " + spelling.extent(constraint.rhs) + ">" + values + ">());");
}

}  // namespace

void write_block(const ProgramIndex& index, const ProgramNames& names, const Scope& module_scope,
                 const std::string& key, const ir::Block& block, Text& out,
                 std::vector<Refusal>& refused) {
  Scope scope(&module_scope);
  Surroundings around;
  around.scope = &scope;
  around.block_generics = block.generics;
  around.spelling.declare(block.generics, scope);
  const Spelling& spelling = around.spelling;
  const std::string qualified = names.blocks.at(block.module + "::" + block.name);
  const std::string name = qualified.substr(qualified.rfind("::") + 2);

  out.doc(block.doc);
  out.line("// block " + block.name + ir::to_text(block.generics));
  const std::string parameters = spelling.template_parameters(block.generics);
  if (!parameters.empty()) out.line("template <" + parameters + ">");
  out.open("struct " + name);
  for (const ir::Constraint& constraint : block.constraints) {
    write_constraint(spelling, block.name, constraint, out);
  }
  std::string accessors;
  for (const ir::Member& member : block.members) {
    const std::string& local =
        names.members.at(block.module + "::" + block.name + "." + member.name);
    scope.reserve(local);
    out.doc(member.doc);
    out.line(member_type(names, spelling, member) + " " + local + ";");
    accessors += (accessors.empty() ? "" : ", ") + std::string("linnet::member<") +
                 quoted(member.name) + ">(&" + name + "::" + local + ")";
  }
  out.blank();
  out.line("/// The members with their names, for linnet::for_each_parameter and its kin.");
  out.open("static constexpr auto linnet_members()");
  out.line("return linnet::members(" + accessors + ");");
  out.close();

  std::vector<const ir::Function*> methods;
  for (const ir::Function& function : index.program().functions) {
    if (function.block == key) methods.push_back(&function);
  }
  for (const ir::Function* method : methods) {
    scope.reserve(names.functions.at(method->name));
    scope.reserve(names.frames.at(method->name));
  }
  for (const ir::Function* method : methods) {
    Text text(out.level());
    try {
      write_function(index, names, around, *method, text);
      if (method->kind == ir::FunctionKind::entry) {
        text.blank();
        write_entry(index, names, around, *method, identifier(split_name(method->name).name), text);
      }
      out.blank();
      out.raw(text.take());
    } catch (const Unsupported& problem) {
      refused.push_back({method->name, problem.what});
      out.blank();
      out.line("// Not generated: " + split_name(method->name).name + " (" + problem.what + ").");
    }
  }
  out.close(";");
}

}  // namespace linnet::cpp
