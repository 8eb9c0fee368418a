// What must not go round in a circle: functions through their calls, blocks through children,
// structs through fields.

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codegen/ir/verify/verifier.hpp"
#include "codegen/ir/walk.hpp"

namespace linnet::ir::detail {
namespace {

/// Names to those that they lead to.
using Graph = std::unordered_map<std::string, std::vector<std::string>>;

/// A name that leads back to itself, empty for none. Starts are tried in the order of `names`.
/// Depth-first with an explicit stack: a chain may be as long as the plan.
std::string find_circle(const std::vector<std::string>& names, Graph& graph) {
  enum class Mark : std::uint8_t { unseen, active, done };
  std::unordered_map<std::string, Mark> marks;
  for (const std::string& start : names) {
    if (marks[start] != Mark::unseen) continue;
    std::vector<std::pair<std::string, std::size_t>> stack{{start, 0}};
    marks[start] = Mark::active;
    while (!stack.empty()) {
      auto& [name, next] = stack.back();
      const std::vector<std::string>& list = graph[name];
      if (next == list.size()) {
        marks[name] = Mark::done;
        stack.pop_back();
        continue;
      }
      const std::string target = list[next++];
      Mark& mark = marks[target];
      if (mark == Mark::active) return target;
      if (mark == Mark::unseen) {
        mark = Mark::active;
        stack.emplace_back(target, 0);
      }
    }
  }
  return {};
}

std::string full_name(const std::string& module, const std::string& name) {
  return module + "::" + name;
}

/// Appends the blocks or structs in a type.
void add_held(const Type& type, TypeKind kind, std::vector<std::string>& out) {
  if (type->kind == kind) out.push_back(full_name(type->module, type->name));
  for (const Type& inner : type->elements) add_held(inner, kind, out);
}

}  // namespace

/// Functions that call themselves, directly or not, have no meaning in Linnet and no end in
/// generated C++; so have blocks and structs that hold themselves. A gradient may use its own op:
/// it runs after the op, not inside it.
void Verifier::check_circles() {
  Graph graph;
  std::vector<std::string> names;
  for (const Function& function : program_.functions) {
    names.push_back(function.name);
    std::vector<std::string>& list = graph[function.name];
    walk(function.body, [&list](const Op& op) {
      const bool calls = op.kind == OpKind::call || op.kind == OpKind::semantic_call;
      if (calls) list.push_back(op.attrs.callee);
    });
  }
  const std::string function = find_circle(names, graph);
  if (!function.empty()) problem("function `" + function + "` calls itself");
  graph.clear();
  names.clear();
  for (const auto& [key, block] : program_.blocks) {
    names.push_back(full_name(block.module, block.name));
    std::vector<std::string>& list = graph[names.back()];
    for (const Member& member : block.members) add_held(member.type, TypeKind::block, list);
  }
  const std::string block = find_circle(names, graph);
  if (!block.empty()) problem("block `" + block + "` holds itself");
  graph.clear();
  names.clear();
  for (const Structure& structure : program_.structures) {
    names.push_back(full_name(structure.module, structure.name));
    std::vector<std::string>& list = graph[names.back()];
    for (const auto& [name, type] : structure.fields) add_held(type, TypeKind::structure, list);
  }
  const std::string structure = find_circle(names, graph);
  if (!structure.empty()) problem("struct `" + structure + "` holds itself");
}

}  // namespace linnet::ir::detail
