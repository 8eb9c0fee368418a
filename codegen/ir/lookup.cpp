#include "codegen/ir/lookup.hpp"

namespace linnet::ir {
namespace {

std::string qualified(const std::string& module, const std::string& name) {
  return module + "::" + name;
}

template <class Map, class Key>
auto find(const Map& map, const Key& key) -> typename Map::mapped_type {
  const auto found = map.find(std::string(key));
  return found == map.end() ? nullptr : found->second;
}

}  // namespace

Lookup::Lookup(const Program& program) {
  for (const Function& function : program.functions) functions_.emplace(function.name, &function);
  for (const auto& [key, block] : program.blocks) {
    block_keys_.emplace(key, &block);
    blocks_.emplace(qualified(block.module, block.name), &block);
  }
  for (const Structure& structure : program.structures) {
    structures_.emplace(qualified(structure.module, structure.name), &structure);
  }
  for (const Enumeration& enumeration : program.enumerations) {
    enumerations_.emplace(qualified(enumeration.module, enumeration.name), &enumeration);
  }
}

const Function* Lookup::function(std::string_view full_name) const {
  return find(functions_, full_name);
}

const Block* Lookup::block(std::string_view key) const {
  return find(block_keys_, key);
}

const Block* Lookup::block(const TypeNode& type) const {
  return find(blocks_, qualified(type.module, type.name));
}

const Structure* Lookup::structure(const TypeNode& type) const {
  return find(structures_, qualified(type.module, type.name));
}

const Enumeration* Lookup::enumeration(const TypeNode& type) const {
  return find(enumerations_, qualified(type.module, type.name));
}

const Member* find_member(const Block& block, std::string_view name) {
  for (const Member& member : block.members) {
    if (member.name == name) return &member;
  }
  return nullptr;
}

}  // namespace linnet::ir
