#include "codegen/plan/emit/items.hpp"

#include <algorithm>

#include "codegen/ir/print.hpp"

namespace linnet::plan::detail {
using namespace ir;

bool is_taken_word(const std::string& name) {
  static const std::set<std::string> words = {
      "module", "use",    "pub",     "crate",   "self",         "super",   "as",     "const",
      "type",   "struct", "enum",    "fn",      "op",           "block",   "entry",  "param",
      "buffer", "state",  "sub",     "let",     "var",          "return",  "if",     "else",
      "match",  "static", "for",     "in",      "while",        "where",   "true",   "false",
      "none",   "some",   "extern",  "async",   "await",        "effect",  "unsafe", "macro",
      "trait",  "impl",   "derive",  "rng",     "mut",          "ref",     "yield",  "kernel",
      "device", "bool",   "i8",      "i16",     "i32",          "i64",     "u8",     "u16",
      "u32",    "u64",    "f16",     "bf16",    "f32",          "f64",     "Tensor", "Dim",
      "Shape",  "DType",  "Numeric", "Integer", "Float",        "cast",    "exp",    "log",
      "sqrt",   "rsqrt",  "sin",     "cos",     "tanh",         "abs",     "min",    "max",
      "shl",    "shr",    "select",  "reshape", "broadcast_to", "permute", "concat", "iota",
      "fill",   "cumsum", "pad",     "gather",  "scatter",      "_"};
  return words.contains(name);
}

std::string unique_name(const std::string& name, std::set<std::string>& taken) {
  std::string candidate = name;
  for (int i = 2; is_taken_word(candidate) || !taken.insert(candidate).second; ++i) {
    candidate = name + "__" + std::to_string(i);
  }
  return candidate;
}

std::pair<std::string, std::string> split_name(const std::string& full_name) {
  const std::size_t colons = full_name.find("::");
  if (colons == std::string::npos) return {"", full_name};
  return {full_name.substr(0, colons), full_name.substr(colons + 2)};
}

Items::Items(const Program& program, const std::set<std::string>* importable)
    : program_(program),
      lookup_(program),
      effects_(program),
      references_(references(program)),
      declared_here_(declared_here(program, references_, importable)) {
  // The root module's items keep their names, then those of other modules of its package,
  // then imports.
  const auto rank = [&](const std::string& module, const std::string& name) {
    return module == program.module ? 0 : is_imported(module + "::" + name) ? 2 : 1;
  };
  std::vector<std::pair<std::string, std::string>> items;
  for (const Constant& constant : program.constants) items.push_back(split_name(constant.name));
  for (const Structure& item : program.structures) items.emplace_back(item.module, item.name);
  for (const Enumeration& item : program.enumerations) items.emplace_back(item.module, item.name);
  for (const auto& [key, block] : program.blocks) items.emplace_back(block.module, block.name);
  for (const Function& function : program.functions) {
    const auto [module, name] = split_name(function.name);
    note_module(module);
    if (function.block.empty()) items.emplace_back(module, name);
  }
  for (const auto& [module, name] : items) note_module(module);
  for (int round = 0; round < 3; ++round) {
    if (round == 1) add_local_names();
    for (const auto& [module, name] : items) {
      if (rank(module, name) == round) add(module, name);
    }
  }
}

/// Members, methods, generics and parameters of what is declared here: in its own module none
/// hides an item that is used with it, but it may hide one that comes from elsewhere.
void Items::add_local_names() {
  const auto add_generics = [&](const std::vector<Generic>& generics) {
    for (const Generic& generic : generics) taken_.insert(generic.name);
  };
  for (const auto& [key, block] : program_.blocks) {
    if (is_imported(block.module + "::" + block.name)) continue;
    add_generics(block.generics);
    for (const Member& member : block.members) taken_.insert(member.name);
  }
  for (const Function& function : program_.functions) {
    if (is_imported(item_of(function.name))) continue;
    add_generics(function.generics);
    if (!function.block.empty()) taken_.insert(function.name.substr(function.name.rfind('.') + 1));
    for (const Value& parameter : function.body.args) taken_.insert(parameter.name);
    if (!function.grad) continue;
    for (const Value& parameter : function.grad->args) taken_.insert(parameter.name);
  }
}

bool Items::is_imported(const std::string& item) const {
  return item.starts_with("std.") && split_name(item).first != program_.module &&
         !declared_here_.contains(item);
}

void Items::note_module(const std::string& module) {
  if (std::find(modules_.begin(), modules_.end(), module) == modules_.end()) {
    modules_.push_back(module);
  }
}

void Items::add(const std::string& module, const std::string& name) {
  names_.emplace(module + "::" + name, unique_name(name, taken_));
}

std::string Items::named(const std::string& module, const std::string& name) {
  const std::string item = module + "::" + name;
  if (is_imported(item)) used_[module].insert(name);
  const auto found = names_.find(item);
  return found == names_.end() ? name : found->second;
}

std::string Items::function(const std::string& full_name) {
  const auto [module, name] = split_name(full_name);
  return named(module, name);
}

std::string Items::type(const std::string& module, const std::string& name) {
  return named(module, name);
}

std::string Items::constant(const std::string& full_name) {
  const auto [module, name] = split_name(full_name);
  return named(module, name);
}

std::string Items::arguments_text(const std::vector<GenericArgument>& arguments) {
  if (arguments.empty()) return {};
  std::string text;
  for (const GenericArgument& argument : arguments) {
    text += (text.empty() ? "<" : ", ") + to_text(argument);
  }
  return text + ">";
}

std::string Items::type_text(const Type& t) {
  switch (t->kind) {
    case TypeKind::tuple: {
      std::string text = "(";
      for (std::size_t i = 0; i < t->elements.size(); ++i) {
        text += (i == 0 ? "" : ", ") + type_text(t->elements[i]);
      }
      return text + (t->elements.size() == 1 ? ",)" : ")");
    }
    case TypeKind::optional:
      return type_text(t->elements[0]) + "?";
    case TypeKind::array:
      return "[" + type_text(t->elements[0]) + "; " + to_text(t->length) + "]";
    case TypeKind::block:
    case TypeKind::structure:
    case TypeKind::enumeration:
      return type(t->module, t->name) + arguments_text(t->args);
    default:
      return to_text(t);
  }
}

/// The modules that come along with the used ones: what their items call or name.
std::set<std::string> Items::reached_modules() const {
  std::map<std::string, std::set<std::string>> edges;
  for (const auto& [item, others] : references_) {
    if (!is_imported(item)) continue;
    for (const std::string& other : others) {
      edges[split_name(item).first].insert(split_name(other).first);
    }
  }
  std::set<std::string> reached;
  std::vector<std::string> open;
  for (const auto& [module, items] : used_) open.push_back(module);
  while (!open.empty()) {
    const std::string module = open.back();
    open.pop_back();
    if (!reached.insert(module).second) continue;
    for (const std::string& other : edges[module]) open.push_back(other);
  }
  return reached;
}

std::string Items::public_item(const std::string& module) const {
  for (const Function& function : program_.functions) {
    const auto [owner, name] = split_name(function.name);
    if (owner != module || !function.is_public || !function.block.empty()) continue;
    if (is_imported(function.name)) return name;
  }
  for (const auto& [key, block] : program_.blocks) {
    if (block.module != module || !block.is_public) continue;
    if (is_imported(module + "::" + block.name)) return block.name;
  }
  return {};
}

std::string Items::imports() {
  const std::set<std::string> reached = reached_modules();
  std::string text;
  for (const std::string& module : modules_) {
    std::string list;
    if (const auto used = used_.find(module); used != used_.end()) {
      for (const std::string& name : used->second) {
        const std::string& here = names_.at(module + "::" + name);
        list += (list.empty() ? "" : ", ") + name + (here == name ? "" : " as " + here);
      }
    } else if (!reached.contains(module)) {
      const std::string name = public_item(module);
      if (!name.empty()) list = name + " as " + unique_name("_" + name, taken_);
    }
    if (!list.empty()) text += "use " + module + "::{" + list + "}\n";
  }
  return text;
}

}  // namespace linnet::plan::detail
