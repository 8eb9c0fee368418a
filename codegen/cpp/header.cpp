#include "codegen/cpp/header.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <set>

#include "codegen/cpp/block.hpp"
#include "codegen/cpp/entry.hpp"
#include "codegen/cpp/function.hpp"
#include "codegen/cpp/namer.hpp"
#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"

namespace linnet::cpp {

using ir::OpKind;
using ir::TypeKind;

namespace {

/// What one module declares, in the order that it is written.
struct Module {
  std::string name;
  std::vector<const ir::Enumeration*> enums;
  std::vector<const ir::Constant*> constants;
  std::vector<const ir::Function*> functions;  // free ones
  std::vector<const std::pair<std::string, ir::Block>*> blocks;
};

void each_op(const ir::Region& region, const auto& visit) {
  for (const ir::Op& op : region.ops) {
    visit(op);
    for (const ir::Region& inner : op.regions) each_op(inner, visit);
  }
}

/// FNV-1a, for telling two texts of one module apart.
std::string fingerprint(const std::string& text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

class HeaderWriter {
 public:
  HeaderWriter(const ir::Program& program, const GenerateOptions& options)
      : program_(program), index_(program) {
    names_.numerics = options.numerics;
  }

  Header write() {
    collect_modules();
    choose_names();
    Text out;
    write_opening(out);
    for (const std::string& name : ordered_modules()) write_module(modules_.at(name), out);
    write_signatures(out);
    Header header;
    header.errors = errors();
    if (header.errors.empty()) header.text = wrapped(out.take());
    return header;
  }

 private:
  void collect_modules() {
    const auto module = [&](const std::string& name) -> Module& {
      const auto [found, is_new] = modules_.try_emplace(name);
      if (is_new) {
        found->second.name = name;
        module_order_.push_back(name);
      }
      return found->second;
    };
    for (const ir::Function& function : program_.functions) {
      const QualifiedName name = split_name(function.name);
      Module& home = module(name.module);
      if (function.block.empty()) home.functions.push_back(&function);
    }
    for (const auto& entry : program_.blocks) module(entry.second.module).blocks.push_back(&entry);
    for (const ir::Enumeration& each : program_.enumerations) {
      module(each.module).enums.push_back(&each);
    }
    for (const ir::Constant& each : program_.constants) {
      module(split_name(each.name).module).constants.push_back(&each);
    }
  }

  void choose_names() {
    for (const std::string& module_name : module_order_) {
      const Module& module = modules_.at(module_name);
      const std::string space = module_namespace(module.name) + "::";
      Scope& scope = scopes_[module.name];
      for (const ir::Enumeration* each : module.enums) {
        names_.enums[module.name + "::" + each->name] = space + scope.name(each->name);
      }
      for (const ir::Constant* each : module.constants) {
        constants_[each] = scope.name(split_name(each->name).name);
      }
      for (const auto* each : module.blocks) {
        names_.blocks[each->second.module + "::" + each->second.name] =
            space + scope.name(each->second.name);
      }
      for (const ir::Function* function : module.functions) {
        const std::string name = split_name(function->name).name;
        const bool entry = function->kind == ir::FunctionKind::entry;
        if (entry) scope.reserve(identifier(name));
        names_.functions[function->name] = space + scope.name(entry ? name + "_body" : name);
        names_.frames[function->name] = space + scope.name(name + "_frame");
      }
    }
    for (const auto& [key, block] : program_.blocks) {
      Scope members(&scopes_[block.module]);
      for (const ir::Generic& generic : block.generics) members.reserve(identifier(generic.name));
      for (const ir::Member& member : block.members) {
        names_.members[block.module + "::" + block.name + "." + member.name] =
            members.name(member.name);
      }
      for (const ir::Function& function : program_.functions) {
        if (function.block != key) continue;
        const std::string name = split_name(function.name).name;
        const bool entry = function.kind == ir::FunctionKind::entry;
        if (entry) members.reserve(identifier(name));
        names_.functions[function.name] = members.name(entry ? name + "_body" : name);
        names_.frames[function.name] = members.name(name + "_frame");
      }
    }
  }

  /// Modules after those that they use; otherwise in the order of the plan.
  std::vector<std::string> ordered_modules() {
    std::map<std::string, std::set<std::string>> uses;
    const auto add_type = [&](const auto& self, const std::string& from,
                              const ir::Type& type) -> void {
      if (!type->module.empty()) uses[from].insert(type->module);
      for (const ir::Type& element : type->elements) self(self, from, element);
    };
    for (const ir::Function& function : program_.functions) {
      const std::string from = split_name(function.name).module;
      each_op(function.body, [&](const ir::Op& op) {
        if (!op.attrs.callee.empty()) uses[from].insert(split_name(op.attrs.callee).module);
      });
    }
    for (const auto& [key, block] : program_.blocks) {
      for (const ir::Member& member : block.members) add_type(add_type, block.module, member.type);
    }
    std::vector<std::string> order;
    std::set<std::string> done;
    const auto visit = [&](const auto& self, const std::string& name) -> void {
      if (!modules_.contains(name) || !done.insert(name).second) return;
      for (const std::string& used : uses[name]) self(self, used);
      order.push_back(name);
    };
    for (const std::string& name : module_order_) visit(visit, name);
    return order;
  }

  void write_opening(Text& out) {
    out.line("// Generated by linnet " LINNET_CPP_VERSION " from `" + program_.module +
             "`. Do not edit.");
    out.line("#pragma once");
    out.blank();
    out.line("#include \"linnet/ops/generated.hpp\"");
    out.blank();
    out.line("static_assert(linnet::generated_version == " LINNET_CPP_GENERATION ",");
    out.line(
        "              \"this header was generated for another version of the Linnet "
        "runtime\");");
    out.blank();
  }

  void write_module(const Module& module, Text& out) {
    Text text;
    const std::string space = module_namespace(module.name);
    text.line("namespace " + space + " {");
    text.blank();
    for (const ir::Enumeration* each : module.enums) write_enum(*each, text);
    for (const ir::Constant* each : module.constants) write_constant(*each, text);
    for (const ir::Function* each : ordered_functions(module)) write_free_function(*each, text);
    for (const auto* each : ordered_blocks(module)) {
      std::vector<Refusal> refused;
      Text block;
      try {
        write_block(index_, names_, scopes_[module.name], each->first, each->second, block,
                    refused);
        text.raw(block.take());
      } catch (const Unsupported& problem) {
        refused_[module.name + "::" + each->second.name] = problem.what;
        text.line("// Not generated: block " + each->second.name + " (" + problem.what + ").");
      }
      for (const Refusal& each_refusal : refused) {
        refused_[each_refusal.function] = each_refusal.reason;
      }
      text.blank();
    }
    text.line("}  // namespace " + space);
    const std::string body = text.take();
    // Two headers may hold the same module: the first one counts.
    std::string guard = "LINNET_MODULE_" + identifier(module.name) + "_" + fingerprint(body);
    out.line("#ifndef " + guard);
    out.line("#define " + guard);
    out.raw(body);
    out.line("#endif");
    out.blank();
  }

  void write_enum(const ir::Enumeration& each, Text& out) {
    const std::string qualified = names_.enums.at(each.module + "::" + each.name);
    std::string variants;
    for (const std::string& variant : each.variants) {
      variants += (variants.empty() ? "" : ", ") + identifier(variant);
    }
    out.doc(each.doc);
    out.line("enum class " + qualified.substr(qualified.rfind("::") + 2) + " : int { " + variants +
             " };");
    out.blank();
  }

  /// Scalar constants are C++ constants; bodies hold the values of all constants themselves.
  void write_constant(const ir::Constant& each, Text& out) {
    if (each.type->kind != TypeKind::scalar || each.type->dtype.is_variable) return;
    const ir::Op* value = nullptr;
    if (each.body.ops.size() == 2) value = &each.body.ops[0];
    if (value == nullptr || value->results.empty()) return;
    const std::string type = scalar_type(each.type->dtype.scalar);
    std::string text;
    if (const auto* integer = std::get_if<std::int64_t>(&value->attrs.value)) {
      text = "std::int64_t(" + std::to_string(*integer) + ")";
      if (*integer == INT64_MIN) return;
    } else if (const auto* real = std::get_if<double>(&value->attrs.value)) {
      char digits[64];
      std::snprintf(digits, sizeof digits, "%.17g", *real);
      text = std::string("double(") + digits + ")";
      if (text.find_first_of("in") != std::string::npos && text.find("inf") != std::string::npos) {
        return;
      }
    } else {
      return;
    }
    out.line("inline constexpr " + type + " " + constants_.at(&each) + " = linnet::arith::cast<" +
             type + ">(" + text + ");");
    out.blank();
  }

  std::vector<const ir::Function*> ordered_functions(const Module& module) {
    std::vector<const ir::Function*> order;
    std::set<const ir::Function*> done;
    const auto visit = [&](const auto& self, const ir::Function* function) -> void {
      if (!done.insert(function).second) return;
      each_op(function->body, [&](const ir::Op& op) {
        if (op.attrs.callee.empty()) return;
        const ir::Function* callee = index_.function(op.attrs.callee);
        if (callee != nullptr && callee->block.empty() &&
            split_name(callee->name).module == module.name) {
          self(self, callee);
        }
      });
      order.push_back(function);
    };
    for (const ir::Function* function : module.functions) visit(visit, function);
    return order;
  }

  std::vector<const std::pair<std::string, ir::Block>*> ordered_blocks(const Module& module) {
    std::vector<const std::pair<std::string, ir::Block>*> order;
    std::set<std::string> done;
    const auto visit = [&](const auto& self,
                           const std::pair<std::string, ir::Block>* block) -> void {
      if (!done.insert(block->second.name).second) return;
      const auto use = [&](const auto& again, const ir::Type& type) -> void {
        if (type->kind == TypeKind::block && type->module == module.name) {
          for (const auto* other : module.blocks) {
            if (other->second.name == type->name) self(self, other);
          }
        }
        for (const ir::Type& element : type->elements) again(again, element);
      };
      for (const ir::Member& member : block->second.members) use(use, member.type);
      order.push_back(block);
    };
    for (const auto* block : module.blocks) visit(visit, block);
    return order;
  }

  void write_free_function(const ir::Function& function, Text& out) {
    if (function.kind == ir::FunctionKind::kernel) {
      refused_[function.name] = "a tile kernel is never called by itself";
      return;
    }
    Surroundings around;
    around.scope = &scopes_[split_name(function.name).module];
    Text text;
    try {
      write_function(index_, names_, around, function, text);
      if (function.kind == ir::FunctionKind::entry) {
        text.blank();
        write_entry(index_, names_, around, function, identifier(split_name(function.name).name),
                    text);
      }
      out.raw(text.take());
    } catch (const Unsupported& problem) {
      refused_[function.name] = problem.what;
      out.line("// Not generated: " + split_name(function.name).name + " (" + problem.what + ").");
    }
    out.blank();
  }

  /// What a reader of the header can ask it: entries, and the parameters of the root.
  void write_signatures(Text& out) {
    const std::string space = module_namespace(program_.module);
    out.line("namespace " + space + " {");
    out.blank();
    std::vector<std::string> entries;
    for (const ir::Function& function : program_.functions) {
      if (function.kind != ir::FunctionKind::entry) continue;
      if (split_name(function.name).module != program_.module) continue;
      entries.push_back("    {" + quoted(split_name(function.name).block) + ", " +
                        quoted(split_name(function.name).name) + ", " +
                        quoted(source_signature(function)) + "},");
    }
    if (!entries.empty()) {
      out.line("/// The entries of the program: block, name, signature.");
      out.line("inline constexpr linnet::ops::EntryInfo signature_entries[] = {");
      for (const std::string& entry : entries) out.line(entry);
      out.line("};");
      out.blank();
    }
    if (!program_.manifest.empty()) {
      out.line("/// What a checkpoint holds for `" +
               (program_.root ? program_.root->name : std::string()) +
               "`: path, kind, dtype, shape, whether it may be missing.");
      out.line("inline constexpr linnet::ops::ParameterInfo signature_parameters[] = {");
      for (const ir::ManifestEntry& each : program_.manifest) {
        std::string repeat;
        for (const ir::Dim& dim : each.repeat) {
          repeat += (repeat.empty() ? "" : ", ") + ir::to_text(dim);
        }
        out.line("    {" + quoted(each.path) + ", " +
                 quoted(std::string(ir::member_kind_name(each.kind))) + ", " +
                 quoted(ir::to_text(each.dtype)) + ", " +
                 quoted("[" + ir::to_text(each.shape) + "]") + ", " + quoted(repeat) + ", " +
                 (each.optional ? "true" : "false") + "},");
      }
      out.line("};");
      out.blank();
    }
    out.line("}  // namespace " + space);
  }

  /// The refusals that entries reach.
  std::vector<GenerationError> errors() {
    std::vector<GenerationError> result;
    std::set<std::string> seen;
    std::vector<const ir::Function*> pending;
    for (const ir::Function& function : program_.functions) {
      const bool wanted = function.kind == ir::FunctionKind::entry;
      if (wanted && seen.insert(function.name).second) pending.push_back(&function);
    }
    for (std::size_t i = 0; i < pending.size(); ++i) {
      const auto found = refused_.find(pending[i]->name);
      if (found != refused_.end()) {
        result.push_back({pending[i]->name, "not implemented: " + found->second});
      }
      each_op(pending[i]->body, [&](const ir::Op& op) {
        const ir::Function* callee =
            op.attrs.callee.empty() ? nullptr : index_.function(op.attrs.callee);
        if (callee != nullptr && seen.insert(callee->name).second) pending.push_back(callee);
      });
    }
    for (const auto& [key, block] : program_.blocks) {
      const auto found = refused_.find(block.module + "::" + block.name);
      if (found != refused_.end()) {
        result.push_back({found->first, "not implemented: " + found->second});
      }
    }
    return result;
  }

  const ir::Program& program_;
  ProgramIndex index_;
  ProgramNames names_;
  std::map<std::string, Module> modules_;
  std::vector<std::string> module_order_;
  std::map<std::string, Scope> scopes_;
  std::map<const ir::Constant*, std::string> constants_;
  std::map<std::string, std::string> refused_;  // function or block → why
};

}  // namespace

Header generate(const ir::Program& program, const GenerateOptions& options) {
  try {
    return HeaderWriter(program, options).write();
  } catch (const Unsupported& problem) {
    return {"", {{"", "not implemented: " + problem.what}}};
  } catch (const std::exception& problem) {
    // A plan that the verifier lets through but that is not what its ops promise.
    return {"", {{"", std::string("the plan is malformed (") + problem.what() + ")"}}};
  }
}

}  // namespace linnet::cpp
