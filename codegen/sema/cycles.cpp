// Circles in a program: recursion (E2119), and constants, structs and blocks that are defined
// through themselves (E2122). Run after all bodies are checked, with stacks of their own, since
// chains of calls are as long as the user likes.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "codegen/sema/bodies.hpp"

namespace linnet::sema {
namespace {

struct Edge {
  int target;
  Span span;
};

/// A node on the way from a root to where the search is, and the edges that leave it.
struct Visit {
  int node;
  std::vector<Edge> edges;
  std::size_t next;
};

/// The nodes of the circle that an edge back to `target` closes, from there to the last visit.
std::vector<int> circle_of(const std::vector<Visit>& visits, int target) {
  std::vector<int> circle;
  for (auto visit = visits.rbegin(); visit != visits.rend(); ++visit) {
    circle.push_back(visit->node);
    if (visit->node == target) break;
  }
  std::reverse(circle.begin(), circle.end());
  return circle;
}

/// Depth-first search in declaration order; `closes` is told of every edge back to a node that is
/// still open, and of the circle's nodes, the one that the edge leads to first.
void find_circles(std::size_t count, const std::function<std::vector<Edge>(int)>& edges_of,
                  const std::function<void(const std::vector<int>&, const Edge&)>& closes) {
  std::vector<State> states(count, State::fresh);
  for (std::size_t root = 0; root < count; ++root) {
    if (states[root] != State::fresh) continue;
    states[root] = State::open;
    std::vector<Visit> stack;
    stack.push_back({static_cast<int>(root), edges_of(static_cast<int>(root)), 0});
    while (!stack.empty()) {
      Visit& visit = stack.back();
      if (visit.next == visit.edges.size()) {
        states[static_cast<std::size_t>(visit.node)] = State::done;
        stack.pop_back();
        continue;
      }
      const Edge edge = visit.edges[visit.next++];
      const auto target = static_cast<std::size_t>(edge.target);
      if (states[target] == State::open) {
        closes(circle_of(stack, edge.target), edge);
      } else if (states[target] == State::fresh) {
        states[target] = State::open;
        stack.push_back({edge.target, edges_of(edge.target), 0});
      }
    }
  }
}

/// The structs that a type mentions as a part of itself.
void collect_parts(Context& context, const ir::Type& type, ir::TypeKind kind, Span span,
                   std::vector<Edge>& out) {
  if (type->kind == kind) out.push_back({context.declaration_of(type), span});
  for (const ir::Type& element : type->elements) {
    collect_parts(context, element, kind, span, out);
  }
}

void check_structs(Context& context) {
  const auto edges_of = [&](int id) {
    std::vector<Edge> edges;
    const StructInfo& info = context.struct_info(id);
    const ir::Structure& structure = context.structure(id);
    for (std::size_t i = 0; i < structure.fields.size(); ++i) {
      collect_parts(context, structure.fields[i].second, ir::TypeKind::structure,
                    info.structure->fields[i].type->span, edges);
    }
    return edges;
  };
  find_circles(context.structs.size(), edges_of, [&](const std::vector<int>&, const Edge& edge) {
    const StructInfo& info = context.struct_info(edge.target);
    context
        .error("E2122", info.structure->name.span,
               "struct `" + info.structure->name.text + "` holds itself")
        .with_label("would be infinitely large")
        .with_related("held here", edge.span)
        .with_help("remove one of the fields in the circle");
  });
}

/// The blocks that hold themselves.
std::set<BlockId> check_blocks(Context& context) {
  std::set<BlockId> found;
  const auto edges_of = [&](int id) {
    std::vector<Edge> edges;
    const BlockInfo& info = context.block_info(id);
    const ir::Block& block = context.block(id).declaration;
    for (std::size_t i = 0; i < block.members.size(); ++i) {
      collect_parts(context, block.members[i].type, ir::TypeKind::block,
                    info.block->members[i].type->span, edges);
    }
    return edges;
  };
  const auto closes = [&](const std::vector<int>& circle, const Edge& edge) {
    found.insert(circle.begin(), circle.end());
    const BlockInfo& info = context.block_info(edge.target);
    context
        .error("E2122", info.block->name.span, "block `" + info.block->name.text + "` holds itself")
        .with_label("would be infinitely deep")
        .with_related("held here", edge.span)
        .with_help("remove one of the `sub` members in the circle");
  };
  find_circles(context.blocks.size(), edges_of, closes);
  return found;
}

/// Functions first, then constants, in one graph: a constant may call a function that reads it.
/// Calls around a circle of blocks that hold each other are the same mistake.
void check_calls(Context& context, const std::set<BlockId>& circular) {
  const int functions = static_cast<int>(context.functions.size());
  const auto edges_of = [&](int node) {
    std::vector<Edge> edges;
    const std::vector<Reference>& references =
        node < functions ? context.function_info(node).references
                         : context.constant_info(node - functions).references;
    for (const Reference& reference : references) {
      edges.push_back({reference.to_constant ? functions + reference.target : reference.target,
                       reference.span});
    }
    return edges;
  };
  const auto closes = [&](const std::vector<int>& circle, const Edge& edge) {
    const auto constant =
        std::find_if(circle.begin(), circle.end(), [&](int node) { return node >= functions; });
    if (constant != circle.end()) {
      report_circular_constant(context, *constant - functions, edge.span);
      return;
    }
    const auto held = [&](int id) { return circular.contains(context.function(id).block); };
    if (std::all_of(circle.begin(), circle.end(), held)) return;
    const Function& callee = context.function(edge.target);
    const bool itself = circle.size() == 1;
    context
        .error("E2119", edge.span,
               itself ? "`" + callee.name + "` calls itself"
                      : "this call of `" + callee.name + "` closes a circle of calls")
        .with_label("recursion")
        .with_related("declared here", callee.span)
        .with_help("there is no recursion: use `for`, `while` or `static for`");
  };
  find_circles(context.functions.size() + context.constants.size(), edges_of, closes);
}

}  // namespace

void check_cycles(Context& context) {
  check_structs(context);
  check_calls(context, check_blocks(context));
}

}  // namespace linnet::sema
