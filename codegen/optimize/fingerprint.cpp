#include "codegen/optimize/fingerprint.hpp"

#include <bit>
#include <cstdint>

namespace linnet::optimize {
namespace {

using namespace ir;

class Writer {
 public:
  explicit Writer(const std::unordered_map<int, std::string>& constants) : constants_(constants) {}

  std::string text;

  void op(const Op& op) {
    number(static_cast<int>(op.kind));
    open();
    for (const int operand : op.operands) value(operand);
    close();
    open();
    for (const Value& result : op.results) {
      local_.emplace(result.id, local_.size());
      type(result.type);
    }
    close();
    attributes(op.attrs);
    for (const Region& region : op.regions) {
      open();
      for (const Value& arg : region.args) {
        local_.emplace(arg.id, local_.size());
        type(arg.type);
      }
      open();
      for (const Op& inner : region.ops) this->op(inner);
      close();
      close();
    }
  }

 private:
  const std::unordered_map<int, std::string>& constants_;
  std::unordered_map<int, std::size_t> local_;

  void open() { text += '('; }
  void close() { text += ')'; }
  void number(std::int64_t n) { text += std::to_string(n) + ' '; }
  void word(const std::string& w) { text += std::to_string(w.size()) + ':' + w; }

  void value(int id) {
    if (const auto local = local_.find(id); local != local_.end()) {
      text += 'l';
      number(static_cast<std::int64_t>(local->second));
    } else if (const auto constant = constants_.find(id); constant != constants_.end()) {
      text += 'c' + constant->second;
    } else {
      text += 'v';
      number(id);
    }
  }

  void dim(const Dim& d) {
    if (!d) {
      text += '-';
      return;
    }
    open();
    number(static_cast<int>(d->kind));
    number(d->value);
    number(d->id);
    for (const Dim& arg : d->args) dim(arg);
    close();
  }

  void shape(const ShapeUnits& units) {
    open();
    for (const Unit& unit : units) {
      if (unit.is_pack()) {
        text += '*';
        number(unit.pack);
      } else {
        dim(unit.dim);
      }
    }
    close();
  }

  void dtype(const Dtype& d) {
    text += d.is_variable ? 'V' : 'S';
    number(d.is_variable ? d.variable : static_cast<int>(d.scalar));
  }

  void argument(const GenericArgument& a) {
    if (const auto* d = std::get_if<Dim>(&a)) {
      dim(*d);
    } else if (const auto* s = std::get_if<ShapeUnits>(&a)) {
      shape(*s);
    } else {
      dtype(std::get<Dtype>(a));
    }
  }

  void type(const Type& t) {
    open();
    number(static_cast<int>(t->kind));
    dtype(t->dtype);
    shape(t->shape);
    for (const Type& element : t->elements) type(element);
    if (t->length) dim(t->length);
    word(t->module);
    word(t->name);
    for (const GenericArgument& a : t->args) argument(a);
    close();
  }

  void attributes(const Attributes& a) {
    open();
    number(static_cast<int>(a.value.index()));
    if (const auto* integer = std::get_if<std::int64_t>(&a.value)) {
      number(*integer);
    } else if (const auto* real = std::get_if<double>(&a.value)) {
      number(std::bit_cast<std::int64_t>(*real));
    } else if (const auto* d = std::get_if<Dim>(&a.value)) {
      dim(*d);
    }
    word(a.name);
    number(static_cast<int>(a.compare));
    number(static_cast<int>(a.reduce));
    shape(a.shape);
    for (const int axis : a.permutation) number(axis);
    for (const SliceAxis& axis : a.axes) {
      open();
      number(axis.whole);
      shape(axis.whole_units);
      dim(axis.start);
      dim(axis.stop);
      dim(axis.step);
      number(axis.squeeze);
      close();
    }
    number(a.axis);
    for (const IndexDomain& index : a.indices) shape(index.domain);
    number(a.index_count);
    for (const std::string& variant : a.variants) word(variant);
    word(a.callee);
    for (const auto& [id, d] : a.substitution.dims) {
      number(id);
      dim(d);
    }
    for (const auto& [id, s] : a.substitution.packs) {
      number(id);
      shape(s);
    }
    for (const auto& [id, d] : a.substitution.dtypes) {
      number(id);
      dtype(d);
    }
    for (const GenericArgument& g : a.generics) argument(g);
    word(a.selected);
    close();
  }
};

}  // namespace

std::string Fingerprints::of(const Op& op) const {
  Writer writer(constants_);
  writer.op(op);
  return std::move(writer.text);
}

}  // namespace linnet::optimize
