// Names that the language accepts.

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "codegen/ir/lookup.hpp"
#include "codegen/ir/renumber.hpp"
#include "codegen/ir/walk.hpp"
#include "codegen/plan/emit/items.hpp"
#include "codegen/plan/emit/prepare.hpp"

namespace linnet::plan::detail {

using namespace ir;

namespace {

using Renaming = std::map<std::string, std::string>;

bool touches_state(OpKind kind) {
  return kind == OpKind::state_read || kind == OpKind::state_write;
}

bool is_used(const Region& region, int id) {
  bool found = false;
  walk(region, [&](const Op& op) {
    found = found || std::find(op.operands.begin(), op.operands.end(), id) != op.operands.end();
  });
  return found;
}

/// Whether a name looks like one that `emit` makes up or keeps apart, `_3` or `x__2`: lowering
/// takes such marks for no part of a name.
bool has_mark(const std::string& name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (name.size() > 1 && name[0] == '_' && is_digit(name[1])) return true;
  const std::size_t last = name.find_last_not_of("0123456789");
  return last != std::string::npos && last > 0 && last + 1 < name.size() && name[last] == '_' &&
         name[last - 1] == '_';
}

void forget_marked(std::vector<Value>& values) {
  for (Value& value : values) {
    if (has_mark(value.name)) value.name.clear();
  }
}

class Legal {
 public:
  explicit Legal(Program& program)
      : program_(program), lookup_(program), types_(value_types(program)) {}

  void run() {
    for (auto& [key, block] : program_.blocks) members(key, block);
    for (Structure& structure : program_.structures) {
      std::set<std::string> taken;
      for (auto& [name, type] : structure.fields) name = unique_name(name, taken);
      taken.clear();
      (void)rename(structure.generics, taken);
    }
    for (Enumeration& enumeration : program_.enumerations) {
      std::set<std::string> taken;
      Renaming& renamed = variants_[{enumeration.module, enumeration.name}];
      for (std::string& variant : enumeration.variants) {
        variant = renamed[variant] = unique_name(variant, taken);
      }
    }
    for_each_body(program_, [&](Region& region) { walk(region, [&](Op& op) { apply(op); }); });
    for (auto& [key, block] : program_.blocks) {
      std::set<std::string> taken;
      if (rename(block.generics, taken)) forget_texts(block.constraints);
      block_generics_[key] = std::move(taken);
    }
    for (Function& function : program_.functions) {
      if (const auto found = methods_.find(function.name); found != methods_.end()) {
        function.name = found->second;
      }
      generics_and_parameters(function);
    }
    renumber(program_);
  }

 private:
  Program& program_;
  Lookup lookup_;
  std::map<int, Type> types_;
  std::map<const Block*, Renaming> members_;
  Renaming methods_;
  std::map<std::pair<std::string, std::string>, Renaming> variants_;
  std::map<std::string, std::set<std::string>> block_generics_;

  static void forget_texts(std::vector<Constraint>& constraints) {
    for (Constraint& constraint : constraints) constraint.text.clear();
  }

  /// Whether one of them got another name.
  static bool rename(std::vector<Generic>& generics, std::set<std::string>& taken) {
    bool changed = false;
    for (Generic& generic : generics) {
      const std::string before = std::exchange(generic.name, unique_name(generic.name, taken));
      changed = changed || generic.name != before;
    }
    return changed;
  }

  void members(const std::string& key, Block& block) {
    std::set<std::string> taken;
    Renaming& renamed = members_[&block];
    for (Member& member : block.members) {
      member.name = renamed[member.name] = unique_name(member.name, taken);
    }
    for (const Function& function : program_.functions) {
      if (function.block != key) continue;
      const std::size_t dot = function.name.rfind('.');
      methods_[function.name] =
          function.name.substr(0, dot + 1) + unique_name(function.name.substr(dot + 1), taken);
    }
  }

