// Declarations of a document: names and numbers, blocks, structs, constants.

#include <utility>

#include "codegen/ir/names.hpp"
#include "codegen/ir/verify/verifier.hpp"

namespace linnet::ir {
namespace detail {

bool Verifier::problem(std::string message) {
  if (!full()) {
    problems_.push_back({path_.empty() ? "the document" : path_, std::move(message)});
  }
  return false;
}

std::vector<Problem> Verifier::run() {
  declarations();
  // All that follows goes by names and numbers.
  if (!problems_.empty()) return std::move(problems_);
  for (std::size_t i = 0; i < program_.structures.size() && !full(); ++i) {
    const At at(*this, element("structs", i));
    check_structure(program_.structures[i]);
  }
  for (std::size_t i = 0; i < program_.enumerations.size() && !full(); ++i) {
    const At at(*this, element("enums", i));
    enter({&program_.enumerations[i].generics}, {});
    check_generics(program_.enumerations[i].generics);
  }
  for (std::size_t i = 0; i < program_.blocks.size() && !full(); ++i) {
    const At at(*this, "blocks." + program_.blocks[i].first);
    check_block(program_.blocks[i].second);
  }
  for (std::size_t i = 0; i < program_.constants.size() && !full(); ++i) {
    const At at(*this, element("constants", i));
    check_constant(program_.constants[i]);
  }
  for (std::size_t i = 0; i < program_.functions.size() && !full(); ++i) {
    const At at(*this, element("functions", i));
    check_function(program_.functions[i]);
  }
  if (problems_.empty()) check_circles();
  check_root();
  if (problems_.empty()) check_states();
  return std::move(problems_);
}

void Verifier::declare_generics(const std::vector<Generic>& generics) {
  for (std::size_t i = 0; i < generics.size(); ++i) {
    const At at(*this, element("generics", i));
    const Generic& generic = generics[i];
    const bool fresh = generic.kind == GenericKind::dtype
                           ? declared_dtypes_.insert(generic.id).second
                           : declared_symbols_.emplace(generic.id, generic.kind).second;
    if (!fresh) {
      problem("number " + std::to_string(generic.id) + " of `" + generic.name +
              "` is declared twice in the document");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (generics[j].name == generic.name) problem("two generics named `" + generic.name + "`");
    }
  }
}

/// Every name and number of the document, before anything is used.
void Verifier::declarations() {
  std::unordered_set<std::string> names;
  for (const auto& [key, block] : program_.blocks) {
    const At at(*this, "blocks." + key);
    if (!names.insert(block.module + "::" + block.name).second) {
      problem("two blocks `" + block.name + "` in module `" + block.module + "`");
    }
    declare_generics(block.generics);
  }
  names.clear();
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const At at(*this, element("functions", i));
    if (!names.insert(program_.functions[i].name).second) {
      problem("two functions `" + program_.functions[i].name + "`");
      continue;
    }
    declare_generics(program_.functions[i].generics);
  }
  for (std::size_t i = 0; i < program_.structures.size(); ++i) {
    const At at(*this, element("structs", i));
    declare_generics(program_.structures[i].generics);
  }
  for (std::size_t i = 0; i < program_.enumerations.size(); ++i) {
    const At at(*this, element("enums", i));
    declare_generics(program_.enumerations[i].generics);
  }
}

void Verifier::enter(const std::vector<const std::vector<Generic>*>& generics,
                     const std::vector<Constraint>& constraints) {
  symbols_.clear();
  dtypes_.clear();
  visible_.clear();
  scope_.clear();
  numbers_.clear();
  domains_.clear();
  std::vector<const Generic*> all;
  for (const std::vector<Generic>* list : generics) {
    for (const Generic& generic : *list) {
      all.push_back(&generic);
      if (generic.kind == GenericKind::dtype) {
        dtypes_.emplace(generic.id, generic.dtype_class);
      } else {
        symbols_.emplace(generic.id, generic.kind);
      }
    }
  }
  witnesses_.find(all, constraints);
}

void Verifier::check_generics(const std::vector<Generic>& generics) {
  for (std::size_t i = 0; i < generics.size(); ++i) {
    const Generic& generic = generics[i];
    if (!generic.default_argument) continue;
    const At at(*this, element("generics", i) + ".default");
    check_arguments({generic}, {*generic.default_argument});
  }
}

void Verifier::check_constraints(const std::vector<Constraint>& constraints) {
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const At at(*this, element("constraints", i));
    check_dim(constraints[i].lhs);
    check_dim(constraints[i].rhs);
  }
}

void Verifier::check_block(const Block& block) {
  enter({&block.generics}, block.constraints);
  check_generics(block.generics);
  check_constraints(block.constraints);
  std::unordered_set<std::string> names;
  for (std::size_t i = 0; i < block.members.size(); ++i) {
    const At at(*this, element("members", i));
    const Member& member = block.members[i];
    if (!names.insert(member.name).second) problem("two members `" + member.name + "`");
    Type type = member.type;
    if (type->kind == TypeKind::optional) type = type->elements[0];
    if (member.kind == MemberKind::sub) {
      if (type->kind == TypeKind::array) type = type->elements[0];
      if (type->kind != TypeKind::block) problem("a `sub` must be a block");
    } else if (member.kind == MemberKind::state && member.type->kind != TypeKind::tensor) {
      problem("a `state` must be a tensor");
    } else if (!is_data(type)) {
      problem("a `" + std::string(member_kind_name(member.kind)) + "` must be a tensor");
    }
    const At in_type(*this, "type");
    check_type(member.type);
  }
}

void Verifier::check_structure(const Structure& structure) {
  enter({&structure.generics}, {});
  check_generics(structure.generics);
  for (std::size_t i = 0; i < structure.fields.size(); ++i) {
    const At at(*this, element("fields", i));
    check_type(structure.fields[i].second);
  }
}

void Verifier::check_constant(const Constant& constant) {
  function_ = nullptr;
  enter({}, {});
  check_type(constant.type);
  const At at(*this, "body");
  if (!constant.body.args.empty()) problem("the body of a constant takes no arguments");
  check_region(constant.body, Terminator::either, Types{constant.type});
}

}  // namespace detail

std::vector<Problem> verify(const Program& program, std::size_t limit) {
  return detail::Verifier(program, limit).run();
}

}  // namespace linnet::ir
