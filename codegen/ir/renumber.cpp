#include "codegen/ir/renumber.hpp"

#include <map>
#include <utility>

#include "codegen/ir/build.hpp"

namespace linnet::ir {
namespace {

class Renumbering {
 public:
  explicit Renumbering(Program& program) : program_(program) {}

  void run() {
    for (auto& [key, block] : program_.blocks) declare(block.generics);
    for (Function& function : program_.functions) declare(function.generics);
    for (Structure& structure : program_.structures) declare(structure.generics);
    for (Enumeration& enumeration : program_.enumerations) declare(enumeration.generics);
    if (program_.root) {
      apply(program_.root->generics);
      apply(program_.root->constraints);
    }
    for (ManifestEntry& entry : program_.manifest) {
      apply(entry.dtype);
      apply(entry.shape);
      for (Dim& count : entry.repeat) apply(count);
    }
    for (auto& [key, block] : program_.blocks) {
      apply(block.generics);
      apply(block.constraints);
      for (Member& member : block.members) apply(member.type);
    }
    for (Structure& structure : program_.structures) {
      apply(structure.generics);
      for (auto& [name, type] : structure.fields) apply(type);
    }
    for (Enumeration& enumeration : program_.enumerations) apply(enumeration.generics);
    for (Function& function : program_.functions) apply(function);
    for (Constant& constant : program_.constants) {
      apply(constant.type);
      apply(constant.body);
    }
  }

 private:
  Program& program_;
  Substitution map_;
  std::map<int, int> symbols_, dtypes_, values_;

  void declare(const std::vector<Generic>& generics) {
    for (const Generic& generic : generics) {
      auto& numbers = generic.kind == GenericKind::dtype ? dtypes_ : symbols_;
      const int id = static_cast<int>(numbers.size());
      numbers.emplace(generic.id, id);
      Generic renamed = generic;
      renamed.id = id;
      const GenericArgument argument = as_argument(renamed);
      if (const auto* dim = std::get_if<Dim>(&argument)) {
        map_.dims.emplace(generic.id, *dim);
      } else if (const auto* shape = std::get_if<ShapeUnits>(&argument)) {
        map_.packs.emplace(generic.id, *shape);
      } else {
        map_.dtypes.emplace(generic.id, std::get<Dtype>(argument));
      }
    }
  }

  static int number(std::map<int, int>& numbers, int id) {
    return numbers.emplace(id, static_cast<int>(numbers.size())).first->second;
  }

  void apply(Dim& dim) {
    if (dim) dim = substitute(dim, map_);
  }
  void apply(ShapeUnits& shape) { shape = substitute(shape, map_); }
  void apply(Dtype& dtype) { dtype = substitute(dtype, map_); }
  void apply(Type& type) { type = substitute(type, map_); }
  void apply(GenericArgument& argument) { argument = substitute(argument, map_); }

  void apply(std::vector<Generic>& generics) {
    for (Generic& generic : generics) {
      generic.id = number(generic.kind == GenericKind::dtype ? dtypes_ : symbols_, generic.id);
      if (generic.default_argument) apply(*generic.default_argument);
    }
  }

  void apply(std::vector<Constraint>& constraints) {
    for (Constraint& constraint : constraints) {
      apply(constraint.lhs);
      apply(constraint.rhs);
    }
  }

  void apply(Value& value) {
    value.id = number(values_, value.id);
    apply(value.type);
  }

  template <class Bound>
  void apply(std::map<int, Bound>& bindings, std::map<int, int>& numbers) {
    std::map<int, Bound> out;
    for (auto& [id, bound] : bindings) {
      apply(bound);
      out.emplace(number(numbers, id), std::move(bound));
    }
    bindings = std::move(out);
  }

  void apply(Attributes& attrs) {
    if (auto* dim = std::get_if<Dim>(&attrs.value)) apply(*dim);
    apply(attrs.shape);
    for (SliceAxis& axis : attrs.axes) {
      apply(axis.whole_units);
      apply(axis.start);
      apply(axis.stop);
      apply(axis.step);
    }
    for (IndexDomain& index : attrs.indices) apply(index.domain);
    apply(attrs.substitution.dims, symbols_);
    apply(attrs.substitution.packs, symbols_);
    apply(attrs.substitution.dtypes, dtypes_);
    for (GenericArgument& argument : attrs.generics) apply(argument);
  }

  void apply(Region& region) {
    for (Value& arg : region.args) apply(arg);
    for (Op& op : region.ops) {
      for (int& operand : op.operands) operand = number(values_, operand);
      apply(op.attrs);
      for (Region& inner : op.regions) apply(inner);
      for (Value& result : op.results) apply(result);
    }
  }

  void apply(Function& function) {
    apply(function.generics);
    apply(function.constraints);
    for (Type& type : function.results) apply(type);
    if (function.kernel) {
      for (GenericArgument& argument : function.kernel->generics) apply(argument);
      for (Dim& extent : function.kernel->grid) apply(extent);
      for (Value& result : function.kernel->results) apply(result);
    }
    apply(function.body);
    if (function.grad) apply(*function.grad);
    for (auto& [position, region] : function.defaults) apply(region);
  }
};

}  // namespace

void renumber(Program& program) {
  Renumbering(program).run();
}

}  // namespace linnet::ir
