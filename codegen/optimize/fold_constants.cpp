#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "codegen/ir/build.hpp"
#include "codegen/optimize/optimize.hpp"
#include "codegen/optimize/rewrite.hpp"

namespace linnet::optimize {
namespace {

using namespace ir;

/// A scalar constant of a known dtype: integers and `bool` in `integer`, floats in `real`.
struct Number {
  Scalar dtype = Scalar::i64;
  std::int64_t integer = 0;
  double real = 0;
};

bool is_float(Scalar dtype) {
  return dtype >= Scalar::f16;
}
bool is_unsigned(Scalar dtype) {
  return dtype >= Scalar::u8 && dtype <= Scalar::u64;
}

int bits_of(Scalar dtype) {
  switch (dtype) {
    case Scalar::i8:
    case Scalar::u8:
      return 8;
    case Scalar::i16:
    case Scalar::u16:
      return 16;
    case Scalar::i32:
    case Scalar::u32:
      return 32;
    default:
      return 64;
  }
}

/// Wraps to the dtype; empty for what `const.int` cannot hold (`u64` from 2^63 on).
std::optional<Number> integer(Scalar dtype, std::uint64_t bits) {
  const int width = bits_of(dtype);
  const int shift = 64 - width;
  const std::uint64_t low = bits << shift;
  Number out{dtype, 0, 0};
  out.integer = is_unsigned(dtype) ? std::bit_cast<std::int64_t>(low >> shift)
                                   : std::bit_cast<std::int64_t>(low) >> shift;
  if (is_unsigned(dtype) && out.integer < 0) return std::nullopt;
  return out;
}

/// f32 and f64 only, and only finite: these the host rounds as the language does.
std::optional<Number> real(Scalar dtype, double value) {
  if (dtype == Scalar::f32) value = static_cast<double>(static_cast<float>(value));
  if ((dtype != Scalar::f32 && dtype != Scalar::f64) || !std::isfinite(value)) return std::nullopt;
  return Number{dtype, 0, value};
}

Number boolean(bool value) {
  return {Scalar::boolean, value ? 1 : 0, 0};
}

template <class T>
bool holds(Relation relation, T a, T b) {
  switch (relation) {
    case Relation::eq:
      return a == b;
    case Relation::ne:
      return a != b;
    case Relation::lt:
      return a < b;
    case Relation::le:
      return a <= b;
    case Relation::gt:
      return a > b;
    case Relation::ge:
      return a >= b;
  }
  return false;
}

std::optional<Number> fold_integers(OpKind kind, const Number& a, const Number& b) {
  const auto x = std::bit_cast<std::uint64_t>(a.integer);
  const auto y = std::bit_cast<std::uint64_t>(b.integer);
  const int width = bits_of(a.dtype);
  switch (kind) {
    case OpKind::add:
      return integer(a.dtype, x + y);
    case OpKind::sub:
      return integer(a.dtype, x - y);
    case OpKind::mul:
      return integer(a.dtype, x * y);
    case OpKind::div:
    case OpKind::rem: {
      if (b.integer == 0) return std::nullopt;
      // MIN / -1 is MIN, and leaves 0.
      if (b.integer == -1) return integer(a.dtype, kind == OpKind::div ? 0 - x : 0);
      const std::int64_t value =
          kind == OpKind::div ? a.integer / b.integer : a.integer % b.integer;
      return integer(a.dtype, std::bit_cast<std::uint64_t>(value));
    }
    case OpKind::min:
      return a.integer <= b.integer ? a : b;
    case OpKind::max:
      return a.integer >= b.integer ? a : b;
    case OpKind::bitand_:
      return integer(a.dtype, x & y);
    case OpKind::bitor_:
      return integer(a.dtype, x | y);
    case OpKind::bitxor:
      return integer(a.dtype, x ^ y);
    case OpKind::shl:
      if (b.integer < 0 || b.integer >= width) return integer(a.dtype, 0);
      return integer(a.dtype, x << b.integer);
    case OpKind::shr:
      if (b.integer < 0 || b.integer >= width) return integer(a.dtype, a.integer < 0 ? ~0ULL : 0);
      return integer(a.dtype, std::bit_cast<std::uint64_t>(a.integer >> b.integer));
    default:
      return std::nullopt;
  }
}

std::optional<Number> fold_bools(OpKind kind, const Number& a, const Number& b) {
  const bool x = a.integer != 0;
  const bool y = b.integer != 0;
  switch (kind) {
    case OpKind::and_:
    case OpKind::bitand_:
      return boolean(x && y);
    case OpKind::or_:
    case OpKind::bitor_:
      return boolean(x || y);
    case OpKind::bitxor:
      return boolean(x != y);
    default:
      return std::nullopt;
  }
}

std::optional<Number> fold_floats(OpKind kind, const Number& a, const Number& b) {
  if (a.dtype == Scalar::f32) {
    const auto x = static_cast<float>(a.real);
    const auto y = static_cast<float>(b.real);
    switch (kind) {
      case OpKind::add:
        return real(a.dtype, static_cast<double>(x + y));
      case OpKind::sub:
        return real(a.dtype, static_cast<double>(x - y));
      case OpKind::mul:
        return real(a.dtype, static_cast<double>(x * y));
      case OpKind::div:
        return real(a.dtype, static_cast<double>(x / y));
      default:
        return std::nullopt;
    }
  }
  switch (kind) {
    case OpKind::add:
      return real(a.dtype, a.real + b.real);
    case OpKind::sub:
      return real(a.dtype, a.real - b.real);
    case OpKind::mul:
      return real(a.dtype, a.real * b.real);
    case OpKind::div:
      return real(a.dtype, a.real / b.real);
    default:
      return std::nullopt;
  }
}

std::optional<Number> fold_cast(Scalar to, const Number& x) {
  if (is_float(x.dtype)) {
    if (to == Scalar::boolean) return boolean(x.real != 0);
    if (is_float(to)) return real(to, x.real);
    // Truncates; what would saturate is left to run time.
    if (!(std::fabs(x.real) < 9e15)) return std::nullopt;
    const auto truncated = static_cast<std::int64_t>(x.real);
    const auto wrapped = integer(to, std::bit_cast<std::uint64_t>(truncated));
    if (!wrapped || wrapped->integer != truncated) return std::nullopt;
    return wrapped;
  }
  if (to == Scalar::boolean) return boolean(x.integer != 0);
  if (to == Scalar::f32) {
    // Once from the integer, not through f64.
    return real(to, static_cast<double>(static_cast<float>(x.integer)));
  }
  if (is_float(to)) return real(to, static_cast<double>(x.integer));
  return integer(to, std::bit_cast<std::uint64_t>(x.integer));
}

std::optional<Number> fold_unary(OpKind kind, const Number& x) {
  if (kind == OpKind::not_ && x.dtype == Scalar::boolean) return boolean(x.integer == 0);
  if (kind == OpKind::neg) {
    if (is_float(x.dtype)) return real(x.dtype, -x.real);
    return integer(x.dtype, 0 - std::bit_cast<std::uint64_t>(x.integer));
  }
  if (kind == OpKind::abs) {
    if (is_float(x.dtype)) return real(x.dtype, std::fabs(x.real));
    const auto bits = std::bit_cast<std::uint64_t>(x.integer);
    return integer(x.dtype, x.integer < 0 ? 0 - bits : bits);
  }
  return std::nullopt;
}

class Folder {
 public:
  void body(Region& region) {
    for (Op& op : region.ops) {
      for (Region& inner : op.regions) body(inner);
      fold(op);
      note(op);
    }
  }

