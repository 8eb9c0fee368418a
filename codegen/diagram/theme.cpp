#include "codegen/diagram/theme.hpp"

namespace linnet::diagram {
namespace {

constexpr Colours light = {
    "ffffff", "1b1f24", "57606a", "4b5563", "9aa4b1", "b6c0cc", {"f5f7fa", "ebeff5"}};
constexpr Colours dark = {
    "14171c", "e8ecf1", "a3adba", "a9b4c2", "6b7685", "46505d", {"1b2027", "232a33"}};

struct Paints {
  Paint light;
  Paint dark;
};

Paints paints_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::input:
    case NodeKind::output:
      return {{"e3e8ef", "4b5563"}, {"303844", "a9b4c2"}};
    case NodeKind::call:
      return {{"dbe9fb", "2f6fb8"}, {"1d3553", "6ea8e8"}};
    case NodeKind::arithmetic:
      return {{"fdf0d5", "b7791f"}, {"43351a", "dcae5c"}};
    case NodeKind::view:
      return {{"ffffff", "7b8794"}, {"14171c", "8a96a5"}};
    case NodeKind::reduction:
      return {{"efe4fa", "7a4fb0"}, {"38284d", "b995e6"}};
    case NodeKind::parameter:
      return {{"dff3e4", "2f855a"}, {"1c3b2a", "6cc794"}};
    case NodeKind::read:
    case NodeKind::write:
      return {{"fbe0e0", "b83b3b"}, {"4a2224", "e88585"}};
    case NodeKind::branch:
      return {{"fde3f0", "a8397a"}, {"45203a", "e08abf"}};
    case NodeKind::carried:
    case NodeKind::next:
      return {{"dcf1f2", "23808a"}, {"173a3e", "67c3cd"}};
    case NodeKind::constant:
      return {{"ffffff", "b7791f"}, {"14171c", "dcae5c"}};
    case NodeKind::joint:
      break;
  }
  return {{"4b5563", "4b5563"}, {"a9b4c2", "a9b4c2"}};
}

}  // namespace

Outline outline_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::input:
    case NodeKind::output:
    case NodeKind::carried:
    case NodeKind::next:
      return Outline::pill;
    case NodeKind::read:
    case NodeKind::write:
      return Outline::cylinder;
    case NodeKind::parameter:
      return Outline::octagon;
    case NodeKind::branch:
      return Outline::hexagon;
    case NodeKind::view:
    case NodeKind::constant:
      return Outline::rectangle;
    case NodeKind::joint:
      return Outline::dot;
    case NodeKind::call:
    case NodeKind::arithmetic:
    case NodeKind::reduction:
      break;
  }
  return Outline::rounded;
}

const Colours& colours_of(Theme theme) {
  return theme == Theme::light ? light : dark;
}

Paint paint_of(NodeKind kind, Theme theme) {
  const Paints paints = paints_of(kind);
  return theme == Theme::light ? paints.light : paints.dark;
}

std::vector<int> cluster_depths(const Graph& graph) {
  // Regions come after those around them.
  std::vector<int> depths(graph.clusters.size());
  for (std::size_t c = 1; c < depths.size(); ++c) {
    depths[c] = depths[static_cast<std::size_t>(graph.clusters[c].parent)] + 1;
  }
  return depths;
}

}  // namespace linnet::diagram
