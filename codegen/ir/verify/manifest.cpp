// The root block and its manifest.

#include <algorithm>
#include <utility>

#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"
#include "codegen/ir/verify/verifier.hpp"

namespace linnet::ir::detail {
namespace {

/// The block that a root means: of those with its name the one in the program's module.
const Block* find_root(const Program& program) {
  const Block* found = nullptr;
  for (const auto& [key, block] : program.blocks) {
    if (block.name != program.root->name) continue;
    if (found == nullptr || block.module == program.module) found = &block;
  }
  return found;
}

/// A manifest as it should be, from walking the root block in declaration order.
class Expected {
 public:
  struct Entry {
    ManifestEntry entry;
    bool in_optional = false;  ///< inside a child that is optional
  };

  Expected(const Lookup& lookup, Effort& effort, std::size_t most)
      : lookup_(lookup), effort_(effort), most_(most) {}

  void walk(const Block& block, const Substitution& map, const Entry& above, int depth);
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  /// Set when the walk ended early because of its depth or cost: nothing can be told then.
  [[nodiscard]] bool gave_up() const { return gave_up_; }

 private:
  const Lookup& lookup_;
  Effort& effort_;
  std::size_t most_;
  std::vector<Entry> entries_;
  bool gave_up_ = false;
};

/// `above` has the path and repetition of the block itself. Ends with one entry more than `most`.
void Expected::walk(const Block& block, const Substitution& map, const Entry& above, int depth) {
  constexpr int max_depth = 256;
  if (depth > max_depth) gave_up_ = true;
  for (const Member& member : block.members) {
    if (!effort_.spend(static_cast<std::int64_t>(map.dims.size()) + 1)) gave_up_ = true;
    if (gave_up_ || entries_.size() > most_) return;
    Type type = substitute(member.type, map);
    Entry next = above;
    ManifestEntry& entry = next.entry;
    entry.path += (entry.path.empty() ? "" : ".") + member.name;
    entry.kind = member.kind;
    entry.optional = type->kind == TypeKind::optional;
    if (entry.optional) type = type->elements[0];
    if (member.kind != MemberKind::sub) {
      entry.dtype = type->dtype;
      entry.shape = shape_of(type);
      entries_.push_back(std::move(next));
      continue;
    }
    if (type->kind == TypeKind::array) {
      entry.path += "[*]";
      entry.repeat.push_back(type->length);
      type = type->elements[0];
    }
    next.in_optional = above.in_optional || entry.optional;
    const Block* child = lookup_.block(*type);
    if (child != nullptr) walk(*child, bind(child->generics, type->args), next, depth + 1);
  }
}

}  // namespace

void Verifier::check_root() {
  if (program_.root) {
    enter({&program_.root->generics}, program_.root->constraints);
  } else {
    enter({}, {});
  }
  for (std::size_t i = 0; i < program_.manifest.size() && !full(); ++i) {
    const At at(*this, element("manifest", i));
    const ManifestEntry& entry = program_.manifest[i];
    if (!program_.root) problem("there is a manifest, but no root");
    if (entry.kind == MemberKind::sub) problem("a `sub` has no data of its own");
    check_dtype(entry.dtype);
    check_shape(entry.shape);
    for (const Dim& count : entry.repeat) check_dim(count);
  }
  if (!program_.root) return;
  const Block* root = find_root(program_);
  {
    const At at(*this, "root");
    if (root == nullptr) problem("there is no block `" + program_.root->name + "`");
    check_generics(program_.root->generics);
    check_constraints(program_.root->constraints);
    if (root != nullptr && root->generics.size() != program_.root->generics.size()) {
      problem("takes " + std::to_string(program_.root->generics.size()) + " generics, but block `" +
              root->name + "` takes " + std::to_string(root->generics.size()));
    }
  }
  // The walk through blocks needs them well formed and without circles.
  if (problems_.empty()) check_manifest(*root);
}

void Verifier::check_manifest(const Block& root) {
  std::vector<GenericArgument> arguments;
  for (const Generic& generic : program_.root->generics) arguments.push_back(as_argument(generic));
  const std::vector<ManifestEntry>& manifest = program_.manifest;
  Expected expected(lookup_, witnesses_.effort(), manifest.size());
  expected.walk(root, bind(root.generics, arguments), {}, 0);
  if (expected.gave_up()) return;
  if (expected.entries().size() > manifest.size()) {
    const At at(*this, "manifest");
    problem("lists " + std::to_string(manifest.size()) + " members of block `" + root.name +
            "`, which has more");
    return;
  }
  for (std::size_t i = 0; i < manifest.size() && !full(); ++i) {
    const At at(*this, element("manifest", i));
    if (i < expected.entries().size()) {
      check_entry(manifest[i], expected.entries()[i].entry, expected.entries()[i].in_optional);
    } else {
      problem("`" + manifest[i].path + "` is no member of block `" + root.name + "`");
    }
  }
}

void Verifier::check_entry(const ManifestEntry& entry, const ManifestEntry& expected,
                           bool in_optional) {
  const std::string name = "`" + entry.path + "`";
  if (entry.path != expected.path) {
    problem(name + " stands where `" + expected.path + "` is due");
    return;
  }
  if (entry.kind != expected.kind) {
    problem(name + " is a `" + std::string(member_kind_name(expected.kind)) + "`, not a `" +
            std::string(member_kind_name(entry.kind)) + "`");
  }
  const Type listed = make_data(entry.shape, entry.dtype);
  const Type declared = make_data(expected.shape, expected.dtype);
  if (!agree(listed, declared)) {
    problem(name + " is a `" + to_text(declared) + "`, not a `" + to_text(listed) + "`");
  }
  const auto same_length = [this](const Dim& a, const Dim& b) {
    return witnesses_.may_equal(a, b);
  };
  if (!std::equal(entry.repeat.begin(), entry.repeat.end(), expected.repeat.begin(),
                  expected.repeat.end(), same_length)) {
    problem(name + " is in arrays of other lengths");
  }
  // Of a member inside an optional child, `optional` may mean either of the two.
  if (entry.optional != expected.optional && !(in_optional && entry.optional)) {
    problem(name + (expected.optional ? " is optional" : " is not optional"));
  }
}

}  // namespace linnet::ir::detail
