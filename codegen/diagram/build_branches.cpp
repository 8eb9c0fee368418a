// `if` and `match`: a box that decides, a region for each arm, and a dot where they meet.

#include <algorithm>
#include <optional>
#include <utility>

#include "codegen/diagram/builder.hpp"
#include "codegen/diagram/label.hpp"

namespace linnet::diagram {

using ir::OpKind;

namespace {

std::string arm_label(const ir::Op& op, std::size_t arm) {
  switch (op.kind) {
    case OpKind::if_:
      return arm == 0 ? "then" : "else";
    case OpKind::option_match:
      if (arm == 1) return "none";
      return op.regions[0].args.empty() ? "some" : "some(" + op.regions[0].args[0].name + ")";
    default:
      return arm < op.attrs.variants.size() ? op.attrs.variants[arm] : "_";
  }
}

/// The arm that is taken, where an opened call says what its argument is.
std::optional<std::size_t> known_arm(const ir::Op& op, const Bound& decider) {
  if (op.kind == OpKind::option_match && decider.is_some) return 0;
  if (!decider.is_text()) return std::nullopt;
  const std::string& text = decider.text.text;
  if (op.kind == OpKind::if_ && text == "true") return 0;
  if (op.kind == OpKind::if_ && text == "false") return 1;
  if (op.kind == OpKind::option_match && text == "none") return 1;
  const auto variant = std::find(op.attrs.variants.begin(), op.attrs.variants.end(), text);
  if (op.kind != OpKind::enum_match || variant == op.attrs.variants.end()) return std::nullopt;
  return static_cast<std::size_t>(variant - op.attrs.variants.begin());
}

}  // namespace

void Builder::branches(const ir::Op& op, Frame& frame, int cluster) {
  const BoundPtr decider = value(frame, op.operands[0]);
  const auto bind_arguments = [&](const ir::Region& arm) {
    // What `some(x)` holds is what was asked about.
    for (const ir::Value& argument : arm.args) bind(frame, argument, decider);
  };
  const std::optional<std::size_t> known = known_arm(op, *decider);
  if (known && *known < op.regions.size()) {
    bind_arguments(op.regions[*known]);
    const Bounds results = region(op.regions[*known], frame, cluster);
    for (std::size_t i = 0; i < op.results.size() && i < results.size(); ++i) {
      bind(frame, op.results[i], results[i]);
    }
    return;
  }
  const std::string shown = text_of(frame, op.operands[0]).text;
  const std::string word = op.kind == OpKind::if_ ? "if" : "match";
  const int box = add_cluster(cluster, shown == "·" ? word : word + " " + shown);
  const int gate = add_gate(op, frame, box);
  const EffectOrder::Frontier before = effects_.frontier();
  EffectOrder::Frontier after;
  std::vector<Bounds> results;
  for (std::size_t arm = 0; arm < op.regions.size(); ++arm) {
    const int inside = add_cluster(box, arm_label(op, arm));
    if (gate >= 0) {
      const int start = add_node(NodeKind::joint, inside, {});
      add_edge({gate, -1, start, EdgeKind::control});
      graph_.clusters[static_cast<std::size_t>(inside)].start = start;
    }
    bind_arguments(op.regions[arm]);
    effects_.restart(before);
    results.push_back(region(op.regions[arm], frame, inside));
    for (BoundPtr& result : results.back()) result = inside_arm(*result, inside);
    EffectOrder::Frontier arm_end = effects_.frontier();
    effects_.restart(std::move(after));
    effects_.join(arm_end);
    after = effects_.frontier();
  }
  effects_.restart(std::move(after));
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    Bounds arms;
    for (const Bounds& arm : results) {
      if (i < arm.size()) arms.push_back(arm[i]);
    }
    bind(frame, op.results[i], join(arms, op.results[i].type, box));
  }
}

int Builder::add_gate(const ir::Op& op, const Frame& frame, int cluster) {
  const Bound& decider = *value(frame, op.operands[0]);
  if (decider.is_text()) return -1;
  const std::string& name = decider.name.empty() ? decider.origin : decider.name;
  std::string question = name.empty() ? "condition" : name;
  if (op.kind != OpKind::if_) question = name.empty() ? "which" : name;
  const int gate = add_node(NodeKind::branch, cluster, question + "?");
  feed(gate, decider);
  return gate;
}

BoundPtr Builder::inside_arm(const Bound& result, int cluster) {
  auto inside = std::make_shared<Bound>();
  for (const BoundPtr& part : result.parts) inside->parts.push_back(inside_arm(*part, cluster));
  if (result.is_text()) {
    inside->sources.push_back({add_source(NodeKind::constant, cluster, result.text.text), 0});
  }
  for (const Source& source : result.sources) {
    // Regions are numbered as they are opened: a lower number is outside.
    if (!too_large_ && graph_.nodes[static_cast<std::size_t>(source.node)].cluster < cluster) {
      const int through = add_source(NodeKind::joint, cluster, {});
      add_edge({source.node, source.output, through, EdgeKind::data});
      inside->sources.push_back({through, 0});
    } else {
      inside->sources.push_back(source);
    }
  }
  return inside;
}

BoundPtr Builder::join(const Bounds& arms, const ir::Type& type, int cluster) {
  if (type->kind == ir::TypeKind::tuple) {
    auto made = std::make_shared<Bound>();
    for (std::size_t i = 0; i < type->elements.size(); ++i) {
      Bounds parts;
      for (const BoundPtr& arm : arms) {
        parts.push_back(i < arm->parts.size() ? arm->parts[i] : arm);
      }
      made->parts.push_back(join(parts, type->elements[i], cluster));
    }
    return made;
  }
  const int joint = add_node(NodeKind::joint, cluster, {});
  for (const BoundPtr& arm : arms) feed(joint, *arm);
  return give(joint, type, {});
}

}  // namespace linnet::diagram
