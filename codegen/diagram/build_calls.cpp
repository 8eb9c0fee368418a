// Calls: a box, or with `--expand` the callee's own ops in a region.

#include <algorithm>
#include <utility>

#include "codegen/diagram/builder.hpp"
#include "codegen/diagram/instance.hpp"
#include "codegen/diagram/label.hpp"
#include "codegen/diagram/parameters.hpp"
#include "codegen/ir/build.hpp"

namespace linnet::diagram {

namespace {

/// More lines would make a box longer than the drawing is wide.
constexpr std::size_t max_listed = 12;

bool mentions(const ir::Type& type, const ir::Generic& generic) {
  if (generic.kind == ir::GenericKind::dtype) {
    if (type->dtype.is_variable && type->dtype.variable == generic.id) return true;
  } else {
    for (const ir::Unit& unit : type->shape) {
      if (unit.is_pack() ? unit.pack == generic.id
                         : unit.dim->kind == ir::DimKind::symbol && unit.dim->id == generic.id) {
        return true;
      }
    }
  }
  return std::any_of(type->elements.begin(), type->elements.end(),
                     [&](const ir::Type& inner) { return mentions(inner, generic); });
}

/// Whether the arguments say what the generics are, so that writing them would repeat it.
bool are_inferable(const ir::Function& callee) {
  return std::all_of(
      callee.generics.begin(), callee.generics.end(), [&](const ir::Generic& generic) {
        return std::any_of(
            callee.body.args.begin(), callee.body.args.end(),
            [&](const ir::Value& parameter) { return mentions(parameter.type, generic); });
      });
}

/// `layers[*].attention` for its `forward`, else `layers[*].attention.cached`; a function by name.
std::string call_title(const ir::Function& callee, const std::string& path) {
  const std::string name(bare_name(callee.name));
  if (path.empty()) return name;
  return name == "forward" ? path : member_path(path, name);
}

}  // namespace

void Builder::call(const ir::Op& op, Frame& frame, int cluster) {
  const ir::Function* callee = lookup_.function(op.attrs.callee);
  if (callee == nullptr) {
    return elementwise(NodeKind::view, std::string(bare_name(op.attrs.callee)), op, frame, cluster);
  }
  if (frame.expand > 0 && callee->kind != ir::FunctionKind::kernel) {
    open_call(op, *callee, frame, cluster);
  } else {
    closed_call(op, *callee, frame, cluster);
  }
}

void Builder::closed_call(const ir::Op& op, const ir::Function& callee, Frame& frame, int cluster) {
  const std::string path = path_of(callee, op, frame);
  const int node = add_node(NodeKind::call, cluster, call_title(callee, path_in(frame, path)));
  for (const int id : op.operands) feed(node, *value(frame, id));
  for (const std::string& state : callee.states) effects_.write(member_path(path, state), node);
  if (options_.parameters) feed_parameters(node, op, callee, frame, path);
  if (too_large_) return;
  Node& made = graph_.nodes[static_cast<std::size_t>(node)];
  made.details = call_details(op, callee, frame);
  made.has_effect = !callee.states.empty();
  const std::string origin(bare_name(callee.name));
  for (const ir::Value& result : op.results) bind(frame, result, give(node, result.type, origin));
}

std::string Builder::path_of(const ir::Function& callee, const ir::Op& op,
                             const Frame& frame) const {
  const bool is_method = !callee.block.empty() && !op.operands.empty();
  return is_method ? value(frame, op.operands[0])->text.text : std::string();
}

std::vector<std::string> Builder::call_details(const ir::Op& op, const ir::Function& callee,
                                               const Frame& frame) const {
  std::vector<std::string> details;
  const bool is_method = !callee.block.empty();
  if (is_method && !path_in(frame, path_of(callee, op, frame)).empty()) {
    const ir::Type type = ir::substitute(callee.body.args[0].type, op.attrs.substitution);
    details.push_back(block_label(*type));
  } else if (!are_inferable(callee)) {
    details.push_back(generics_label(op.attrs.generics));
  }
  for (std::size_t i = is_method ? 1 : 0; i < op.operands.size(); ++i) {
    const Bound& argument = *value(frame, op.operands[i]);
    if (!argument.is_text() || details.size() >= max_listed) continue;
    const std::string& parameter = callee.body.args[i].name;
    const std::string text = text_in(frame, argument).text;
    // `weight = weight` would say nothing.
    details.push_back(shortened(text == parameter ? text : parameter + " = " + text, max_detail));
  }
  if (callee.kernel && !callee.kernel->callee.empty()) {
    const std::string kernel(bare_name(callee.kernel->callee));
    details.push_back(shortened("kernel " + kernel, max_detail));
  }
  std::string states;
  for (const std::string& state : callee.states) {
    states += (states.empty() ? "state " : ", ") + state;
    if (states.size() > max_detail) break;
  }
  if (!states.empty()) details.push_back(shortened(states, max_detail));
  return details;
}

void Builder::open_call(const ir::Op& op, const ir::Function& callee, Frame& frame, int cluster) {
  const std::string path = path_of(callee, op, frame);
  const ir::Region body = instantiate(callee.body, op.attrs.substitution);
  Frame inner;
  inner.expand = frame.expand - 1;
  inner.path = callee.block.empty() ? frame.path : path;
  for (std::size_t i = 0; i < body.args.size() && i < op.operands.size(); ++i) {
    bind(inner, body.args[i], value(frame, op.operands[i]));
  }
  const int box = add_cluster(cluster, call_title(callee, path_in(frame, path)));
  const Bounds results = region(body, inner, box);
  for (std::size_t i = 0; i < op.results.size() && i < results.size(); ++i) {
    bind(frame, op.results[i], results[i]);
  }
}

void Builder::feed_parameters(int node, const ir::Op& op, const ir::Function& callee,
                              const Frame& frame, const std::string& path) {
  const auto uses = parameters_of(lookup_, callee, path, op.attrs.substitution);
  if (uses.empty() || too_large_) return;
  const bool single = uses.size() == 1;
  const Node reader = graph_.nodes[static_cast<std::size_t>(node)];
  const int card = add_source(NodeKind::parameter, reader.cluster,
                              single ? path_in(frame, uses[0].path) : "weights of " + reader.title);
  if (too_large_) return;
  Frame inside;
  inside.path = path;
  Node& made = graph_.nodes[static_cast<std::size_t>(card)];
  for (std::size_t i = 0; i < uses.size() && i < max_listed; ++i) {
    const std::string name = shortened(path_in(inside, uses[i].path), max_detail);
    const std::string type = type_label(uses[i].type);
    made.details.push_back(single ? type : name + " " + type);
  }
  if (uses.size() > max_listed) {
    made.details.push_back("… and " + std::to_string(uses.size() - max_listed) + " more");
  }
  add_edge({card, 0, node, EdgeKind::data});
}

}  // namespace linnet::diagram
