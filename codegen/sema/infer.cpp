// Binding a call's generics from the types of its arguments (language.md section 4).

#include <algorithm>
#include <utility>

#include "codegen/sema/body.hpp"

namespace linnet::sema {

using ir::TypeKind;

Inference::Inference(const std::vector<ir::Generic>& generics, ir::Substitution outer)
    : generics_(generics),
      bound_(generics.size()),
      spans_(generics.size()),
      substitution_(std::move(outer)) {}

std::optional<std::size_t> Inference::position_of(ir::GenericKind kind, int id) const {
  for (std::size_t i = 0; i < generics_.size(); ++i) {
    if (generics_[i].kind == kind && generics_[i].id == id) return i;
  }
  return std::nullopt;
}

void Inference::bind_at(std::size_t position, ir::GenericArgument argument, Span span) {
  if (bound_[position]) return;
  bind(substitution_, generics_[position], argument);
  bound_[position] = std::move(argument);
  spans_[position] = span;
}

void Inference::write(std::size_t position, ir::GenericArgument argument, Span span) {
  bind_at(position, std::move(argument), span);
}

void Inference::fill_defaults() {
  for (std::size_t i = 0; i < generics_.size(); ++i) {
    if (bound_[i] || !generics_[i].default_argument) continue;
    bind_at(i, dims::substitute(*generics_[i].default_argument, substitution_), {});
  }
}

void Inference::learn_dtype(const ir::Dtype& parameter, const ir::Dtype& argument, Span span) {
  if (!parameter.is_variable) return;
  if (const auto at = position_of(ir::GenericKind::dtype, parameter.variable)) {
    bind_at(*at, argument, span);
  }
}

bool Inference::wants_dtype(const ir::Type& parameter) const {
  if (!is_scalar(parameter) || !parameter->dtype.is_variable) return false;
  const auto at = position_of(ir::GenericKind::dtype, parameter->dtype.variable);
  return at && !bound_[*at];
}

void Inference::learn_dtype(const ir::Type& parameter, ir::Dtype dtype, Span span) {
  learn_dtype(parameter->dtype, dtype, span);
}

void Inference::learn_dim(const ir::Dim& parameter, const ir::Dim& argument, Span span) {
  const auto symbol = dims::as_symbol(parameter);
  if (!symbol) return;
  if (const auto at = position_of(ir::GenericKind::dim, *symbol)) bind_at(*at, argument, span);
}

void Inference::learn_units(const ir::ShapeUnits& parameter, const ir::ShapeUnits& argument,
                            Span span) {
  // How many units each parameter unit takes: one for a dimension, as many as it is bound to for
  // a pack, and what is left for the one pack that is not bound.
  std::size_t taken = 0;
  std::optional<std::size_t> open;
  std::vector<std::size_t> sizes(parameter.size(), 1);
  for (std::size_t i = 0; i < parameter.size(); ++i) {
    if (parameter[i].is_pack()) {
      const auto at = position_of(ir::GenericKind::shape, parameter[i].pack);
      if (at && !bound_[*at]) {
        if (open) return;  // two open packs: nothing says where one ends
        open = i;
        continue;
      }
      const auto known = substitution_.packs.find(parameter[i].pack);
      sizes[i] = known != substitution_.packs.end() ? known->second.size() : 1;
    }
    taken += sizes[i];
  }
  if (taken > argument.size() || (!open && taken != argument.size())) return;
  if (open) sizes[*open] = argument.size() - taken;

  std::size_t from = 0;
  for (std::size_t i = 0; i < parameter.size(); ++i) {
    if (parameter[i].is_pack()) {
      if (open == i) {
        const auto begin = argument.begin() + static_cast<std::ptrdiff_t>(from);
        const auto at = position_of(ir::GenericKind::shape, parameter[i].pack);
        bind_at(*at, ir::ShapeUnits(begin, begin + static_cast<std::ptrdiff_t>(sizes[i])), span);
      }
    } else if (!argument[from].is_pack()) {
      learn_dim(parameter[i].dim, argument[from].dim, span);
    }
    from += sizes[i];
  }
}

void Inference::learn_all(const std::vector<Pair>& pairs) {
  // A pack is known only once the packs beside it are, so what one argument leaves open another,
  // wherever it stands, may settle.
  const auto count = [this] {
    return std::count_if(bound_.begin(), bound_.end(), [](const auto& b) { return b.has_value(); });
  };
  for (auto before = count() - 1; before < count();) {
    before = count();
    for (const Pair& pair : pairs) learn(pair.parameter, pair.argument, pair.span);
  }
}

void Inference::learn(const ir::Type& parameter, const ir::Type& argument, Span span) {
  if (parameter->kind != argument->kind) return;
  switch (parameter->kind) {
    case TypeKind::scalar:
      learn_dtype(parameter->dtype, argument->dtype, span);
      return;
    case TypeKind::tensor:
      learn_dtype(parameter->dtype, argument->dtype, span);
      learn_units(parameter->shape, argument->shape, span);
      return;
    case TypeKind::tuple:
    case TypeKind::optional:
      if (parameter->elements.size() != argument->elements.size()) return;
      for (std::size_t i = 0; i < parameter->elements.size(); ++i) {
        learn(parameter->elements[i], argument->elements[i], span);
      }
      return;
    case TypeKind::structure:
    case TypeKind::enumeration:
      if (parameter->name != argument->name || parameter->module != argument->module) return;
      for (std::size_t i = 0; i < std::min(parameter->args.size(), argument->args.size()); ++i) {
        const ir::GenericArgument& wanted = parameter->args[i];
        const ir::GenericArgument& got = argument->args[i];
        if (wanted.index() != got.index()) continue;
        if (const auto* dim = std::get_if<ir::Dim>(&wanted)) {
          learn_dim(*dim, std::get<ir::Dim>(got), span);
        } else if (const auto* units = std::get_if<ir::ShapeUnits>(&wanted)) {
          learn_units(*units, std::get<ir::ShapeUnits>(got), span);
        } else {
          learn_dtype(std::get<ir::Dtype>(wanted), std::get<ir::Dtype>(got), span);
        }
      }
      return;
    default:
      return;
  }
}

}  // namespace linnet::sema