  [[nodiscard]] bool changed() const { return changed_; }

 private:
  std::unordered_map<int, Number> numbers_;
  bool changed_ = false;

  void note(const Op& op) {
    if (op.results.size() != 1 || op.results[0].type->kind != TypeKind::scalar) return;
    const Dtype& dtype = op.results[0].type->dtype;
    if (dtype.is_variable) return;
    if (op.kind == OpKind::const_int || op.kind == OpKind::const_bool) {
      const auto value = std::get<std::int64_t>(op.attrs.value);
      if (!is_float(dtype.scalar)) numbers_[op.results[0].id] = {dtype.scalar, value, 0};
    } else if (op.kind == OpKind::const_float) {
      // A literal is held as written; its dtype rounds it. The half floats stay out.
      const auto value = real(dtype.scalar, std::get<double>(op.attrs.value));
      if (value) numbers_[op.results[0].id] = *value;
    }
  }

  void fold(Op& op) {
    if (op.results.size() != 1 || op.results[0].type->kind != TypeKind::scalar) return;
    if (op.kind == OpKind::const_dim) {
      fold_dim(op);
      return;
    }
    const Dtype& dtype = op.results[0].type->dtype;
    if (dtype.is_variable || op.operands.empty() || op.operands.size() > 2) return;
    std::vector<Number> values;
    for (const int operand : op.operands) {
      const auto found = numbers_.find(operand);
      if (found == numbers_.end()) return;
      values.push_back(found->second);
    }
    const auto value =
        values.size() == 1 ? unary(op, values[0], dtype.scalar) : binary(op, values[0], values[1]);
    if (value) become(op, *value);
  }

  static std::optional<Number> unary(const Op& op, const Number& x, Scalar result) {
    return op.kind == OpKind::cast ? fold_cast(result, x) : fold_unary(op.kind, x);
  }

  static std::optional<Number> binary(const Op& op, const Number& a, const Number& b) {
    if (op.kind == OpKind::compare) {
      return boolean(is_float(a.dtype) ? holds(op.attrs.compare, a.real, b.real)
                                       : holds(op.attrs.compare, a.integer, b.integer));
    }
    if (is_float(a.dtype)) return fold_floats(op.kind, a, b);
    if (a.dtype == Scalar::boolean) return fold_bools(op.kind, a, b);
    return fold_integers(op.kind, a, b);
  }

  void fold_dim(Op& op) {
    const auto value = constant_value(std::get<Dim>(op.attrs.value));
    if (!value) return;
    op.kind = OpKind::const_int;
    op.attrs.value = *value;
    changed_ = true;
  }

  void become(Op& op, const Number& value) {
    op.operands.clear();
    op.attrs = {};
    if (is_float(value.dtype)) {
      op.kind = OpKind::const_float;
      op.attrs.value = value.real;
    } else {
      op.kind = value.dtype == Scalar::boolean ? OpKind::const_bool : OpKind::const_int;
      op.attrs.value = value.integer;
    }
    changed_ = true;
  }
};

}  // namespace

bool fold_constants(Program& program) {
  bool changed = false;
  for_each_body(program, [&](Region& region) {
    Folder folder;
    folder.body(region);
    changed = changed || folder.changed();
  });
  return changed;
}

}  // namespace linnet::optimize