  void apply(Op& op) {
    Attributes& attrs = op.attrs;
    forget_marked(op.results);
    for (Region& inner : op.regions) forget_marked(inner.args);
    if (const auto method = methods_.find(attrs.callee); method != methods_.end()) {
      attrs.callee = method->second;
    }
    const bool names_member =
        op.kind == OpKind::block_param || op.kind == OpKind::block_sub || touches_state(op.kind);
    if (names_member) {
      const Block* block = lookup_.block(*types_.at(op.operands[0]));
      if (block == nullptr) return;
      const std::string& name = members_.at(block).at(attrs.name);
      // A read is named after its member.
      if (!op.results.empty() && op.results[0].name == attrs.name) op.results[0].name = name;
      attrs.name = name;
    } else if (op.kind == OpKind::enum_const) {
      attrs.name = variant(op.results[0].type, attrs.name);
    } else if (op.kind == OpKind::enum_match) {
      for (std::string& name : attrs.variants) name = variant(types_.at(op.operands[0]), name);
    }
  }

  [[nodiscard]] std::string variant(const Type& type, const std::string& name) const {
    const auto found = variants_.find({type->module, type->name});
    if (found == variants_.end()) return name;
    const auto renamed = found->second.find(name);
    return renamed == found->second.end() ? name : renamed->second;
  }

  /// The bare names that a function's body and signature use.
  [[nodiscard]] std::set<std::string> used_names(const Function& function) const {
    std::set<std::string> used;
    const auto note_type = [&used](const Type& type) {
      each_type(type, [&used](const Type& part) {
        if (!part->name.empty()) used.insert(part->name);
      });
    };
    const int own_block = function.block.empty() ? -1 : function.body.args[0].id;
    const auto note_op = [&](const Op& op) {
      const std::string& callee = op.attrs.callee;
      const bool is_own = !op.operands.empty() && op.operands[0] == own_block;
      if (is_own && !op.attrs.name.empty()) used.insert(op.attrs.name);
      if (!callee.empty()) {
        const std::string name = split_name(callee).second;
        const std::size_t dot = name.find('.');
        if (dot == std::string::npos) used.insert(name);
        if (dot != std::string::npos && is_own) used.insert(name.substr(dot + 1));
      }
      for (const Value& result : op.results) note_type(result.type);
    };
    walk(function.body, note_op);
    if (function.grad) walk(*function.grad, note_op);
    for (std::size_t i = function.block.empty() ? 0 : 1; i < function.body.args.size(); ++i) {
      note_type(function.body.args[i].type);
    }
    for (const Type& type : function.results) note_type(type);
    return used;
  }

  void generics_and_parameters(Function& function) {
    std::set<std::string> taken = used_names(function);
    if (!function.block.empty())
      taken.merge(std::set<std::string>(block_generics_[function.block]));
    if (rename(function.generics, taken)) forget_texts(function.constraints);
    const auto parameter = [&](Value& value, std::size_t position) {
      const bool is_used_here =
          is_used(function.body, value.id) || (function.grad && is_used(*function.grad, value.id));
      if (value.name == "_" && is_used_here) value.name.clear();
      if (value.name.empty()) value.name = "_" + std::to_string(position);
      if (value.name != "_") value.name = unique_name(value.name, taken);
    };
    const std::size_t first = function.block.empty() ? 0 : 1;
    std::vector<Value>& args = function.body.args;
    for (std::size_t i = first; i < args.size(); ++i) parameter(args[i], i - first + 1);
    if (function.kernel) {
      for (Value& result : function.kernel->results) parameter(result, 0);
    }
    if (!function.grad || function.grad->args.size() < 2) return;
    // The op's parameters once more, then the result and its gradient.
    std::vector<Value>& given = function.grad->args;
    const std::size_t own = given.size() - 2;
    for (std::size_t i = 0; i < own && i < args.size(); ++i) given[i].name = args[i].name;
    for (std::size_t i = own; i < given.size(); ++i) {
      const bool is_unused = given[i].name.empty() && !is_used(*function.grad, given[i].id);
      if (is_unused) given[i].name = "_";
      parameter(given[i], args.size() + i);
    }
  }
};

}  // namespace

void make_names_legal(Program& program) {
  Legal(program).run();
}

}  // namespace linnet::plan::detail
