// Extents that generics make negative (language.md section 4): `Tensor[N - 5; f32]` at `N = 4`.

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "codegen/sema/resolve.hpp"

namespace linnet::sema {
namespace {

/// More parts of a type than this are not looked at.
constexpr int most_parts = 2000;

/// Looks for a provably negative dimension in a type, its fields and its members.
class NegativeExtent {
 public:
  NegativeExtent(Context& context, const dims::Facts& facts) : context_(context), facts_(facts) {}

  /// Null when there is none.
  ir::Dim in(const ir::Type& type) {
    if (type == nullptr || --parts_ < 0) return nullptr;
    if (ir::Dim found = in(type->shape)) return found;
    if (type->length != nullptr && facts_.negative(type->length)) return type->length;
    for (const ir::Type& element : type->elements) {
      if (ir::Dim found = in(element)) return found;
    }
    for (const ir::GenericArgument& argument : type->args) {
      if (ir::Dim found = in(argument)) return found;
    }
    if (type->args.empty()) return nullptr;
    // A declaration inside itself is an error of its own, and would never end.
    const std::pair declared(type->module, type->name);
    if (std::find(open_.begin(), open_.end(), declared) != open_.end()) return nullptr;
    open_.push_back(declared);
    ir::Dim found;
    for (const ir::Type& part : parts_of(type)) {
      if (found == nullptr) found = in(part);
    }
    open_.pop_back();
    return found;
  }

  ir::Dim in(const ir::GenericArgument& argument) {
    if (const auto* dim = std::get_if<ir::Dim>(&argument)) {
      return facts_.negative(*dim) ? *dim : nullptr;
    }
    const auto* units = std::get_if<ir::ShapeUnits>(&argument);
    return units != nullptr ? in(*units) : nullptr;
  }

 private:
  ir::Dim in(const ir::ShapeUnits& units) {
    for (const ir::Unit& unit : units) {
      if (!unit.is_pack() && facts_.negative(unit.dim)) return unit.dim;
    }
    return nullptr;
  }

  /// The types of fields or members, in terms of the type's arguments.
  std::vector<ir::Type> parts_of(const ir::Type& type) {
    std::vector<ir::Type> parts;
    const auto add = [&](const std::vector<ir::Generic>& generics, const ir::Type& part) {
      if (part == nullptr) return;
      parts.push_back(dims::substitute(part, substitution_of(generics, type->args)));
    };
    if (type->kind == ir::TypeKind::structure) {
      const StructId id = context_.declaration_of(type);
      settle_fields(context_, id);
      const ir::Structure& structure = context_.structure(id);
      for (const auto& [name, field] : structure.fields) add(structure.generics, field);
    } else if (type->kind == ir::TypeKind::block) {
      const BlockId id = context_.declaration_of(type);
      settle_members(context_, id);
      const ir::Block& block = context_.block(id).declaration;
      for (const auto& member : block.members) add(block.generics, member.type);
    }
    return parts;
  }

  Context& context_;
  const dims::Facts& facts_;
  std::vector<std::pair<std::string, std::string>> open_;
  int parts_ = most_parts;
};

}  // namespace

bool Resolver::check_extents(const ir::Type& type, Span span) {
  const ir::Dim negative = NegativeExtent(context_, facts()).in(type);
  if (negative == nullptr) return true;
  report_negative(negative, span, "in `" + render(type) + "`");
  return false;
}

bool Resolver::check_extents(const ir::Generic& generic, const ir::GenericArgument& argument,
                             Span span) {
  const ir::Dim negative = NegativeExtent(context_, facts()).in(argument);
  if (negative == nullptr) return true;
  report_negative(negative, span, "`" + generic.name + "` would be `" + render(argument) + "`");
  return false;
}

void Resolver::report_negative(const ir::Dim& dim, Span span, const std::string& label) {
  context_.error("E2208", span, "the dimension `" + dims::render(dim) + "` is negative")
      .with_label(label)
      .with_help("an extent is at least 0");
}

}  // namespace linnet::sema
