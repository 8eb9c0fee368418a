#include "codegen/sema/dims/build.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace linnet::sema::dims {
namespace {

ir::Dim node(ir::DimKind kind, std::vector<ir::Dim> args) {
  auto result = std::make_shared<ir::DimNode>();
  result->kind = kind;
  result->args = std::move(args);
  return result;
}

ir::Dim leaf(ir::DimKind kind, int id, std::string name) {
  auto result = std::make_shared<ir::DimNode>();
  result->kind = kind;
  result->id = id;
  result->name = std::move(name);
  return result;
}

/// Floor division and remainder of constants; empty unless the divisor is positive.
std::optional<std::pair<std::int64_t, std::int64_t>> divided(const ir::Dim& a, const ir::Dim& b) {
  const auto x = as_constant(a);
  const auto n = as_constant(b);
  if (!x || !n || *n <= 0) return std::nullopt;
  const std::int64_t rest = *x % *n;
  return rest < 0 ? std::pair{*x / *n - 1, rest + *n} : std::pair{*x / *n, rest};
}

bool is_constant(const ir::Dim& dim, std::int64_t value) {
  return as_constant(dim) == value;
}

/// A sum or product of two, long ones kept as one flat node: `args` of `a`, then of `b`, with the
/// constants joined at the end of sums and in front of products.
ir::Dim flattened(ir::DimKind kind, const ir::Dim& a, const ir::Dim& b) {
  // Copying the operands of a long sum for each new one would be quadratic.
  constexpr std::size_t max_flat = 64;
  const bool is_sum = kind == ir::DimKind::add;
  std::vector<ir::Dim> args;
  std::int64_t folded = is_sum ? 0 : 1;
  for (const ir::Dim& side : {a, b}) {
    const bool flat = side->kind == kind && side->args.size() < max_flat;
    for (const ir::Dim& arg : flat ? side->args : std::vector<ir::Dim>{side}) {
      const auto value = as_constant(arg);
      std::int64_t next = 0;
      const bool overflow = value && (is_sum ? __builtin_add_overflow(folded, *value, &next)
                                             : __builtin_mul_overflow(folded, *value, &next));
      if (value && !overflow) {
        folded = next;
      } else {
        args.push_back(arg);
      }
    }
  }
  if (!is_sum && folded == 0) return constant(0);
  if (args.empty()) return constant(folded);
  if (folded != (is_sum ? 0 : 1)) {
    args.insert(is_sum ? args.end() : args.begin(), constant(folded));
  }
  return args.size() == 1 ? args.front() : node(kind, std::move(args));
}

struct Extent {
  std::size_t nodes = 0;
  int depth = 0;
};

/// The size of the expression written out, each shared node looked at once; beyond the limits as
/// soon as any part is.
std::optional<Extent> measure(const ir::Dim& dim, int depth,
                              std::unordered_map<const ir::DimNode*, Extent>& known) {
  if (dim == nullptr || depth > max_dim_depth) return std::nullopt;
  if (dim->args.empty()) return Extent{1, 1};
  if (const auto found = known.find(dim.get()); found != known.end()) {
    if (depth + found->second.depth > max_dim_depth) return std::nullopt;
    return found->second;
  }
  Extent total{1, 1};
  for (const ir::Dim& arg : dim->args) {
    const auto part = measure(arg, depth + 1, known);
    if (!part) return std::nullopt;
    total.nodes += part->nodes;
    total.depth = std::max(total.depth, part->depth + 1);
    if (total.nodes > max_dim_nodes) return std::nullopt;
  }
  known.emplace(dim.get(), total);
  return total;
}

bool same_within(const ir::Dim& a, const ir::Dim& b, int depth, std::size_t& budget) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr || depth > max_dim_depth || budget == 0) return false;
  --budget;
  if (a->kind != b->kind || a->value != b->value || a->id != b->id ||
      a->args.size() != b->args.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a->args.size(); ++i) {
    if (!same_within(a->args[i], b->args[i], depth + 1, budget)) return false;
  }
  return true;
}

}  // namespace

ir::Dim constant(std::int64_t value) {
  auto result = std::make_shared<ir::DimNode>();
  result->value = value;
  return result;
}

ir::Dim symbol(int id, std::string name) {
  return leaf(ir::DimKind::symbol, id, std::move(name));
}

