// Names of a body's values, and the two ways into it.

#include "codegen/plan/emit/body.hpp"

#include <algorithm>

#include "codegen/ir/walk.hpp"

namespace linnet::plan::detail {

using namespace ir;

BodyWriter::BodyWriter(Items& items, const Block* block, std::vector<Problem>& problems,
                       std::string where)
    : items_(items), block_(block), problems_(problems), where_(std::move(where)) {
  // Ordinary identifiers that mean something else in front of `[` or `(`.
  taken_ = {"sum",        "prod",       "any",        "all",  "load",   "store", "program_id",
            "atomic_add", "atomic_max", "atomic_min", "grad", "kernel", "axis"};
}

void BodyWriter::refuse(const std::string& message) {
  const Problem problem{where_, message};
  if (std::find(problems_.begin(), problems_.end(), problem) == problems_.end()) {
    problems_.push_back(problem);
  }
}

std::string BodyWriter::fresh(const std::string& base) {
  if (!base.empty()) return unique_name(base, taken_);
  std::string name;
  do {
    name = "_" + std::to_string(next_unnamed_++);
  } while (!taken_.insert(name).second);
  return name;
}

/// A name for a value; one that nothing uses is marked as such.
std::string BodyWriter::fresh(const Value& value) {
  const bool unused = uses_[value.id] == 0 && !value.name.empty() && value.name[0] != '_';
  if (!unused) return fresh(value.name);
  std::string name;
  do {
    name = "_" + std::to_string(next_unnamed_++) + "_" + value.name;
  } while (!taken_.insert(name).second);
  return name;
}

std::string BodyWriter::parameter(const Value& value) {
  const std::string name = value.name.empty() ? fresh("") : value.name;
  taken_.insert(name);
  names_[value.id] = name;
  types_[value.id] = value.type;
  return name;
}

/// What the region calls and reads by bare name may not be hidden by its locals.
void BodyWriter::reserve_uses(const Region& region) {
  walk(region, [&](const Op& op) {
    if (!op.attrs.callee.empty()) {
      const std::string name = split_name(op.attrs.callee).second;
      const std::size_t dot = name.find('.');
      taken_.insert(dot == std::string::npos ? items_.function(op.attrs.callee)
                                             : name.substr(dot + 1));
    }
    if (!op.attrs.name.empty()) taken_.insert(op.attrs.name);
    for (const Value& result : op.results) {
      const Type& type = result.type;
      if (type->kind == TypeKind::structure || type->kind == TypeKind::enumeration) {
        taken_.insert(items_.type(type->module, type->name));
      }
    }
  });
}

void BodyWriter::count_uses(const Region& region) {
  walk(region, [&](const Op& op) {
    for (const int operand : op.operands) ++uses_[operand];
    for (const Value& result : op.results) types_[result.id] = result.type;
    for (const Region& inner : op.regions) {
      for (const Value& arg : inner.args) types_[arg.id] = arg.type;
    }
    if (op.kind == OpKind::const_int || op.kind == OpKind::const_dim) {
      constants_[op.results[0].id] = &op;
    }
  });
}

std::string BodyWriter::statements(const Region& region) {
  count_uses(region);
  body(region, {}, false);
  return std::move(out_);
}

std::string BodyWriter::value(const Region& region) {
  count_uses(region);
  // Names are those of constants that this one is made of, which need no binding.
  keeps_names_ = false;
  return region_expression(region).text;
}

void BodyWriter::line(const std::string& text) {
  written_ += text.size();
  if (written_ > max_text) {
    refuse("is too long to be written out");
    return;
  }
  out_.append(static_cast<std::size_t>(indent_) * 4, ' ');
  out_ += text;
  out_ += '\n';
}

}  // namespace linnet::plan::detail
