#include "codegen/diagram/label.hpp"

#include "codegen/ir/build.hpp"
#include "codegen/ir/print.hpp"

namespace linnet::diagram {
namespace {

/// A dimension of more parts than this is not written out.
constexpr int max_dim_parts = 24;

void count_parts(const ir::Dim& dim, int& left) {
  if (--left < 0) return;
  for (const ir::Dim& arg : dim->args) {
    if (left >= 0) count_parts(arg, left);
  }
}

template <class Items, class Text>
std::string joined(const Items& items, const Text& text_of) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += ", ";
    if (text.size() > 4 * max_detail) return text + "…";
    text += text_of(item);
  }
  return text;
}

std::string unit_text(const ir::Unit& unit) {
  return unit.is_pack() ? ir::to_text(unit) : dim_text(unit.dim);
}

std::string argument_text(const ir::GenericArgument& argument) {
  if (const auto* dim = std::get_if<ir::Dim>(&argument)) return dim_text(*dim);
  if (const auto* shape = std::get_if<ir::ShapeUnits>(&argument)) {
    return "[" + units_label(*shape) + "]";
  }
  return ir::to_text(argument);
}

std::string type_text(const ir::Type& type) {
  switch (type->kind) {
    case ir::TypeKind::tensor:
      return "[" + units_label(type->shape) + "; " + ir::to_text(type->dtype) + "]";
    case ir::TypeKind::tuple:
      return "(" + joined(type->elements, type_text) + ")";
    case ir::TypeKind::optional:
      return type_text(type->elements.at(0)) + "?";
    case ir::TypeKind::array:
      return "[" + type_text(type->elements.at(0)) + "; " + dim_text(type->length) + "]";
    case ir::TypeKind::shape:
      return "[" + units_label(type->shape) + "]";
    case ir::TypeKind::block:
    case ir::TypeKind::structure:
    case ir::TypeKind::enumeration:
      return type->name;
    case ir::TypeKind::scalar:
    case ir::TypeKind::unit:
      return ir::to_text(type);
  }
  return {};
}

}  // namespace

std::string shortened(std::string_view text, std::size_t limit) {
  std::size_t characters = 0;
  std::size_t end = 0;  // of what fits beside the ellipsis
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
    if (!starts) continue;
    if (++characters == limit) end = i;
    if (characters > limit) return std::string(text.substr(0, end)) + "…";
  }
  return std::string(text);
}

bool has_more_parts(const ir::Dim& dim, int limit) {
  count_parts(dim, limit);
  return limit < 0;
}

std::string dim_text(const ir::Dim& dim) {
  if (!dim) return {};
  return has_more_parts(dim, max_dim_parts) ? "…" : ir::to_text(dim);
}

std::string units_label(const ir::ShapeUnits& units) {
  return joined(units, unit_text);
}

std::string type_label(const ir::Type& type) {
  return shortened(type_text(type), max_type);
}

std::string generics_label(const std::vector<ir::GenericArgument>& arguments) {
  if (arguments.empty()) return {};
  return "<" + shortened(joined(arguments, argument_text), max_detail - 24) + ">";
}

std::string block_label(const ir::TypeNode& block) {
  return shortened(block.name, max_title) + generics_label(block.args);
}

std::string slice_label(const std::vector<ir::SliceAxis>& axes,
                        const std::vector<std::string>& positions) {
  std::size_t next = 0;
  const auto axis_text = [&](const ir::SliceAxis& axis) -> std::string {
    if (axis.whole) return ":";
    if (!axis.start) return next < positions.size() ? positions[next++] : "·";
    if (axis.squeeze) return dim_text(axis.start);
    // The bounds that Linnet leaves out are left out here.
    const bool from_start = ir::constant_value(axis.start) == 0;
    std::string text = from_start ? "" : dim_text(axis.start) + " ";
    text += ":";
    if (axis.stop) text += (from_start ? "" : " ") + dim_text(axis.stop);
    if (axis.step && ir::constant_value(axis.step) != 1) text += " : " + dim_text(axis.step);
    return text;
  };
  return "[" + joined(axes, axis_text) + "]";
}

std::string_view local_name(std::string_view full_name) {
  const std::size_t colons = full_name.rfind("::");
  return colons == std::string_view::npos ? full_name : full_name.substr(colons + 2);
}

std::string_view bare_name(std::string_view full_name) {
  const std::string_view local = local_name(full_name);
  const std::size_t dot = local.rfind('.');
  return dot == std::string_view::npos ? local : local.substr(dot + 1);
}

}  // namespace linnet::diagram
