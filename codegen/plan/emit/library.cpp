#include "codegen/plan/emit/library.hpp"

#include <algorithm>

#include "codegen/ir/renumber.hpp"
#include "codegen/ir/walk.hpp"
#include "codegen/plan/emit/items.hpp"
#include "codegen/plan/emit/prepare.hpp"
#include "codegen/plan/plan.hpp"

namespace linnet::plan {
namespace detail {

using namespace ir;

std::string item_of(const std::string& full_name) {
  const std::size_t name = full_name.find("::");
  const std::size_t method = full_name.find('.', name == std::string::npos ? 0 : name);
  return full_name.substr(0, method);
}

References references(const Program& program) {
  References out;
  const auto note_type = [](std::set<std::string>& list, const Type& type) {
    each_type(type, [&](const Type& part) {
      if (!part->name.empty()) list.insert(part->module + "::" + part->name);
    });
  };
  for (const Function& function : program.functions) {
    std::set<std::string>& list = out[item_of(function.name)];
    const auto note_values = [&](const std::vector<Value>& values) {
      for (const Value& value : values) note_type(list, value.type);
    };
    const auto note_region = [&](const Region& region) {
      note_values(region.args);
      walk(region, [&](const Op& op) {
        if (!op.attrs.callee.empty()) list.insert(item_of(op.attrs.callee));
        note_values(op.results);
      });
    };
    note_region(function.body);
    if (function.grad) note_region(*function.grad);
    for (const auto& [position, region] : function.defaults) note_region(region);
    for (const Type& type : function.results) note_type(list, type);
    if (function.kernel && !function.kernel->callee.empty()) {
      list.insert(item_of(function.kernel->callee));
    }
  }
  for (const auto& [key, block] : program.blocks) {
    std::set<std::string>& list = out[block.module + "::" + block.name];
    for (const Member& member : block.members) note_type(list, member.type);
  }
  for (const Structure& structure : program.structures) {
    std::set<std::string>& list = out[structure.module + "::" + structure.name];
    for (const auto& [name, type] : structure.fields) note_type(list, type);
  }
  for (const Enumeration& each : program.enumerations) (void)out[each.module + "::" + each.name];
  for (const Constant& constant : program.constants) note_type(out[constant.name], constant.type);
  for (auto& [item, list] : out) list.erase(item);
  return out;
}

namespace {

bool is_of_library(const std::string& item) {
  return item.starts_with("std.");
}

/// What can be named from outside its module; plans do not tell of structs and enums.
std::set<std::string> public_items(const Program& program) {
  std::set<std::string> out;
  for (const Function& function : program.functions) {
    if (function.is_public && function.block.empty()) out.insert(function.name);
  }
  for (const Constant& constant : program.constants) {
    if (constant.is_public) out.insert(constant.name);
  }
  for (const auto& [key, block] : program.blocks) {
    if (block.is_public) out.insert(block.module + "::" + block.name);
  }
  for (const Structure& each : program.structures) out.insert(each.module + "::" + each.name);
  for (const Enumeration& each : program.enumerations) out.insert(each.module + "::" + each.name);
  return out;
}

}  // namespace

std::set<std::string> declared_here(const Program& program, const References& references,
                                    const std::set<std::string>* importable) {
  std::set<std::string> here;
  if (importable == nullptr) return here;
  const std::set<std::string> visible = public_items(program);
  for (const auto& [item, list] : references) {
    if (is_of_library(item) && !importable->contains(item)) here.insert(item);
  }
  const auto is_imported = [&](const std::string& item) {
    return is_of_library(item) && !here.contains(item);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [item, list] : references) {
      const bool comes_along = is_imported(item);
      for (const std::string& other : list) {
        if (comes_along && here.contains(other)) changed = here.insert(item).second || changed;
        if (!comes_along && is_imported(other) && !visible.contains(other)) {
          changed = here.insert(other).second || changed;
        }
      }
    }
  }
  return here;
}

namespace {

/// An item by itself, without what the language gives no meaning: numbers, names of values,
/// texts of constraints, comments. Defaults are not compared either: calls have them filled in.
class Alone {
 public:
  explicit Alone(const Program& program) : program_(program) {}

  /// Each item of the library as the text of a plan that holds nothing else.
  [[nodiscard]] std::map<std::string, std::string> texts() const {
    std::map<std::string, Program> items;
    for (const auto& [key, block] : program_.blocks) {
      const std::string item = block.module + "::" + block.name;
      if (!is_of_library(item)) continue;
      Block copy = block;
      copy.doc.clear();
      forget_texts(copy.constraints);
      for (Member& member : copy.members) member.doc.clear();
      items[item].blocks.emplace_back(block.name, std::move(copy));
    }
    for (const Function& function : program_.functions) {
      const std::string item = item_of(function.name);
      if (is_of_library(item)) items[item].functions.push_back(plain(function));
    }
    for (const Constant& constant : program_.constants) {
      if (!is_of_library(constant.name)) continue;
      Constant copy = constant;
      forget_names(copy.body);
      items[constant.name].constants.push_back(std::move(copy));
    }
    for (const Structure& structure : program_.structures) {
      const std::string item = structure.module + "::" + structure.name;
      if (is_of_library(item)) items[item].structures.push_back(structure);
    }
    for (const Enumeration& each : program_.enumerations) {
      const std::string item = each.module + "::" + each.name;
      if (is_of_library(item)) items[item].enumerations.push_back(each);
    }
    std::map<std::string, std::string> out;
    for (auto& [item, program] : items) {
      renumber(program);
      out.emplace(item, write(program));
    }
    return out;
  }

 private:
  const Program& program_;

  static void forget_texts(std::vector<Constraint>& constraints) {
    for (Constraint& constraint : constraints) constraint.text.clear();
  }

  static void forget_names(Region& region) {
    walk(region, [](Op& op) {
      for (Value& result : op.results) result.name.clear();
      for (Region& inner : op.regions) {
        for (Value& arg : inner.args) arg.name.clear();
      }
      for (IndexDomain& index : op.attrs.indices) index.name.clear();
      op.attrs.selected.clear();
      // The same bindings once more, under the callee's numbers.
      op.attrs.substitution = {};
    });
  }

  [[nodiscard]] Function plain(const Function& function) const {
    Function copy = function;
    copy.doc.clear();
    copy.defaults.clear();
    forget_texts(copy.constraints);
    forget_names(copy.body);
    if (copy.grad) {
      forget_names(*copy.grad);
      for (Value& arg : copy.grad->args) arg.name.clear();
    }
    // The name of a block in a plan depends on what else is in it.
    if (!copy.block.empty()) {
      for (const auto& [key, block] : program_.blocks) {
        if (key == function.block) copy.block = block.name;
      }
    }
    return copy;
  }
};

}  // namespace
}  // namespace detail

std::set<std::string> same_items(const ir::Program& program, const ir::Program& library) {
  const auto installed = detail::Alone(library).texts();
  std::set<std::string> same;
  for (const auto& [item, text] : detail::Alone(program).texts()) {
    const auto found = installed.find(item);
    if (found != installed.end() && found->second == text) same.insert(item);
  }
  return same;
}

}  // namespace linnet::plan