ir::Dim pack_size(int id, std::string name) {
  return leaf(ir::DimKind::pack_size, id, std::move(name));
}

ir::Dim add(const ir::Dim& a, const ir::Dim& b) {
  return flattened(ir::DimKind::add, a, b);
}
ir::Dim mul(const ir::Dim& a, const ir::Dim& b) {
  return flattened(ir::DimKind::mul, a, b);
}
ir::Dim neg(const ir::Dim& a) {
  return mul(constant(-1), a);
}
ir::Dim sub(const ir::Dim& a, const ir::Dim& b) {
  return same(a, b) ? constant(0) : add(a, neg(b));
}

ir::Dim floordiv(const ir::Dim& a, const ir::Dim& b) {
  if (const auto result = divided(a, b)) return constant(result->first);
  if (is_constant(b, 1)) return a;
  return node(ir::DimKind::floordiv, {a, b});
}

ir::Dim unfolded(ir::DimKind kind, const ir::Dim& a, const ir::Dim& b) {
  return node(kind, {a, b});
}

ir::Dim mod(const ir::Dim& a, const ir::Dim& b) {
  if (const auto result = divided(a, b)) return constant(result->second);
  if (is_constant(b, 1)) return constant(0);
  return node(ir::DimKind::mod, {a, b});
}

ir::Dim min(const ir::Dim& a, const ir::Dim& b) {
  const auto x = as_constant(a);
  const auto y = as_constant(b);
  if (x && y) return constant(std::min(*x, *y));
  return same(a, b) ? a : node(ir::DimKind::min, {a, b});
}

ir::Dim max(const ir::Dim& a, const ir::Dim& b) {
  const auto x = as_constant(a);
  const auto y = as_constant(b);
  if (x && y) return constant(std::max(*x, *y));
  return same(a, b) ? a : node(ir::DimKind::max, {a, b});
}

ir::Dim ceildiv(const ir::Dim& a, const ir::Dim& b) {
  // Of constants the sum may be beyond 64 bits though the quotient is not.
  if (const auto result = divided(a, b)) {
    return constant(result->second == 0 ? result->first : result->first + 1);
  }
  return floordiv(add(a, sub(b, constant(1))), b);
}

ir::Unit unit_of(ir::Dim dim) {
  ir::Unit unit;
  unit.dim = std::move(dim);
  return unit;
}

ir::Unit unit_of_pack(int id, std::string name) {
  ir::Unit unit;
  unit.pack = id;
  unit.pack_name = std::move(name);
  return unit;
}

std::optional<std::int64_t> as_constant(const ir::Dim& dim) {
  if (dim == nullptr || dim->kind != ir::DimKind::constant) return std::nullopt;
  return dim->value;
}

std::optional<int> as_symbol(const ir::Dim& dim) {
  if (dim == nullptr || dim->kind != ir::DimKind::symbol) return std::nullopt;
  return dim->id;
}

bool same(const ir::Dim& a, const ir::Dim& b) {
  std::size_t budget = max_dim_nodes;
  return same_within(a, b, 0, budget);
}

bool same(const ir::Unit& a, const ir::Unit& b) {
  if (a.is_pack() != b.is_pack()) return false;
  return a.is_pack() ? a.pack == b.pack : same(a.dim, b.dim);
}

bool same(const ir::ShapeUnits& a, const ir::ShapeUnits& b) {
  return std::ranges::equal(a, b, [](const ir::Unit& x, const ir::Unit& y) { return same(x, y); });
}

bool mentions_symbol(const ir::Dim& dim, int id) {
  std::vector<const ir::DimNode*> open{dim.get()};
  std::unordered_map<const ir::DimNode*, bool> seen;
  while (!open.empty()) {
    const ir::DimNode* next = open.back();
    open.pop_back();
    if (next == nullptr || !seen.emplace(next, true).second) continue;
    if (next->kind == ir::DimKind::symbol && next->id == id) return true;
    for (const ir::Dim& arg : next->args) open.push_back(arg.get());
  }
  return false;
}

bool within_limits(const ir::Dim& dim) {
  if (dim == nullptr) return false;
  if (dim->args.empty()) return true;
  std::unordered_map<const ir::DimNode*, Extent> known;
  return measure(dim, 1, known).has_value();
}

}  // namespace linnet::sema::dims
